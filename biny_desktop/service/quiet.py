"""Whether background work may run now: nobody uses the machine at this moment; and whether it is on mains."""

from collections.abc import Callable
from typing import Final

QUIET_MS: Final = 6_000
"""No input for this long: a person reads or thinks, and a short piece of work is not felt (spec 03 §3, §7)."""


class Quiet:
    """Asked between the steps of a job. Thread-safe as far as what it asks is.

    Args:
        clock_ms: monotonic ms. last_input_ms: monotonic ms of the last input, None when it is not known.
        on_battery: whether the machine runs on battery.
    """

    def __init__(
        self, clock_ms: Callable[[], int], last_input_ms: Callable[[], int | None], on_battery: Callable[[], bool]
    ) -> None:
        self._clock_ms, self._last_input_ms, self.on_battery = clock_ms, last_input_ms, on_battery

    def idle_ms(self) -> int | None:
        """Milliseconds since the last input; None when it is not known."""
        last = self._last_input_ms()
        return None if last is None else self._clock_ms() - last

    def now(self) -> bool:
        """Whether nobody used the machine for a moment; where input is not known, yes."""
        idle = self.idle_ms()
        return idle is None or idle >= QUIET_MS
