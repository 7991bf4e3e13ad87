"""The recorder: one thread that drains signs of use, fires triggers, and runs one attempt at a time (spec 02 §2).

`step` does everything that is due at one moment and says when it wants to be called again; `run` calls it and waits.
Rows, placeholders and blocks are in `watching`, the attempt itself in `attempt`.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from biny_desktop.capture.attempt import PRIVATE, Attempts, SupersededError
from biny_desktop.capture.eyes import Eyes
from biny_desktop.capture.health import RecorderHealth
from biny_desktop.capture.input_rows import InputRows
from biny_desktop.capture.inputs import InputWatch
from biny_desktop.capture.journal import Journal, Throttle
from biny_desktop.capture.manual import CaptureRequest, CaptureResult
from biny_desktop.capture.placeholder import Placeholder
from biny_desktop.capture.ports import Control, FrameSink, Platform, RecorderState, SkipReason
from biny_desktop.capture.rules import RuleBook
from biny_desktop.capture.saving import Saver
from biny_desktop.capture.screening import NoScreening, Screening
from biny_desktop.capture.triggers import Fired, Triggers
from biny_desktop.capture.trouble import Trouble
from biny_desktop.capture.watching import Watching
from biny_desktop.capture.world import Sight, World
from biny_desktop.core.clock import Clock
from biny_desktop.core.events import ActivityDeleted, EventBus, FrameDropped
from biny_desktop.core.settings import Settings

log = logging.getLogger(__name__)

STEP_MS = 1_000
"""The loop turns at least this often: idle time and front window each second (§1.8)."""
SETTLE_S = 0.03
"""Notices within this time are drained together, so that a storm of them costs little (s)."""
TROUBLE_MS = 2_000
"""What keeps pictures from being taken is looked at this often (ms); when it ends, capture starts by itself."""
PERMISSION_MS = 30_000
"""Without permission, only another grab can tell whether it was given (ms)."""
CURABLE = frozenset({"disk_low", "folder_missing", "no_permission", "no_monitor"})


class Recorder:
    """Records while it may. `run` in its own thread; `wake`, `request_capture` and `health` from any thread.

    Args:
        platform: the sources, not started.
        sink: writes rows and picture files.
        control: what the user decided.
        rules: gives the rules of this moment; asked at every step, so it should be quick.
        settings: gives the settings of this moment, likewise.
        clock: the only source of time.
        events: told by others when frames are deleted.
        hit: told the id of a rule each time a window that it hits comes to the front.
        eyes: what is done with pixels; tests may give their own.
        screening: who holds pictures that are read before they are written; None: nobody.
    """

    def __init__(
        self, platform: Platform, sink: FrameSink, control: Control, rules: Callable[[], RuleBook],
        settings: Callable[[], Settings], clock: Clock, events: EventBus,
        hit: Callable[[str], None] = lambda _rule: None, eyes: Eyes | None = None, screening: Screening | None = None,
    ) -> None:  # fmt: skip
        throttle = Throttle()
        self._clock, self._sink = clock, sink
        self._eyes = eyes or Eyes()
        self._world = World(platform, control, rules, settings, clock, throttle)
        self._triggers = Triggers()
        self._journal = Journal(sink, clock, throttle)
        self._rows = InputRows(self._journal, clock)
        self._trouble = Trouble(self._world, self._triggers, clock)
        self._watching = Watching(
            platform, self._world, self._triggers, self._journal, self._rows, Placeholder(self._journal, clock),
            InputWatch(platform.input, clock), self._trouble, self._eyes, clock, self.wake, hit,
        )  # fmt: skip
        saver = Saver(sink, self._eyes, self._rows, clock, self._enter, screening or NoScreening())
        self._attempts = Attempts(
            self._world, sink, self._journal, self._triggers, self._eyes, saver, self._trouble, clock, throttle,
            self._enter, self._is_mine,
        )  # fmt: skip
        self._awake = threading.Event()
        self._requests: deque[CaptureRequest] = deque()
        self._deleted: deque[tuple[int, ...]] = deque()
        self._dropped = threading.Event()
        self._cure: SkipReason | None = None
        self._cured_ms = 0
        self._busy = False
        self._run = 0
        self._running = False
        self._mine = threading.local()
        self._phase: RecorderState = "off"
        self._health = RecorderHealth()
        events.subscribe(ActivityDeleted, lambda event: self._deleted.append(event.frame_ids))
        events.subscribe(FrameDropped, lambda _event: self._dropped.set())

    def run(self, stop: threading.Event) -> None:
        """Record until `stop` is set (call `wake` then); cleans up whichever way it ends.

        May be called again after it ended or failed. A second run while the first one hangs takes over: the first
        writes nothing more and ends as soon as it moves.
        """
        self._run += 1
        self._mine.run = self._run
        if self._running:
            self._tell_hung()
        self._running = True
        try:
            self.begin()
            while not stop.is_set() and self._is_mine():
                wait_ms = self.step()
                self._awake.wait(wait_ms / 1000)
                self._awake.clear()
                stop.wait(SETTLE_S)
        except SupersededError:
            log.warning("a recorder that hung ends; another run goes on")
        finally:
            if self._is_mine():
                self._running = False
                self.end("" if stop.is_set() else "failed")

    def wake(self) -> None:
        """Have the loop turn now; sources call it from their own threads, so it does next to nothing."""
        if not self._awake.is_set():
            self._awake.set()

    def request_capture(self) -> CaptureRequest:
        """Ask for a picture now. It passes over the merge window and change detection, never over privacy or lock."""
        request = CaptureRequest(self._clock.mono_ms(), in_flight=self._busy)
        if self._world.closing or self._phase == "off":
            request.answer(CaptureResult(reason="shutting_down" if self._world.closing else "not_enabled"))
            return request
        self._requests.append(request)
        self.wake()
        return request

    def health(self) -> RecorderHealth:
        """How it is; one read of one value."""
        return self._health

    def begin(self) -> None:
        """Get ready for `step`; `run` does it."""
        self._world.closing = self._busy = False
        self._eyes.forget_all()
        self._journal.begin()
        self._journal.state("starting", "")
        self._watching.begin()
        self._enter("starting")

    def step(self) -> int:
        """Do all that is due now; returns the ms until the next call is wanted."""
        while self._deleted:
            self._eyes.forget_frames(list(self._deleted.popleft()))
        if self._dropped.is_set():
            self._dropped.clear()
            self._eyes.forget()  # a dropped picture is no baseline
        self._world.refresh()
        self._watching.block()
        sight = self._watching.look()
        if sight is not None:
            self._recheck()
            fired = self._triggers.due(self._clock.mono_ms())
            if fired is not None:
                self._attempt(fired, sight)
        while self._requests:
            self._answer(self._requests.popleft())
        self._tell(sight)
        return self._wait_ms()

    def end(self, reason: str) -> None:
        """Shut down cleanly: answer what waits, close rows, stop sources; `run` does it."""
        self._world.closing = True
        while self._requests:
            self._requests.popleft().answer(CaptureResult(reason="shutting_down"))
        self._watching.end()
        self._eyes.forget_all()
        self._journal.state("off", reason or "shutting_down")
        self._enter("off")

    def _attempt(self, fired: Fired, sight: Sight) -> CaptureResult:
        self._look_at_monitors(now=True)
        self._busy = True
        try:
            result = self._attempts.run(fired, sight)
        finally:
            self._busy = False
        self._watching.saw(result.sight)
        if result.reason in PRIVATE:
            self._watching.suppressed(fired.count)
        if result.reason in CURABLE:
            self._cure, self._cured_ms = result.reason, self._clock.mono_ms()
        elif result.reason is None or result.reason.startswith("same_"):
            self._cure = None
        return CaptureResult(result.frame_ids, result.reason)

    def _answer(self, request: CaptureRequest) -> None:
        """A picture that was asked for."""
        fired = Fired("manual", request.asked_ms, request.asked_ms)
        reason: SkipReason | None = "in_flight" if request.in_flight else self._world.block()
        if reason is not None:
            self._journal.skip(reason, 1, None, {"trigger": "manual", "epoch": self._world.epoch})
            request.answer(CaptureResult(reason=reason))
            return
        request.answer(self._attempt(fired, self._world.sight()))

    def _recheck(self) -> None:
        """Look whether what kept pictures from being taken is over; then begin anew."""
        now_ms = self._clock.mono_ms()
        missing = self._look_at_monitors()
        if missing is not None:
            self._cure, self._cured_ms = missing, now_ms
        elif self._cure == "no_permission":
            if now_ms - self._cured_ms >= PERMISSION_MS:
                self._cured_ms = now_ms
                self._watching.start_trigger()
        elif self._cure is not None and now_ms - self._cured_ms >= TROUBLE_MS:
            self._cured_ms = now_ms
            self._cure = self._sink.problem()
            if self._cure is None:
                self._watching.start_trigger()

    def _look_at_monitors(self, *, now: bool = False) -> SkipReason | None:
        """Gate 4, and what follows when the monitors are others than before."""
        _, missing, changed = self._world.monitors(now=now)
        if changed:
            self._watching.monitors_changed()
        return missing

    def _tell(self, sight: Sight | None) -> None:
        """Write the state if it changed, and renew what `health` gives."""
        state, reason = self._state()
        self._journal.state(state, reason)
        self._attempts.input_name = self._watching.input_name
        self._phase = "waiting" if state == "armed" and self._triggers.oldest_ms() is not None else state
        self._health = RecorderHealth(
            state=self._phase, reason=reason, front=sight.kind if sight else "none",
            locked=self._world.presence.blocked() is not None, oldest_ms=self._triggers.oldest_ms(),
            step_ms=self._clock.mono_ms(), input_ms=self._watching.last_input_ms(), frame_ms=self._attempts.frame_ms,
            input=self._watching.input_name, screen=self._world.screen.name, others_seen=self._world.others_seen,
            epoch=self._world.epoch,
            counters={**self._attempts.counters, **self._journal.reasons, "rows_lost": self._journal.lost},
        )  # fmt: skip

    def _state(self) -> tuple[RecorderState, str]:
        blocked = self._world.block()
        if blocked is not None:
            return ("off" if blocked == "not_enabled" else "blocked"), blocked
        stuck = self._cure or self._trouble.stalled or self._watching.long_unknown()
        if stuck is not None:
            return "blocked", stuck
        if self._trouble.back_off.failures:
            return "backing_off", self._trouble.back_off.reason
        return "armed", ""

    def _tell_hung(self) -> None:
        """The row of a run that is taken over, from when its loop last turned."""
        now, step_ms = self._clock.stamp(), self._health.step_ms
        since = now if step_ms is None else replace(now, at_ms=now.at_ms - (now.mono_ms - step_ms), mono_ms=step_ms)
        self._journal.hung(since)

    def _enter(self, phase: RecorderState) -> None:
        """A state inside an attempt: told by `health`, not worth a row."""
        self._phase = phase
        health = self._health
        if health.state != phase:
            self._health = replace(health, state=phase, oldest_ms=self._triggers.oldest_ms())

    def _wait_ms(self) -> int:
        due_ms = self._triggers.next_ms()
        if due_ms is None or self._world.block() is not None:
            return STEP_MS
        return min(STEP_MS, max(0, due_ms - self._clock.mono_ms()))

    def _is_mine(self) -> bool:
        """Whether this thread's run is the newest one (a thread without a run may drive `step` by itself)."""
        return getattr(self._mine, "run", self._run) == self._run
