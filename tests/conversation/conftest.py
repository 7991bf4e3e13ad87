"""A fresh home to import into."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.import_home import ImportHome, import_home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[ImportHome]:
    with import_home(tmp_path / "home") as made:
        yield made
