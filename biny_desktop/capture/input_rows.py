"""Input counters as rows: how many keys, clicks, wheel steps, never which (spec 02 §1.6, 1.7)."""

from biny_desktop.capture.journal import Journal
from biny_desktop.capture.ports import InputTotals, Json, Note
from biny_desktop.core.clock import Clock, Stamp

INPUT_MS = 10_000
"""One `input` row for this much input (§1.7)."""


class InputRows:
    """Counts input since the last row and since the last frame; used from the recorder thread."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._base = self._latest = self._frame = InputTotals()
        self._first: Stamp | None = None

    def begin(self, totals: InputTotals) -> None:
        """Count from here: the recorder starts, a private window was left, or the listener was started anew."""
        self._base = self._latest = self._frame = totals
        self._first = None

    def feed(self, totals: InputTotals) -> None:
        """New totals; a row is written once the first of its input is 10 s old."""
        if any(new < old for new, old in zip(_counts(totals), _counts(self._latest), strict=True)):
            self.flush()
            self.begin(totals)
            return
        now = self._clock.stamp()
        if self._first is not None and now.mono_ms - self._first.mono_ms >= INPUT_MS:
            self.flush()
        self._latest = totals
        if self._first is None and _counts(totals) != _counts(self._base):
            self._first = now

    def flush(self) -> None:
        """Close the row now: before a frame, focus, lock or pause row."""
        base, first, latest = self._base, self._first, self._latest
        self._base, self._first = latest, None
        if first is None:
            return
        keys, clicks, scrolls = (new - old for new, old in zip(_counts(latest), _counts(base), strict=True))
        last_ms = first.at_ms + max(0, latest.last_input_ms - first.mono_ms)
        detail: dict[str, Json] = {
            "keys": keys, "clicks": clicks, "scrolls": scrolls, "first": first.at_ms, "last": last_ms,
        }  # fmt: skip
        self._journal.note(Note(first, "input", until_ms=last_ms, detail=detail))

    def since_frame(self) -> tuple[int, int]:
        """(keys, clicks) since the last kept frame."""
        return self._latest.keys - self._frame.keys, self._latest.clicks - self._frame.clicks

    def framed(self) -> None:
        """A frame was kept: count for the next one from here."""
        self._frame = self._latest


def _counts(totals: InputTotals) -> tuple[int, int, int]:
    return totals.keys, totals.clicks, totals.scrolls
