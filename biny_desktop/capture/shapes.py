"""What a part looks like from its outline: caret, bar, ring, clock hand, mark in a frame (spec 02 §5.4, 6, 7)."""

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from biny_desktop.capture.likeness import Likeness
from biny_desktop.capture.limits import Limits
from biny_desktop.capture.parts import Part
from biny_desktop.core.geometry import Rect

Picture = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]


def is_caret(part: Part, limits: Limits) -> bool:
    """A filled upright bar (or a low one, an underline caret) of a caret's size; a letter may show through a block."""
    box, scale = part.box, part.scale
    upright = part.within(limits.caret_width, limits.caret_height) and box.h >= max(
        1.4 * box.w, limits.caret_low * scale
    )
    low = part.within(limits.caret_width, 3) and box.w >= 2 * box.h
    if not (upright or low):
        return False
    if part.fill >= limits.caret_fill:
        return True
    edge = np.concatenate((part.mask[0], part.mask[-1], part.mask[:, 0], part.mask[:, -1])) > 0
    return (
        box.w >= limits.block_width * scale
        and part.fill >= limits.block_fill
        and float(edge.mean()) >= limits.block_edge
    )


def is_bar(like: Likeness, limits: Limits) -> bool:
    """A long, narrow, filled, grey bar that only got brighter or only darker: a scroll bar that comes or goes."""
    part = like.part
    width, length = sorted((part.box.w, part.box.h))
    if width > limits.bar_width * part.scale or length < limits.bar_length * part.scale:
        return False
    long_enough = length >= (3 if part.box.h > part.box.w else 6) * width
    filled = part.fill >= limits.caret_fill and width >= 3 * part.scale
    return long_enough and filled and like.tint <= limits.bar_neutral and like.one_way >= limits.hover_one_way


def is_ring(part: Part, limits: Limits) -> bool:
    """A thin closed outline, square or round: nearly nothing of it lies further in than a few pixels."""
    import cv2

    if not part.beyond(limits.ring_size) or part.fill > 0.5:
        return False
    grow = round(4 * part.scale)
    depth = grow + round(limits.ring_depth * part.scale)
    padded = np.pad(part.mask, grow + 1)
    closed = cv2.dilate(padded, np.ones((2 * grow + 1, 2 * grow + 1), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled = cv2.drawContours(np.zeros_like(closed), outlines, -1, 255, thickness=cv2.FILLED)
    inside = cv2.erode(filled, np.ones((2 * depth + 1, 2 * depth + 1), np.uint8))
    if cv2.countNonZero(inside) < part.box.area / 4:
        return False
    return cv2.countNonZero(cv2.bitwise_and(inside, padded)) < limits.ring_inside * part.count


def is_stroke(likes: Sequence[Likeness], limits: Limits) -> bool:
    """A clock hand: two thin straight lines at an angle, one that went and one that came. Text is never straight."""
    scale = likes[0].part.scale
    box = reduce(Rect.union, (like.part.box for like in likes))
    count = sum(like.part.count for like in likes)
    if max(box.w, box.h) <= limits.stroke_length * scale or count > limits.stroke_pixels * scale**2:
        return False
    # A line of text fills its height evenly (deviation 0.29 of it), a line drawn through the box does not.
    width = min(limits.stroke_width * scale, min(box.w, box.h) / 6)
    brighter = np.concatenate([like.change.sum(axis=0) > 0 for like in likes])
    places = np.concatenate([_places(like.part) for like in likes])
    if min(brighter.sum(), (~brighter).sum()) < count / 5:
        return False
    lines = [_direction(places[side], width, limits.stroke_length * scale) for side in (brighter, ~brighter)]
    if lines[0] is None or lines[1] is None:
        return False
    return bool(abs(lines[0][0] * lines[1][1] - lines[0][1] * lines[1][0]) >= limits.stroke_turn)


def _direction(places: Points, width: float, length: float) -> Points | None:
    """Unit vector of the line that points (n × 2) make; None when they spread over `width` px or are too short."""
    spread, axes = np.linalg.eigh(np.cov(places.T))
    across, along = np.sqrt(np.maximum(spread, 0.0))
    if across > width or along < max(4 * across, length / 12**0.5):
        return None
    steps = np.unique(np.floor(places @ axes[:, 1]))
    gaps = len(steps) < 0.6 * (steps[-1] - steps[0] + 1)  # other hands may hide a little of it
    return None if gaps else np.asarray(axes[:, 1])


def is_spinner(likes: Sequence[Likeness], limits: Limits) -> bool:
    """Whether the changed pixels, some brighter and some darker, lie on one small circle: an arc went on.

    Circle by algebraic least squares (Kåsa 1976).
    """
    scale = likes[0].part.scale
    brighter = np.concatenate([like.change.sum(axis=0) > 0 for like in likes]).mean()
    places = np.concatenate([_places(like.part) for like in likes])
    places -= places.mean(axis=0)
    if min(brighter, 1 - brighter) < limits.circle_both_ways or len(places) < limits.noise_pixels * scale**2:
        return False
    if np.abs(places).max() > 2 * limits.circle_radius * scale:
        return False
    sides = np.column_stack((2 * places, np.ones(len(places))))
    (y, x, rest), *_ = np.linalg.lstsq(sides, (places**2).sum(axis=1), rcond=None)
    radius = float(np.sqrt(max(0.0, rest + x * x + y * y)))
    spread = float(np.hypot(places[:, 0] - y, places[:, 1] - x).std())
    twelfths = np.floor(np.arctan2(places[:, 0] - y, places[:, 1] - x) * 6 / np.pi)
    small = 3 * scale <= radius <= limits.circle_radius * scale
    return small and spread <= min(limits.circle_spread * scale, radius / 5) and len(np.unique(twelfths)) >= 4


def are_dots(parts: Sequence[Part], limits: Limits) -> bool:
    """Whether two or three parts are equal round dots in one row, a typing indicator; they may bounce a little."""
    scale = parts[0].scale
    boxes = sorted((part.box for part in parts), key=lambda box: box.x)
    for box in boxes:
        if max(box.w, box.h) > limits.dot_size * scale or abs(box.w - box.h) > 2 * scale:
            return False
    first = boxes[0]
    alike = all(abs(box.w - first.w) <= 2 * scale and abs(box.y - first.y) <= 4 * scale for box in boxes)
    near = all(right.x - left.right <= limits.dot_gap * scale for left, right in pairwise(boxes))
    return 2 <= len(boxes) <= 3 and alike and near


def _places(part: Part) -> Points:
    """(y, x) of the changed pixels in the picture, px."""
    ys, xs = np.nonzero(part.mask)
    return np.column_stack((ys + part.box.y, xs + part.box.x)).astype(np.float64)


def in_frame(part: Part, limits: Limits, wider: tuple[Picture, Picture]) -> bool:
    """Whether the part lies inside an unchanged square frame: the mark of a check box or a radio button.

    Args:
        wider: both pictures (BGR) around the part, larger than any frame looked for; the part lies in the middle.
    """
    import cv2

    before, after = wider
    ground = np.median(before.reshape(-1, 3), axis=0).astype(np.int16)
    contrast = np.abs(before.astype(np.int16) - ground).max(axis=2)
    same = cv2.absdiff(before, after).max(axis=2) <= limits.level
    ink = ((contrast > limits.level) & same).astype(np.uint8)
    middle_y, middle_x = ink.shape[0] // 2, ink.shape[1] // 2
    half_w, half_h = (part.box.w + 1) // 2, (part.box.h + 1) // 2
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    for x, y, w, h, _ in stats[1:count].tolist():
        wide = x < middle_x - half_w and x + w > middle_x + half_w
        high = y < middle_y - half_h and y + h > middle_y + half_h
        if wide and high and min(w, h) >= 8 * part.scale and 0.75 <= w / h <= 1.34:
            return True
    return False
