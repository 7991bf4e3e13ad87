"""Which monitor to record, and how places on the virtual screen map into its picture (spec 02 §4.2–4.4)."""

from collections.abc import Sequence

from biny_desktop.capture.ports import Monitor
from biny_desktop.core.geometry import Rect


def monitor_of(monitors: Sequence[Monitor], window: Rect | None, pointer: tuple[int, int] | None) -> Monitor | None:
    """The monitor that holds the larger part of the front window; without a rectangle the one with the pointer.

    All on the virtual screen in physical px. Falls back to the first monitor; None when there is none.
    """
    if not monitors:
        return None
    if window is not None:
        best = max(monitors, key=lambda monitor: monitor.rect.intersect(window).area)
        if best.rect.intersect(window).area:
            return best
    if pointer is not None:
        for monitor in monitors:
            if monitor.rect.contains(*pointer):
                return monitor
    return monitors[0]


def to_picture(rect: Rect, monitor: Rect, size: tuple[int, int]) -> Rect:
    """A rectangle of the virtual screen in pixels of the monitor's picture, cut to it, rounded outwards.

    `size` (width, height) of the picture, which can differ from the monitor's rectangle (a system that counts in
    logical units); the result is never negative and may be empty.
    """
    width, height = size
    across, down = width / max(1, monitor.w), height / max(1, monitor.h)
    left, top = int((rect.x - monitor.x) * across // 1), int((rect.y - monitor.y) * down // 1)
    right, bottom = -int(-(rect.right - monitor.x) * across // 1), -int(-(rect.bottom - monitor.y) * down // 1)
    return Rect(left, top, right - left, bottom - top).clamped(width, height)


def place_in_picture(place: tuple[int, int], monitor: Rect, size: tuple[int, int]) -> tuple[int, int] | None:
    """A point of the virtual screen in pixels of the monitor's picture; None when it lies outside."""
    if not monitor.contains(*place):
        return None
    x = (place[0] - monitor.x) * size[0] // max(1, monitor.w)
    y = (place[1] - monitor.y) * size[1] // max(1, monitor.h)
    return min(x, size[0] - 1), min(y, size[1] - 1)
