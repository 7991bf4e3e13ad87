"""The page Activity as a person uses it."""

import threading

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication

from biny_desktop.activity.model import Gap
from biny_desktop.core.anchors import Anchor
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.delete import DeleteDialog
from biny_desktop.ui.facts import plain_tip
from biny_desktop.ui.pages.activity.page import ActivityPage
from biny_desktop.ui.pages.activity.panes import better_side
from tests.fakes.product_pages import LINES, FakeProduct


def shown_id(page: ActivityPage) -> int | None:
    return page.viewer.detail.frame.id if page.viewer.detail else None


def make(product: FakeProduct, calls: Calls, bridge: Bridge, qtbot) -> ActivityPage:
    page = ActivityPage(product, calls, bridge)
    qtbot.addWidget(page)
    page.resize(1_000, 640)
    page.show()
    return page


@pytest.fixture
def page(product: FakeProduct, calls: Calls, bridge: Bridge, qtbot) -> ActivityPage:
    made = make(product, calls, bridge, qtbot)
    qtbot.waitUntil(lambda: shown_id(made) == 200)
    return made


def press(qtbot, page: ActivityPage, key: Qt.Key, at: int) -> None:
    page.strip.setFocus()
    qtbot.keyClick(page.strip, key)
    qtbot.waitUntil(lambda: shown_id(page) == at)


def test_it_opens_on_the_newest_frame_with_its_picture_and_why(page: ActivityPage, qtbot) -> None:
    assert page.viewer.view.has_picture()
    assert page.details.kept.rowCount() > 10
    qtbot.waitUntil(lambda: page.details.missed.rowCount() == 3)
    assert page.details.span.text().startswith("In sight:")


def test_keys_go_to_the_neighbours_and_the_ends_of_the_day(page: ActivityPage, qtbot) -> None:
    press(qtbot, page, Qt.Key.Key_Left, 199)
    press(qtbot, page, Qt.Key.Key_Left, 198)
    press(qtbot, page, Qt.Key.Key_Right, 199)
    press(qtbot, page, Qt.Key.Key_Home, 1)
    press(qtbot, page, Qt.Key.Key_End, 200)


def test_gaps_are_shown_and_stepped_over(product: FakeProduct, calls: Calls, bridge: Bridge, qtbot) -> None:
    timeline = product.timeline
    timeline.deleted.update(range(180, 200))
    start = timeline.start_ms
    timeline.gap_list = [Gap(start + 179 * timeline.step_ms, start + 200 * timeline.step_ms, "locked")]
    page = make(product, calls, bridge, qtbot)
    qtbot.waitUntil(lambda: shown_id(page) == 200)
    assert page.model.index(1).data() == "Locked, 10 min"
    press(qtbot, page, Qt.Key.Key_Left, 179)


def test_new_frames_appear_without_moving_the_selection(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    press(qtbot, page, Qt.Key.Key_Left, 199)
    product.keep_frame()
    qtbot.waitUntil(lambda: page.model.row_of(201) == 0)
    assert page.strip.current_id() == 199
    assert shown_id(page) == 199


def test_who_looks_at_older_frames_keeps_them_in_place(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    for _n in range(12):
        page.strip.step(-1)
    before = page.strip.visualRect(page.strip.currentIndex())
    assert page.strip.horizontalScrollBar().value() > 0
    product.keep_frame()
    qtbot.waitUntil(lambda: page.model.row_of(201) == 0)
    assert page.strip.visualRect(page.strip.currentIndex()) == before


def test_without_frames_there_are_no_empty_tables(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    product.timeline.deleted.update(range(1, 201))
    page.refresh()
    qtbot.waitUntil(lambda: not page.details.isVisible())
    assert not page.strip.isVisible()


def test_a_day_of_gaps_only_still_says_why(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    timeline = product.timeline
    timeline.deleted.update(range(1, 201))
    timeline.gap_list = [Gap(timeline.start_ms, timeline.start_ms + 200 * timeline.step_ms, "private")]
    page.refresh()
    qtbot.waitUntil(lambda: page.model.rowCount() == 1 and shown_id(page) is None)
    qtbot.waitUntil(lambda: "00:00–01:40" in page.details.span.text())
    assert page.strip.isVisible()


def test_a_title_that_looks_like_markup_is_shown_as_text() -> None:
    assert plain_tip("a < b") == "<qt>a &lt; b</qt>"
    assert plain_tip("<b>x</b>\nnext") == "<qt>&lt;b&gt;x&lt;/b&gt;<br>next</qt>"
    assert plain_tip("a & b") == "a & b"


def test_tables_stand_where_the_picture_becomes_larger() -> None:
    assert better_side(1_000, 480) == Qt.Orientation.Horizontal
    assert better_side(560, 640) == Qt.Orientation.Vertical


def test_text_read_meanwhile_is_shown_at_once(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    press(qtbot, page, Qt.Key.Key_Left, 199)
    press(qtbot, page, Qt.Key.Key_Left, 198)
    assert page.viewer.detail.text is None
    assert not page.viewer.copy.isEnabled()
    product.read_frame(198)
    qtbot.waitUntil(lambda: page.viewer.detail.text is not None)
    assert page.viewer.copy.isEnabled()


def test_the_first_frame_of_all_replaces_the_empty_page(calls: Calls, qtbot) -> None:
    product = FakeProduct(0)
    bridge = Bridge(product.events)
    page = make(product, calls, bridge, qtbot)
    qtbot.waitUntil(lambda: page.viewer.view._message.startswith("Frames appear here"))
    product.keep_frame()
    qtbot.waitUntil(lambda: shown_id(page) == 1)
    bridge.close()


def test_copy_takes_the_selection_or_the_whole_text(page: ActivityPage) -> None:
    page.viewer.copy_text()
    assert QGuiApplication.clipboard().text() == "\n".join(LINES)
    page.viewer.view._select(0, 7)
    page.viewer.copy_text()
    assert QGuiApplication.clipboard().text() == "Packing"


def test_text_is_selected_on_the_picture_with_the_mouse(page: ActivityPage, qtbot) -> None:
    view = page.viewer.view
    box = page.viewer.detail.lines[0].box
    start = view.mapFromScene(box.x + 2, box.y + box.h // 2)
    end = view.mapFromScene(box.right - 2, box.y + box.h // 2)
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view.viewport(), end)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)
    assert view.selected_text() == LINES[0]


def test_a_picture_is_pinned_and_unpinned_by_a_key(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    qtbot.keyClick(page.strip, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: page.viewer.detail.frame.pinned)
    assert page.viewer.pin.isChecked()
    assert product.timeline.pinned == {200}
    assert page.viewer.pin.toolTip().startswith("Unpin")
    page.viewer.pin.click()
    qtbot.waitUntil(lambda: not page.viewer.detail.frame.pinned)
    assert product.timeline.pinned == set()


def test_reading_again_is_asked_of_the_product(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    page.viewer.reread.click()
    qtbot.waitUntil(lambda: product.read_again == [200])


def test_an_anchor_opens_its_frame_and_marks_the_quote(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    assert page.open_anchor(Anchor("frame", "7", 0, "UTC", "twelve sheets"))
    qtbot.waitUntil(lambda: shown_id(page) == 7 and page.viewer.view._found != ())
    assert page.strip.current_id() == 7
    assert not page.open_anchor(Anchor("message", "7", 0, "UTC"))


def test_an_anchor_whose_frame_is_gone_says_so(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    product.timeline.deleted.add(7)
    page.open_anchor(Anchor("frame", "7", 0, "UTC"))
    qtbot.waitUntil(lambda: "No such frame" in page.viewer.view._message)


def test_a_missing_picture_leaves_text_and_details(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    product.timeline.pictures = lambda _number: b"no jpeg"
    press(qtbot, page, Qt.Key.Key_Left, 199)
    assert not page.viewer.view.has_picture()
    assert "cannot be decoded" in page.viewer.view._message
    assert page.viewer.detail.text
    assert page.details.kept.rowCount()


def test_a_deleted_frame_goes_and_its_neighbour_is_chosen(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    page.delete()
    dialog = page.findChild(DeleteDialog)
    qtbot.waitUntil(dialog.delete.isEnabled)
    dialog.delete.click()
    qtbot.waitUntil(lambda: shown_id(page) == 199)
    assert page.model.row_of(200) is None
    assert dialog.facts.texts()["Frames"] == "1"
    dialog.reject()


def test_an_app_filter_shows_only_that_app(page: ActivityPage, qtbot) -> None:
    row = page.bar.app_box.findData("firefox")
    page.bar.app_box.setCurrentIndex(row)
    page.bar.app_box.activated.emit(row)
    qtbot.waitUntil(lambda: page.model.rowCount() > 0 and page.model.item(0).app_id == "firefox")
    qtbot.waitUntil(lambda: page.viewer.detail.frame.app_id == "firefox")


def test_days_are_switched_with_the_arrows(calls: Calls, qtbot) -> None:
    product = FakeProduct(200, step_ms=900_000)
    bridge = Bridge(product.events)
    page = make(product, calls, bridge, qtbot)
    qtbot.waitUntil(lambda: shown_id(page) == 200)
    newest = page.bar.day()
    page.bar.step_day(-1)
    qtbot.waitUntil(lambda: page.bar.day() != newest and shown_id(page) not in (None, 200))
    assert page.bar.newer.isEnabled()
    bridge.close()


def test_play_runs_to_the_newest_frame_and_stops(page: ActivityPage, qtbot) -> None:
    press(qtbot, page, Qt.Key.Key_Left, 199)
    page.play()
    assert page.viewer.playing
    page.player.timer.timeout.emit()
    qtbot.waitUntil(lambda: shown_id(page) == 200)
    page.player.timer.timeout.emit()
    assert not page.viewer.playing


def test_a_chosen_frame_is_told_to_the_source_panel_on_a_click(page: ActivityPage, qtbot) -> None:
    told: list[Anchor] = []
    page.source_selected.connect(told.append)
    at = page.strip.visualRect(page.model.index(1)).center()
    qtbot.mouseClick(page.strip.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert [anchor.ref for anchor in told] == ["199"]


def test_every_control_has_a_name_and_a_tooltip(page: ActivityPage) -> None:
    from PySide6.QtWidgets import QAbstractButton, QComboBox

    controls = [w for w in (*page.findChildren(QAbstractButton), *page.findChildren(QComboBox)) if w.isVisible()]
    assert controls
    for control in controls:
        if control.objectName().startswith("qt_") or control.objectName() in ("ScrollLeftButton", "ScrollRightButton"):
            continue
        assert control.accessibleName() or control.text(), control
        assert control.toolTip(), control


def test_overlays_zoom_and_tab_survive_a_restart(page: ActivityPage, product, calls, bridge, qtbot, tmp_path) -> None:
    settings = QSettings(str(tmp_path / "state.ini"), QSettings.Format.IniFormat)
    page.viewer.boxes.click()
    page.viewer.full.click()
    page.details.tabs.setCurrentIndex(1)
    page.save_state(settings)
    other = make(product, calls, bridge, qtbot)
    other.restore_state(settings)
    assert other.viewer.view.show_boxes
    assert not other.viewer.view.fitted
    assert other.details.tabs.currentIndex() == 1


def test_nothing_was_asked_in_the_gui_thread(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    page.refresh()
    press(qtbot, page, Qt.Key.Key_Left, 199)
    assert threading.get_ident() not in product.timeline.threads
