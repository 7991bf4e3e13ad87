"""Colour arithmetic: OKLCH to sRGB, WCAG contrast, and a stable hue from a name."""

import hashlib
import math

from PySide6.QtGui import QColor


def hue_of(name: str) -> float:
    """A hue in degrees [0, 360) that depends on nothing but the name."""
    digest = hashlib.blake2b(name.encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32 * 360


def oklch(lightness: float, chroma: float, hue: float) -> QColor:
    """The sRGB colour of an OKLCH one; chroma is taken back until it fits the gamut, so lightness and hue hold.

    Source: Björn Ottosson, "A perceptual color space for image processing" (2020).
    """
    while True:
        linear = _linear_rgb(lightness, chroma, hue)
        if chroma <= 0 or all(-0.0005 <= part <= 1.0005 for part in linear):
            red, green, blue = (_encode(min(max(part, 0.0), 1.0)) for part in linear)
            return QColor.fromRgbF(red, green, blue)
        chroma = max(chroma - 0.005, 0.0)


def contrast(one: QColor, other: QColor) -> float:
    """WCAG 2 contrast of two opaque colours, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mix(one: QColor, other: QColor, part: float) -> QColor:
    """`one` with `part` (0 to 1) of `other` mixed in."""
    return QColor.fromRgbF(
        one.redF() + (other.redF() - one.redF()) * part,
        one.greenF() + (other.greenF() - one.greenF()) * part,
        one.blueF() + (other.blueF() - one.blueF()) * part,
    )


def _linear_rgb(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _encode(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _decode(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _luminance(colour: QColor) -> float:
    return 0.2126 * _decode(colour.redF()) + 0.7152 * _decode(colour.greenF()) + 0.0722 * _decode(colour.blueF())
