"""The gates in front of a grab and after it, in their order; the first that fails gives the reason (spec 02 §2)."""

from biny_desktop.capture.guard import BackOff
from biny_desktop.capture.monitors import monitor_of
from biny_desktop.capture.ports import FrameSink, Monitor, SkipReason, Unknown
from biny_desktop.capture.rules import Painted
from biny_desktop.capture.world import Sight, World


def before_grab(
    world: World, sink: FrameSink, back_off: BackOff, sight: Sight, now_ms: int
) -> tuple[list[Monitor], list[Painted], SkipReason | None]:
    """Gates 1 to 7: the monitors to grab, what to paint over, or the reason that ends the attempt."""
    reason = world.block() or sink.problem()
    if reason is not None:
        return [], [], reason
    monitors, missing, _ = world.monitors()
    if missing is not None:
        return [], [], missing
    if not back_off.over(now_ms):
        return [], [], "back_off"
    reason = window_reason(world, sight)
    if reason is not None:
        return [], [], reason
    painted = world.others(sight)
    if isinstance(painted, Unknown):
        return [], [], "unknown_window"
    return _targets(world, monitors, sight), painted, None


def window_reason(world: World, sight: Sight) -> SkipReason | None:
    """Gates 6 and 7 on the front window alone."""
    if sight.own:
        return "own_window"
    if sight.verdict.outcome == "unknown":
        return None if world.settings.privacy.unknown == "keep" else "unknown_window"
    return sight.verdict.reason


def after_grab(world: World, sight: Sight, epoch: int) -> tuple[Sight, list[Painted], SkipReason | None]:
    """Gate 9, the second look: rules again on fresh answers, then whether window and epoch are still the same."""
    world.refresh()
    fresh = world.sight()
    reason = window_reason(world, fresh)
    if reason is not None and reason != "own_window":
        return fresh, [], reason
    if fresh.key != sight.key:
        return fresh, [], "window_changed"
    painted = world.others(fresh)
    if isinstance(painted, Unknown):
        return fresh, [], "unknown_window"
    if world.block() is not None or world.epoch != epoch:
        return fresh, [], "stale_epoch"
    return fresh, painted, None


def _targets(world: World, monitors: list[Monitor], sight: Sight) -> list[Monitor]:
    if world.settings.capture.monitors == "all":
        return monitors
    window = sight.window
    rect = window.rect if window else None
    target = monitor_of(monitors, rect, None if rect else world.pointer())
    return [target] if target else []
