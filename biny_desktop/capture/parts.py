"""The second half of step C: pixels that clearly changed, joined to parts (spec 02 §5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biny_desktop.capture.limits import Limits
from biny_desktop.capture.ports import Pixels
from biny_desktop.core.geometry import Rect

Mask = npt.NDArray[np.uint8]
"""Height × width, 0 or 255."""


@dataclass(frozen=True, slots=True)
class Part:
    """Connected pixels that changed: `box` in pixels of the picture, `count` of them, `mask` of the box's size.

    `before`, `after` are views of both pictures (BGR) around the box, `inner` is the box inside these views, `scale`
    the monitor's, `blind` the pixels of the box that were not looked at (under the pointer).
    """

    box: Rect
    count: int
    mask: Mask
    before: Pixels
    after: Pixels
    inner: Rect
    scale: float
    blind: int = 0

    @property
    def fill(self) -> float:
        """Changed pixels as a part of the box, 0..1; pixels under the pointer do not count."""
        return self.count / max(1, self.box.area - self.blind)

    def within(self, width: float, height: float) -> bool:
        """Whether the box is at most that large (px for scale 1)."""
        return self.box.w <= width * self.scale and self.box.h <= height * self.scale

    def beyond(self, size: float) -> bool:
        """Whether both sides are longer than that (px for scale 1)."""
        return self.box.w > size * self.scale and self.box.h > size * self.scale


@dataclass(frozen=True, slots=True)
class _Outline:
    """One connected part of a grown mask: its number among the outlines, all of them, their tree, its box."""

    number: int
    lines: Sequence[npt.NDArray[np.int32]]
    tree: npt.NDArray[np.int32]
    box: Rect

    def filled(self) -> Mask:
        """The part as a mask of its box, holes left open (other parts may lie in them)."""
        import cv2

        canvas = np.zeros((self.box.h, self.box.w), np.uint8)
        offset = (-self.box.x, -self.box.y)
        cv2.drawContours(canvas, self.lines, self.number, 255, cv2.FILLED, cv2.LINE_8, self.tree, 1, offset)
        return canvas


@dataclass(frozen=True, slots=True)
class PartFinder:
    """Finds the parts of one pair of pictures; `blind` are places not looked at (the pointer), in picture pixels."""

    before: Pixels
    after: Pixels
    blind: tuple[Rect, ...]
    limits: Limits
    scale: float

    def find(self, rect: Rect) -> Iterator[Iterator[Part]]:
        """Parts inside the rectangle, a stripe of rows at a time, largest first; only big parts may be cut."""
        top, rows = rect.y, round(self.limits.stripe_rows * self.scale)
        while top < rect.bottom:
            bottom = min(rect.bottom, top + rows)
            if rect.bottom - bottom < rows // 4:  # no thin rest
                bottom = rect.bottom
            stripe = Rect(rect.x, top, rect.w, bottom - top)
            mask = self._mask(stripe)
            outlines = self._connect(mask)
            resume = stripe.h if bottom == rect.bottom else _resume([one.box for one in outlines], stripe.h)
            if bottom < rect.bottom:
                yield self._parts(stripe, mask, [one for one in outlines if self._may_be_big(one.box)])
            yield self._parts(stripe, mask, [one for one in outlines if one.box.bottom <= resume])
            rows *= 2  # begin small, most changes are found at once; nothing found so far: take more at a time
            top += resume

    def hides(self) -> bool:
        """Whether something clearly changed under the blind places."""
        import cv2

        height, width = self.before.shape[:2]
        for place in (place.clamped(width, height) for place in self.blind):
            box = (slice(place.y, place.bottom), slice(place.x, place.right))
            if place.area and cv2.absdiff(self.before[box], self.after[box])[..., :3].max() > self.limits.level:
                return True
        return False

    def _may_be_big(self, box: Rect) -> bool:
        return min(box.w, box.h) > self.limits.stop_big_size * self.scale

    def _mask(self, stripe: Rect) -> Mask:
        import cv2

        rows, columns = slice(stripe.y, stripe.bottom), slice(stripe.x, stripe.right)
        difference = cv2.absdiff(self.before[rows, columns], self.after[rows, columns])
        level = self.limits.level
        mask = np.asarray(cv2.bitwise_not(cv2.inRange(difference, (0, 0, 0, 0), (level, level, level, 255))), np.uint8)
        for place in self.blind:
            hidden = place.intersect(stripe).moved(-stripe.x, -stripe.y)
            if hidden.area:
                mask[hidden.y : hidden.bottom, hidden.x : hidden.right] = 0
        return mask

    def _connect(self, mask: Mask) -> list[_Outline]:
        """Outlines of the connected parts of the grown mask, largest box first.

        Outlines, not labels: finding them takes a tenth of the time.
        """
        import cv2

        if not cv2.hasNonZero(mask):
            return []
        size = (round(self.limits.join_width * self.scale) | 1, round(self.limits.join_height * self.scale) | 1)
        grown = cv2.dilate(mask, np.ones((size[1], size[0]), np.uint8))
        lines, found_tree = cv2.findContours(grown, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        outlines = [np.asarray(line, np.int32) for line in lines]
        tree = np.asarray(found_tree, np.int32)
        found = [
            _Outline(number, outlines, tree, Rect(*cv2.boundingRect(line)))
            for number, line in enumerate(outlines)
            if tree[0, number, 3] < 0  # the others are edges of holes
        ]
        return sorted(found, key=lambda outline: -outline.box.area)[: self.limits.parts_judged]

    def _parts(self, stripe: Rect, mask: Mask, outlines: list[_Outline]) -> Iterator[Part]:
        import cv2

        for outline in outlines:
            grown = outline.box
            own = cv2.bitwise_and(outline.filled(), mask[grown.y : grown.bottom, grown.x : grown.right])
            x, y, w, h = cv2.boundingRect(own)
            box = Rect(stripe.x + grown.x + x, stripe.y + grown.y + y, w, h)
            yield self._part(box, np.asarray(own[y : y + h, x : x + w], np.uint8))

    def _part(self, box: Rect, mask: Mask) -> Part:
        import cv2

        height, width = self.before.shape[:2]
        view = box.grow(round(self.limits.view_margin * self.scale)).clamped(width, height)
        rows, columns = slice(view.y, view.bottom), slice(view.x, view.right)
        return Part(
            box=box,
            count=int(cv2.countNonZero(mask)),
            mask=mask,
            before=self.before[rows, columns, :3],
            after=self.after[rows, columns, :3],
            inner=box.moved(-view.x, -view.y),
            scale=self.scale,
            blind=sum(place.intersect(box).area for place in self.blind),
        )


def _resume(boxes: list[Rect], height: int) -> int:
    """The last row at which a stripe can be cut without cutting a box; boxes that touch its end go on below."""
    cut = height
    while crossing := [box.y for box in boxes if box.y < cut and (box.bottom > cut or box.bottom >= height)]:
        cut = min(crossing)
    return cut
