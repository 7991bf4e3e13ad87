"""Where input counts come from: the listener, or `poll` (idle time alone) where that is silent (spec 02 §1.8)."""

import logging
from dataclasses import dataclass
from typing import Literal

from biny_desktop.capture.ports import InputSource, InputTotals, Notify
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError

log = logging.getLogger(__name__)

SILENT_MS = 600_000
"""A listener that counted nothing for this long while the system was in use has died (§1.8: 10 min)."""
RESTART_MS = 600_000
"""A dead listener is started anew this often (§1.8: 10 min)."""
POLL_MS = 1_000
"""The idle time is looked at this often (§1.8: 1 s)."""
NEAR_ZERO_MS = 1_500
"""An idle time up to this is "near 0": a poll interval and some slack (ms)."""
JITTER_MS = 100
"""Two readings of one idle time differ by less than this (ms)."""
BUSY_SHARE = 0.5
"""Part of the silent time in which the system must have been in use: a hand on the mouse alone moves no counter."""

Mode = Literal["auto", "poll", "off"]


@dataclass(frozen=True, slots=True)
class InputLook:
    """One look: the totals, whether polling saw input (`stirred`), whether the source is another one now."""

    totals: InputTotals
    stirred: bool = False
    switched: bool = False


class InputWatch:
    """Chooses the source of input; used from the recorder thread. Times are monotonic ms."""

    def __init__(self, source: InputSource, clock: Clock) -> None:
        self._source = source
        self._clock = clock
        self._notify: Notify = lambda: None
        self._mode: Mode = "auto"
        self._listening = False
        self._polling = False
        self._heard_ms = 0
        self._restarted_ms = 0
        self._polled_ms: int | None = None
        self._busy_polls = self._polls = 0
        self._input_ms: int | None = None
        self._last = InputTotals()

    @property
    def name(self) -> str:
        """The source in use: the listener's name, `poll` or `off`."""
        if self._mode == "off":
            return "off"
        return "poll" if self._polling else self._source.name

    def start(self, mode: Mode, notify: Notify) -> None:
        """Begin as the setting `capture.input` says."""
        self.stop()
        now = self._clock.mono_ms()
        self._mode, self._notify = mode, notify
        self._heard_ms = self._restarted_ms = now
        self._polled_ms = self._input_ms = None
        self._busy_polls = self._polls = 0
        self._polling = mode == "poll" or (mode == "auto" and not self._listen())

    def stop(self) -> None:
        """End the listener; may be called twice."""
        if self._listening:
            self._source.stop()
        self._listening = False

    def totals(self) -> InputTotals:
        """The listener's totals; zeros without one."""
        return self._source.totals() if self._listening else self._last

    def look(self, idle_ms: int | None) -> InputLook:
        """What came in since the last look. `idle_ms`: the system's idle time, None when it cannot be told."""
        now, before = self._clock.mono_ms(), self.name
        totals = self.totals()
        if totals.last_input_ms > self._last.last_input_ms or totals.keys > self._last.keys:
            self._heard_ms, self._busy_polls, self._polls = now, 0, 0
            self._polling = self._mode == "poll"
        self._last = totals
        stirred = self._poll(idle_ms, now) and self._polling and self._mode != "off"
        return InputLook(totals, stirred, self.name != before)

    def last_input_ms(self) -> int | None:
        """When input was last seen, by whichever way."""
        seen = [each for each in (self._input_ms, self._last.last_input_ms or None) if each is not None]
        return max(seen, default=None)

    def _poll(self, idle_ms: int | None, now: int) -> bool:
        """Once a second: is the listener dead, and did the idle time fall back?"""
        if idle_ms is None or (self._polled_ms is not None and now - self._polled_ms < POLL_MS):
            return False
        first, self._polled_ms = self._polled_ms is None, now
        at_ms = now - idle_ms
        fell = not first and idle_ms <= NEAR_ZERO_MS and at_ms > (self._input_ms or 0) + JITTER_MS
        self._input_ms = at_ms if self._input_ms is None else max(at_ms, self._input_ms)
        self._polls += 1
        self._busy_polls += idle_ms <= NEAR_ZERO_MS
        if self._mode == "auto":
            self._judge_listener(now)
        return fell

    def _judge_listener(self, now: int) -> None:
        silent = now - self._heard_ms >= SILENT_MS and self._busy_polls >= BUSY_SHARE * self._polls
        if not self._polling and silent:
            log.warning("the input listener %s is silent; polling instead", self._source.name)
            self._polling, self._restarted_ms = True, now - RESTART_MS
        if self._polling and now - self._restarted_ms >= RESTART_MS:
            self._restarted_ms = now
            self.stop()
            self._listen()

    def _listen(self) -> bool:
        try:
            self._source.start(self._notify)
        except BinyError as error:
            log.info("input cannot be listened to: %s", error.kind)
            return False
        self._listening = True
        self._last = self._source.totals()
        return True
