"""Search by meaning over a fake embedder: what is found, what may be found, and why nothing is."""

import pytest

from biny_desktop.activity.meaning.search import SAY_SOMETHING, excerpt
from biny_desktop.core import settings as settings_module
from biny_desktop.redaction import from_row
from tests.activity.meaning.rig import BUDGET, RECIPE, WEATHER, Meaning
from tests.activity.test_search import NASTY

HOUR = 3_600_000


def filled(meaning: Meaning) -> tuple[int, int, int]:
    """Three frames about three things, an hour apart, with vectors."""
    ids = []
    for title, text, app in (
        ("plan.md", BUDGET, "editor"),
        ("Forecast", WEATHER, "browser"),
        ("Cooking", RECIPE, "browser"),
    ):
        ids.append(meaning.home.seen(title, text, app=app))
        meaning.home.clock.advance(HOUR)
    meaning.swept()
    return ids[0], ids[1], ids[2]


def test_the_nearest_comes_first_with_both_similarities(meaning: Meaning) -> None:
    budget, weather, _ = filled(meaning)
    page = meaning.search.search("meeting about the budget of the quarter and the rain along the coast")
    assert [hit.frame.id for hit in page.hits][:2] == [budget, weather]
    first = page.hits[0]
    assert (page.reason, page.notice) == (None, None)
    assert first.passage == BUDGET
    assert first.raw > first.centred > page.hits[1].centred
    assert first.picture_tier == "original"


def test_filters_say_what_may_be_found(meaning: Meaning) -> None:
    budget, weather, recipe = filled(meaning)
    words = "budget meeting quarter rain wind coast potatoes salt butter"
    assert sorted(meaning.found(words)) == [budget, weather, recipe]
    assert sorted(meaning.found(f"{words} app:browser")) == [weather, recipe]
    assert sorted(meaning.found(f"{words} -potatoes")) == [budget, weather]
    assert meaning.found(f"{words} title:cooking") == [recipe]
    assert meaning.found(f"{words} app:browser before:2026-01-05T02:00") == [weather]
    assert sorted(meaning.found(f"{words} after:2026-01-05T01:00")) == [weather, recipe]
    nothing = meaning.search.search(f"{words} app:nobody")
    assert (nothing.hits, nothing.reason, nothing.notice) == ((), None, None)
    assert meaning.found(f"{words} on:2019-01-01") == []


def test_filters_are_applied_before_the_nearest_are_taken(meaning: Meaning) -> None:
    for n in range(30):
        meaning.home.seen(f"budget {n}", f"{n} {BUDGET}", app="editor")
    other = meaning.home.seen("mail", "the budget was not so important, there was much else", app="mail")
    meaning.swept()
    meaning.home.settings = settings_module.build({"search": {"meaning_floor": -1}})
    assert meaning.found("budget meeting quarter app:mail", limit=1) == [other]


@pytest.mark.parametrize("text", ["", "  ", "app:editor", "-budget", "after:today -x", "++ --", "[hidden: password]"])
def test_without_a_question_something_is_to_be_said(meaning: Meaning, text: str) -> None:
    filled(meaning)
    page = meaning.search.search(text)
    assert page.hits == ()
    assert page.notice == (None if "hidden" in text else SAY_SOMETHING)


@pytest.mark.parametrize("shape", ["{}", "app:{}", 'app:"{}"', "title:{}", "-{}", "before:{}", "x {} trigger:{}"])
def test_no_text_raises(meaning: Meaning, shape: str) -> None:
    filled(meaning)
    meaning.segment("Editor – plan")
    for text in NASTY:
        meaning.search.search(shape.replace("{}", text))
        meaning.search.segments(shape.replace("{}", text))


def test_nothing_has_its_reason(meaning: Meaning) -> None:
    assert meaning.search.search("budget").reason == "no_vectors"
    filled(meaning)
    assert meaning.search.search("unheard").reason == "below_floor"
    meaning.embedder = None
    assert meaning.search.search("budget").reason == "no_embedder"
    assert meaning.search.segments("budget") == ()


def test_the_floor_is_a_setting(meaning: Meaning) -> None:
    filled(meaning)
    assert len(meaning.found("budget")) == 1
    meaning.home.settings = settings_module.build({"search": {"meaning_floor": -1}})
    assert len(meaning.found("budget")) == 3
    meaning.home.settings = settings_module.build({"search": {"meaning_floor": 1}})
    assert meaning.found("budget") == []


def test_one_frame_a_segment_unless_every_one_is_wanted(meaning: Meaning) -> None:
    one = meaning.home.seen("plan a", BUDGET)
    two = meaning.home.seen("plan b", f"{BUDGET} once more")
    alone = meaning.home.seen("plan c", f"{BUDGET} by itself")
    segment = meaning.segment("Planning", one, two)
    meaning.swept()
    found = meaning.search.search("budget meeting quarter").hits
    assert {hit.segment_id for hit in found} == {segment, None}
    assert len(found) == 2
    assert sorted(meaning.found("budget meeting quarter", every_frame=True)) == [one, two, alone]
    assert len(meaning.found("budget meeting quarter", limit=1)) == 1


def test_a_frame_is_found_once_by_its_best_passage(meaning: Meaning) -> None:
    lines = [" ".join(f"word{n}{letter}" for letter in "abcdefgh") for n in range(60)]
    frame = meaning.home.seen("long page", *lines)
    meaning.swept()
    assert len(meaning.vectors()) > 1
    meaning.home.settings = settings_module.build({"search": {"meaning_floor": -1}})
    (hit,) = meaning.search.search(lines[50]).hits
    assert hit.frame.id == frame
    assert hit.passage.startswith(lines[50])
    assert len(hit.passage) <= 200


def test_a_picture_that_is_gone_does_not_hide_its_frame(meaning: Meaning) -> None:
    budget, _, _ = filled(meaning)
    with meaning.home.db.write() as w:
        w.run("UPDATE pictures SET state = 'gone', tier = 'gone', thumb = NULL")
    (hit,) = meaning.search.search("budget meeting").hits
    assert (hit.frame.id, hit.frame.picture_state, hit.picture_tier) == (budget, "gone", "gone")


def test_a_question_is_redacted_and_kept_only_as_a_vector(meaning: Meaning) -> None:
    filled(meaning)
    meaning.fake.seen.clear()
    meaning.search.search("where is xylophonequartet password: Hunter2kranhaus!")
    assert any("xylophonequartet" in text for text in meaning.fake.seen)
    assert not any("Hunter2kranhaus" in text for text in meaning.fake.seen)
    assert meaning.home.count("question_vectors") == 1
    assert len(meaning.vectors()) == 3
    meaning.home.db.truncate_wal()
    assert meaning.home.bytes_holding("xylophonequartet") == []
    assert meaning.home.bytes_holding("Hunter2kranhaus") == []


def test_segments_are_found_by_meaning_within_their_filters(meaning: Meaning) -> None:
    filled(meaning)
    planning = meaning.segment("Planning the budget of the quarter")
    meaning.home.clock.advance(48 * HOUR)
    meaning.segment("Reading about the weather along the coast", kind="watching")
    meaning.swept()
    (hit,) = meaning.search.segments("budget quarter before:2026-01-06")
    assert (hit.segment.id, hit.segment.title) == (planning, "Planning the budget of the quarter")
    assert hit.raw > hit.centred > 0.1
    assert [each.segment.id for each in meaning.search.segments("budget quarter app:code")][:1] == [planning]
    assert meaning.search.segments("budget quarter after:2026-01-08") == ()
    assert meaning.search.segments("") == ()


def test_an_excerpt_begins_where_the_words_of_the_question_are() -> None:
    passage = from_row("first line\n" + "x" * 150 + "\nthe Budget meeting\n" + "y" * 300)
    assert excerpt(passage, from_row("ＢＵＤＧＥＴ")).startswith("the Budget meeting\ny")
    assert len(excerpt(passage, from_row("budget"))) == 200
    assert excerpt(passage, from_row("nothing")).startswith("first line\nx")
    assert excerpt(from_row("a line alone"), from_row("q")) == "a line alone"


def test_a_clock_that_was_set_back_does_not_mislead_the_filters(meaning: Meaning) -> None:
    late = meaning.home.seen("late", BUDGET, app="mail")
    meaning.home.clock.set_wall(meaning.home.clock.now_ms() - 48 * HOUR)
    early = meaning.home.seen("early", f"{BUDGET} once more", app="mail")
    meaning.home.clock.set_wall(meaning.home.clock.now_ms() + 96 * HOUR)
    last = meaning.home.seen("last", f"{BUDGET} at last", app="mail")
    meaning.swept()
    words = "budget meeting quarter app:mail"
    assert sorted(meaning.found(words)) == [late, early, last]
    assert meaning.found(f"{words} before:2026-01-04") == [early]
    assert sorted(meaning.found(f"{words} after:2026-01-04")) == [late, last]
    assert meaning.found(f"{words} on:2026-01-04") == [late]
