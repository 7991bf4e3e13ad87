"""Which parts of a window can be seen, given the windows above it; plain arithmetic on rectangles."""

from collections.abc import Iterable

from biny_desktop.core.geometry import Rect


def uncovered(rect: Rect, above: Iterable[Rect]) -> list[Rect]:
    """The parts of `rect` that none of the rectangles above it covers; physical px, never overlapping."""
    parts = [rect] if rect.area else []
    for cover in above:
        parts = [rest for part in parts for rest in _without(part, cover)]
        if not parts:
            break
    return parts


def _without(part: Rect, cover: Rect) -> list[Rect]:
    common = part.intersect(cover)
    if common.area == 0:
        return [part]
    pieces = [
        Rect(part.x, part.y, part.w, common.y - part.y),
        Rect(part.x, common.bottom, part.w, part.bottom - common.bottom),
        Rect(part.x, common.y, common.x - part.x, common.h),
        Rect(common.right, common.y, part.right - common.right, common.h),
    ]
    return [piece for piece in pieces if piece.area]
