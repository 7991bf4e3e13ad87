"""Pictures with text for the reading tests, drawn with Pillow."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from biny_desktop.reading.ports import Picture

LINE_PX = 24  # from one line to the next


def blank(width: int, height: int) -> Picture:
    """A white picture."""
    return np.full((height, width, 3), 255, np.uint8)


def page(lines: Sequence[str], width: int = 640, height: int = 400, top: int = 8) -> Picture:
    """Black 16 px text on white, one line under the other, as a terminal shows it."""
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(16)
    for number, text in enumerate(lines):
        draw.text((10, top + number * LINE_PX), text, "black", font)
    return np.array(image)[:, :, ::-1].copy()


def log_lines(first: int, count: int) -> list[str]:
    """Lines of a log, each different."""
    places = ["harbour", "canal", "bridge", "market", "school", "garden", "station"]
    return [f"{number:04d} worker opened the {places[number % 7]} gate" for number in range(first, first + count)]
