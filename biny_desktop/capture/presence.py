"""Whether a person can be at the machine: lock, sleep, session, and what the clock did (spec 02 §2 gate 2, §3.10)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from biny_desktop.capture.ports import EventKind, Json, Notify, PresenceNotice, PresenceSource, SkipReason
from biny_desktop.core.clock import Clock, Stamp
from biny_desktop.core.errors import BinyError

POLL_MS = 1_000
"""The lock state is asked this often besides notices (ms); a notice can be lost."""
STEP_MS = 2_000
"""Wall and monotonic time that drift apart by more than this between two looks: the clock was set (ms)."""
SLEEP_MS = 30_000
"""Wall time that ran ahead by this much: the machine may have slept without telling (ms)."""
WAKE_MS = 60_000
"""A machine that runs this long after "going to sleep" is awake; the notice was lost (monotonic ms)."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something for a row: `kind` of the row, when, `reason` a short word, `detail` numbers and zone names."""

    kind: EventKind
    stamp: Stamp
    reason: str = ""
    detail: Mapping[str, Json] = field(default_factory=dict)


class PresenceWatch:
    """Combines notices, polling, lock programs and the clocks; used from the recorder thread."""

    def __init__(self, source: PresenceSource, clock: Clock) -> None:
        self._source = source
        self._clock = clock
        self._program = False
        self._told_locked = False
        self._locked = False
        self._away = False
        self._asleep_ms: int | None = None
        self._polled_ms: int | None = None
        self._last: Stamp | None = None

    def start(self, notify: Notify) -> None:
        """Begin to listen."""
        self._source.start(notify)

    def stop(self) -> None:
        """End; what was known is forgotten."""
        self._source.stop()
        self._last = self._polled_ms = self._asleep_ms = None
        self._program = self._told_locked = self._locked = self._away = False

    @property
    def by_program(self) -> bool:
        """Whether only a lock program in front says "locked", so that the front window must be looked at."""
        return self._program

    def program(self, *, locks: bool) -> None:
        """Whether a lock or saver program is in front (§3.10)."""
        self._program = locks

    def blocked(self) -> SkipReason | None:
        """Gate 2: why nobody can be at the machine; None when somebody can."""
        if self._away:
            return "session_inactive"
        if self._locked:
            return "screen_locked"
        return "asleep" if self._asleep_ms is not None else None

    def idle_ms(self) -> int | None:
        """Milliseconds since the last input of the whole system; None when it cannot be told."""
        try:
            idle = self._source.idle_ms()
        except BinyError:  # the display or the bus is going away
            return None
        return None if idle is None else max(0, idle)

    def check(self) -> list[Happening]:
        """What happened since the last call, oldest first."""
        now = self._clock.stamp()
        notices = self._source.notices()
        slept = self._asleep_ms is not None or any(each.kind in ("sleep", "wake") for each in notices)
        out = [each for notice in notices for each in self._take(notice, now)]
        if notices or self._polled_ms is None or now.mono_ms - self._polled_ms >= POLL_MS:
            self._polled_ms = now.mono_ms
            polled = self._source.locked()
            if polled is not None:
                self._told_locked = polled
        out += self._lock(self._told_locked or self._program, now, "program" if self._program else "")
        out += self._clocks(now, slept=slept)
        return out

    def _take(self, notice: PresenceNotice, now: Stamp) -> list[Happening]:
        match notice.kind:
            case "lock" | "unlock":
                self._told_locked = notice.kind == "lock"
                return self._lock(self._told_locked or self._program, now, "")
            case "sleep":
                return self._sleep(now, "")
            case "wake":
                return self._wake(now, "")
            case "session_inactive" | "session_active":
                return self._session(now, away=notice.kind == "session_inactive")

    def _lock(self, locked: bool, now: Stamp, reason: str) -> list[Happening]:
        if locked == self._locked:
            return []
        self._locked = locked
        return [Happening("lock" if locked else "unlock", now, reason)]

    def _session(self, now: Stamp, *, away: bool) -> list[Happening]:
        if away == self._away:
            return []
        self._away = away
        return [Happening("lock" if away else "unlock", now, "session_inactive" if away else "session_active")]

    def _sleep(self, now: Stamp, reason: str) -> list[Happening]:
        if self._asleep_ms is not None:
            return []
        self._asleep_ms = now.mono_ms
        return [Happening("sleep", now, reason)]

    def _wake(self, now: Stamp, reason: str) -> list[Happening]:
        missed = self._sleep(self._last or now, "unseen")
        self._asleep_ms = None
        return [*missed, Happening("wake", now, reason)]

    def _clocks(self, now: Stamp, *, slept: bool) -> list[Happening]:
        """Clock steps, unannounced sleep, travel to another zone, a lost wake notice."""
        last, self._last = self._last, now
        if last is None:
            return []
        out: list[Happening] = []
        drift = (now.at_ms - last.at_ms) - (now.mono_ms - last.mono_ms)
        if self._asleep_ms is not None:
            if drift >= STEP_MS or now.mono_ms - self._asleep_ms >= WAKE_MS:
                out += self._wake(now, "unseen")
        elif abs(drift) > STEP_MS and not slept:
            out.append(Happening("clock_step", now, "", {"step_ms": drift}))
            if drift >= SLEEP_MS:
                # The monotonic clock stands still in sleep: a long sleep without notice looks like a clock set forward.
                # Both get a row; a needless `start` after a mere clock step does no harm.
                out += [Happening("sleep", last, "gap"), Happening("wake", now, "gap")]
        if now.zone != last.zone:
            out.append(Happening("zone", now, "", {"from": last.zone, "to": now.zone}))
        return out
