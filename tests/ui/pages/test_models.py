"""The page Models over a real home, a real server on the loopback and a real ledger."""

from typing import get_args

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QLineEdit, QWidget

from biny_desktop.core.anchors import Anchor
from biny_desktop.models.ledger_store import Call, insert
from biny_desktop.models.model import FailureKind
from biny_desktop.service.product import Product
from biny_desktop.service.state_words import outcome_words
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.model_words import failure_of
from biny_desktop.ui.pages.models.page import ModelsPage
from biny_desktop.ui.pages.models.slot_form import SlotForm

PLAIN = ("no_model", "refused", "stopped")
"""Kinds whose name is the word."""
SECRET = "sk-0123456789-not-a-real-key"


@pytest.fixture
def page(day_product: Product, calls: Calls, qtbot) -> ModelsPage:
    bridge = Bridge(day_product.events)
    made = ModelsPage(day_product, calls, bridge)
    qtbot.addWidget(made)
    made.resize(1_000, 700)
    made.show()
    yield made
    bridge.close()


@pytest.fixture
def form(page: ModelsPage, qtbot) -> SlotForm:
    form = page.part("slots").form
    qtbot.waitUntil(lambda: form.state is not None)
    return form


def fill(form: SlotForm, url: str, model: str = "", key: str = "") -> None:
    form.url.setText(url)
    form.url.textEdited.emit(url)
    form.model.setEditText(model)
    form.key.setText(key)


def said(form: SlotForm, qtbot, part: str) -> None:
    qtbot.waitUntil(lambda: part in form.said.text(), timeout=10_000)


# -- connections -------------------------------------------------------------------------------------------------------


def test_without_a_model_every_slot_says_so_and_what_is_sent_is_said_once(page: ModelsPage, form: SlotForm) -> None:
    rows = [page.part("slots").model.row(n).cells for n in range(3)]
    assert [row[:2] for row in rows] == [
        ("Small model", "not connected"), ("Conversation", "not connected"), ("Rewriting", "not connected"),
    ]  # fmt: skip
    words = [label.text() for label in page.findChildren(QWidget) if hasattr(label, "text") and callable(label.text)]
    assert sum("redacted text is sent" in text for text in words) == 1


def test_a_server_is_chosen_its_models_fetched_saved_and_tested(page, form, day_product, model_server, qtbot) -> None:
    model_server.always('{"ok": true}')
    fill(form, model_server.url)
    form.fetch.click()
    said(form, qtbot, "2 models; choose one and save.")
    assert [form.model.itemText(n) for n in range(form.model.count())] == ["large", "tiny"]
    form.model.setCurrentIndex(0)
    form.test.click()
    said(form, qtbot, "large answered in")
    assert day_product.models.slot("small").model == "large"
    qtbot.waitUntil(lambda: page.part("slots").model.row(0).cells[1] == "connected")


@pytest.mark.logs_warning("model")
def test_a_failed_test_says_what_to_do(form: SlotForm, model_server, qtbot) -> None:
    model_server.key = SECRET
    fill(form, model_server.url, "tiny", "another-key")
    form.test.click()
    said(form, qtbot, "Set the key that the provider gave you.")
    assert form.said.property("role") == "bad"


def test_a_test_that_hangs_can_be_stopped(form: SlotForm, model_server, qtbot) -> None:
    model_server.always("", hang=True)
    fill(form, model_server.url, "tiny")
    form.test.click()
    qtbot.waitUntil(lambda: bool(model_server.requests), timeout=10_000)
    form.work.cancel.click()
    said(form, qtbot, "Stopped.")
    assert form.test.isEnabled()


def test_every_outcome_of_a_call_has_words() -> None:
    assert all(outcome_words(kind) != kind.replace("_", " ") for kind in get_args(FailureKind) if kind not in PLAIN)


def test_a_key_is_kept_never_shown_again_and_can_be_forgotten(page, form, model_server, qtbot) -> None:
    assert form.key.echoMode() == QLineEdit.EchoMode.Password
    fill(form, model_server.url, "tiny", SECRET)
    form.save.click()
    said(form, qtbot, "Saved.")
    assert form.key.text() == ""
    assert "kept in a file" in form.key_line.text()
    assert "other programs of yours can read" in form.said.text()
    shown = [
        getter() for widget in page.findChildren(QWidget)
        for getter in (widget.toolTip, widget.accessibleName, widget.accessibleDescription, widget.windowTitle)
    ]  # fmt: skip
    shown += [widget.text() for widget in page.findChildren(QLineEdit)]
    assert not any(SECRET in text for text in shown)
    form.forget.click()
    said(form, qtbot, "The key was removed.")
    assert not form.forget.isEnabled()


def test_one_server_serves_all_slots_and_a_slot_is_disconnected(page, form, day_product, model_server, qtbot) -> None:
    fill(form, model_server.url, "tiny")
    form.for_all.click()
    said(form, qtbot, "Saved in every slot.")
    assert [state.model for state in day_product.models.slots()] == ["tiny"] * 3
    qtbot.waitUntil(form.clear.isEnabled)
    form.clear.click()
    said(form, qtbot, "Disconnected.")
    assert [state.model for state in day_product.models.slots()].count("tiny") == 2


def test_a_preset_fills_in_its_address_and_says_where_it_runs(form: SlotForm) -> None:
    names = [form.preset.itemData(n).id for n in range(form.preset.count())]
    form.preset.setCurrentIndex(names.index("ollama"))
    form.preset.activated.emit(names.index("ollama"))
    assert form.url.text() == "http://127.0.0.1:11434/v1"
    assert "nothing leaves it" in form.hint.text()
    form.url.setText("https://models.example/v1")
    form.url.textEdited.emit(form.url.text())
    assert form.preset.currentData().id == "other"


def test_an_address_that_cannot_be_used_is_explained_and_nothing_is_kept(form, day_product, qtbot) -> None:
    fill(form, "ftp://models.example", "tiny")
    form.save.click()
    said(form, qtbot, "http:// or https://")
    assert day_product.models.slot("small").state == "unset"


def test_plain_http_that_leaves_this_machine_is_warned_of(form: SlotForm, qtbot) -> None:
    fill(form, "http://models.example/v1", "tiny")
    form.save.click()
    qtbot.waitUntil(form.warned.isVisible)
    assert "not encrypted" in form.warned.text()


def test_what_is_typed_stays_while_the_slots_are_read_again(page: ModelsPage, form: SlotForm, qtbot) -> None:
    fill(form, "https://half.typed")
    form.model.lineEdit().textEdited.emit("")
    seen = []
    page.part("slots").model.modelReset.connect(lambda: seen.append(1))
    page.refresh()
    qtbot.wait(80)
    assert form.url.text() == "https://half.typed"


# -- search by meaning -------------------------------------------------------------------------------------------------


def test_the_embedder_is_named_with_the_reason_and_can_be_changed(page, day_product: Product, qtbot) -> None:
    day_product.set_setting("models.embedder", "off")
    page.open_part("meaning")
    tab = page.part("meaning")
    qtbot.waitUntil(lambda: "Why" in tab.facts.texts(), timeout=10_000)
    assert tab.facts.texts()["In use"].startswith("none")
    assert "Switched off" in tab.facts.texts()["Why"]


def test_indexes_are_listed_and_a_rebuild_without_embedder_is_told(page, day_product, calls, qtbot) -> None:
    failed: list[object] = []
    calls.failed.connect(failed.append)
    day_product.set_setting("models.embedder", "off")
    page.open_part("meaning")
    tab = page.part("meaning")
    qtbot.waitUntil(lambda: tab.model.rowCount() == 3)
    assert [tab.model.row(n).cells[0] for n in range(3)] == ["Screen texts", "Activities", "Chats"]
    tab.table.choose(1)
    tab.rebuild.click()
    qtbot.waitUntil(lambda: bool(failed), timeout=10_000)
    assert not tab.work.running()


# -- activities --------------------------------------------------------------------------------------------------------


def test_failed_activities_say_why_and_are_tried_again(page: ModelsPage, day_product: Product, qtbot) -> None:
    told: list[Anchor] = []
    page.source_selected.connect(told.append)
    page.open_part("activities")
    tab = page.part("activities")
    qtbot.waitUntil(lambda: tab.model.rowCount() == 1)
    assert tab.model.row(0).cells[2] == "The model did not answer in time."
    assert tab.to_slots.isVisible()
    tab.table.choose(0)
    tab.source.click()
    assert told[0].kind == "segment"
    tab.again.click()
    qtbot.waitUntil(lambda: tab.model.rowCount() == 0)
    assert day_product.analysis.failures() == ()
    tab.to_slots.click()
    assert page.tab() is page.part("slots")


def test_every_reason_has_words() -> None:
    assert failure_of("timeout").kind == "timeout"
    assert failure_of("something new").kind == "http"
    assert outcome_words("ok") == "answered"
    assert outcome_words("something_new") == "something new"


# -- calls -------------------------------------------------------------------------------------------------------------


def calls_of(product: Product, count: int) -> None:
    now = product.clock.now_ms()
    with product.database.write() as w:
        for n in range(count):
            outcome = "timeout" if n % 10 == 0 else "ok"
            insert(
                w, Call(now - n, "activity_segment", "small", "tiny", "http://127.0.0.1:1", "1", 100, 20, 900, outcome)
            )


def test_without_calls_it_says_what_will_be_listed(page: ModelsPage, qtbot) -> None:
    page.open_part("calls")
    qtbot.waitUntil(page.part("calls").nothing.isVisible)
    assert "No model was asked yet" in page.part("calls").nothing.text()


def test_calls_come_in_pages_with_sums_by_task(page: ModelsPage, day_product: Product, qtbot) -> None:
    calls_of(day_product, 250)
    page.open_part("calls")
    tab = page.part("calls")
    qtbot.waitUntil(lambda: tab.sums.rowCount() == 1 and tab.ledger.rowCount() >= 50)
    assert tab.sums.row(0).cells[:4] == ("Summary of an activity", "250", "25", "25,000")
    cells = tab.ledger.row(0).cells
    assert (cells[1], cells[4], cells[5], cells[6]) == ("Summary of an activity", "100 → 20", "900 ms", "answered")
    while tab.ledger.canFetchMore(QModelIndex()):
        tab.ledger.fetchMore(QModelIndex())
        qtbot.waitUntil(lambda: not tab.ledger._fetching)
    assert tab.ledger.rowCount() == 250


def test_the_page_survives_both_themes_and_every_tab(page: ModelsPage, qtbot, qapp) -> None:
    from biny_desktop.ui.theme import apply_theme

    for part in ("slots", "meaning", "activities", "calls"):
        page.open_part(part)
        pictures = []
        for theme in ("dark", "light"):
            apply_theme(qapp, theme)
            pictures.append(page.grab().toImage())
        assert pictures[0] != pictures[1]
