"""Between attempts: blocks, focus, titles, private time and input become rows and triggers (spec 02 §1, §2, §3.9)."""

from collections.abc import Callable

from biny_desktop.capture.attempt import PRIVATE
from biny_desktop.capture.eyes import Eyes
from biny_desktop.capture.input_rows import InputRows
from biny_desktop.capture.inputs import InputWatch
from biny_desktop.capture.journal import Journal
from biny_desktop.capture.placeholder import Placeholder
from biny_desktop.capture.ports import InputTotals, Json, Notify, Platform, SkipReason
from biny_desktop.capture.triggers import Fired, Timing, Triggers, WindowKey
from biny_desktop.capture.trouble import Trouble
from biny_desktop.capture.watch import WatchTiming
from biny_desktop.capture.world import Sight, World
from biny_desktop.core.clock import Clock

UNKNOWN_MS = 60_000
"""A front window that cannot be told for this long: stalled, with advice (§3.7)."""
LEAVES = frozenset({"lock", "sleep"})


class Watching:
    """Keeps what was last seen, and tells rows and triggers what is new; used from the recorder thread."""

    def __init__(
        self, platform: Platform, world: World, triggers: Triggers, journal: Journal, rows: InputRows,
        placeholder: Placeholder, inputs: InputWatch, trouble: Trouble, eyes: Eyes, clock: Clock, notify: Notify,
        hit: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._platform, self._world, self._triggers, self._journal = platform, world, triggers, journal
        self._rows, self._private, self._inputs, self._trouble = rows, placeholder, inputs, trouble
        self._eyes, self._clock, self._notify, self._hit = eyes, clock, notify, hit
        self._running = False
        self._input_mode = ""
        self._block: SkipReason | None = "shutting_down"
        self._key: WindowKey | None = None
        self._first = True
        self._unknown_ms: int | None = None
        self._clicks = 0

    @property
    def input_name(self) -> str:
        """The source of input in use."""
        return self._inputs.name

    def last_input_ms(self) -> int | None:
        """When input was last seen (monotonic ms)."""
        return self._inputs.last_input_ms()

    def long_unknown(self) -> SkipReason | None:
        """Whether the front window has been unknown for a minute, and the user did not choose to keep such frames."""
        if self._unknown_ms is None or self._world.settings.privacy.unknown == "keep":
            return None
        return "unknown_window" if self._clock.mono_ms() - self._unknown_ms >= UNKNOWN_MS else None

    def begin(self) -> None:
        """A run begins: presence is listened to at once, everything else when recording is allowed.

        What a run before this one left running (it failed, or hangs) is stopped first.
        """
        self._sources(on=False)
        self._world.presence.stop()
        self._world.presence.start(self._notify)
        self._block, self._first = "shutting_down", True

    def end(self) -> None:
        """A run ends: answer what is pending, close rows, stop the sources."""
        cancelled = self._leave()
        self._cancelled("shutting_down", cancelled)
        self._sources(on=False)
        self._world.presence.stop()
        self._block = "shutting_down"

    def block(self) -> None:
        """Rows for what happened to session, clock and zone; leave or enter when gates 1 and 2 changed."""
        happened, block = self._world.take(), self._world.block()
        left = block != self._block or any(each.kind in LEAVES for each in happened)
        was, self._block = self._block, block
        cancelled = self._leave() if left and was is None else None
        if left:
            self._sources(on=block != "not_enabled")
        for each in happened:
            # A cancelled trigger is answered by the row of what cancelled it: no other row between lock and unlock.
            detail = _told(cancelled) if each.kind in LEAVES else {}
            cancelled = None if each.kind in LEAVES else cancelled
            if self._running:
                self._journal.happened(each, detail)
        if block is not None:
            self._cancelled(block, cancelled)
        if left and block is None:
            self._enter()

    def look(self) -> Sight | None:
        """Look at the front window and the input; None while blocked, or when a lock program is in front."""
        if self._block is not None:
            return None
        self._configure()
        sight = self._world.sight()
        if sight.verdict.outcome == "locked":
            self._world.refresh()
            self.block()
            return None
        self.saw(sight)
        self._input()
        return sight

    def saw(self, sight: Sight) -> None:
        """What is in front now, from any look at it: rows and triggers for what changed."""
        if self._block is not None or sight.verdict.outcome == "locked":
            return
        if sight.verdict.reason in PRIVATE:
            self._saw_private(sight)
            return
        was_private = self._private.active
        if was_private:
            self._private.end()
            self._rows.begin(self._inputs.totals())
        self._saw_open(sight, was_private=was_private)

    def suppressed(self, count: int) -> None:
        """An attempt ended at a privacy rule: private time counts its triggers."""
        self._private.suppressed(count)

    def monitors_changed(self) -> None:
        """Other monitors: a row, fresh baselines, and a first picture."""
        monitors, _, _ = self._world.monitors()
        self._eyes.forget()
        self._trouble.forget_monitors()
        sizes: list[Json] = [f"{each.rect.w}x{each.rect.h}" for each in monitors]
        self._journal.changed("monitors", "", {"count": len(monitors), "sizes": sizes})
        if monitors:
            self.start_trigger()

    def start_trigger(self) -> None:
        """Capture becomes possible (again)."""
        self._triggers.restart(self._clock.mono_ms())

    def _saw_private(self, sight: Sight) -> None:
        """Private time begins or goes on; no focus row, no title, the pending trigger is cancelled (§3.9)."""
        privacy, verdict = self._world.settings.privacy, sight.verdict
        if not self._private.active:
            self._rows.flush()
        came = sight.key != self._key or not self._private.active
        pending = self._triggers.forget() if came else None
        self._key, self._unknown_ms, self._first = sight.key, None, False
        self._triggers.entered(sight.key, self._clock.mono_ms(), silent=True)
        if came and verdict.rule is not None:
            self._hit(verdict.rule)
        # Which rule it was would name the app; so it is told only where the app may be named.
        named = privacy.name_private_apps
        app_id = sight.window.app_id if sight.window and named else None
        detail: dict[str, Json] = {"rule": verdict.rule} if named else {}
        traced = privacy.trace == "placeholder" and verdict.action != "no_trace"
        count = pending.count if pending else 0
        if verdict.reason is not None:
            self._private.begin(verdict.reason, app_id, count, traced=traced, detail=detail)

    def _saw_open(self, sight: Sight, *, was_private: bool) -> None:
        now_ms, window = self._clock.mono_ms(), sight.window
        if sight.verdict.outcome == "unknown":
            self._unknown_ms = now_ms if self._unknown_ms is None else self._unknown_ms
        else:
            self._unknown_ms = None
        if sight.key != self._key or self._first or was_private:
            self._triggers.entered(sight.key, now_ms, silent=self._first)
            self._key, self._first = sight.key, False
            self._trouble.acted(0, focused=True)
            self._rows.flush()
            if window is not None:
                self._journal.focus(window, titled=self._titled(sight))
        elif window is not None and self._titled(sight):
            self._journal.title(window)

    @staticmethod
    def _titled(sight: Sight) -> bool:
        """Whether rows may name the title: not that of a masked window, nor of one that cannot be told."""
        return sight.verdict.outcome == "ok" and not sight.verdict.mask and not sight.own

    def _input(self) -> None:
        look = self._inputs.look(self._world.presence.idle_ms())
        now_ms = self._clock.mono_ms()
        self._triggers.counted(look.totals, now_ms)
        if look.stirred:
            self._triggers.stirred(now_ms)
        if look.switched:
            self._journal.changed("source", self._inputs.name, {"input": self._inputs.name})
        if not self._private.active:
            self._rows.feed(look.totals)
        self._trouble.acted(max(0, look.totals.clicks - self._clicks))
        self._clicks = look.totals.clicks

    def _configure(self) -> None:
        """Settings of this moment."""
        capture, watch = self._world.settings.capture, self._world.settings.watch
        timing = WatchTiming(watch.enabled, watch.interval_s * 1000, watch.max_per_hour, watch.max_idle_min * 60_000)
        self._triggers.configure(Timing(capture.merge_ms, capture.typing_pause_ms, timing), self._clock.mono_ms())
        if self._input_mode != capture.input:
            self._input_mode = capture.input
            self._inputs.start(capture.input, self._notify)
            self._totals()

    def _totals(self) -> InputTotals:
        """Count input from here."""
        totals = self._inputs.totals()
        self._rows.begin(totals)
        self._clicks = totals.clicks
        return totals

    def _enter(self) -> None:
        """Recording may begin (again): `start` is the first trigger, whatever happened meanwhile."""
        self._configure()
        self._key, self._first, self._unknown_ms = None, True, None
        self._triggers.begin(self._clock.mono_ms(), self._totals())

    def _leave(self) -> Fired | None:
        """Recording ends for now: close rows, drop pictures; returns the trigger that gets no answer any more."""
        if not self._private.active:
            self._rows.flush()
        self._private.end()
        self._eyes.forget_all()
        return self._triggers.forget()

    def _cancelled(self, reason: SkipReason, fired: Fired | None) -> None:
        """The row that answers a cancelled trigger."""
        if fired is not None:
            self._journal.skip(reason, fired.count, None, {**_told(fired), "epoch": self._world.epoch})

    def _sources(self, *, on: bool) -> None:
        """Windows and input are listened to only while recording is agreed to."""
        if on == self._running:
            return
        self._running = on
        if on:
            self._platform.windows.start(self._notify)
        else:
            self._platform.windows.stop()
            self._inputs.stop()
            self._input_mode = ""


def _told(fired: Fired | None) -> dict[str, Json]:
    """What the row of a lock tells about the trigger it cancelled."""
    return {"trigger": fired.kind, "merged": dict(fired.merged or {})} if fired else {}
