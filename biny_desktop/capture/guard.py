"""Guards of the grab: black pictures, a source that is frozen, back-off after failures (spec 02 §2.4–2.6)."""

from dataclasses import dataclass

import numpy as np

from biny_desktop.capture.ports import Pixels

BLACK_LEVEL = 8
"""No channel of any pixel above this: the picture is black (8-bit level, §2.5)."""
BLACK_RETRY_MS = 1_000
"""One more try after a black picture (§2.5)."""
FROZEN_GRABS = 20
"""Equal grabs in a row that make a source suspect (§2.5)."""
FROZEN_CLICKS = 10
"""Clicks meanwhile that should have changed something (§2.5)."""
RENEW_MS = 60_000
"""A source is made new at most this often (§2.5)."""
MAX_RENEWALS = 3
"""Renewals without effect until the source counts as stalled (§2.5)."""
BACK_OFF_MS = 500
BACK_OFF_MAX_MS = 30_000
"""First and longest pause after a failed grab or write (§2.4)."""
SOURCE_FAILURES = 3
"""Failures of one back end until the next one is used (§2.4)."""
BRIGHT_MEAN, BRIGHT_SHARE = 245.0, 0.6
"""Mean grey, and the part of pixels at 255, above which a picture is over-exposed (§2.6)."""
_SAMPLE = 16
"""Every n-th pixel each way is looked at first (px)."""


def is_black(pixels: Pixels) -> bool:
    """Whether no colour of any pixel is above `BLACK_LEVEL`; alpha does not count. One lit window is enough for no."""
    if pixels.size == 0:
        return True
    if int(pixels[::_SAMPLE, ::_SAMPLE, :3].max()) > BLACK_LEVEL:
        return False
    return all(int(pixels[..., channel].max()) <= BLACK_LEVEL for channel in range(3))


def is_over_exposed(pixels: Pixels) -> bool:
    """The half of "over-exposed" that pixels can tell, on a sample; whether text can be read is found by reading."""
    sample = pixels[::_SAMPLE, ::_SAMPLE, :3]
    if sample.size == 0:
        return False
    grey = sample.mean(axis=2)
    return float(grey.mean()) > BRIGHT_MEAN and float(np.mean(sample.min(axis=2) == 255)) > BRIGHT_SHARE


@dataclass(slots=True)
class BackOff:
    """The pause after failures: 500 ms × 2^(n−1), at most 30 s; times are monotonic ms."""

    failures: int = 0
    reason: str = ""
    until_ms: int = 0

    def failed(self, reason: str, now_ms: int) -> int:
        """One more failure; returns when the next try may be made."""
        self.failures += 1
        self.reason = reason
        self.until_ms = now_ms + min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** min(self.failures - 1, 16))
        return self.until_ms

    def succeeded(self) -> None:
        """A grab and its write worked."""
        self.failures, self.reason, self.until_ms = 0, "", 0

    def over(self, now_ms: int) -> bool:
        """Whether a try may be made now."""
        return now_ms >= self.until_ms


class FrozenGuard:
    """Counts byte-equal grabs in a row of one monitor against what the user did meanwhile."""

    def __init__(self) -> None:
        self._equal = 0
        self._clicks = 0
        self._focused = False
        self._renewals = 0
        self._renewed_ms: int | None = None

    def acted(self, clicks: int, *, focused: bool = False) -> None:
        """The user clicked that often, or went to another window."""
        self._clicks += clicks
        self._focused |= focused

    def grabbed(self, *, equal: bool, now_ms: int) -> bool:
        """One more grab, equal to the one before or not; returns whether the source must be made new now."""
        if not equal:
            self._equal, self._clicks, self._focused, self._renewals = 1, 0, False, 0
            return False
        self._equal += 1
        suspect = self._equal >= FROZEN_GRABS and (self._clicks >= FROZEN_CLICKS or self._focused)
        rested = self._renewed_ms is None or now_ms - self._renewed_ms >= RENEW_MS
        if not (suspect and rested):
            return False
        self._equal, self._clicks, self._focused = 1, 0, False
        self._renewals += 1
        self._renewed_ms = now_ms
        return True

    @property
    def stalled(self) -> bool:
        """Whether making it new had no effect often enough."""
        return self._renewals >= MAX_RENEWALS
