"""Private time as rows that tell nothing but its length: time, reason, count (spec 02 §3.9)."""

from collections.abc import Mapping
from dataclasses import dataclass

from biny_desktop.capture.journal import Journal
from biny_desktop.capture.ports import Json, Note, SkipReason
from biny_desktop.core.clock import Clock, Stamp

ROW_MS = 5_000
"""At most one row of private time in this (§3.9)."""


@dataclass(slots=True)
class _Stretch:
    """What is in front, and the piece of time that the next row will tell of."""

    reason: SkipReason
    app_id: str | None
    traced: bool
    start: Stamp
    count: int = 0


class Placeholder:
    """One stretch of private time at a time; its rows follow each other without a gap, so the sink can join them.

    Without a trace nothing is written at all, and the time shows as not recorded.
    """

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._now: _Stretch | None = None

    @property
    def active(self) -> bool:
        """Whether a private window is in front."""
        return self._now is not None

    def begin(
        self,
        reason: SkipReason,
        app_id: str | None,
        count: int,
        *,
        traced: bool,
        detail: Mapping[str, Json] | None = None,
    ) -> None:
        """A private window came to the front, or another one, or its reason changed; `count` triggers were cancelled.

        `app_id` and `detail` only with `privacy.name_private_apps`, `traced` False for "no trace".
        Nothing happens while the same kind goes on; a change inside 5 s keeps the first reason.
        """
        now, stretch = self._clock.stamp(), self._now
        if stretch is not None:
            same = (stretch.reason, stretch.app_id, stretch.traced) == (reason, app_id, traced)
            if same or (stretch.traced and traced and now.mono_ms - stretch.start.mono_ms < ROW_MS):
                stretch.count += count
                return
            self.end()
        self._now = _Stretch(reason, app_id, traced, now)
        if traced:
            self._journal.note(Note(now, "private", reason, max(1, count), app_id=app_id, detail=detail or {}))

    def suppressed(self, count: int) -> None:
        """Triggers that made no picture."""
        stretch = self._now
        if stretch is None:
            return
        stretch.count += count
        now = self._clock.stamp()
        if now.mono_ms - stretch.start.mono_ms >= ROW_MS:
            self._row(stretch, now)
            stretch.start, stretch.count = now, 0

    def end(self) -> None:
        """It is not in front any more: close the row with its length."""
        stretch, self._now = self._now, None
        if stretch is not None:
            self._row(stretch, self._clock.stamp())

    def _row(self, stretch: _Stretch, now: Stamp) -> None:
        if stretch.traced:
            until_ms = stretch.start.at_ms + now.mono_ms - stretch.start.mono_ms
            self._journal.note(
                Note(stretch.start, "private", stretch.reason, stretch.count, until_ms, app_id=stretch.app_id)
            )
