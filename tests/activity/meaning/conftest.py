"""The fixture of the meaning tests."""

import pytest

from tests.activity.meaning.rig import Meaning
from tests.fakes.activity import ActivityHome


@pytest.fixture
def meaning(home: ActivityHome) -> Meaning:
    """Meaning search over a plain home and a fake embedder."""
    return Meaning(home)
