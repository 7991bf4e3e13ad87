"""Fixtures of the activity tests: a plain home and an encrypted one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock


@pytest.fixture
def home(tmp_path: Path) -> Iterator[ActivityHome]:
    """A home without encryption, so that bytes can be searched."""
    made = ActivityHome(tmp_path / "data", FakeClock())
    yield made
    made.close()


@pytest.fixture
def sealed_home(tmp_path: Path) -> Iterator[ActivityHome]:
    """An encrypted home."""
    made = ActivityHome(tmp_path / "data", FakeClock(), secret=bytes(range(32)))
    yield made
    made.close()
