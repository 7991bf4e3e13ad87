"""The page Search as a person uses it."""

import threading

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import StorageError
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.filters import Filter
from biny_desktop.ui.pages.screen_search import ScreenSearch
from biny_desktop.ui.pages.search import SearchPage
from tests.fakes.product_pages import FakeProduct


@pytest.fixture
def page(product: FakeProduct, calls: Calls, bridge: Bridge, qtbot) -> SearchPage:
    made = SearchPage(product, calls, bridge)
    qtbot.addWidget(made)
    made.resize(800, 560)
    made.show()
    return made


@pytest.fixture
def screen(page: SearchPage) -> ScreenSearch:
    return page.screen


def found(screen: ScreenSearch, qtbot, text: str) -> None:
    with qtbot.waitSignal(screen.model.answered):
        screen.search_for(text)


def test_before_a_question_it_says_what_will_appear(screen: ScreenSearch) -> None:
    assert "are found here" in screen.message.text()
    assert not screen.hits.isVisible()


def test_hits_are_counted_and_listed_lazily(screen: ScreenSearch, qtbot) -> None:
    found(screen, qtbot, "packing")
    assert screen.count.text() == "57 hits"
    assert screen.hits.isVisible()
    assert screen.model.rowCount() < 57


def test_typing_asks_once_when_it_rests(screen: ScreenSearch, product: FakeProduct, qtbot) -> None:
    with qtbot.waitSignal(screen.model.answered):
        qtbot.keyClicks(screen.box, "packing")
    assert [text for text, _order, _cursor in product.search.asked] == ["packing"]


def test_filters_become_chips_and_are_asked_together(screen: ScreenSearch, product: FakeProduct, qtbot) -> None:
    found(screen, qtbot, 'packing app:code title:"two words"')
    assert screen.box.text() == "packing"
    assert screen.chips.filters == (Filter("app", "code"), Filter("title", "two words"))
    assert product.search.asked[-1][0] == 'packing app:code title:"two words"'


def test_a_chip_is_taken_off_by_a_click(screen: ScreenSearch, product: FakeProduct, qtbot) -> None:
    found(screen, qtbot, "packing app:code")
    chip = next(chip for chip in screen.chips.findChildren(QPushButton) if chip.text() == "app:code")
    with qtbot.waitSignal(screen.model.answered):
        chip.click()
    assert product.search.asked[-1][0] == "packing"


def test_one_app_and_one_time_at_a_time(screen: ScreenSearch) -> None:
    screen.chips.add(Filter("app", "code"), Filter("has", "text"))
    screen.chips.add(Filter("app", "firefox"), Filter("has", "picture"))
    assert [each.text() for each in screen.chips.filters] == ["has:text", "app:firefox", "has:picture"]


def test_apps_come_from_the_timeline(screen: ScreenSearch, qtbot) -> None:
    screen.chips.app_menu.aboutToShow.emit()
    qtbot.waitUntil(lambda: len(screen.chips.app_menu.actions()) == 3)
    screen.chips.app_menu.actions()[0].trigger()
    assert screen.chips.filters == (Filter("app", "code"),)


def test_the_order_can_be_changed_and_is_kept(screen: ScreenSearch, product: FakeProduct, qtbot, tmp_path) -> None:
    found(screen, qtbot, "packing")
    with qtbot.waitSignal(screen.model.answered):
        screen.best.click()
    assert product.search.asked[-1][1] == "best"
    settings = QSettings(str(tmp_path / "state.ini"), QSettings.Format.IniFormat)
    screen.save_state(settings)
    screen.newest.click()
    screen.restore_state(settings)
    assert screen.best.isChecked()


def test_no_hit_and_a_bare_time_say_what_to_do(screen: ScreenSearch, qtbot) -> None:
    found(screen, qtbot, "nothing")
    assert "Nothing found" in screen.message.text()
    screen.box.clear()
    qtbot.waitUntil(lambda: "are found here" in screen.message.text())


def test_an_error_is_shown_with_its_remedy(screen: ScreenSearch, product: FakeProduct, qtbot) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise StorageError("The database cannot be read", "The disk went away.", "Plug it in again.")

    product.search.search = fail
    with qtbot.waitSignal(screen.model.failed):
        screen.search_for("packing")
    assert "Plug it in again." in screen.message.text()


def test_the_chosen_hit_is_told_with_its_quote_and_opened_with_enter(page: SearchPage, screen, qtbot) -> None:
    told: list[Anchor] = []
    opened: list[Anchor] = []
    page.source_selected.connect(told.append)
    page.open_requested.connect(opened.append)
    found(screen, qtbot, "packing")
    qtbot.keyClick(screen.box, Qt.Key.Key_Down)
    qtbot.keyClick(screen.hits, Qt.Key.Key_Down)
    assert [(anchor.ref, anchor.quote) for anchor in told] == [("57", "packing"), ("56", "packing")]
    screen.open()
    assert opened[-1].ref == "56"


def test_copy_takes_the_snippet(screen: ScreenSearch, qtbot) -> None:
    found(screen, qtbot, "packing")
    screen._to_hits()
    screen.copy()
    assert "<b>old</b>" in QGuiApplication.clipboard().text()


def test_asking_again_keeps_the_chosen_hit(page: SearchPage, screen: ScreenSearch, product: FakeProduct, qtbot) -> None:
    found(screen, qtbot, "packing")
    screen.hits.setCurrentIndex(screen.model.index(5))
    product.search.hits = 58
    with qtbot.waitSignal(screen.model.answered):
        page.refresh()
    assert screen.chosen().frame.id == 52
    assert screen.hits.currentIndex().row() == 6


def test_hits_are_painted_in_both_themes(screen: ScreenSearch, qtbot, qapp) -> None:
    from biny_desktop.ui.theme import apply_theme

    found(screen, qtbot, "packing")
    qtbot.waitUntil(lambda: screen.model.thumbs.knows(57))
    pictures = []
    for theme in ("dark", "light"):
        apply_theme(qapp, theme)
        pictures.append(screen.grab().toImage())
    assert pictures[0] != pictures[1]


def test_nothing_was_asked_in_the_gui_thread(screen: ScreenSearch, product: FakeProduct, qtbot) -> None:
    found(screen, qtbot, "packing")
    assert threading.get_ident() not in product.timeline.threads
