"""What the recorder sees of the machine at one moment, and the epoch that grows whenever it changes (spec 02 §2.3)."""

from collections.abc import Callable
from dataclasses import dataclass

from biny_desktop.capture.health import Front
from biny_desktop.capture.journal import Throttle
from biny_desktop.capture.monitors import monitor_of
from biny_desktop.capture.ports import (
    Control,
    Monitor,
    NoPermissionError,
    Platform,
    ScreenSource,
    SkipReason,
    Unknown,
    WindowInfo,
)
from biny_desktop.capture.presence import Happening, PresenceWatch
from biny_desktop.capture.rules import UNKNOWN, Painted, RuleBook, Verdict
from biny_desktop.capture.triggers import WindowKey
from biny_desktop.core.clock import Clock
from biny_desktop.core.settings import Settings

SLOW_MS = 200
"""A window answer that takes longer is "unknown" (§3, order)."""
MONITORS_MS = 2_000
"""The list of monitors is looked at this often (ms); a new one starts capture by itself (§4.2)."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The window in front and the answer about it; `key` is None when it cannot be told."""

    front: WindowInfo | Unknown
    verdict: Verdict

    @property
    def window(self) -> WindowInfo | None:
        return self.front if isinstance(self.front, WindowInfo) else None

    @property
    def key(self) -> WindowKey | None:
        return (self.front.app_id, self.front.window_id) if isinstance(self.front, WindowInfo) else None

    @property
    def own(self) -> bool:
        return isinstance(self.front, WindowInfo) and self.front.own

    @property
    def kind(self) -> Front:
        """As `RecorderHealth` tells it."""
        if self.own:
            return "own"
        return {"ok": "ok", "private": "private", "unknown": "unknown", "locked": "none"}[self.verdict.outcome]  # type: ignore[return-value]


class World:
    """Asks sources, control, settings and rules; used from the recorder thread."""

    def __init__(
        self,
        platform: Platform,
        control: Control,
        book: Callable[[], RuleBook],
        settings: Callable[[], Settings],
        clock: Clock,
        throttle: Throttle,
    ) -> None:
        self._platform = platform
        self._control = control
        self._read_book, self._read_settings = book, settings
        self._clock = clock
        self._throttle = throttle
        self.presence = PresenceWatch(platform.presence, clock)
        self.settings = settings()
        self.book = book()
        self.screen: ScreenSource = platform.screen
        self.epoch = 0
        self.closing = True
        self.others_seen = True
        self._paused = False
        self._key: WindowKey | None = None
        self._monitors: list[Monitor] = []
        self._monitors_ms: int | None = None
        self._listed = False
        self._lists = False
        self._no_picture: SkipReason | None = None
        self._happened: list[Happening] = []

    def refresh(self) -> None:
        """Look at everything but windows and monitors; any change begins a new epoch."""
        settings, book = self._read_settings(), self._read_book()
        if (settings.capture, settings.privacy) != (self.settings.capture, self.settings.privacy):
            self.epoch += 1
        if book.revision != self.book.revision:
            self.epoch += 1
        self.settings, self.book = settings, book
        paused = self._is_paused()
        self.epoch += paused != self._paused
        self._paused = paused
        if self.presence.by_program:
            self.sight()
        for happening in self.presence.check():
            self.epoch += happening.kind in ("lock", "unlock", "sleep", "wake")
            self._happened.append(happening)

    def take(self) -> list[Happening]:
        """What happened since the last call, for rows."""
        taken, self._happened = self._happened, []
        return taken

    def block(self) -> SkipReason | None:
        """Gates 1 and 2."""
        if not self._control.enabled():
            return "not_enabled"
        if self._paused:
            return "paused_by_user"
        return "shutting_down" if self.closing else self.presence.blocked()

    def _is_paused(self) -> bool:
        until_ms = self._control.paused_until_ms()
        return until_ms is not None and until_ms > self._clock.now_ms()

    def sight(self) -> Sight:
        """The window in front now; a failing or slow answer is unknown. Another identity begins a new epoch."""
        started = self._clock.mono_ms()
        try:
            front = self._platform.windows.front()
            verdict = self.book.judge(front, self._scale(front))
        except Exception as error:  # a source or a rule that fails must never mean "may be recorded" (§3, order)
            self._throttle.warn("the front window cannot be told", type(error).__name__, started)
            front, verdict = Unknown("error"), UNKNOWN
        if self._clock.mono_ms() - started > SLOW_MS:
            front, verdict = Unknown("slow"), UNKNOWN
        self.presence.program(locks=verdict.outcome == "locked")
        sight = Sight(front, verdict)
        if sight.key != self._key:
            self._key = sight.key
            self.epoch += 1
        return sight

    def others(self, sight: Sight) -> list[Painted] | Unknown:
        """What must be painted over; Unknown when the list of windows failed or was slow.

        A platform that cannot list windows at all gives nothing, and `others_seen` says so (§3.6); one that could and
        now cannot has failed.
        """
        started = self._clock.mono_ms()
        window = sight.window
        try:
            windows = self._platform.windows.visible()
            if windows is None and self._lists:
                return Unknown("no_list")
            self.others_seen = self._lists = windows is not None
            painted = self.book.paint_over(
                windows or [],
                window.window_id if window else None,
                self._scale(sight.front),
                keep_unknown=self.settings.privacy.unknown == "keep",
            )
        except Exception as error:  # as above: no answer is not a yes
            self._throttle.warn("the visible windows cannot be told", type(error).__name__, started)
            return Unknown("error")
        if self._clock.mono_ms() - started > SLOW_MS:
            return Unknown("slow")
        if window is not None and sight.verdict.mask and window.rect is not None:
            painted.append(Painted(window.rect, sight.verdict.rule or "mask"))
        return painted

    def _scale(self, front: WindowInfo | Unknown) -> float:
        rect = front.rect if isinstance(front, WindowInfo) else None
        monitor = monitor_of(self._monitors, rect, None)
        return monitor.scale if monitor else 1.0

    def monitors(self, *, now: bool = False) -> tuple[list[Monitor], SkipReason | None, bool]:
        """The monitors, what is wrong with them (gate 4), and whether they are others than before.

        Asked at most each 2 s, unless `now`.
        """
        at_ms = self._clock.mono_ms()
        if not now and self._monitors_ms is not None and at_ms - self._monitors_ms < MONITORS_MS:
            return self._monitors, self._no_picture, False
        self._monitors_ms = at_ms
        reason: SkipReason | None = "no_monitor"
        try:
            found = self.screen.monitors()
        except NoPermissionError:
            found, reason = [], "no_permission"
        except Exception as error:  # the world may take a screen away at any moment; the loop goes on
            self._throttle.warn("monitors cannot be listed", type(error).__name__, at_ms)
            found = []
        changed = self._listed and [each.key for each in found] != [each.key for each in self._monitors]
        self._listed = True
        self._monitors, self._no_picture = found, None if found else reason
        self.epoch += changed
        return found, self._no_picture, changed

    def renew(self) -> None:
        """Make the screen source new (frozen)."""
        self.epoch += 1
        self._monitors_ms = None
        try:
            self.screen.renew()
        except Exception as error:  # as above
            self._throttle.warn("the screen source cannot be made new", type(error).__name__, self._clock.mono_ms())

    def next_screen(self) -> bool:
        """Use the next back end for the rest of the run, if there is one (§2.4)."""
        other = self._platform.next_screen(self.screen)
        if other is None:
            return False
        try:
            self.screen.close()
        except Exception as error:  # as above
            self._throttle.warn("the screen source cannot be closed", type(error).__name__, self._clock.mono_ms())
        self.screen = other
        self.epoch += 1
        self._monitors_ms = None
        return True

    def pointer(self) -> tuple[int, int] | None:
        """Pointer place on the virtual screen; None when it cannot be told."""
        try:
            return self.screen.pointer()
        except Exception as error:  # as above
            self._throttle.warn("the pointer cannot be told", type(error).__name__, self._clock.mono_ms())
            return None
