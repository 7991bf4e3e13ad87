"""Draws small screens and what happens on them, light and dark, at scale 1 and 2."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from biny_desktop.capture.look import Look
from biny_desktop.capture.ports import Monitor, Pixels, Shot
from biny_desktop.core.geometry import Rect

WIDTH, HEIGHT, PANEL = 720, 480, 30
"""Logical size of a drawn screen and the height of its panel at the bottom, px."""

Colour: TypeAlias = tuple[int, int, int]
LINES = [
    "The ferry leaves at six and returns before noon.",
    "Bring the blue rope, two lamps and the long hooks.",
    "Crossing is closed while the water is above the mark.",
    "Nobody has asked for the second key since spring.",
]


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours (RGB) of a screen."""

    ground: Colour
    ink: Colour
    pale: Colour
    accent: Colour
    raised: Colour


LIGHT = Theme((255, 255, 255), (32, 36, 44), (214, 216, 220), (38, 98, 214), (244, 246, 250))
DARK = Theme((30, 32, 38), (222, 224, 228), (70, 74, 82), (120, 170, 255), (42, 45, 53))


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen to draw on; all places are logical px."""

    picture: Image.Image
    theme: Theme
    scale: int
    pointer: tuple[int, int] = (700, 20)

    def text(self, x: float, y: float, words: str, size: int = 14, fill: Colour | None = None) -> None:
        """Words with their upper left corner at x, y."""
        font = ImageFont.load_default(size * self.scale)
        place = (x * self.scale, y * self.scale)
        ImageDraw.Draw(self.picture).text(place, words, font=font, fill=fill or self.theme.ink)

    def box(self, x: float, y: float, w: float, h: float, fill: Colour | None, outline: Colour | None = None) -> None:
        """A rectangle, filled or with a line around it."""
        s = self.scale
        area = (round(x * s), round(y * s), round((x + w) * s) - 1, round((y + h) * s) - 1)
        ImageDraw.Draw(self.picture).rectangle(area, fill=fill, outline=outline, width=s)

    def round_box(self, x: float, y: float, w: float, h: float, radius: float, **how: object) -> None:
        """A smooth rounded rectangle (`fill`, `outline`, `width` in logical px)."""
        self._smooth(
            (x, y, w, h),
            lambda draw, k: draw.rounded_rectangle(
                (k, k, w * k + k, h * k + k), radius * k, **{**how, "width": round(k * float(str(how.get("width", 1))))}
            ),
        )  # type: ignore[arg-type]

    def disc(self, x: float, y: float, size: float, fill: Colour) -> None:
        """A smooth filled circle in the square at x, y."""
        self._smooth((x, y, size, size), lambda draw, k: draw.ellipse((k, k, size * k + k, size * k + k), fill=fill))

    def arc(self, x: float, y: float, size: float, first: int, last: int, fill: Colour) -> None:
        """A smooth arc, 2 px thick, degrees clockwise from three o'clock."""
        self._smooth(
            (x, y, size, size),
            lambda draw, k: draw.arc((k, k, size * k + k, size * k + k), first, last, fill=fill, width=round(2 * k)),
        )

    def line(self, points: list[tuple[float, float]], fill: Colour, width: float = 2) -> None:
        """A smooth line through the points."""
        left, top = min(x for x, _ in points) - width, min(y for _, y in points) - width
        w, h = max(x for x, _ in points) + width - left, max(y for _, y in points) + width - top
        self._smooth(
            (left, top, w, h),
            lambda draw, k: draw.line(
                [((x - left) * k + k, (y - top) * k + k) for x, y in points], fill=fill, width=round(width * k)
            ),
        )

    def _smooth(
        self, area: tuple[float, float, float, float], paint: Callable[[ImageDraw.ImageDraw, float], None]
    ) -> None:
        """Draw four times as large over what is there and shrink: smooth edges."""
        x, y, w, h = (value * self.scale for value in area)
        whole = (int(x) - self.scale, int(y) - self.scale, math.ceil(x + w) + self.scale, math.ceil(y + h) + self.scale)
        under = self.picture.crop(whole)
        large = under.resize((under.width * 4, under.height * 4), Image.Resampling.NEAREST)
        paint(ImageDraw.Draw(large), 4.0 * self.scale)
        self.picture.paste(large.resize(under.size, Image.Resampling.BOX), whole[:2])

    def shot(self, at_ms: int = 0) -> Shot:
        """The screen as a grab."""
        pixels = np.ascontiguousarray(cv2.cvtColor(np.asarray(self.picture), cv2.COLOR_RGB2BGRA))
        return shot_of(pixels, self.scale, (self.pointer[0] * self.scale, self.pointer[1] * self.scale), at_ms)


def shot_of(pixels: Pixels, scale: float = 1, pointer: tuple[int, int] | None = None, at_ms: int = 0) -> Shot:
    """A grab of these pixels whose lowest rows are a panel."""
    height, width = pixels.shape[:2]
    area = Rect(0, 0, width, height - round(PANEL * scale))
    return Shot(pixels, Monitor("drawn", Rect(0, 0, width, height), scale, area), scale, area, pointer, at_ms)


def look(at_ms: int = 0, **known: object) -> Look:
    """A look in watching mode at the drawn screen's window."""
    plain = Look("1", "drawn", "visual_change", None, at_ms, Rect(0, 0, WIDTH, HEIGHT - PANEL))
    return replace(plain, **known)  # type: ignore[arg-type]


def base(theme: Theme, scale: int) -> Screen:
    """A window with text, a table, a button, a list, a check box, a light and a panel with a clock."""
    screen = Screen(Image.new("RGB", (WIDTH * scale, HEIGHT * scale), theme.ground), theme, scale)
    screen.box(0, 0, WIDTH, 28, theme.raised)
    screen.text(12, 5, "Harbour notes")
    for number, words in enumerate(LINES):
        screen.text(24, 44 + 24 * number, words)
    for row in range(4):
        screen.box(24, 160 + 28 * row, 300, 28, None, theme.pale)
        screen.text(32, 166 + 28 * row, f"Lamp {row + 1}")
        screen.text(250, 166 + 28 * row, f"{row + 1}.20", 13)
    screen.round_box(380, 160, 80, 28, 5, fill=theme.accent)
    screen.text(398, 165, "Send", 14, theme.ground)
    screen.round_box(380, 210, 15, 15, 3, outline=theme.ink, width=1)
    screen.text(404, 209, "Remind me")
    screen.disc(380, 250, 12, (40, 160, 70))
    screen.text(404, 248, "passed")
    screen.box(0, HEIGHT - PANEL, WIDTH, PANEL, (36, 40, 48))
    screen.text(660, HEIGHT - 22, "09:41", 12, (220, 220, 220))
    return screen


Event: TypeAlias = Callable[[Screen, Screen], Screen | None]
"""Draws on the screen before and after; may give back the second screen with another pointer."""


def typed(words: str, size: int = 14) -> Event:
    """Words appear at an empty place."""
    return lambda _, after: after.text(24, 320, words, size)


def replaced(old: str, new: str, size: int = 14) -> Event:
    """Words give way to others."""

    def draw(before: Screen, after: Screen) -> None:
        before.text(24, 320, f"Count {old}", size)
        after.text(24, 320, f"Count {new}", size)

    return draw


def light(old: Colour, new: Colour, size: float = 12, *, square: bool = False) -> Event:
    """A status light changes its colour."""

    def draw(before: Screen, after: Screen) -> None:
        for screen, colour in ((before, old), (after, new)):
            if square:
                screen.box(500, 250, size, size, colour)
            else:
                screen.disc(500, 250, size, colour)

    return draw


def caret(x: float, y: float, w: float, h: float, over: str = "") -> Event:
    """A caret blinks, perhaps a block over a letter."""

    def draw(before: Screen, after: Screen) -> None:
        size = round(h * 0.8)
        for screen in (before, after):
            screen.text(x, y, over, size)
        after.box(x, y, w, h, after.theme.ink)
        after.text(x, y, over, size, after.theme.ground)

    return draw


def tick(_: Screen, after: Screen) -> None:
    """The check box gets a tick."""
    after.line([(383.5, 218), (386.5, 221.5), (392, 213.5)], after.theme.ink, 1.6)


def radio(before: Screen, after: Screen) -> None:
    """A radio button gets its dot."""
    for screen in (before, after):
        screen.round_box(500, 210, 15, 15, 7.5, outline=screen.theme.ink, width=1)
    after.disc(504, 214, 7, after.theme.ink)


def spinner(first: int, second: int, size: float = 14) -> Event:
    """A spinner turns from one angle to the other."""

    def draw(before: Screen, after: Screen) -> None:
        for screen, angle in ((before, first), (after, second)):
            screen.arc(600, 60, size, 0, 360, screen.theme.pale)
            screen.arc(600, 60, size, angle, angle + 80, screen.theme.accent)

    return draw


def dots(before: Screen, after: Screen) -> None:
    """Typing dots: from one to three."""
    grey = (120, 124, 130)
    before.disc(400, 320, 4, grey)
    for number in range(3):
        after.disc(400 + 6 * number, 320, 4, grey)


def dots_apart(before: Screen, after: Screen) -> None:
    """Typing dots with wide gaps: the second one lights up, the first one goes out."""
    for screen, lit in ((before, 0), (after, 1)):
        for number in range(3):
            screen.disc(400 + 16 * number, 320, 6, (110, 114, 120) if number == lit else screen.theme.ground)


def scroll_bar(strength: float) -> Event:
    """An overlay scroll bar fades out from some strength."""

    def draw(before: Screen, _: Screen) -> None:
        ground = before.theme.ground
        grey = tuple(round(value + (128 - value) * strength) for value in ground)
        before.round_box(708, 60, 8, 120, 4, fill=grey)

    return draw


def ring(radius: float) -> Event:
    """A focus ring comes around the button."""
    return lambda _, after: after.round_box(376, 156, 88, 36, radius, outline=after.theme.ink, width=2)


def hand(angle: float, step: float, length: float = 60) -> Event:
    """The second hand of a clock moves on."""

    def draw(before: Screen, after: Screen) -> None:
        for screen, turn in ((before, angle), (after, angle + step)):
            screen.round_box(520, 300, 140, 140, 70, outline=screen.theme.ink, width=2)
            tip = (590 + length * math.cos(turn), 370 + length * math.sin(turn))
            screen.line([(590, 370), tip], screen.theme.ink, 2)

    return draw


def hover_button(_: Screen, after: Screen) -> Screen:
    """The pointer comes onto the button, which gets brighter."""
    mixed = tuple(round(value * 0.75 + 255 * 0.25) for value in after.theme.accent)
    after.round_box(380, 160, 80, 28, 5, fill=mixed)
    after.text(398, 165, "Send", 14, after.theme.ground)
    return replace(after, pointer=(440, 172))


def hover_row(_: Screen, after: Screen) -> Screen:
    """The pointer comes onto a table row, which gets another ground."""
    after.box(25, 189, 298, 26, after.theme.pale)
    after.text(32, 194, "Lamp 2")
    after.text(250, 194, "2.20", 13)
    return replace(after, pointer=(120, 200))


def hover_icon(_: Screen, after: Screen) -> Screen:
    """The pointer comes onto an icon without a frame, which gets a round ground."""
    for screen, ground in ((_, None), (after, after.theme.pale)):
        if ground is not None:
            screen.disc(596, 216, 28, ground)
        screen.line([(604, 224), (616, 236)], screen.theme.ink, 2)
        screen.line([(616, 224), (604, 236)], screen.theme.ink, 2)
    return replace(after, pointer=(615, 238))


def hover_wide_row(_: Screen, after: Screen) -> Screen:
    """The pointer comes onto a row as wide as the window."""
    after.box(0, 330, WIDTH, 32, after.theme.pale)
    return replace(after, pointer=(300, 345))


def hover_link(_: Screen, after: Screen) -> Screen:
    """The pointer comes onto a line of text, which is underlined."""
    after.box(24, 59, 90, 1, after.theme.ink)
    return replace(after, pointer=(60, 52))


def row_chosen(_: Screen, after: Screen) -> None:
    """A table row is chosen with the keyboard: another ground."""
    after.box(
        25, 189, 298, 26, tuple((a + b) // 2 for a, b in zip(after.theme.accent, after.theme.ground, strict=True))
    )
    after.text(32, 194, "Lamp 2")
    after.text(250, 194, "2.20", 13)


def panel_clock(_: Screen, after: Screen) -> None:
    """The clock of the panel ticks."""
    after.box(655, HEIGHT - PANEL, 60, PANEL, (36, 40, 48))
    after.text(660, HEIGHT - 22, "09:42", 12, (220, 220, 220))


GREEN, RED, AMBER, GREY = (40, 160, 70), (205, 60, 55), (225, 160, 40), (150, 152, 156)


def toast_at_pointer(_: Screen, after: Screen) -> Screen:
    """The pointer moves and a message comes up under it."""
    after.round_box(400, 380, 260, 44, 6, fill=after.theme.ink)
    after.text(416, 392, "The upload is ready to be seen", 13, after.theme.ground)
    return replace(after, pointer=(650, 410))


def tooltip(_: Screen, after: Screen) -> Screen:
    """The pointer rests on the button and a tooltip comes up."""
    after.box(430, 196, 110, 22, (255, 250, 205), (120, 120, 110))
    after.text(436, 199, "Send to all now", 12, (20, 20, 20))
    return replace(after, pointer=(425, 178))


def word_at_pointer(_: Screen, after: Screen) -> Screen:
    """The pointer moves and a word comes up right beside it."""
    after.text(530, 322, "arrived", 14)
    return replace(after, pointer=(505, 330))


def pale_word(before: Screen, after: Screen) -> None:
    """A word in pale ink gives way to another."""
    before.text(24, 320, "offline", 13, before.theme.pale)
    after.text(24, 320, "synced", 13, after.theme.pale)


def two_cells(_: Screen, after: Screen) -> None:
    """Two cells of the table get a digit more."""
    after.text(290, 194, "7", 13)
    after.text(290, 222, "8", 13)


def toast(_: Screen, after: Screen) -> None:
    """A message comes up."""
    after.round_box(400, 380, 260, 44, 6, fill=after.theme.ink)


WANTED: Mapping[str, Event] = {
    "word": typed("tape"),
    "chinese look": typed("no. 7 / 12"),
    "large word": typed("Rope", 28),
    "two letters": typed("ok"),
    "big digit": replaced("3", "4", 24),
    "short word": replaced("open", "shut"),
    "number": replaced("128", "141"),
    "pale word": pale_word,
    "light green to red": light(GREEN, RED),
    "light green to amber": light(GREEN, AMBER, 10),
    "light grey to green": light(GREY, GREEN, 9),
    "square light": light(GREEN, RED, 10, square=True),
    "light on": light((255, 255, 255), RED, 10),
    "tick": tick,
    "radio": radio,
    "row chosen": row_chosen,
    "toast": toast,
    "two cells": two_cells,
    "toast at the pointer": toast_at_pointer,
    "tooltip": tooltip,
    "word at the pointer": word_at_pointer,
}
NOISE: Mapping[str, Event] = {
    "nothing": lambda _before, _after: None,
    "thin caret": caret(24, 320, 1, 16),
    "wide caret": caret(24, 320, 2, 22),
    "caret at text": caret(120, 44, 1, 17),
    "block caret": caret(24, 320, 9, 18),
    "block caret on e": caret(24, 320, 10, 20, "e"),
    "spinner quarter": spinner(0, 90),
    "spinner bit": spinner(200, 230),
    "spinner half": spinner(30, 210, 12),
    "dots": dots,
    "dots apart": dots_apart,
    "large spinner": spinner(20, 110, 32),
    "scroll bar faint": scroll_bar(0.25),
    "scroll bar strong": scroll_bar(1.0),
    "square ring": ring(0.1),
    "round ring": ring(6),
    "pill ring": ring(18),
    **{f"hand at {5 * turn} s": hand(turn * math.pi / 6 - math.pi / 2, math.pi / 30) for turn in range(12)},
    "two seconds": hand(2.0, math.pi / 15),
    "hover button": hover_button,
    "hover row": hover_row,
    "hover link": hover_link,
    "hover icon": hover_icon,
    "hover wide row": hover_wide_row,
    "timer digit": replaced("0:41", "0:42", 13),
    "panel clock": panel_clock,
}


def happen(event: Event, theme: Theme, scale: int) -> tuple[Shot, Shot]:
    """Both sides of an event."""
    before, after = base(theme, scale), base(theme, scale)
    after = event(before, after) or after
    return before.shot(), after.shot()
