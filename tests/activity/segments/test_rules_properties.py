"""Case 12 of spec 03 §11: whatever rows come, the time is covered exactly, and pieces give what the whole gives."""

import itertools
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.activity.segments.model import Cut, Draft, Fixed
from biny_desktop.core.days import activity_day, activity_range
from tests.activity.segments.cutting import check_cover, made
from tests.fakes.rows import HOUR, MINUTE, SECOND, Script

ZONES = ("Europe/Berlin", "Asia/Kolkata", "America/Los_Angeles", "Pacific/Kiritimati")
APPS = ("editor", "terminal", "mail", "video")
STATES = (
    ("blocked", "paused_by_user"), ("off", "not_enabled"), ("armed", ""), ("starting", ""), ("blocked", "hung"),
    ("off", "failed"),
)  # fmt: skip
STALLS = (("blocked", "disk_low"), ("backing_off", "no_picture"), ("blocked", "unknown_window"))
PAUSES = (0, 1, 999, 4 * SECOND, 29 * SECOND, 70 * SECOND, 4 * MINUTE, 5 * MINUTE, 6 * MINUTE, 40 * MINUTE, 3 * HOUR)
STEPS = (-24 * HOUR, -HOUR, -61 * SECOND, -3 * SECOND, 3 * SECOND, 50 * SECOND, HOUR, 24 * HOUR)

Op = Callable[[Script], object]


def calm() -> st.SearchStrategy[Op]:
    """What happens on a machine whose clock is right."""
    return st.one_of(
        st.sampled_from(PAUSES).map(lambda ms: lambda s: s.wait(ms)),
        st.sampled_from(PAUSES[:7]).map(lambda ms: lambda s: s.work(ms)),
        st.tuples(st.sampled_from(APPS), st.sampled_from(("", "a.py - biny", "Inbox"))).map(
            lambda each: lambda s: s.focus(*each)
        ),
        st.sampled_from(("click", "visual_change", "manual")).map(lambda kind: lambda s: s.frame(kind)),
        st.sampled_from(PAUSES[2:9]).map(lambda ms: lambda s: s.watch(ms)),
        st.sampled_from((0, 10 * SECOND, 2 * MINUTE, 4 * MINUTE)).map(lambda ms: lambda s: s.private(ms)),
        st.sampled_from((0, 3 * SECOND, 20 * SECOND)).map(lambda ms: lambda s: s.keys(lasting=ms).wait(ms)),
        st.sampled_from(STATES).map(lambda each: lambda s: s.state(*each).wait(1)),
        st.just(lambda s: s.lock().wait(1)),
        st.just(lambda s: s.unlock().wait(1)),
        st.sampled_from(PAUSES[3:]).map(lambda ms: lambda s: s.sleep(ms)),
        st.sampled_from((90 * SECOND, HOUR)).map(lambda ms: lambda s: s.sleep(ms, told=False)),
        st.booleans().map(lambda clean: lambda s: s.reboot(2 * MINUTE, clean=clean)),
        st.sampled_from(ZONES).map(lambda zone: lambda s: s.travel(zone).wait(1)),
        st.sampled_from((SECOND, 10 * MINUTE)).map(
            lambda ms: lambda s: s.event("skip", "disk_low", until_ms=s.wall + ms)
        ),
    )  # fmt: skip


def wild() -> st.SearchStrategy[Op]:
    """The same on a machine whose clock jumps."""
    return st.one_of(
        calm(),
        st.sampled_from(STALLS).map(lambda each: lambda s: s.state(*each)),
        st.sampled_from(STEPS).map(lambda ms: lambda s: s.step(ms)),
        st.sampled_from(STEPS).map(lambda ms: lambda s: s.reboot(MINUTE, wall_off=ms)),
        st.just(lambda s: s.step(-s.wall + HOUR)),
    )


def play(ops: list[Op]) -> tuple[Script, list[tuple[int, int]]]:
    """The script, and after each step how many rows there were and what time it was."""
    script, stops = Script.at("2026-03-28 22:00", "Europe/Berlin").focus("editor"), []
    for op in ops:
        op(script)
        stops.append((len(script.rows), script.wall))
    return script, stops


def check(result: Cut, span: tuple[int, int], fixed: tuple[Fixed, ...] = ()) -> None:
    check_cover(result, span, fixed)
    frames = [row for draft in result.drafts for row in draft.frame_ids]
    events = [row for draft in result.drafts for row in draft.event_ids]
    assert len(frames) == len(set(frames))
    assert len(events) == len(set(events))
    for draft in result.drafts:
        assert draft.day == activity_day(draft.start_ms, draft.zone)
        assert draft.end_ms <= activity_range(draft.day, draft.zone).end_ms
        assert draft.open == (draft.close_reason == "")
        if draft.kind == "private":
            assert not draft.apps
            assert not draft.titles
    assert all(draft.end_ms - draft.start_ms <= 2 * HOUR for draft in result.drafts if draft.kind != "private")


@given(st.lists(wild(), max_size=40))
def test_drafts_and_gaps_cover_any_time_exactly(ops: list[Op]) -> None:
    script, _ = play(ops)
    start = script.rows[0].stamp.at_ms
    span = (start, max(script.wall, start + 1))
    check(made(script, start=span[0], end=span[1]), span)


@given(st.lists(calm(), max_size=40), st.randoms(use_true_random=False))
def test_the_order_in_which_rows_come_changes_nothing(ops: list[Op], mixer: "object") -> None:
    script, _ = play(ops)
    rows = list(script.rows)
    mixer.shuffle(rows)  # type: ignore[attr-defined]
    assert made(script, rows=rows) == made(script)


@given(st.lists(wild(), min_size=3, max_size=40), st.lists(st.integers(0, 6 * HOUR), max_size=6))
def test_fixed_stretches_stay_what_they_are(ops: list[Op], edges: list[int]) -> None:
    script, _ = play(ops)
    start = script.rows[0].stamp.at_ms
    span = (start, max(script.wall, start + 7 * HOUR))
    cuts = sorted({start + edge for edge in edges})
    fixed = tuple(Fixed(low, high) for low, high in itertools.islice(itertools.pairwise(cuts), 0, None, 2))
    check(made(script, start=span[0], end=span[1], fixed=fixed), span, fixed)


def grown(early: Draft, late: list[Draft]) -> bool:
    """Whether a closed draft is still there, alone or merged with a short neighbour."""
    for draft in late:
        if (draft.start_ms, draft.end_ms) == (early.start_ms, early.end_ms):
            return draft.kind == early.kind and draft.active_ms == early.active_ms and draft.apps == early.apps
        if draft.start_ms <= early.start_ms and early.end_ms <= draft.end_ms:
            return draft.kind == early.kind
    return False


@given(st.lists(calm(), min_size=2, max_size=40))
def test_a_closed_draft_stays_when_more_rows_come(ops: list[Op]) -> None:
    script, stops = play(ops)
    start = script.rows[0].stamp.at_ms
    last = list(made(script, start=start).drafts)
    for count, wall in stops:
        for draft in made(script, rows=script.rows[:count], start=start, end=wall).drafts:
            assert draft.open or grown(draft, last)


@given(st.lists(calm(), min_size=2, max_size=40))
def test_fixing_every_closed_draft_gives_the_same_rest(ops: list[Op]) -> None:
    script, _ = play(ops)
    start = script.rows[0].stamp.at_ms
    whole = made(script, start=start)
    fixed = tuple(Fixed(each.start_ms, each.end_ms, each.close_reason) for each in whole.drafts if not each.open)
    rest = made(script, start=start, fixed=fixed)
    assert rest.gaps == whole.gaps
    assert [(each.start_ms, each.end_ms) for each in rest.drafts] == [
        (each.start_ms, each.end_ms) for each in whole.drafts if each.open
    ]
