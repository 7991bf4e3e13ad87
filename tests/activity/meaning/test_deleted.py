"""What is deleted is gone from the vectors and from every search by meaning; what only aged is still found."""

from collections.abc import Callable

import pytest

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.retention import Retention
from biny_desktop.core import settings as settings_module
from biny_desktop.core.days import activity_range
from tests.activity.meaning.rig import BUDGET, RECIPE, WEATHER, Meaning

HOUR = 3_600_000
DAY = 24 * HOUR
QUESTION = "the budget meeting of the quarter, the rain along the coast, potatoes with butter"


def filled(meaning: Meaning) -> tuple[int, int, int]:
    """Two frames of one app and one of another, a day apart each, in segments, with vectors."""
    ids = []
    for title, text, app in (("plan.md", BUDGET, "editor"), ("Forecast", WEATHER, "tv"), ("Cooking", RECIPE, "tv")):
        ids.append(meaning.home.seen(title, text, app=app))
        meaning.home.clock.advance(DAY)
    meaning.swept()
    meaning.home.settings = settings_module.build({"read": {"every": 1}, "search": {"meaning_floor": -1}})
    assert sorted(meaning.found(QUESTION)) == ids
    return ids[0], ids[1], ids[2]


def selections(meaning: Meaning, first: int) -> dict[str, Selection]:
    with meaning.home.db.read() as r:
        row = r.one("SELECT captured_at AS at FROM frames WHERE id = :id", {"id": first})
    assert row is not None
    at = row.int("at")
    return {
        "frame": Selection.of_frames(first),
        "range": Selection.of_range(at, at + 1),
        "app": Selection.of_app("editor"),
        "day": Selection.of_day(activity_range("2026-01-04", "UTC", "04:00")),
    }


@pytest.mark.parametrize("what", ["frame", "range", "app", "day"])
def test_what_is_deleted_leaves_the_vectors_and_every_search(meaning: Meaning, what: str) -> None:
    first, second, third = filled(meaning)
    receipt = meaning.home.deletes.run(selections(meaning, first)[what])
    assert receipt.verified
    assert meaning.vectors() == [(second, 1), (third, 1)]
    assert meaning.state(first) == "gone"
    assert sorted(meaning.found(QUESTION)) == [second, third]
    meaning.swept()
    assert meaning.vectors() == [(second, 1), (third, 1)]
    assert meaning.home.bytes_holding("quarter") == []


def test_after_everything_is_deleted_nothing_is_found(meaning: Meaning) -> None:
    filled(meaning)
    meaning.home.deletes.run(Selection.of_everything())
    assert meaning.vectors() == []
    assert meaning.search.search(QUESTION).reason == "no_vectors"
    assert meaning.home.count("frame_passages") == 0


@pytest.mark.parametrize("what", ["frame", "range", "app", "day"])
def test_a_delete_while_its_frame_is_embedded_brings_nothing_back(meaning: Meaning, what: str) -> None:
    first, second = meaning.home.seen("plan.md", BUDGET), meaning.home.seen("Forecast", WEATHER, app="tv")
    chosen = selections(meaning, first)[what]

    def before(_texts: object) -> None:
        meaning.fake.before = None
        meaning.home.deletes.run(chosen)

    meaning.fake.before = before
    meaning.swept()
    left = [] if what in ("range", "day") else [(second, 1)]
    assert meaning.vectors() == left
    meaning.swept()
    assert meaning.vectors() == left
    assert meaning.home.bytes_holding("quarter") == []


def test_an_index_that_was_searched_before_forgets_at_once(meaning: Meaning) -> None:
    first, second, third = filled(meaning)
    for gone, left in ((second, [first, third]), (third, [first])):
        meaning.home.deletes.run(Selection.of_frames(gone))
        assert sorted(meaning.found(QUESTION, every_frame=True)) == left


def test_a_picture_deleted_by_age_leaves_text_words_and_meaning(meaning: Meaning) -> None:
    first, _, _ = filled(meaning)
    meaning.home.clock.advance(31 * DAY)
    settle(meaning.home.retention, lambda: meaning.home.clock.advance(HOUR))
    hit = meaning.search.search("budget meeting quarter").hits[0]
    assert (hit.frame.id, hit.picture_tier) == (first, "gone")
    assert hit.passage == BUDGET
    assert meaning.home.found("budget") == [first]
    assert meaning.home.pictures_on_disk() == []


def settle(retention: Retention, later: Callable[[], None]) -> None:
    """Run ageing until nothing is due; the first deletion waits for a day."""
    for _ in range(60):
        retention.run(lambda: True)
        later()
