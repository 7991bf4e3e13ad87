"""The source panel for frames."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtGui import QGuiApplication

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.delete import DeleteDialog
from biny_desktop.ui.source_panel import SourcePanel
from biny_desktop.ui.widgets.source_facts import facts_of
from tests.fakes.product_pages import LINES, FakeProduct

ANCHOR = Anchor("frame", "7", 0, "UTC", "twelve sheets")


@pytest.fixture
def product() -> FakeProduct:
    return FakeProduct(20)


@pytest.fixture
def calls(qapp) -> Iterator[Calls]:
    use_language("en")
    made = Calls()
    yield made
    made.close()


@pytest.fixture
def panel(product: FakeProduct, calls: Calls, qtbot) -> SourcePanel:
    made = SourcePanel(product, calls)
    qtbot.addWidget(made)
    made.resize(360, 640)
    made.show()
    return made


def show(panel: SourcePanel, qtbot, anchor: Anchor = ANCHOR) -> None:
    panel.show_anchor(anchor)
    qtbot.waitUntil(lambda: panel.content.shown is not None and str(panel.content.shown.detail.frame.id) == anchor.ref)


def test_a_frame_shows_text_origin_times_place_rule_and_history(panel: SourcePanel, qtbot) -> None:
    show(panel, qtbot)
    content = panel.content
    assert content.body.text() == "\n".join(LINES)
    assert content.when.texts()["Zone"] == "UTC"
    assert content.when.texts()["UTC"] == "2026-01-05 00:03:30"
    assert content.kept.texts()["Picture"] == "2026-01-05/7.jpg"
    assert content.kept.texts()["Encrypted"] == "yes"
    assert content.cleared_by.text().startswith("Made smaller after 24 hours")
    assert content.history.texts()["Revision"] == "3"
    assert content.chip.text() == "Frame 7"


def test_the_quote_is_marked_on_the_picture(panel: SourcePanel, qtbot) -> None:
    show(panel, qtbot)
    shown = panel.content.shown
    assert shown.found
    assert len(shown.boxes) == 1
    assert shown.image is not None


def test_markup_in_a_text_is_shown_as_it_is(panel: SourcePanel, qtbot) -> None:
    from PySide6.QtCore import Qt

    show(panel, qtbot)
    assert "<b>old</b>" in panel.content.body.text()
    assert panel.content.body.textFormat() == Qt.TextFormat.PlainText


def test_a_long_text_is_cut_until_asked_for(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    product.timeline.texts = lambda _number: tuple(f"line {n}" for n in range(200))
    show(panel, qtbot)
    assert panel.content.body.text().endswith("…")
    panel.content.more.click()
    assert panel.content.body.text().endswith("line 199")
    panel.copy.click()
    assert QGuiApplication.clipboard().text().endswith("line 199")


def test_pinned_and_gone_pictures_are_said(product: FakeProduct) -> None:
    detail = product.timeline.frame(7)
    pinned = replace(detail, frame=replace(detail.frame, pinned=True))
    gone = replace(detail, frame=replace(detail.frame, picture_state="gone"))
    assert facts_of(pinned, 0).cleared_by.startswith("Never by itself")
    assert facts_of(gone, 0).kept[0].value == "Picture gone"


def test_the_chip_asks_to_open_the_frame(panel: SourcePanel, qtbot) -> None:
    show(panel, qtbot)
    with qtbot.waitSignal(panel.open_requested) as signal:
        panel.content.chip.click()
    assert signal.args == [ANCHOR]


def test_a_source_that_is_gone_says_so(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    product.timeline.deleted.add(7)
    panel.show_anchor(ANCHOR)
    qtbot.waitUntil(lambda: "was deleted" in panel.message.text())
    assert not panel.foot.isVisible()


def test_reading_again_shows_the_new_text_when_it_is_there(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    show(panel, qtbot, Anchor("frame", "9", 0, "UTC"))
    assert panel.content.body.text() == "No text was read here."
    panel.reread.click()
    qtbot.waitUntil(lambda: product.read_again == [9])
    product.read_frame(9)
    qtbot.waitUntil(lambda: panel.content.body.text().startswith(LINES[0]))


def test_forgetting_shows_counts_and_a_receipt(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    show(panel, qtbot)
    panel.forget.click()
    dialog = panel.findChild(DeleteDialog)
    qtbot.waitUntil(dialog.delete.isEnabled)
    assert dialog.facts.texts()["Frames"] == "1"
    dialog.delete.click()
    qtbot.waitUntil(lambda: dialog.heading.text() == "Deleted")
    assert product.deletes.ran[0].frame_ids == (7,)
    qtbot.waitUntil(lambda: panel.message.text() == "This frame was deleted.")
    dialog.reject()


def test_closing_is_told(panel: SourcePanel, qtbot) -> None:
    with qtbot.waitSignal(panel.closed):
        panel.close_button.click()
    assert not panel.isVisible()


def test_nothing_was_asked_in_the_gui_thread(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    show(panel, qtbot)
    assert threading.get_ident() not in product.timeline.threads
