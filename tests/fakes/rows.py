"""A day of rows as a script: time passes, windows come to front, keys are pressed, and the rows come out."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from biny_desktop.activity.segments.model import ActivityRow
from biny_desktop.core.clock import Stamp

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE


def utc_ms(local: str, zone: str = "UTC") -> int:
    """UTC ms of a local time such as `2026-03-12 09:00`."""
    return round(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@dataclass(slots=True)
class Script:
    """Writes rows as the recorder does. Words move no time but `wait`, `work`, `sleep` and `private`; all return self.

    `wall` UTC ms, `mono` monotonic ms; `rows` in the order in which they were written.
    """

    wall: int
    zone: str = "UTC"
    mono: int = 1_000_000
    boot: str = "boot-1"
    rows: list[ActivityRow] = field(default_factory=list)
    app: str = ""
    title: str = ""

    @classmethod
    def at(cls, local: str, zone: str = "UTC") -> "Script":
        """A script that begins at a local time."""
        return cls(utc_ms(local, zone), zone)

    def wait(self, ms: int) -> "Script":
        """Time passes on both clocks."""
        self.wall += ms
        self.mono += ms
        return self

    def wait_until(self, local: str) -> "Script":
        """Time passes until a local time."""
        return self.wait(utc_ms(local, self.zone) - self.wall)

    def focus(self, app: str, title: str = "") -> "Script":
        """A window comes to front."""
        self.app, self.title = app, title
        return self.event("focus", app_id=app, app_name=app.title(), title=title or None)

    def retitle(self, title: str) -> "Script":
        """The window in front has another title."""
        self.title = title
        return self.event("title", app_id=self.app, app_name=self.app.title(), title=title)

    def keys(self, keys: int = 10, clicks: int = 0, lasting: int = 0) -> "Script":
        """Input that began now and lasted so long."""
        return self.event("input", until_ms=self.wall + lasting, keys=keys, clicks=clicks)

    def frame(self, trigger: str = "click", url: str | None = None) -> "Script":
        """A kept picture of what is in front."""
        self.rows.append(
            ActivityRow("frame", self._id("frame"), self.stamp(), trigger, app_id=self.app or None,
                        app_name=self.app.title() or None, title=self.title or None, url=url)
        )  # fmt: skip
        return self

    def work(self, ms: int, every: int = 5 * SECOND) -> "Script":
        """Input every so often for so long; time passes."""
        for _ in range(ms // every):
            self.keys().wait(every)
        return self.wait(ms % every)

    def watch(self, ms: int, every: int = 12 * SECOND) -> "Script":
        """The picture changes by itself, seen by watching mode; time passes."""
        for _ in range(ms // every):
            self.wait(every).frame("visual_change")
        return self.wait(ms % every)

    def static(self, ms: int, every: int = 60 * SECOND) -> "Script":
        """Watching mode looks and nothing changed; time passes."""
        for _ in range(ms // every):
            self.wait(every).event("skip", "same_exact", app_id=self.app or None)
        return self.wait(ms % every)

    def private(self, ms: int, reason: str = "private_app") -> "Script":
        """A private window is in front for so long; time passes. Afterwards something has to come to front."""
        return self.event("private", reason, until_ms=self.wall + ms).wait(ms)

    def event(self, what: str, reason: str = "", **fields: object) -> "Script":
        """Any event row."""
        self.rows.append(ActivityRow("event", self._id("event"), self.stamp(), what, reason, **fields))  # type: ignore[arg-type]
        return self

    def lock(self) -> "Script":
        """The screen is locked."""
        return self.event("lock").state("blocked", "screen_locked")

    def unlock(self) -> "Script":
        """The screen is unlocked."""
        return self.event("unlock").state("armed")

    def sleep(self, ms: int, *, told: bool = True, mono_runs: bool = False) -> "Script":
        """The machine is suspended, with notices or without; time passes."""
        if told:
            self.event("sleep").state("blocked", "asleep")
        self.wall += ms
        self.mono += ms if mono_runs else 1
        return self.event("wake").state("armed") if told else self

    def state(self, state: str, reason: str = "") -> "Script":
        """The recorder's state changes."""
        stamp = Stamp(self.wall, "", 0, "")
        self.rows.append(ActivityRow("state", self._id("state"), stamp, state, reason))
        return self

    def step(self, ms: int) -> "Script":
        """Somebody sets the wall clock; the recorder sees it."""
        self.wall += ms
        return self.event("clock_step")

    def travel(self, zone: str) -> "Script":
        """The machine is in another zone now."""
        self.zone = zone
        return self.event("zone")

    def reboot(self, ms: int, *, clean: bool = True, wall_off: int = 0) -> "Script":
        """The machine restarts within so long; its clock may be wrong afterwards."""
        if clean:
            self.state("off", "shutting_down")
        self.wall += ms + wall_off
        self.mono, self.boot = 20_000, f"boot-{int(self.boot.rsplit('-', 1)[1]) + 1}"
        return self.state("starting").state("armed")

    def stamp(self) -> Stamp:
        """Now."""
        return Stamp(self.wall, self.zone, self.mono, self.boot)

    def _id(self, kind: Literal["frame", "event", "state"]) -> int:
        return 1 + sum(row.kind == kind for row in self.rows)
