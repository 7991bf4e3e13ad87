"""Order by words, exact where it can be, bounded where a word is everywhere."""

import pytest

from biny_desktop.conversation.projects import Projects
from biny_desktop.conversation.search import keyword
from biny_desktop.conversation.search.model import MessageFilters
from tests.conversation.search.rig import Rig
from tests.fakes.conversations import redactor


def test_three_terms_in_three_messages_find_all_and_more_terms_come_first(rig: Rig) -> None:
    made = rig.talk()
    one, two = made.user("the ferry to the island"), made.user("a timetable on paper")
    three, both = made.user("harbour at night"), made.user("ferry and timetable together")
    assert rig.words("ferry timetable harbour") == [both, three, two, one] or set(
        rig.words("ferry timetable harbour")
    ) == {one, two, three, both}
    assert rig.words("ferry timetable harbour")[0] == both


def test_a_common_word_does_not_hide_an_old_message_with_all_the_terms(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biny_desktop.conversation.search.keyword.TERM_ROWS", 5)
    monkeypatch.setattr("biny_desktop.conversation.search.keyword.CANDIDATES", 10)
    made = rig.talk()
    old = made.user("the report of the ferry")
    for n in range(30):
        made.user(f"the thing number {n}" if n % 2 else f"report number {n}")
    assert rig.words("the report ferry")[0] == old
    assert rig.words("the report")[0] == old


def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword, "TERM_ROWS", 5)
    monkeypatch.setattr(keyword, "CANDIDATES", 10)


def test_more_of_a_term_then_the_newer_message_comes_first(rig: Rig) -> None:
    made = rig.talk()
    old, often, new = made.user("the ferry is late"), made.user("ferry ferry ferry"), made.user("the ferry is late")
    assert rig.words("ferry") == [often, new, old]


def test_signs_put_a_message_first_whatever_its_age(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    few_rows(monkeypatch)
    made = rig.talk()
    old = made.user("C++ is compiled")
    for n in range(30):
        made.user(f"plan C has number {n}")
    assert rig.words("C++")[0] == old
    assert len(rig.words("C++")) > 1, "those with the letter alone follow"


@pytest.mark.parametrize("every", [True, False])
def test_a_filter_finds_old_messages_behind_many_others_that_hold_the_word(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, every: bool
) -> None:
    few_rows(monkeypatch)
    project = Projects(rig.db, redactor, rig.clock).create("Ferries").id
    one = rig.talk("a-", source="import:chatgpt", project_id=project)
    old = one.user("the ferry of long ago")
    answer = one.answer("the ferry it was")
    end = rig.clock.now_ms() + 500
    other = rig.talk("b-")
    for n in range(40):
        other.user(f"the ferry number {n}")
    for filters in (
        MessageFilters(session_id=one.session_id, all_versions=every),
        MessageFilters(source="import", all_versions=every),
        MessageFilters(project_id=project, all_versions=every),
        MessageFilters(to_ms=end, all_versions=every),
        MessageFilters(not_session_id=other.session_id, all_versions=every),
        MessageFilters(source="import:chatgpt", to_ms=end, project_id=project, all_versions=every),
    ):
        assert set(rig.words("the ferry", filters)) == {old, answer}, filters
    assert rig.words("the ferry", MessageFilters(role="assistant")) == [answer]
    assert rig.words("the ferry", MessageFilters(source="imp")) == []


def test_a_word_off_the_path_in_many_messages_does_not_hide_one_on_it(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_rows(monkeypatch)
    made = rig.talk()
    kept = made.user("the ferry that counts")
    old = made.answer("an answer")
    for n in range(30):
        made.retry(old, f"the ferry again {n}")
    made.select(old)
    assert rig.words("the ferry") == [kept]
