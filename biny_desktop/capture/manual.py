"""A picture that somebody asked for: the request, and what became of it (trigger `manual`, spec 02 §1)."""

import threading
from dataclasses import dataclass

from biny_desktop.capture.ports import SkipReason


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """`frame_ids` of the frames kept (one a monitor), or the `reason` why there is none."""

    frame_ids: tuple[int, ...] = ()
    reason: SkipReason | None = None


class CaptureRequest:
    """Answered by the recorder thread, waited for by another one."""

    def __init__(self, asked_ms: int, *, in_flight: bool) -> None:
        self.asked_ms = asked_ms
        self.in_flight = in_flight
        self._done = threading.Event()
        self._result: CaptureResult | None = None

    def answer(self, result: CaptureResult) -> None:
        """The recorder's answer; the first one counts."""
        if not self._done.is_set():
            self._result = result
            self._done.set()

    def wait(self, timeout_s: float) -> CaptureResult | None:
        """The answer, or None when there is none within that time."""
        self._done.wait(timeout_s)
        return self._result
