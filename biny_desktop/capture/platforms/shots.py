"""A picture of one monitor made into a `Shot`: all geometry in pixels of that picture."""

from biny_desktop.capture.ports import Monitor, Pixels, Shot
from biny_desktop.core.geometry import Rect


def fit(pixels: Pixels, monitor: Monitor, pointer: tuple[int, int] | None, mono_ms: int) -> Shot:
    """All geometry turned into pixels of this picture, which can be larger or smaller than the monitor's rectangle."""
    height, width = pixels.shape[:2]
    rect = monitor.rect
    wide, high = width / rect.w, height / rect.h
    work = monitor.work_area.moved(-rect.x, -rect.y)
    left, top = round(work.x * wide), round(work.y * high)
    area = Rect(left, top, round(work.right * wide) - left, round(work.bottom * high) - top).clamped(width, height)
    inside = None
    if pointer is not None and rect.contains(*pointer):
        inside = (min(width - 1, int((pointer[0] - rect.x) * wide)), min(height - 1, int((pointer[1] - rect.y) * high)))
    return Shot(pixels, monitor, round(monitor.scale * wide, 3), area, inside, mono_ms)
