"""When a trigger fires: waits, priorities, the merge window, watching mode (spec 02 §1)."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biny_desktop.capture.ports import InputTotals
from biny_desktop.capture.triggers import Fired, Timing, Triggers
from biny_desktop.capture.watch import Watch, WatchTiming

WATCHING = Timing(watch=WatchTiming(enabled=True))


class Hand:
    """Moves time by 50 ms, counts what fires, and lets every fired trigger reach the grab."""

    def __init__(self, timing: Timing | None = None) -> None:
        self.now = 10_000
        self.totals = InputTotals()
        self.triggers = Triggers(timing)
        self.fired: list[tuple[int, Fired]] = []
        self.triggers.begin(self.now, self.totals)
        self.raised = 1

    def run(self, ms: int) -> None:
        end = self.now + ms
        while self.now < end:
            self.now += 50
            fired = self.triggers.due(self.now)
            if fired is not None:
                self.fired.append((self.now, fired))
                self.triggers.grabbed(self.now)

    def settle(self) -> "Hand":
        self.run(6_000)
        self.fired.clear()
        return self

    def click(self, count: int = 1) -> None:
        self.totals = replace(
            self.totals, clicks=self.totals.clicks + count, last_click_ms=self.now, last_input_ms=self.now,
            click_x=3, click_y=4,
        )  # fmt: skip
        self.triggers.counted(self.totals, self.now)

    def key(self) -> None:
        self.totals = replace(
            self.totals, keys=self.totals.keys + 1, last_key_ms=self.now, last_input_ms=self.now
        )  # fmt: skip
        self.triggers.counted(self.totals, self.now)

    def scroll(self) -> None:
        self.totals = replace(
            self.totals, scrolls=self.totals.scrolls + 1, last_scroll_ms=self.now, last_input_ms=self.now
        )  # fmt: skip
        self.triggers.counted(self.totals, self.now)

    def switch(self, name: str) -> None:
        self.triggers.entered((name, "1"), self.now)

    def kinds(self) -> list[str]:
        return [fired.kind for _, fired in self.fired]


def test_start_waits_a_second() -> None:
    hand = Hand()
    hand.run(5_000)
    assert [(at - 10_000, fired.kind) for at, fired in hand.fired] == [(1_000, "start")]


@pytest.mark.parametrize(
    ("act", "kind", "wait_ms"), [("switch", "app_switch", 300), ("click", "click", 400), ("key", "typing_pause", 1_200)]
)
def test_each_trigger_has_its_wait(act: str, kind: str, wait_ms: int) -> None:
    hand = Hand().settle()
    started = hand.now
    if act == "switch":
        hand.switch("b")
    else:
        getattr(hand, act)()
    hand.run(3_000)
    assert [(at - started, fired.kind) for at, fired in hand.fired] == [(wait_ms, kind)]
    assert hand.fired[0][1].click == ((3, 4) if act == "click" else None)


def test_nothing_fires_because_time_has_passed() -> None:
    hand = Hand().settle()
    hand.run(3_600_000)
    assert hand.fired == []
    assert hand.triggers.next_ms() is None


def test_inside_the_merge_window_one_trigger_waits_for_its_end() -> None:
    hand = Hand().settle()
    hand.click()
    hand.run(500)
    opened = hand.fired[0][0]
    for _ in range(5):
        hand.click()
        hand.run(100)
    hand.run(5_000)
    assert [at - opened for at, _ in hand.fired] == [0, 4_000]
    assert hand.fired[1][1].merged == {"click": 4}


def test_a_higher_priority_replaces_a_lower_one_and_losers_are_counted() -> None:
    hand = Hand().settle()
    hand.click()
    hand.run(500)
    hand.key()
    hand.run(1_300)
    hand.switch("b")
    hand.click(3)
    hand.run(4_000)
    last = hand.fired[-1][1]
    assert (last.kind, last.window, last.merged) == ("app_switch", ("b", "1"), {"typing_pause": 1, "click": 3})
    assert last.count == 5


def test_of_equal_priority_the_newer_wins() -> None:
    hand = Hand().settle()
    hand.switch("b")
    hand.run(100)
    hand.switch("c")
    hand.run(1_000)
    assert [fired.window for _, fired in hand.fired] == [("c", "1")]
    assert hand.fired[0][1].merged == {"app_switch": 1}


def test_twelve_focus_changes_in_three_seconds_make_one_grab() -> None:
    hand = Hand().settle()
    for number in range(12):
        hand.switch(str(number))
        hand.run(250)
    hand.run(5_000)
    assert len(hand.fired) == 1
    assert hand.fired[0][1].count == 12


def test_somebody_who_never_rests_is_still_answered() -> None:
    hand = Hand().settle()
    for _ in range(300):
        hand.click()
        hand.run(200)
    assert 10 <= len(hand.fired) <= 16
    gaps = [later[0] - earlier[0] for earlier, later in pairwise(hand.fired)]
    assert min(gaps) >= 4_000


def test_key_repeat_for_minutes_leaves_one_pause() -> None:
    hand = Hand().settle()
    for _ in range(3_600):
        hand.key()
        hand.run(50)
    assert hand.fired == []
    hand.run(2_000)
    assert hand.kinds() == ["typing_pause"]


def test_the_wheel_is_no_trigger_but_in_watching_mode_its_end_is_one() -> None:
    for timing, kinds in ((None, []), (WATCHING, ["scroll_stop"])):
        hand = Hand(timing).settle()
        for _ in range(100):
            hand.scroll()
            hand.run(100)
        hand.run(6_000)
        assert [kind for kind in hand.kinds() if kind == "scroll_stop"] == kinds


def test_a_listener_started_anew_counts_from_there() -> None:
    hand = Hand().settle()
    hand.click(50)
    hand.run(6_000)
    hand.fired.clear()
    hand.totals = InputTotals()
    hand.triggers.counted(hand.totals, hand.now)
    hand.run(6_000)
    assert hand.fired == []


def test_what_is_cancelled_never_fires() -> None:
    hand = Hand().settle()
    hand.click()
    hand.key()
    cancelled = hand.triggers.forget()
    assert cancelled is not None
    assert cancelled.kind == "click"
    hand.run(6_000)
    assert hand.fired == []
    assert hand.triggers.oldest_ms() is None


def test_polling_counts_a_fallen_idle_time_as_a_pause() -> None:
    hand = Hand().settle()
    hand.triggers.stirred(hand.now)
    hand.run(1_000)
    assert hand.kinds() == ["typing_pause"]


def test_a_retry_waits_for_its_time_and_gives_way() -> None:
    hand = Hand().settle()
    failed = Fired("click", hand.now, hand.now)
    hand.triggers.again(failed, hand.now + 500)
    hand.run(1_000)
    assert hand.fired[0][1].retry
    hand.settle()
    hand.triggers.again(failed, hand.now + 500)
    hand.switch("b")
    hand.run(1_000)
    assert hand.kinds() == ["app_switch"]
    assert hand.fired[0][1].merged == {"click": 1}


ACTS = st.lists(
    st.tuples(st.sampled_from(["click", "key", "scroll", "switch", "wait"]), st.integers(0, 60)), max_size=60
)


@given(ACTS, st.booleans())
@settings(max_examples=150, deadline=None)
def test_at_most_two_grabs_touch_a_merge_window_and_every_trigger_is_answered(
    acts: list[tuple[str, int]], watching: bool
) -> None:
    hand = Hand(WATCHING if watching else None)
    clicks = switches = 0
    for number, (act, pause) in enumerate(acts):
        if act == "switch":
            hand.switch(str(number))
            switches += 1
        elif act != "wait":
            getattr(hand, act)()
            clicks += act == "click"
        hand.run(pause * 50)
        assert hand.triggers.oldest_ms() is None or hand.now - (hand.triggers.oldest_ms() or 0) < 30_000
    hand.run(10_000)
    times = [at for at, _ in hand.fired]
    assert all(later - earlier >= 4_000 for earlier, later in pairwise(times))
    answered: dict[str, int] = {}
    for _, fired in hand.fired:
        for kind, count in (fired.merged or {}).items():
            answered[kind] = answered.get(kind, 0) + count
        answered[fired.kind] = answered.get(fired.kind, 0) + 1
    assert answered.get("click", 0) == clicks
    assert answered.get("app_switch", 0) == switches
    assert answered["start"] == 1


def looks(changes_ms: int, minutes: int, timing: WatchTiming) -> tuple[int, int]:
    """(looks, changed ones) over that time when the picture changes each `changes_ms`; no input."""
    watch = Watch(timing)
    watch.begin(0)
    seen = -1
    total = changed = 0
    for now in range(0, minutes * 60_000, 100):
        due = watch.next_ms()
        if due is not None and now >= due:
            total += 1
            new = now // changes_ms != seen
            seen = now // changes_ms
            changed += new
            watch.looked(now, changed=new)
    return total, changed


def test_watching_sees_a_picture_that_changes_each_20_seconds() -> None:
    timing = WatchTiming(enabled=True)
    assert looks(20_000, 10, timing)[1] >= 18
    assert looks(20_000, 10, replace(timing, enabled=False)) == (0, 0)


def test_watching_a_still_picture_looks_ever_less_and_stops_after_an_hour() -> None:
    timing = WatchTiming(enabled=True)
    total, _ = looks(10**9, 10, timing)
    assert total <= 15
    watch = Watch(timing)
    watch.begin(0)
    watch.looked(3_599_000, changed=False)
    assert watch.next_ms() is None
    watch.touched(4_000_000)
    assert watch.next_ms() is not None


def test_input_brings_the_plain_interval_back() -> None:
    watch = Watch(WatchTiming(enabled=True))
    watch.begin(0)
    for at in (40_000, 80_000, 130_000, 200_000):
        watch.looked(at, changed=False)
    assert watch.next_ms() == 260_000
    watch.touched(201_000)
    assert watch.next_ms() == 213_000


def test_watched_frames_are_limited_by_the_hour() -> None:
    watch = Watch(WatchTiming(enabled=True, max_per_hour=10))
    for number in range(10):
        assert not watch.full(number * 1_000)
        watch.kept(number * 1_000)
    assert watch.full(10_000)
    assert not watch.full(3_600_000)


def test_switching_watching_on_begins_a_fresh_interval() -> None:
    triggers = Triggers()
    triggers.begin(0, InputTotals())
    triggers.configure(WATCHING, 100_000)
    assert triggers.watch.next_ms() == 112_000
