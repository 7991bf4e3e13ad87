"""Gaps between frames, wherever pages end."""

from biny_desktop.activity.model import Gap
from biny_desktop.ui.item_models.weaving import gap_places, weave
from tests.fakes.product_pages import FakeTimeline

TIMELINE = FakeTimeline(20, step_ms=1000, start_ms=0)
FRAMES = TIMELINE.frames(limit=20).frames


def gap(after: int, before: int, cause: str = "away") -> Gap:
    return Gap(after * 1000, before * 1000, cause)


def shape(rows: list) -> list:
    return [row.cause if isinstance(row, Gap) else row.id for row in rows]


def test_a_gap_stands_between_its_frames() -> None:
    assert shape(weave(FRAMES[:3], [gap(18, 19)])) == [20, 19, "away", 18]


def test_neighbouring_gaps_keep_their_order_newest_first() -> None:
    gaps = [gap(18, 18.4, "asleep"), gap(18.4, 19, "locked")]
    assert shape(weave(FRAMES[:3], gaps)) == [20, 19, "locked", "asleep", 18]


def test_a_gap_after_the_newest_frame_comes_first_and_one_before_the_oldest_only_at_the_end() -> None:
    gaps = [gap(20, 30), gap(-9, 1, "off")]
    assert shape(weave(FRAMES, gaps))[0] == "away"
    assert shape(weave(FRAMES, gaps))[-1] == 1
    assert shape(weave(FRAMES, gaps, ends=True))[-1] == "off"


def test_pages_woven_one_by_one_are_the_whole_woven_at_once() -> None:
    gaps = [gap(20, 30), gap(15, 16), gap(14.5, 15, "locked"), gap(10, 11), gap(-9, 1, "off")]
    first = weave(FRAMES[:5], gaps)
    second = weave(FRAMES[5:10], gaps, above_ms=FRAMES[4].at_ms)
    third = weave(FRAMES[10:], gaps, above_ms=FRAMES[9].at_ms, ends=True)
    assert first + second + third == weave(FRAMES, gaps, ends=True)


def test_places_of_new_gaps_lead_to_the_woven_list() -> None:
    rows = weave(FRAMES, [gap(15, 16)], ends=True)
    wanted = [gap(15, 16), gap(17, 18), gap(2, 3)]
    for row, new in gap_places(rows, wanted, ends=True):
        rows.insert(row, new)
    assert rows == weave(FRAMES, wanted, ends=True)
