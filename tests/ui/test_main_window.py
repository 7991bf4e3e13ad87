"""The window: pages, keys, source panel, banners, consent, and what survives a restart."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import NotFoundError, StorageError
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.pages.consent import ConsentPage
from tests.fakes.product import ShellProduct, a_status

FRAME = Anchor("frame", "7", 0, "UTC")


def test_pages_are_made_when_first_shown_and_refreshed_when_shown_again(parts) -> None:
    window = parts.window
    assert list(window._pages) == [0]
    window.show_page(1)
    assert (window.page().title, window.windowTitle()) == ("Search", "Search – Biny")
    window.show_page(0)
    assert window.page().asked == ["refresh"]


def test_keys_reach_pages_search_and_find(parts, qtbot) -> None:
    window = parts.window
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_F5)
    assert window.page().asked == ["find", "refresh"]
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.top.field, "packing list")
    qtbot.keyClick(window.top.field, Qt.Key.Key_Return)
    assert window.page().title == "Search"
    assert window.page().asked[-1] == "search packing list"


def test_a_source_opens_beside_the_page_and_esc_closes_it(parts, qtbot) -> None:
    window = parts.window
    window.page().source_selected.emit(FRAME)
    assert window.panel.shown == FRAME
    assert window.panel.isVisible()
    assert 320 <= window.panel.width() <= 480
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.panel.isVisible()


def test_show_source_goes_to_the_page_that_knows_it(parts) -> None:
    window = parts.window
    window.show_page(1)
    window.show_source(FRAME)
    window.panel.open_requested.emit(FRAME)
    assert window.page().title == "Activity"
    assert "open 7" in window.page().asked


@pytest.mark.parametrize("size", [(1024, 640), (760, 480)])
def test_a_narrow_window_holds_everything(parts, size) -> None:
    window = parts.window
    window.resize(*size)
    window.show_source(FRAME)
    assert window.rail.collapsed
    assert (window.width(), window.height()) == size
    assert window.panel.geometry().right() <= window.panes._inner.width()
    assert window.page().width() >= 300
    window.close_panel()
    assert not window.rail.collapsed


def test_page_size_widths_and_page_state_survive_a_restart(parts, make_parts) -> None:
    window = parts.window
    window.resize(780, 600)
    window.toggle_rail()
    window.show_page(1)
    window.page().remembered = "a filter"
    window.close()
    again = make_parts(parts.product).window
    assert again.stack.currentIndex() == 1
    assert again.rail.collapsed
    assert again.page().remembered == "a filter"
    assert (again.width(), again.height()) == (780, 600)


def test_a_broken_window_file_counts_as_none(make_parts, shell_product) -> None:
    file = shell_product.folders.config / "window.ini"
    file.write_text("[rail]\nwidth=wide\n[window]\ngeometry=abc\npage=nowhere\n[panel]\nwidth=-5\n")
    window = make_parts(shell_product).window
    assert window.stack.currentIndex() == 0


def test_an_error_is_shown_with_what_to_do_and_can_be_closed(parts, qtbot) -> None:
    def work() -> None:
        raise NotFoundError("The picture is gone", "It was deleted.", "Show another one.")

    parts.calls.run(work)
    qtbot.waitUntil(lambda: "error" in parts.window.banners._shown)
    banner = parts.window.banners._shown["error"][0]
    assert (banner.title, banner.text) == ("The picture is gone", "It was deleted. Show another one.")
    close = next(b for b in parts.window.banners.findChildren(QAbstractButton) if "Close" in b.accessibleName())
    close.click()
    assert list(parts.window.banners._shown) == []


def test_warnings_follow_the_state(parts, qtbot) -> None:
    banners = parts.window.banners
    parts.product.state = a_status(state="stalled", reason="no_picture", key_place="file")
    parts.watch.look()
    qtbot.waitUntil(lambda: set(banners._shown) == {"key", "stalled"})
    parts.product.fault = StorageError("The database cannot be read", "It is kept as it is.")
    parts.watch.look()
    qtbot.waitUntil(lambda: "database" in banners._shown)
    parts.product.fault, parts.product.state = None, a_status()
    parts.watch.look()
    qtbot.waitUntil(lambda: list(banners._shown) == [])


def test_an_unreadable_settings_file_is_said(parts, qtbot) -> None:
    parts.product.folders.settings_file.write_text("capture = [")
    parts.watch.look()
    qtbot.waitUntil(lambda: "settings" in parts.window.banners._shown)


def test_nothing_but_the_first_page_is_shown_until_one_agrees(make_parts, tmp_path, qtbot) -> None:
    product = ShellProduct(tmp_path / "new")
    product.state = a_status(state="paused", reason="off", frames=0, frames_today=0, key_place="file")
    parts = make_parts(product)
    parts.window.show()
    parts.watch.start()
    qtbot.waitUntil(lambda: parts.window.findChild(ConsentPage) is not None)
    page = parts.window.findChild(ConsentPage)
    assert page.isVisible()
    assert not parts.window.stack.isVisible()
    assert any("later on the page Models" in words.text() for words in page.findChildren(QLabel))
    start = next(b for b in page.findChildren(QPushButton) if b.text() == "Start recording")
    start.click()
    qtbot.waitUntil(parts.window.stack.isVisible)
    assert product.done == ["set capture.enabled true"]


def test_not_now_records_nothing_and_leaves_a_button(make_parts, tmp_path, qtbot) -> None:
    product = ShellProduct(tmp_path / "new")
    product.state = a_status(state="paused", reason="off", frames=0)
    parts = make_parts(product)
    parts.window.show()
    parts.watch.start()
    qtbot.waitUntil(lambda: parts.window.findChild(ConsentPage) is not None)
    next(b for b in parts.window.findChildren(QPushButton) if b.text() == "Not now").click()
    qtbot.waitUntil(lambda: list(parts.window.banners._shown) == ["off"])
    assert product.done == []
    next(b for b in parts.window.banners.findChildren(QPushButton)).click()
    qtbot.waitUntil(lambda: list(parts.window.banners._shown) == [])
    assert product.settings.current().capture.enabled


def test_every_control_has_a_name_a_tooltip_and_a_place_in_the_tab_order(parts) -> None:
    window = parts.window
    shell = [*window.rail.findChildren(QAbstractButton), window.pill, window.top.field]
    for control in shell:
        assert control.accessibleName(), control
        assert control.toolTip(), control
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, control
    assert all("Ctrl+" in b.toolTip() for b in window.rail.findChildren(QAbstractButton))


def test_the_window_speaks_another_language_after_a_rebuild(parts) -> None:
    use_language("zh_CN")
    parts.window.rebuild()
    assert "搜索" in parts.window.top.field.placeholderText()
    use_language("en")
    parts.window.rebuild()


def test_a_page_can_ask_for_another_one_and_a_part_of_it(parts) -> None:
    parts.window.show_page(1)
    parts.window.page().page_requested.emit("activity", "")
    assert parts.window.page().title == "Activity"
