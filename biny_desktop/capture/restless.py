"""Memory of places that move by themselves: timers, spinners, clocks in other windows (spec 02 §5, rules 9 and 13).

A place gains a point whenever its own pixels differ from the look before and fades otherwise; above a limit it is
muted. What stays still for ten seconds is a value and not a movement: it counts once, so the last value is never lost.
Rejected: cells of a fixed grid (a status word below a timer shares its cell and would be muted with it).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from biny_desktop.capture.limits import Limits
from biny_desktop.capture.look import Look
from biny_desktop.capture.parts import Part
from biny_desktop.capture.ports import Pixels, Shot
from biny_desktop.core.geometry import Rect

MAX_PLACES = 64
"""Places remembered at most; the one that moved longest ago goes first."""
SEVERAL = 6
"""More small parts than this in one look are content, not spinners."""

Verdict = Literal["muted", "settled", "new"]


@dataclass(slots=True)
class _Place:
    box: Rect
    crop: Pixels
    score: float
    moved_ms: int
    muted: bool = False


class RestlessPlaces:
    """The restless places of one monitor and one front window."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places: list[_Place] = []
        self._window_id: str | None = None
        self._size: tuple[int, int] | None = None

    def clear(self) -> None:
        """Forget everything."""
        self._places.clear()

    def see(self, shot: Shot, look: Look) -> None:
        """Follow the known places to a new picture; call once a look, before `verdict`.

        Cleared by another front window, another size and ten minutes without movement; a click inside clears a place.
        """
        if look.window_id != self._window_id or shot.size != self._size:
            self.clear()
            self._window_id, self._size = look.window_id, shot.size
        expired = look.mono_ms - self._limits.restless_ms
        self._places = [
            place
            for place in self._places
            if place.moved_ms > expired and not (look.click is not None and place.box.contains(*look.click))
        ]
        for place in sorted(self._places, key=lambda place: place.box.area):
            self._follow(place, shot, look)

    def verdict(self, part: Part, shot: Shot, now_ms: int) -> Verdict:
        """Whether a part lies in a muted place; "settled" when its place has been still long enough to be a value."""
        place = self._home(part.box, part.scale)
        if place is None:
            return "new"
        if now_ms - place.moved_ms >= self._limits.still_ms:
            place.muted, place.score = False, 0.0
            return "settled"
        if not place.muted:
            return "new"
        if place.box.union(part.box) != place.box:
            place.box = place.box.union(part.box)
            place.crop, place.moved_ms = _crop(shot.pixels, place.box), now_ms
        return "muted"

    def learn(self, parts: Sequence[Part], shot: Shot, look: Look) -> None:
        """Remember parts that were all that changed in a look: one, or a few that are small (rules 9, 13)."""
        limits = self._limits
        alone = len(parts) == 1 and parts[0].within(limits.restless_size, limits.restless_size)
        if not alone and (len(parts) > SEVERAL or not all(self.is_small(part) for part in parts)):
            return
        for part in parts:
            if self._teaches(look, part.box, shot.scale) and self._home(part.box, part.scale) is None:
                self._places.append(_Place(part.box, _crop(shot.pixels, part.box), 1.0, look.mono_ms))
        self._places = sorted(self._places, key=lambda place: place.moved_ms)[-MAX_PLACES:]

    def is_small(self, part: Part) -> bool:
        """Whether the part could be one of several restless ones."""
        return part.within(self._limits.restless_width, self._limits.restless_height)

    def _follow(self, place: _Place, shot: Shot, look: Look) -> None:
        crop = _crop(shot.pixels, place.box)
        differs = (crop[..., :3] != place.crop[..., :3]).any(axis=2)
        for other in self._places:  # a timer inside a larger place does not move that place
            inner = other.box.intersect(place.box).moved(-place.box.x, -place.box.y)
            if other.muted and other is not place and other.box.area < place.box.area and inner.area:
                differs[inner.y : inner.bottom, inner.x : inner.right] = False
        place.crop = crop
        place.score *= self._limits.restless_fade
        if not differs.any():
            return
        place.moved_ms = look.mono_ms
        if self._teaches(look, place.box, shot.scale):
            place.score += 1.0
            place.muted = place.muted or place.score >= self._limits.restless_mute

    def _home(self, box: Rect, scale: float) -> _Place | None:
        """The smallest place that holds the box, give or take a digit; muted ones first."""
        grow, slack = round(self._limits.restless_grow * scale), round(self._limits.restless_slack * scale)
        for place in sorted(self._places, key=lambda place: (not place.muted, place.box.area)):
            reach = Rect(place.box.x - grow, place.box.y - slack, place.box.w + 2 * grow, place.box.h + 2 * slack)
            if place.box.intersect(box).area and reach.intersect(box) == box:
                return place
        return None

    def _teaches(self, look: Look, box: Rect, scale: float) -> bool:
        """What the person does is no movement by itself: typing in the front window, a click close by."""
        if look.trigger == "typing_pause":
            return look.window_rect is not None and not look.window_rect.intersect(box).area
        if look.trigger == "click":
            reach = round(self._limits.click_teach * scale)
            return look.click is not None and not box.grow(reach).contains(*look.click)
        return True


def _crop(pixels: Pixels, box: Rect) -> Pixels:
    return np.array(pixels[box.y : box.bottom, box.x : box.right])
