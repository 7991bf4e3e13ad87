"""Fixtures of the tests of analysis."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.activity.analysis.rig import Rig
from tests.fakes.model_server import ModelServer


@pytest.fixture
def rig(tmp_path: Path, model_server: ModelServer) -> Iterator[Rig]:
    """A home with a model in the slot `small`."""
    made = Rig(tmp_path, model_server)
    yield made
    made.home.close()
