"""One attempt: gates, grab, second look, painting, comparison, encoding, writing (spec 02 §2)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from biny_desktop.capture.compare import Change
from biny_desktop.capture.eyes import Eyes
from biny_desktop.capture.gates import after_grab, before_grab
from biny_desktop.capture.guard import is_black
from biny_desktop.capture.journal import Journal, Throttle
from biny_desktop.capture.look import Look
from biny_desktop.capture.monitors import place_in_picture, to_picture
from biny_desktop.capture.ports import (
    FrameSink,
    Json,
    KeptFrame,
    Monitor,
    NoPermissionError,
    RecorderState,
    Shot,
    SkipReason,
    WindowInfo,
)
from biny_desktop.capture.rules import Painted
from biny_desktop.capture.saving import NotSavedError, Saver, Wanted
from biny_desktop.capture.triggers import Fired, Triggers
from biny_desktop.capture.trouble import Trouble
from biny_desktop.capture.world import Sight, World
from biny_desktop.core.clock import Clock, Stamp

PRIVATE = frozenset({"private_app", "private_window", "private_url", "user_rule", "password_prompt"})
NOBODY = WindowInfo("", "", "", None, "", None)
"""The front window of a frame when it cannot be told and the user chose to keep such frames."""


@dataclass(frozen=True, slots=True)
class Result:
    """How an attempt ended: frames kept, or the reason of the first monitor; `sight` is the last look."""

    sight: Sight
    frame_ids: tuple[int, ...] = ()
    reason: SkipReason | None = None
    picture_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Grabbed:
    """A picture on its way through the gates, and what `why` tells about it."""

    shot: Shot
    look: Look
    stamp: Stamp
    sight: Sight
    why: dict[str, Json]


class Refused(Exception):  # noqa: N818 - not a fault: the regular way to end an attempt at a gate
    """A gate ended the attempt on one monitor."""

    def __init__(self, reason: SkipReason, why: dict[str, Json], sight: Sight | None = None) -> None:
        super().__init__(reason)
        self.reason, self.why, self.sight = reason, why, sight


class SupersededError(Exception):
    """Another run of the recorder has begun while this thread hung: it must not touch anything any more."""


class Attempts:
    """Runs attempts one after the other; used from the recorder thread.

    Args:
        phase: told the state inside an attempt.
        alive: False once another run of the recorder has begun (this thread hung meanwhile).
    """

    def __init__(
        self,
        world: World, sink: FrameSink, journal: Journal, triggers: Triggers, eyes: Eyes, saver: Saver, trouble: Trouble,
        clock: Clock, throttle: Throttle, phase: Callable[[RecorderState], None], alive: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._world, self._sink, self._journal, self._triggers = world, sink, journal, triggers
        self._eyes, self._saver, self._trouble, self._clock = eyes, saver, trouble, clock
        self._throttle, self._phase, self._alive = throttle, phase, alive
        self.input_name = ""
        self.counters: Counter[str] = Counter()
        self.frame_ms: int | None = None

    def run(self, fired: Fired, sight: Sight) -> Result:
        """One attempt on each monitor that is recorded. Private reasons get no row here: private time is one row."""
        epoch, now_ms = self._world.epoch, self._clock.mono_ms()
        monitors, painted, reason = before_grab(self._world, self._sink, self._trouble.back_off, sight, now_ms)
        why = self._why(fired, sight, epoch)
        if reason is not None:
            self._triggers.watch.looked(now_ms, changed=False)
            return self._refuse(fired, sight, reason, why)
        self._triggers.grabbed(now_ms)
        result = Result(sight)
        for monitor in monitors:
            result = self._one(fired, sight, monitor, painted, epoch, result)
        changed = bool(result.frame_ids)
        self._triggers.watch.looked(self._clock.mono_ms(), changed=changed)
        if changed:
            return replace(result, reason=None)
        return result

    def _one(
        self, fired: Fired, sight: Sight, monitor: Monitor, painted: list[Painted], epoch: int, before: Result
    ) -> Result:
        """The attempt on one monitor, added to what the monitors before it gave."""
        why = self._why(fired, sight, epoch)
        try:
            grabbed = self._grab(fired, sight, monitor, painted, epoch, why)
            kept = self._keep(fired, grabbed, epoch)
        except Refused as refused:
            first = not before.frame_ids and before.reason is None
            seen = refused.sight or before.sight
            ended = self._refuse(fired if first else replace(fired, merged=None), seen, refused.reason, refused.why)
            return replace(before, sight=seen, reason=before.reason or ended.reason)
        return replace(
            before,
            sight=grabbed.sight,
            frame_ids=(*before.frame_ids, kept.frame_id),
            picture_bytes=before.picture_bytes + kept.picture_bytes,
        )

    def _refuse(self, fired: Fired, sight: Sight, reason: SkipReason, why: dict[str, Json]) -> Result:
        if reason not in PRIVATE:
            # Gates 1 to 5 come before the privacy rules: their rows must not name a private app either.
            window = sight.window if sight.verdict.outcome == "ok" else None
            self._journal.skip(reason, fired.count, window, why)
        self.counters["skipped"] += fired.count
        return Result(sight, reason=reason)

    def _grab(
        self, fired: Fired, sight: Sight, monitor: Monitor, painted: list[Painted], epoch: int, why: dict[str, Json]
    ) -> Grabbed:
        """Gates 8 and 9, and the painting over of what must not be seen."""
        self._phase("grabbing")
        self.counters["grabs"] += 1
        stamp = self._clock.stamp()
        shot = self._shoot(fired, monitor, why)
        self._still_mine()
        why = {**why, "grab_ms": self._clock.mono_ms() - stamp.mono_ms}
        fresh, again, reason = after_grab(self._world, sight, epoch)
        if reason is not None:
            self._eyes.forget()
            raise Refused(reason, {**why, "rule": fresh.verdict.rule}, fresh)
        if is_black(shot.pixels):
            self._trouble.was_black(fired, monitor.key)
            raise Refused("black_picture", why)
        rects = [to_picture(each.rect, shot.monitor.rect, shot.size) for each in (*painted, *again)]
        inside = [rect for rect in dict.fromkeys(rects) if rect.area]
        if inside:
            shot = replace(shot, pixels=self._eyes.paint(shot.pixels, inside, shot.scale))
        why = {**why, "painted": len(inside)}
        return Grabbed(shot, _look(fired, fresh, shot), stamp, fresh, why)

    def _shoot(self, fired: Fired, monitor: Monitor, why: dict[str, Json]) -> Shot:
        try:
            shot = self._world.screen.grab(monitor)
        except NoPermissionError:
            raise Refused("no_permission", why) from None
        except Exception as error:  # whatever a grab raises, it is a fault of the world, and the loop goes on
            self._throttle.warn("a grab failed", type(error).__name__, self._clock.mono_ms())
            self._trouble.grab_failed(fired)
            raise Refused("no_picture", {**why, "error": type(error).__name__}) from None
        if shot.pixels.size == 0:
            self._trouble.grab_failed(fired)
            raise Refused("no_picture", why)
        return shot

    def _keep(self, fired: Fired, grabbed: Grabbed, epoch: int) -> KeptFrame:
        """Gates 10 and 11."""
        self._phase("comparing")
        shot, started = grabbed.shot, self._clock.mono_ms()
        change = self._eyes.compare(shot, grabbed.look)
        why: dict[str, Json] = {
            **grabbed.why, "step": change.reason, "tiles": change.tiles.count(), "numbers": dict(change.numbers),
            "compare_ms": self._clock.mono_ms() - started,
        }  # fmt: skip
        frozen = self._trouble.grabbed(shot.monitor.key, equal=change.reason == "same_exact")
        if fired.kind != "manual" and not change.changed:
            self._trouble.worked()
            raise Refused("frozen_source" if frozen else cast(SkipReason, change.reason), why)
        watching = fired.kind in ("scroll_stop", "visual_change")
        if watching and self._triggers.watch.full(self._clock.mono_ms()):
            raise Refused("watch_limit", why)
        self._world.refresh()
        self._still_mine()
        if self._world.epoch != epoch:
            self._eyes.forget()
            raise Refused("stale_epoch", why)
        kept = self._save(fired, grabbed, change, why)
        if watching:
            self._triggers.watch.kept(self._clock.mono_ms())
        self.counters["kept"] += 1
        self.frame_ms = self._clock.mono_ms()
        self._trouble.worked()
        return kept

    def _save(self, fired: Fired, grabbed: Grabbed, change: Change, why: dict[str, Json]) -> KeptFrame:
        window = grabbed.sight.window or NOBODY
        flags: tuple[str, ...] = ()
        if grabbed.sight.verdict.mask:
            window, flags = replace(window, title="", url=None), ("masked",)
        wanted = Wanted(
            grabbed.stamp, fired.kind, grabbed.shot, grabbed.look, window, self._world.presence.idle_ms(), change.tiles,
            change.reason, flags, why,
        )  # fmt: skip
        try:
            return self._saver.save(wanted, self._world.settings.pictures)
        except NotSavedError as error:
            self._throttle.warn("a frame was not saved", error.reason, self._clock.mono_ms())
            self._trouble.write_failed(fired, error.reason)
            raise Refused(error.reason, error.why) from error

    def _still_mine(self) -> None:
        if not self._alive():
            raise SupersededError

    def _why(self, fired: Fired, sight: Sight, epoch: int) -> dict[str, Json]:
        """What every row tells about its attempt (§2.2): words and numbers, never titles or URLs."""
        return {
            "trigger": fired.kind, "input": self.input_name, "merged": dict(fired.merged or {}), "epoch": epoch,
            "backend": self._world.screen.name, "rule": sight.verdict.rule,
            "waited_ms": self._clock.mono_ms() - fired.at_ms, "retry": fired.retry,
            "others": self._world.others_seen,
        }  # fmt: skip


def _look(fired: Fired, sight: Sight, shot: Shot) -> Look:
    window = sight.window or NOBODY
    monitor = shot.monitor.rect
    return Look(
        window_id=window.window_id,
        app_id=window.app_id,
        trigger=fired.kind,
        click=place_in_picture(fired.click, monitor, shot.size) if fired.click else None,
        mono_ms=shot.mono_ms,
        window_rect=to_picture(window.rect, monitor, shot.size) if window.rect else None,
    )
