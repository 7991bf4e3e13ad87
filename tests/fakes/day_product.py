"""A whole product over a home with some real days, on a clock that stands at an evening in March 2026."""

from pathlib import Path
from typing import Final

import pytest

from biny_desktop.core.clock import Stamp
from biny_desktop.service.product import Product
from tests.fakes.clock import FakeClock
from tests.fakes.homes import NoKeyring

EVENING_MS: Final = 1_773_340_200_000
"""2026-03-12T18:30:00Z, a Thursday."""
TODAY, YESTERDAY, WEEK = "2026-03-12", "2026-03-11", "2026-W11"
DAYS: Final = 2


def evening() -> Stamp:
    """The instant at which everything stands."""
    return FakeClock(EVENING_MS).stamp()


def open_at_evening(home: Path, patch: pytest.MonkeyPatch) -> Product:
    """Open a home with a clock that stands; `close` it afterwards."""
    from biny_desktop.app import open_product

    patch.setattr("biny_desktop.core.clock.SystemClock", lambda: FakeClock(EVENING_MS))
    return open_product(home, NoKeyring())
