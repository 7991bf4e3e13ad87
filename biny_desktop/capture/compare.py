"""Steps A to C on two pictures: equal bytes, colour distribution, parts (spec 02 §5)."""

from collections.abc import Mapping
from dataclasses import dataclass

from biny_desktop.capture.colours import Distribution, distribution, hellinger, share_changed
from biny_desktop.capture.differing import Differing, Flags, differing
from biny_desktop.capture.judge import Judge, Judgement, Scene
from biny_desktop.capture.limits import Limits
from biny_desktop.capture.look import Look
from biny_desktop.capture.parts import Part
from biny_desktop.capture.ports import Shot, SkipReason
from biny_desktop.capture.restless import RestlessPlaces
from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask


@dataclass(frozen=True, slots=True)
class Change:
    """What a comparison found.

    `changed` and `reason`: "first", "size", "colours", "parts", "settled" (a restless place came to rest) when changed,
    else a `same_*` SkipReason; `distance` of the colour distributions, 0..1; `parts` boxes that counted, px; `tiles`
    touched by them (a look that stopped early or at step B: every tile with a difference; first or size: all);
    `numbers` for `why`.
    """

    changed: bool
    reason: str
    distance: float
    parts: tuple[Rect, ...]
    tiles: TileMask
    numbers: Mapping[str, float | int]


@dataclass(slots=True)
class Memory:
    """What a detector keeps between looks: restless places, colours of its baseline, and memory to work in."""

    restless: RestlessPlaces
    colours: Distribution | None = None
    cells: Flags | None = None


def compare_shots(before: Shot, after: Shot, look: Look, limits: Limits, memory: Memory | None = None) -> Change:
    """Steps A to C on two pictures.

    Args:
        memory: asked and taught; without it a single tiny part and a clock hand count too, because only a look shortly
            after the other may take them for movement.
    """
    if before.size != after.size:
        return all_new(after, "size", limits)
    known = memory.colours if memory is not None and memory.colours is not None else None
    if known is None:
        known = distribution(before.pixels, limits.colour_step)
    distance = hellinger(known, distribution(after.pixels, limits.colour_step))
    where = differing(before.pixels, after.pixels, memory.cells if memory is not None else None)
    if memory is not None:
        memory.cells = where.cells
    if not where.any:
        return _same(after, "same_exact", distance, limits, {})
    area = _area(after, look)
    if distance > limits.colour_distance and limits.colour_share < share_changed(
        before.pixels, after.pixels, limits.colour_step, limits.level
    ):
        tiles = where.tiles(area, after.size[0], _tile_px(after, limits))
        return Change(True, "colours", distance, (), tiles, {"tiles": tiles.count()})
    if not where.inside(area):
        return _same(after, "same_panel", distance, limits, {})
    restless = memory.restless if memory is not None else None
    return _Comparison(before, after, look, limits, restless, area, where, distance).run()


@dataclass(slots=True)
class _Comparison:
    """Step C of one comparison."""

    before: Shot
    after: Shot
    look: Look
    limits: Limits
    restless: RestlessPlaces | None
    area: Rect
    where: Differing
    distance: float
    settled: bool = False
    muted: int = 0

    def run(self) -> Change:
        judge = Judge(self.before.pixels, self.after.pixels, self._scene(), self.limits)
        found = Judgement()
        for rect in self.where.rectangles(self.area, self.limits, self.after.scale):
            for parts in judge.finder.find(rect):
                for part in parts:
                    if self._take(judge, found, part) and self._enough(judge, found, part):
                        found.stopped = True
                        return self._changed(found)
        return self._conclude(judge, found)

    def _scene(self) -> Scene:
        pointers = tuple({place for place in (self.before.pointer, self.after.pointer) if place is not None})
        typed = self.look.window_rect or self.area if self.look.trigger == "typing_pause" else None
        click = self.look.click if self.look.trigger == "click" else None
        moved = self.before.pointer != self.after.pointer
        return Scene(self.area, self.after.scale, pointers, moved, click, typed)

    def _take(self, judge: Judge, found: Judgement, part: Part) -> bool:
        """Sort one part: ignored, muted, tiny or counted; whether it counts."""
        reason = judge.reason(part)
        if reason is not None:
            found.ignored[reason] += part.count
            return False
        if self.restless is not None and not judge.is_big(part):
            verdict = self.restless.verdict(part, self.after, self.look.mono_ms)
            if verdict == "muted":
                self.muted += 1
                return False
            if verdict == "settled":
                self.settled = True
                found.counted.append(part)
                return True
        (found.tiny if judge.is_tiny(part) else found.counted).append(part)
        return True

    def _enough(self, judge: Judge, found: Judgement, part: Part) -> bool:
        """Rule 8; goes on while everything is small, so that the memory sees all of what moves."""
        live = found.live
        if judge.is_big(part) or part.count > self.limits.stop_pixels * part.scale**2:
            return True
        small = self.restless is not None and len(live) <= 6 and all(self.restless.is_small(one) for one in live)
        return len(live) >= self.limits.stop_parts and not small

    def _conclude(self, judge: Judge, found: Judgement) -> Change:
        """All parts were looked at: say what is left of them."""
        live = found.live
        if live and self.restless is not None:
            self.restless.learn(live, self.after, self.look)
            if not self.settled and (reason := self._alone(judge, found)):
                return self._same(reason, found)
        if live:
            return self._changed(found)
        if self.muted:
            return self._same("same_restless", found)
        if found.ignored:
            return self._same(found.ignored.most_common(1)[0][0], found)
        return self._same("same_pointer" if judge.finder.hides() else "same_below_noise", found)

    def _alone(self, judge: Judge, found: Judgement) -> SkipReason | None:
        """Rules 6 and 7: what is left is a spinner, a digit or a clock hand and nothing else."""
        live = found.live
        if (len(live) == 1 and found.tiny) or judge.busy(live):
            return "same_tiny"
        return "same_stroke" if judge.hand(live) else None

    def _changed(self, found: Judgement) -> Change:
        boxes = tuple(part.box for part in found.live)
        width, height = self.after.size
        tile_px = _tile_px(self.after, self.limits)
        if found.stopped:
            tiles = self.where.tiles(self.area, width, tile_px)
        else:
            tiles = TileMask.for_picture(width, height, tile_px).touching(boxes)
        reason = "settled" if self.settled and len(boxes) == 1 else "parts"
        return Change(True, reason, self.distance, boxes, tiles, self._numbers(found) | {"tiles": tiles.count()})

    def _same(self, reason: SkipReason, found: Judgement) -> Change:
        return _same(self.after, reason, self.distance, self.limits, self._numbers(found))

    def _numbers(self, found: Judgement) -> dict[str, float | int]:
        numbers: dict[str, float | int] = {
            "distance": round(self.distance, 4),
            "parts": len(found.live),
            "pixels": sum(part.count for part in found.live),
            "muted": self.muted,
        }
        return numbers | {f"{reason}_px": pixels for reason, pixels in found.ignored.items()}


def _area(shot: Shot, look: Look) -> Rect:
    """Rule 1: the work area; the whole picture when the front window covers it (full screen)."""
    whole = Rect(0, 0, *shot.size)
    if look.window_rect is not None and look.window_rect.intersect(whole) == whole:
        return whole
    area = shot.work_area.intersect(whole)
    return area if area.area else whole


def _tile_px(shot: Shot, limits: Limits) -> int:
    return max(1, round(limits.tile * shot.scale))


def all_new(shot: Shot, reason: str, limits: Limits) -> Change:
    tiles = TileMask.for_picture(*shot.size, _tile_px(shot, limits)).full()
    return Change(True, reason, 1.0, (), tiles, {"tiles": tiles.count()})


def _same(
    shot: Shot, reason: SkipReason, distance: float, limits: Limits, numbers: Mapping[str, float | int]
) -> Change:
    tiles = TileMask.for_picture(*shot.size, _tile_px(shot, limits))
    return Change(False, reason, distance, (), tiles, numbers)
