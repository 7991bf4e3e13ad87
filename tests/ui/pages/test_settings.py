"""The page Settings on a real settings file: finding, changing, refusing, resetting, and what the environment locks."""

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from biny_desktop.core.errors import StorageError
from biny_desktop.core.settings import declarations
from biny_desktop.service.power import Overlaid
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.pages.settings.page import SettingsPage
from tests.fakes.autostart import FakeAutostart
from tests.fakes.product import ShellProduct


@pytest.fixture
def product(tmp_path) -> ShellProduct:
    return ShellProduct(tmp_path)


@pytest.fixture
def autostart() -> FakeAutostart:
    return FakeAutostart()


@pytest.fixture
def page(product: ShellProduct, calls, autostart: FakeAutostart, qtbot):
    bridge = Bridge(product.events)
    made = SettingsPage(product, calls, bridge, autostart.picked)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    qtbot.waitUntil(lambda: made.values.value("ui.theme") is not None and len(made.sections) == made.groups.count())
    yield made
    bridge.close()


def test_every_declared_setting_has_a_row_with_names_and_a_place_in_the_tab_order(page: SettingsPage) -> None:
    assert list(page.rows) == ["start.at_login", *(each.key for each in declarations())]
    for key, row in page.rows.items():
        assert row.editor.isEnabled(), key
        assert row.editor.accessibleName() == row.name
        assert key in row.editor.toolTip() or key == "start.at_login"
        assert (row.editor.focusProxy() or row.editor).focusPolicy() & Qt.FocusPolicy.TabFocus


def test_a_switch_a_list_a_number_and_a_text_are_stored(page: SettingsPage, product: ShellProduct, qtbot) -> None:
    page.rows["watch.enabled"].editor.click()
    row = page.rows["ui.theme"]
    row.editor.setFocus()
    qtbot.keyClick(row.editor, Qt.Key.Key_Down)
    number = page.rows["read.every"].editor
    number.setFocus()
    qtbot.keyClick(number, Qt.Key.Key_Up)
    text = page.rows["day.start"].editor
    text.setText("05:30")
    text.editingFinished.emit()
    qtbot.waitUntil(lambda: product.settings.current().day.start == "05:30")  # the last of them
    now = product.settings.current()
    assert (now.watch.enabled, now.ui.theme, now.read.every) == (True, "light", 4)


def test_a_changed_setting_says_its_default_and_goes_back_to_it(page: SettingsPage, product, qtbot) -> None:
    row = page.rows["capture.merge_ms"]
    assert row.reset.isHidden()
    page.values.set("capture.merge_ms", "5000")
    qtbot.waitUntil(lambda: not row.reset.isHidden())
    assert row.said.text() == "Default: 4,000 ms"
    row.reset.click()
    qtbot.waitUntil(row.reset.isHidden)
    assert row.editor.value() == 4000
    assert product.done == ["set capture.merge_ms 5000", "reset capture.merge_ms"]


def test_of_two_values_in_a_row_the_later_one_stays(page: SettingsPage, product, qtbot) -> None:
    store, first = product.set_setting, threading.Event()

    def slow(key: str, text: str) -> None:
        if text == "4500":
            first.wait(10)
        store(key, text)

    product.set_setting = slow
    page.values.set("capture.merge_ms", "4500")
    page.values.set("capture.merge_ms", "5000")
    first.set()
    qtbot.waitUntil(lambda: len(product.done) == 2)
    assert product.done == ["set capture.merge_ms 4500", "set capture.merge_ms 5000"]
    qtbot.waitUntil(lambda: page.values.value("capture.merge_ms") == 5_000)


def test_a_limit_is_a_number_or_its_word(page: SettingsPage, product, qtbot) -> None:
    editor = page.rows["pictures.delete_days"].editor
    editor.button.click()
    qtbot.waitUntil(lambda: product.settings.current().pictures.delete_days == "keep")
    qtbot.waitUntil(lambda: not editor.number.isEnabled())
    editor.button.click()
    qtbot.waitUntil(lambda: product.settings.current().pictures.delete_days == 30)
    qtbot.waitUntil(editor.number.isEnabled)


def test_a_refused_value_is_explained_in_place_and_nothing_changes(page: SettingsPage, product, qtbot) -> None:
    row = page.rows["day.start"]
    row.editor.setFocus()
    row.editor.setText("25:99")
    qtbot.keyClick(row.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: row.said.text().startswith("Not accepted"))
    assert row.editor.text() == "25:99"
    assert product.settings.current().day.start == "04:00"


def test_a_change_elsewhere_is_shown_at_once(page: SettingsPage, product: ShellProduct, qtbot) -> None:
    product.settings.set("pictures.quality", "81")
    qtbot.waitUntil(lambda: page.rows["pictures.quality"].editor.value() == 81)


def test_the_environment_locks_a_setting_and_says_so(product, calls, qtbot, monkeypatch) -> None:
    monkeypatch.setenv("BINY_UI__THEME", "dark")
    product.settings.set("ui.notify", "false")
    bridge = Bridge(product.events)
    page = SettingsPage(product, calls, bridge, FakeAutostart().picked)
    qtbot.addWidget(page)
    page.make_all()
    row = page.rows["ui.theme"]
    qtbot.waitUntil(lambda: "BINY_UI__THEME" in row.said.text())
    assert not row.editor.isEnabled()
    assert row.editor.currentData() == "dark"
    bridge.close()


def shown(parts: dict[str, QWidget]) -> list[str]:
    return [key for key, part in parts.items() if not part.isHidden()]


def test_words_find_settings_by_name_help_and_key(page: SettingsPage, qtbot) -> None:
    page.find()
    assert page.field.hasFocus()
    qtbot.keyClicks(page.field, "telephone")
    assert [k for k in shown(page.rows) if k.startswith("redact")] == ["redact.phone"]
    assert shown(page.sections) == ["redact"]
    page.field.setText("typing_pause")
    assert shown(page.sections) == ["capture"]
    page.field.setText("gibberish")
    assert shown(page.sections) == []
    assert page._nothing.isVisible()
    page.field.setText("")
    assert shown(page.sections) == list(page.sections)


def test_a_group_is_reached_from_the_list(page: SettingsPage, qtbot) -> None:
    last = page.groups.count() - 1
    page.groups.setCurrentRow(last)
    qtbot.waitUntil(lambda: page.scroll.verticalScrollBar().value() > 0)
    assert page.groups.marked() == last
    page.scroll.verticalScrollBar().setValue(0)
    assert page.groups.marked() == 0


def test_start_at_login_shows_what_is_really_so(page: SettingsPage, autostart: FakeAutostart, qtbot) -> None:
    row = page.rows["start.at_login"]
    qtbot.waitUntil(row.editor.isEnabled)
    row.editor.click()
    qtbot.waitUntil(lambda: row.editor.isEnabled() and row.editor.isChecked())
    assert autostart.now == "on"
    autostart.now = "off_by_system"
    page.refresh()
    qtbot.waitUntil(lambda: "switched the entry off" in row.said.text())
    assert not row.editor.isChecked()
    autostart.error = StorageError("The entry was not written", "The folder is read-only.")
    row.editor.click()
    qtbot.waitUntil(lambda: row.editor.isEnabled() and not row.editor.isChecked())
    autostart.now = "unavailable"
    page.refresh()
    qtbot.waitUntil(lambda: not row.editor.isEnabled())


def test_a_value_that_the_battery_overlays_is_told(page: SettingsPage, product: ShellProduct, qtbot) -> None:
    product.power.found = [Overlaid("capture.merge_ms", 4000, 8000)]
    page.refresh()
    row = page.rows["capture.merge_ms"]
    qtbot.waitUntil(lambda: "8,000 ms" in row.said.text())
    assert row.editor.value() == 4000


def test_models_are_connected_on_their_own_page(page: SettingsPage, qtbot) -> None:
    asked: list[tuple[str, str]] = []
    page.page_requested.connect(lambda *where: asked.append(where))
    page.make_all()
    buttons = page.sections["models"].findChildren(QPushButton)
    next(each for each in buttons if "page Models" in each.text()).click()
    assert asked == [("models", "slots")]
