"""The page Privacy & storage on a real home: rules, secrets, space, encryption and backup."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QPushButton

from biny_desktop.activity.ageing_model import AgeingPreview, Part, RetentionState
from biny_desktop.activity.ageing_plan import DAY_MS
from biny_desktop.app import open_product
from biny_desktop.capture.user_rules import UserRule
from biny_desktop.service.closed_work import ClosedWork
from biny_desktop.service.product import Product
from biny_desktop.storage.progress import Watch
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.pages.privacy.first_deletion import AgeingCard
from biny_desktop.ui.pages.privacy.page import PrivacyPage
from tests.fakes.homes import MemoryKeyring

RULE = UserRule(0, "Bank", "title", "contains", "Bank of the Bay", "placeholder")


@pytest.fixture
def keyring() -> MemoryKeyring:
    return MemoryKeyring()


@pytest.fixture
def product(tmp_path: Path, keyring: MemoryKeyring) -> Iterator[Product]:
    with contextlib.closing(open_product(tmp_path / "home", keyring)) as made:
        yield made


@pytest.fixture
def page(product: Product, calls, keyring, qtbot) -> Iterator[PrivacyPage]:
    bridge = Bridge(product.events)
    made = PrivacyPage(product, calls, bridge, keyring)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    qtbot.waitUntil(lambda: bool(made.part("rules").lists.groups))
    yield made
    bridge.close()
    qtbot.waitUntil(lambda: not calls.busy())


def button(parent, text: str) -> QPushButton:
    return next(each for each in parent.findChildren(QPushButton) if each.text() == text)


def test_every_control_has_a_name_and_a_place_in_the_tab_order(page: PrivacyPage) -> None:
    for number in range(page.tabs.count()):
        page.tabs.setCurrentIndex(number)
        controls = [*page.tab().findChildren(QAbstractButton), *page.tab().findChildren(QComboBox)]
        for control in [*controls, *page.tab().findChildren(QLineEdit)]:
            if control.objectName().startswith("qt_") or not control.isVisible():
                continue
            assert control.accessibleName() or control.parent().accessibleName(), control
            assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, control.accessibleName()


def test_tabs_go_round_by_keys_and_survive_a_restart(page: PrivacyPage, qtbot, tmp_path) -> None:
    from PySide6.QtCore import QSettings

    page.activateWindow()
    page._step(-1)
    assert page.tab() is page.part("keeping")
    settings = QSettings(str(tmp_path / "w.ini"), QSettings.Format.IniFormat)
    page.save_state(settings)
    page._step(1)
    assert page.tab() is page.part("rules")
    page.restore_state(settings)
    assert page.tab() is page.part("keeping")


# --- rules ------------------------------------------------------------------------------------------------------------


def test_a_built_in_rule_is_switched_off_and_the_list_says_so(page: PrivacyPage, product: Product, qtbot) -> None:
    group = page.part("rules").lists.groups["product"]
    group.head.click()
    switch = page.part("rules").lists.switches()["product:bitwarden"]
    assert switch.isVisible()
    switch.click()
    qtbot.waitUntil(lambda: "1 switched off by you" in group._count.text())
    off = [each.id for each in product.privacy.builtins() if not each.enabled]
    assert off == ["product:bitwarden"]


def test_a_rule_is_added_in_a_dialog_that_tries_it_first(page: PrivacyPage, product: Product, qtbot) -> None:
    page.part("rules").rules.add_button.click()
    dialog = page.part("rules").rules.dialog
    dialog.name.setText("Bank")
    dialog.target.setCurrentIndex(dialog.target.findData("title"))
    dialog.pattern.setText("bank of")
    dialog.sample.setText("Bank of the Bay - Firefox")
    qtbot.waitUntil(lambda: dialog.said.text() == "The rule applies.")
    dialog.sample.setText("Timetable")
    qtbot.waitUntil(lambda: dialog.said.text() == "The rule does not apply.")
    dialog.save.click()
    qtbot.waitUntil(lambda: page.part("rules").rules.model.rowCount() == 1)
    assert page.part("rules").rules.model.row(0).cells == (
        "Bank",
        "Window title contains: bank of",
        "Do not record",
        "On",
        "0",
    )
    assert [each.rule.pattern for each in product.privacy.user_rules()] == ["bank of"]


def test_a_rule_that_cannot_be_used_is_refused_in_the_dialog(page: PrivacyPage, product: Product, qtbot) -> None:
    page.part("rules").rules.add_button.click()
    dialog = page.part("rules").rules.dialog
    dialog.name.setText("Bad")
    dialog.match.setCurrentIndex(dialog.match.findData("regex"))
    dialog.pattern.setText("(a+)+b")
    dialog.save.click()
    qtbot.waitUntil(lambda: dialog.said.property("role") == "bad" and dialog.save.isEnabled())
    assert dialog.isVisible()
    assert product.privacy.user_rules() == ()
    dialog.cancel.click()


def test_rules_are_switched_edited_and_deleted_by_keys(page: PrivacyPage, product: Product, qtbot) -> None:
    product.privacy.add_rule(RULE)
    page.refresh()
    section = page.part("rules").rules
    qtbot.waitUntil(lambda: section.model.rowCount() == 1)
    assert not section.edit.isEnabled()
    section.table.choose(0)
    assert section.edit.isEnabled()
    view = section.table.view
    qtbot.keyClick(view, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: section.model.row(0).cells[3] == "Off")
    assert section.table.row() == 0
    qtbot.keyClick(view, Qt.Key.Key_Return)
    section.dialog.name.setText("Bay bank")
    section.dialog.save.click()
    qtbot.waitUntil(lambda: section.model.row(0).cells[0] == "Bay bank")
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: section.model.rowCount() == 0)
    assert product.privacy.user_rules() == ()


@pytest.mark.parametrize(
    ("app", "title", "said"),
    [
        ("keepassxc", "Vault", "It would not be recorded. Private app in front: KeePass family."),
        ("org.mozilla.firefox", "Timetable — Mozilla Firefox", "It would be recorded."),
        ("firefox", "Bank of the Bay — Mozilla Firefox", "your rule “Bank”"),
        ("", "", "Type an app id or a title"),
    ],
)
def test_a_window_is_tried_while_typing(page: PrivacyPage, product: Product, qtbot, app, title, said) -> None:
    product.privacy.add_rule(RULE)
    page.find()
    page.part("rules").trial.app.setText("x")
    page.part("rules").trial.app.setText(app)
    page.part("rules").trial.title.setText(title)
    qtbot.waitUntil(lambda: said in page.part("rules").trial.said.text())


# --- secrets ----------------------------------------------------------------------------------------------------------


def test_a_text_is_tried_while_typing(page: PrivacyPage, qtbot) -> None:
    page.tabs.setCurrentIndex(1)
    page.part("secrets").trial.text.setPlainText("mail mara@harbour.example now")
    qtbot.waitUntil(lambda: page.part("secrets").trial.stored.toPlainText() == "mail [hidden: email] now")
    assert page.part("secrets").trial.said.text() == "Hidden: Mail address 1."
    page.part("secrets").trial.text.setPlainText("nothing here")
    qtbot.waitUntil(lambda: page.part("secrets").trial.said.text() == "Nothing is hidden in it.")


def test_a_pattern_of_ones_own_hides_at_once(page: PrivacyPage, product: Product, qtbot) -> None:
    page.tabs.setCurrentIndex(1)
    page.part("secrets").trial.text.setPlainText("order PRJ-1234 is ready")
    page.part("secrets").patterns.add_button.click()
    dialog = page.part("secrets").patterns.dialog
    dialog.name.setText("Projects")
    dialog.pattern.setText("PRJ-[0-9]{4}")
    dialog.save.click()
    qtbot.waitUntil(lambda: page.part("secrets").trial.stored.toPlainText() == "order [hidden: custom] is ready")
    section = page.part("secrets").patterns
    qtbot.waitUntil(lambda: section.model.rowCount() == 1)
    section.table.choose(0)
    section.toggle.click()
    qtbot.waitUntil(lambda: section.model.row(0).cells[2] == "Off")
    section.delete.click()
    qtbot.waitUntil(lambda: section.model.rowCount() == 0)
    assert product.privacy.patterns() == ()


# --- space ------------------------------------------------------------------------------------------------------------


def test_space_is_told_and_limits_are_changed_in_place(page: PrivacyPage, product: Product, qtbot) -> None:
    page.tabs.setCurrentIndex(2)
    qtbot.waitUntil(lambda: page.part("space").tiers.rowCount() > 0)
    assert [page.part("space").tiers.row(n).cells[0] for n in range(3)] == ["Original size", "Medium size", "Small"]
    assert page.part("space").quota.text() == "0 B of 10 GB for pictures"
    assert not page.part("space").card.isVisible()
    page.values.set("pictures.quota_mb", "1000")
    qtbot.waitUntil(lambda: "1.0 GB" in page.part("space").quota.text())


def test_pictures_are_moved_and_back(page: PrivacyPage, product: Product, tmp_path: Path, qtbot) -> None:
    page.tabs.setCurrentIndex(2)
    place = page.part("space").place
    (tmp_path / "disk").mkdir()
    assert place.back.isHidden()
    place.choose = lambda question: str(tmp_path / "disk")
    place.move.click()
    qtbot.waitUntil(lambda: "Moved 0 pictures" in place.said.text(), timeout=15_000)
    assert product.files.folder.parent == tmp_path / "disk"
    assert str(tmp_path / "disk") in place.place.texts()["Folder"]
    place.choose = lambda question: str(tmp_path / "nowhere")
    place.move.click()
    qtbot.waitUntil(lambda: place.said.text().startswith("No such folder."))
    place.back.click()
    qtbot.waitUntil(place.back.isHidden, timeout=15_000)
    assert product.files.folder == product.folders.data / "pictures"


def test_a_range_is_deleted_after_its_counts(page: PrivacyPage, qtbot) -> None:
    page.tabs.setCurrentIndex(2)
    page.part("space").place.delete.click()
    assert page.part("space").place.dialog.isVisible()
    page.part("space").place.dialog.reject()


def test_the_first_deletion_is_shown_postponed_and_started(page: PrivacyPage) -> None:
    state = RetentionState("waiting", 0, DAY_MS, 0, pinned_over_quota=False)
    preview = AgeingPreview(DAY_MS, Part(40, 8_000_000), Part(3, 600_000), Part(0, 0), 0, DAY_MS, 120, Part(2, 1))
    card, said = AgeingCard(), []
    card.postponed.connect(lambda: said.append("postponed"))
    card.agreed.connect(lambda: said.append("agreed"))
    card.fill(state, preview, "UTC", 0)
    assert "in 1 d" in card.said.text()
    assert card.facts.texts() == {
        "Made smaller": "40 pictures, 8.0 MB",
        "Deleted by age": "3 pictures, 600 kB",
        "Taken": "00:00 to 2 January",
        "Stays": "The text of all 120 frames and search; pinned pictures: 2.",
    }
    card.later.click()
    card.now.click()
    assert said == ["postponed", "agreed"]
    card.fill(replace(state, phase="running", starts_at_ms=None), preview, "UTC", 0)
    assert not card.isHidden()
    assert card._buttons.isHidden()
    nothing = replace(preview, shrink=Part(0, 0), by_age=Part(0, 0))
    card.fill(replace(state, phase="none", starts_at_ms=None), nothing, "UTC", 0)
    assert card.isHidden()


# --- encryption and backup --------------------------------------------------------------------------------------------


def test_the_recovery_key_is_shown_on_request_and_gone_when_one_looks_away(page: PrivacyPage, qtbot) -> None:
    page.tabs.setCurrentIndex(3)
    recovery = page.part("keeping").recovery
    assert recovery.key.text() == ""
    recovery.show_key.click()
    qtbot.waitUntil(lambda: recovery.key.text().count("-") == 13)
    typed = recovery.key.text()
    page.tabs.setCurrentIndex(0)
    assert recovery.key.text() == ""
    page.tabs.setCurrentIndex(3)
    recovery.field.setText("0000-1111")
    recovery.take.click()
    qtbot.waitUntil(lambda: recovery.said.property("role") == "bad")
    recovery.field.setText(typed.lower())
    recovery.take.click()
    qtbot.waitUntil(lambda: recovery.said.text() == "The key fits and is kept in the system keyring.")


def test_a_backup_is_made_checked_and_rehearsed(page: PrivacyPage, tmp_path: Path, qtbot) -> None:
    page.tabs.setCurrentIndex(3)
    section = page.part("keeping").backup
    (tmp_path / "disk").mkdir()
    section.choose = lambda question: str(tmp_path / "disk")
    section.make.click()
    assert not section.make.isEnabled()
    qtbot.waitUntil(lambda: section.receipt.texts().get("Backup") == "Made and written to the disk.", timeout=15_000)
    made = next((tmp_path / "disk").iterdir())
    assert section.receipt.texts()["Folder"] == str(made)
    section.choose = lambda question: str(made)
    section.check.click()
    qtbot.waitUntil(lambda: section.receipt.texts().get("Backup") == "Whole.", timeout=15_000)
    section.drill.click()
    qtbot.waitUntil(lambda: "It can be restored" in section.receipt.texts().get("Backup", ""), timeout=15_000)
    (made / "biny.db").write_bytes(b"broken")
    section.check.click()
    qtbot.waitUntil(lambda: section.receipt.texts().get("Backup") == "Not whole.", timeout=15_000)
    section.choose = lambda question: str(tmp_path)
    section.check.click()
    qtbot.waitUntil(lambda: section.error.text().startswith("This is no backup of Biny."))


@pytest.mark.parametrize(("press", "verb"), [("off", "Turn off"), ("rekey", "Change the key")])
def test_a_change_of_encryption_closes_the_home_and_does_it(page, product, keyring, qtbot, press, verb) -> None:
    quits: list[None] = []
    product.on_quit = lambda: quits.append(None)
    page.tabs.setCurrentIndex(3)
    getattr(page.part("keeping").encryption, press).click()
    button(page.part("keeping").encryption.box, verb).click()
    assert quits == [None]
    assert isinstance(product.closed_work, ClosedWork)
    product.close()
    words = product.closed_work.work(Watch())
    assert words.startswith("Encryption is off." if press == "off" else "Encryption is on.")
    with contextlib.closing(open_product(product.folders.data.parent, keyring)) as again:
        assert again.database.encrypted == (press != "off")


def test_a_restore_asks_and_sets_aside_what_is_here(page: PrivacyPage, product, keyring, tmp_path, qtbot) -> None:
    page.tabs.setCurrentIndex(3)
    section = page.part("keeping").backup
    (tmp_path / "disk").mkdir()
    section.choose = lambda question: str(tmp_path / "disk")
    section.make.click()
    qtbot.waitUntil(lambda: not section.work.running() and not section.receipt.isHidden(), timeout=15_000)
    made = next((tmp_path / "disk").iterdir())
    section.choose = lambda question: str(made)
    section.restore.click()
    button(section.box, "Restore").click()
    product.close()
    words = product.closed_work.work(Watch())
    assert words.startswith("Restored")
    assert "What was there before:" in words
