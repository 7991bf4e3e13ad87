"""Widgets in English and light, over a made-up day."""

import pytest

from biny_desktop.activity.segments.model import DayView
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.theme import apply_theme
from tests.fakes.clock import START_MS
from tests.fakes.segment_days import HOUR_MS, FakeSegments, plain_day


@pytest.fixture
def plain_look(qapp) -> None:
    use_language("en")
    apply_theme(qapp, "light")


@pytest.fixture
def a_day(plain_look) -> DayView:
    """Monday, 2026-01-05, from 04:00 on."""
    return FakeSegments(plain_day(START_MS + 4 * HOUR_MS)).day("2026-01-05")
