"""The non-frame rows of the recorder: skips, focus, titles, locks, states (spec 02 §1.4, 2.1).

A row that cannot be written is counted and the loop goes on: a full disk must not stop the recorder.
"""

import logging
from collections import Counter
from collections.abc import Mapping

from biny_desktop.capture.ports import (
    EventKind,
    FrameSink,
    Json,
    Note,
    RecorderState,
    SkipReason,
    WindowInfo,
)
from biny_desktop.capture.presence import Happening
from biny_desktop.core.clock import Clock, Stamp
from biny_desktop.core.errors import StorageError

log = logging.getLogger(__name__)

TITLE_MS = 5_000
"""Titles that tick by themselves: at most one row in this time, with the newest title (ms, own)."""
LOG_MS = 60_000
"""At most one log line a cause in this (§2.4)."""
OWN_APP = "Biny Desktop"
"""The app our own windows count as (§3.11)."""


class Throttle:
    """One log line a minute for each cause."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}

    def warn(self, cause: str, detail: str, now_ms: int) -> None:
        """Log it unless this cause was logged within the last minute; both hold words and numbers only."""
        last = self._last.get(cause)
        if last is None or now_ms - last >= LOG_MS:
            self._last[cause] = now_ms
            log.warning("%s: %s", cause, detail)


class Journal:
    """Writes rows through the sink; used from the recorder thread."""

    def __init__(self, sink: FrameSink, clock: Clock, throttle: Throttle) -> None:
        self._sink = sink
        self._clock = clock
        self._throttle = throttle
        self._state: tuple[RecorderState, str] | None = None
        self._titled_ms: int | None = None
        self._title: str | None = None
        self.lost = 0
        self.reasons: Counter[str] = Counter()

    def begin(self) -> None:
        """A new run: its first state gets a row whatever the last one was."""
        self._state = None

    def note(self, note: Note) -> bool:
        """Write a row; False when it could not be written."""
        try:
            self._sink.note(note)
        except StorageError as error:
            self.lost += 1
            self._throttle.warn("a row could not be written", error.kind, self._clock.mono_ms())
            return False
        return True

    def state(self, state: RecorderState, reason: str, detail: Mapping[str, Json] | None = None) -> None:
        """Write a `recorder_states` row if it is another state than the last written one."""
        if self._state == (state, reason):
            return
        self._write_state(self._clock.stamp(), state, reason, detail or {})

    def hung(self, since: Stamp) -> None:
        """A run that hangs since then is taken over; the row goes back to where it stopped."""
        self._write_state(since, "blocked", "hung", {})

    def _write_state(self, stamp: Stamp, state: RecorderState, reason: str, detail: Mapping[str, Json]) -> None:
        try:
            self._sink.state(stamp, state, reason, detail)
            self._state = (state, reason)
        except StorageError as error:
            self.lost += 1
            self._throttle.warn("a state could not be written", error.kind, self._clock.mono_ms())

    def skip(self, reason: SkipReason, count: int, window: WindowInfo | None, why: Mapping[str, Json]) -> None:
        """Say why an attempt ended without a frame."""
        self.reasons[reason] += count
        app_id, app_name = _app(window)
        self.note(Note(self._clock.stamp(), "skip", reason, count, app_id=app_id, app_name=app_name, detail=why))

    def happened(self, happening: Happening, detail: Mapping[str, Json]) -> None:
        """A lock, unlock, sleep, wake, clock step or travel."""
        merged = {**happening.detail, **detail}
        self.note(Note(happening.stamp, happening.kind, happening.reason, detail=merged))

    def changed(self, kind: EventKind, reason: str, detail: Mapping[str, Json]) -> None:
        """Other monitors, another source, a drop."""
        self.note(Note(self._clock.stamp(), kind, reason, detail=detail))

    def focus(self, window: WindowInfo, *, titled: bool) -> None:
        """Another window is in front; its title only if rows may name it."""
        app_id, app_name = _app(window)
        title = window.title if titled else None
        self._title, self._titled_ms = title, None
        self.note(Note(self._clock.stamp(), "focus", app_id=app_id, app_name=app_name, title=title))

    def title(self, window: WindowInfo) -> None:
        """The window in front may have another title; call it at every step."""
        if window.title == self._title:
            return
        now = self._clock.stamp()
        if self._titled_ms is not None and now.mono_ms - self._titled_ms < TITLE_MS:
            return
        self._title, self._titled_ms = window.title, now.mono_ms
        app_id, app_name = _app(window)
        self.note(Note(now, "title", app_id=app_id, app_name=app_name, title=window.title))


def _app(window: WindowInfo | None) -> tuple[str | None, str | None]:
    """App id and name for a row; our own windows count as this app, nothing is ever called "unknown"."""
    if window is None or not (window.app_id or window.own):
        return None, None
    return window.app_id or None, OWN_APP if window.own else (window.app_name or None)
