"""What is done about failing, black and frozen sources: back-off, one more try, another back end (spec 02 §2.4–2.5)."""

from biny_desktop.capture.guard import BLACK_RETRY_MS, SOURCE_FAILURES, BackOff, FrozenGuard
from biny_desktop.capture.ports import SkipReason
from biny_desktop.capture.triggers import Fired, Triggers
from biny_desktop.capture.world import World
from biny_desktop.core.clock import Clock

RETRY_MS = 60_000
"""A trigger whose attempts fail is tried again for this long; then the next trigger tries (ms, own)."""


class Trouble:
    """The memory of what went wrong; used from the recorder thread.

    `stalled` is a source that gives nothing but black or frozen pictures, until it gives another.
    """

    def __init__(self, world: World, triggers: Triggers, clock: Clock) -> None:
        self._world, self._triggers, self._clock = world, triggers, clock
        self.back_off = BackOff()
        self.stalled: SkipReason | None = None
        self._frozen: dict[str, FrozenGuard] = {}
        self._source_failures = 0
        self._blacks: set[str] = set()

    def grab_failed(self, fired: Fired) -> None:
        """A grab raised or gave nothing: back off, try again, and after three failures use the next back end."""
        self._source_failures += 1
        self._pause(fired, "no_picture")
        if self._source_failures >= SOURCE_FAILURES and self._world.next_screen():
            self._source_failures = 0

    def write_failed(self, fired: Fired, reason: SkipReason) -> None:
        """A picture could not be encoded or written: back off and try again."""
        self._pause(fired, reason)

    def was_black(self, fired: Fired, monitor_key: str) -> None:
        """A black picture: one more try after a second; black again means stalled, and the next back end."""
        now_ms = self._clock.mono_ms()
        if monitor_key not in self._blacks:
            self._blacks.add(monitor_key)
            self._triggers.release(now_ms + BLACK_RETRY_MS)
            self._triggers.again(fired, now_ms + BLACK_RETRY_MS)
            return
        self._blacks.discard(monitor_key)
        self.stalled = "black_picture"
        self._world.next_screen()

    def grabbed(self, monitor_key: str, *, equal: bool) -> bool:
        """A picture that is not black was compared; returns whether the source was made new because it is frozen."""
        self._blacks.discard(monitor_key)
        self._source_failures = 0
        guard = self._frozen.setdefault(monitor_key, FrozenGuard())
        frozen = guard.grabbed(equal=equal, now_ms=self._clock.mono_ms())
        if frozen:
            self._world.renew()
        self.stalled = "frozen_source" if guard.stalled else None
        return frozen

    def acted(self, clicks: int, *, focused: bool = False) -> None:
        """The user did something that should change a picture."""
        for guard in self._frozen.values():
            guard.acted(clicks, focused=focused)

    def worked(self) -> None:
        """An attempt came to its regular end: kept, or nothing new."""
        self.back_off.succeeded()

    def forget_monitors(self) -> None:
        """Other monitors: count anew."""
        self._frozen.clear()

    def _pause(self, fired: Fired, reason: SkipReason) -> None:
        now_ms = self._clock.mono_ms()
        until_ms = self.back_off.failed(reason, now_ms)
        self._triggers.release(until_ms)
        if fired.kind != "manual" and until_ms - fired.at_ms <= RETRY_MS:
            self._triggers.again(fired, until_ms)
