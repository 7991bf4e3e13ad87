"""Boxes of hidden pieces cover them in real fonts, whatever the letters before them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

from biny_desktop.activity.span_boxes import line_boxes, span_boxes
from biny_desktop.core.geometry import Rect
from biny_desktop.reading.ports import Line, Reading
from biny_desktop.redaction import RedactionOptions, Redactor

SECRETS = ("4111 1111 1111 1111", "mail.someone@example.org", "ill1.il|!il.ill", "MWMWMWQMWM", "x")
FONT = ImageFont.load_default(20)


def read(*lines: str) -> Reading:
    """Lines with boxes as wide as the font draws them, like an engine gives them."""
    placed = tuple(Line(text, Rect(30, 40 * n, round(FONT.getlength(text)), 24), 0.9) for n, text in enumerate(lines))
    return Reading(placed, "\n".join(lines), (4_000, 400), "fake", "whole", len(lines), 0, 1)


@pytest.mark.parametrize("secret", SECRETS)
@given(before=st.sampled_from(["il.,ilil,.il ", "WMWM MWMW ", "a plain sentence with 12 words ", ""]),
       after=st.sampled_from([" illi illi illi lil", " WWWMM WWWMM", " and then some", ""]))  # fmt: skip
def test_the_box_covers_the_secret_in_a_proportional_font(secret: str, before: str, after: str) -> None:
    text = before + secret + after
    reading = read(text)
    redaction = Redactor(RedactionOptions(False, False, (re.escape(secret),))).redact([text])
    assert redaction.spans
    boxes = span_boxes(reading, redaction)
    for span, box in zip(redaction.spans, boxes, strict=True):
        left = 30 + FONT.getlength(text[: span.start])
        right = 30 + FONT.getlength(text[: span.end])
        assert box.x <= left + 1
        assert box.right >= right - 1
        assert box.x >= 30
        assert box.right <= 30 + reading.lines[0].box.w + 1


def test_most_of_a_long_line_stays_in_sight() -> None:
    text = "This is a long line about nothing that matters, and the card is 4111 1111 1111 1111 as they say, is it"
    reading = read(text)
    (box,) = span_boxes(reading, Redactor(RedactionOptions()).redact([text]))
    assert box.w < reading.lines[0].box.w * 0.5


def test_one_letter_each_of_several_lines_and_whole_lines() -> None:
    reading = read("one", "password: hunter2horse", "")
    boxes = span_boxes(reading, Redactor(RedactionOptions()).redact([line.text for line in reading.lines]))
    assert [box.y for box in boxes] == [40]
    assert line_boxes(reading, (0, 2)) == [reading.lines[0].box, reading.lines[2].box]
