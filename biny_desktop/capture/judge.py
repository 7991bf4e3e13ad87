"""Which parts count: the rules 1 to 8 of spec 02 §5, in their order, on one pair of pictures.

Rejected: correlation alone for the tick (digits pass it), fill and size alone for the clock hand (text passes them).
"""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from biny_desktop.capture.likeness import COLOURED, Likeness
from biny_desktop.capture.limits import Limits
from biny_desktop.capture.parts import Part, PartFinder
from biny_desktop.capture.ports import Pixels, SkipReason
from biny_desktop.capture.shapes import are_dots, in_frame, is_bar, is_caret, is_ring, is_spinner, is_stroke
from biny_desktop.core.geometry import Rect


@dataclass(frozen=True, slots=True)
class Scene:
    """What the rules need besides pixels, in pixels of the picture.

    `area` looked at, `pointers` old and new place of the pointer (if known), `moved` whether it moved, `click` its
    place when the trigger was one, `typed` the front window when the trigger was typing (tiny changes are letters).
    """

    area: Rect
    scale: float
    pointers: tuple[tuple[int, int], ...] = ()
    moved: bool = False
    click: tuple[int, int] | None = None
    typed: Rect | None = None

    def clicked(self, box: Rect, limits: Limits) -> bool:
        """Whether the click was in the box or close to it."""
        return self.click is not None and box.grow(round(limits.click_reach * self.scale)).contains(*self.click)


@dataclass(slots=True)
class Judgement:
    """Parts that counted so far, parts that were ignored and why, and whether the look stopped early."""

    counted: list[Part] = field(default_factory=list)
    tiny: list[Part] = field(default_factory=list)
    ignored: Counter[SkipReason] = field(default_factory=Counter)
    stopped: bool = False

    @property
    def live(self) -> list[Part]:
        """Parts that count unless one of them stands alone and is tiny."""
        return self.counted + self.tiny


def blind_places(scene: Scene, limits: Limits) -> tuple[Rect, ...]:
    """What the pointer covers (rule 1); nothing where a click was, the change there is what the click did."""
    left, top = round(limits.pointer_left * scene.scale), round(limits.pointer_top * scene.scale)
    right, bottom = round(limits.pointer_right * scene.scale), round(limits.pointer_bottom * scene.scale)
    places = [Rect(x - left, y - top, left + right, top + bottom) for x, y in scene.pointers]
    return tuple(place for place in places if scene.click is None or not place.contains(*scene.click))


class Judge:
    """Applies the rules to parts one after another.

    Args:
        before, after: the pictures, height × width × 4, BGRA.
        scene: what else is known.
        limits: limits of detection.
    """

    def __init__(self, before: Pixels, after: Pixels, scene: Scene, limits: Limits) -> None:
        self._before = before
        self._after = after
        self._scene = scene
        self._limits = limits
        self._last: Likeness | None = None
        self.finder = PartFinder(before, after, blind_places(scene, limits), limits, scene.scale)

    def reason(self, part: Part) -> SkipReason | None:
        """Why the part is ignored by rules 2 to 5; None when it counts."""
        limits = self._limits
        if self.is_big(part):
            return None
        if part.count < limits.noise_pixels * part.scale**2:
            return "same_below_noise"
        like = self._like(part)
        if self._is_hover(like):
            return "same_pointer"
        if is_bar(like, limits):
            return "same_structure"
        if self._is_recoloured(like):
            return None
        if self._is_same_structure(like):
            return "same_structure"
        if is_caret(part, limits):
            return "same_caret"
        return "same_ring" if is_ring(part, limits) else None

    def is_big(self, part: Part) -> bool:
        """Rule 8: so large that no other rule is asked."""
        limits = self._limits
        enough = part.count > limits.stop_big_pixels * part.scale**2 and part.fill >= limits.stop_big_fill
        return enough and part.beyond(limits.stop_big_size)

    def is_tiny(self, part: Part) -> bool:
        """Rule 6: a spinner, dots or a digit of a timer when it stands alone; not a tick, a light, a typed letter."""
        limits, scene = self._limits, self._scene
        small = part.within(limits.tiny_width, limits.tiny_height) or part.within(limits.dots_width, limits.dots_height)
        if not small or scene.clicked(part.box, limits):
            return False
        if scene.typed is not None and scene.typed.intersect(part.box).area:
            return False
        like = self._like(part)
        if self._is_recoloured(like) or self._is_badge(like):
            return False
        return like.one_way < limits.tick_one_way or not in_frame(part, limits, self._wider(part))

    def hand(self, parts: list[Part]) -> bool:
        """Rule 7: nothing but a clock hand, perhaps in pieces (other hands and its pivot hide some of it)."""
        return len(parts) <= 3 and is_stroke([self._like(part) for part in parts], self._limits)

    def busy(self, parts: list[Part]) -> bool:
        """Rule 6 for larger spinners (one part or two on one circle) and for dots apart, away from a click."""
        if len(parts) > 3 or any(self._scene.clicked(part.box, self._limits) for part in parts):
            return False
        turns = len(parts) <= 2 and is_spinner([self._like(part) for part in parts], self._limits)
        return turns or are_dots(parts, self._limits)

    def _like(self, part: Part) -> Likeness:
        if self._last is None or self._last.part is not part:
            self._last = Likeness(part)
        return self._last

    def _is_hover(self, like: Likeness) -> bool:
        """Rule 5: under the pointer something only changed its tone. A tooltip or a toast brings letters along."""
        limits, scene, part = self._limits, self._scene, like.part
        if not scene.moved or scene.clicked(part.box, limits) or part.box.h > limits.hover_height * part.scale:
            return False
        reach = part.box.grow(round(limits.hover_reach * part.scale))
        if not any(reach.intersect(place).area for place in self.finder.blind) or like.one_way < limits.hover_one_way:
            return False
        if like.correlation >= limits.hover_structure:
            return True
        even = part.fill >= limits.hover_fill and like.even(limits.even_levels) >= limits.hover_even
        return even and like.fresh_ink(limits.level, self.finder.blind) < limits.hover_ink

    def _is_same_structure(self, like: Likeness) -> bool:
        """Rule 3, or thin lines that lost their colour to compression, or a change whose signed mean vanishes."""
        limits, part = self._limits, like.part
        if like.softness > limits.soft_change:
            return False
        small = part.count < limits.small_pixels * part.scale**2
        wanted = limits.structure_small if small else limits.structure
        if like.correlation >= wanted:
            return True
        faded = part.fill < limits.solid_fill and like.softness <= limits.faded_change
        return (faded and like.grey_correlation >= limits.faded_structure) or like.jitter(limits)

    def _is_recoloured(self, like: Likeness) -> bool:
        """A filled shape in another colour or tone: a light, a highlight. Compression never fills a shape one way."""
        limits, part = self._limits, like.part
        if min(part.box.w, part.box.h) < limits.solid_size * part.scale or part.fill < limits.solid_fill:
            return False
        return like.steady >= limits.hover_one_way and like.correlation >= limits.solid_structure

    def _is_badge(self, like: Likeness) -> bool:
        """A filled spot, too big for a typing dot and no caret, that came or went."""
        limits, part = self._limits, like.part
        filled = min(part.box.w, part.box.h) >= limits.blob_size * part.scale and part.fill >= limits.blob_fill
        return filled and like.one_way >= limits.hover_one_way and like.tint > COLOURED

    def _wider(self, part: Part) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Both pictures around the part's middle, 24 px (scale 1) each way, the edge repeated outside the picture."""
        import cv2

        size = round(48 * part.scale) | 1
        centre = (part.box.x + (part.box.w - 1) / 2, part.box.y + (part.box.h - 1) / 2)
        x, y = round(centre[0]), round(centre[1])
        out: list[npt.NDArray[np.uint8]] = []
        for picture in (self._before, self._after):
            height, width = picture.shape[:2]
            box = Rect(x - size // 2, y - size // 2, size, size)
            inside = box.clamped(width, height)
            crop = picture[inside.y : inside.bottom, inside.x : inside.right, :3]
            edges = (inside.y - box.y, box.bottom - inside.bottom, inside.x - box.x, box.right - inside.right)
            out.append(np.asarray(cv2.copyMakeBorder(crop, *edges, cv2.BORDER_REPLICATE), np.uint8))
        return out[0], out[1]
