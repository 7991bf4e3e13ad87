"""What makes the recorder look, and when: waits, priorities and the merge window (spec 02 §1), without any I/O.

Fed with input totals, focus changes and a monotonic time; at most one trigger is pending, so at most one attempt falls
into a merge window besides the one that opened it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from biny_desktop.capture.ports import InputTotals, TriggerKind
from biny_desktop.capture.watch import Watch, WatchTiming

PRIORITY: Mapping[TriggerKind, int] = {
    "start": 3, "app_switch": 3, "click": 2, "typing_pause": 1, "scroll_stop": 0, "visual_change": 0,
}  # fmt: skip
START_WAIT_MS = 1_000
SWITCH_WAIT_MS = 300
CLICK_WAIT_MS = 400
SCROLL_WAIT_MS = 400
"""Waits before the grab (§1, table)."""

WAITS: Mapping[TriggerKind, int] = {
    "start": START_WAIT_MS, "app_switch": SWITCH_WAIT_MS, "click": CLICK_WAIT_MS,
}  # fmt: skip

WindowKey = tuple[str, str]
"""(app id, window id): the identity of a window (§1, `app_switch`)."""


@dataclass(frozen=True, slots=True)
class Timing:
    """`merge_ms`, `typing_pause_ms` from the settings, and those of watching mode."""

    merge_ms: int = 4_000
    typing_pause_ms: int = 1_200
    watch: WatchTiming = field(default_factory=WatchTiming)


@dataclass(frozen=True, slots=True)
class Fired:
    """A trigger whose time has come, or the pending one.

    `at_ms` when it happened, `first_ms` the oldest trigger it answers for, `merged` the losers by kind, `window` the
    one it was meant for, `click` the place on the virtual screen, `retry` whether it repeats a failed attempt.
    """

    kind: TriggerKind
    at_ms: int
    first_ms: int
    window: WindowKey | None = None
    click: tuple[int, int] | None = None
    merged: Mapping[str, int] | None = None
    retry: bool = False

    @property
    def count(self) -> int:
        """How many triggers it stands for."""
        return 1 + sum((self.merged or {}).values())


class Triggers:
    """The one pending trigger and what may become one; all times are monotonic ms."""

    def __init__(self, timing: Timing | None = None) -> None:
        self._timing = timing or Timing()
        self.watch = Watch(self._timing.watch)
        self._totals: InputTotals | None = None
        self._window: WindowKey | None = None
        self._pending: Fired | None = None
        self._ready_ms = 0
        self._hold_ms = 0
        self._typed_ms: int | None = None
        self._scrolled_ms: int | None = None

    def configure(self, timing: Timing, now_ms: int) -> None:
        """Take new settings; what is pending keeps its time."""
        self.watch.configure(timing.watch, now_ms)
        self._timing = timing

    def begin(self, now_ms: int, totals: InputTotals) -> None:
        """The recorder starts, resumes, or the machine was unlocked or woken: forget what was, raise `start`."""
        self.forget()
        self._totals, self._window = totals, None
        self.watch.begin(now_ms)
        self._raise("start", now_ms)

    def restart(self, now_ms: int) -> None:
        """Pictures can be taken again (a monitor appeared, the disk has room)."""
        self._raise("start", now_ms)

    def entered(self, window: WindowKey | None, now_ms: int, *, silent: bool = False) -> None:
        """The window in front has another identity; `silent` when no picture is wanted of it (private, the first)."""
        self._window = window
        if not silent:
            self._raise("app_switch", now_ms)

    def counted(self, totals: InputTotals, now_ms: int) -> None:
        """New totals of the input source; smaller ones mean that it was started anew."""
        last, self._totals = self._totals, totals
        if last is None or totals.keys < last.keys or totals.clicks < last.clicks or totals.scrolls < last.scrolls:
            return
        if totals.last_input_ms > last.last_input_ms:
            self.watch.touched(min(now_ms, totals.last_input_ms))
        if totals.keys > last.keys:
            self._typed_ms = min(now_ms, totals.last_key_ms)
        if totals.scrolls > last.scrolls and self.watch.enabled:
            self._scrolled_ms = min(now_ms, totals.last_scroll_ms)
        if totals.clicks > last.clicks:
            place = None if totals.click_x is None or totals.click_y is None else (totals.click_x, totals.click_y)
            self._raise("click", min(now_ms, totals.last_click_ms), place, totals.clicks - last.clicks)

    def stirred(self, now_ms: int) -> None:
        """Source `poll`: the idle time fell back to near 0, which counts as a typing pause (§1.8)."""
        self.watch.touched(now_ms)
        self._raise("typing_pause", now_ms)

    def again(self, fired: Fired, due_ms: int) -> None:
        """Try a failed attempt once more at `due_ms`; a newer trigger of its rank replaces it."""
        if self._pending is None:
            self._pending, self._ready_ms = replace(fired, merged=None, retry=True), due_ms

    def grabbed(self, started_ms: int) -> None:
        """An attempt that began at `started_ms` reached the grab: its merge window begins (§1.2)."""
        self._hold_ms = max(self._hold_ms, started_ms + self._timing.merge_ms)

    def release(self, until_ms: int) -> None:
        """The attempt failed: the next one waits for the end of its back-off instead of the merge window."""
        self._hold_ms = until_ms

    def due(self, now_ms: int) -> Fired | None:
        """Take the trigger whose time has come, if any."""
        self._ripen(now_ms)
        if self._pending is None or now_ms < self._due_ms():
            return None
        fired, self._pending = self._pending, None
        return fired

    def next_ms(self) -> int | None:
        """The earliest time at which `due` could give something; None when only new input can."""
        times = [
            self._due_ms() if self._pending else None,
            None if self._typed_ms is None else self._typed_ms + self._timing.typing_pause_ms,
            None if self._scrolled_ms is None else self._scrolled_ms + SCROLL_WAIT_MS,
            None if self._pending else self.watch.next_ms(),
        ]
        return min((each for each in times if each is not None), default=None)

    def oldest_ms(self) -> int | None:
        """When the oldest trigger without an answer happened."""
        return self._pending.first_ms if self._pending else None

    def forget(self) -> Fired | None:
        """Cancel everything (lock, pause, a private window); returns what was pending, for its answer."""
        pending, self._pending = self._pending, None
        self._typed_ms = self._scrolled_ms = None
        return pending

    def _ripen(self, now_ms: int) -> None:
        """Pauses that are long enough, and looks of watching mode, become triggers."""
        pause = self._timing.typing_pause_ms
        if self._typed_ms is not None and now_ms >= self._typed_ms + pause:
            at_ms, self._typed_ms = self._typed_ms + pause, None
            self._raise("typing_pause", at_ms)
        if self._scrolled_ms is not None and now_ms >= self._scrolled_ms + SCROLL_WAIT_MS:
            at_ms, self._scrolled_ms = self._scrolled_ms + SCROLL_WAIT_MS, None
            self._raise("scroll_stop", at_ms)
        look_ms = self.watch.next_ms()
        if self._pending is None and look_ms is not None and now_ms >= look_ms:
            self._raise("visual_change", now_ms)

    def _due_ms(self) -> int:
        return max(self._ready_ms, self._hold_ms)

    def _raise(self, kind: TriggerKind, at_ms: int, click: tuple[int, int] | None = None, count: int = 1) -> None:
        """Make it pending, or let it lose against the one that is (§1.2); either way it is counted."""
        merged, first_ms = Counter[str](), at_ms
        old = self._pending
        if old is not None:
            merged.update(old.merged or {})
            first_ms = old.first_ms
            if PRIORITY[kind] < PRIORITY[old.kind]:
                merged[kind] += count
                self._pending = replace(old, merged=dict(merged))
                return
            merged[old.kind] += 1
        if count > 1:
            merged[kind] += count - 1
        # Newer ones restart the wait, or a person who never rests would never be answered: one merge window at most.
        latest_ms = max(first_ms + self._timing.merge_ms, self._hold_ms)
        self._ready_ms = min(at_ms + WAITS.get(kind, 0), max(latest_ms, at_ms))
        self._pending = Fired(kind, at_ms, first_ms, self._window, click, dict(merged))
