"""Dialogs in English over a real home to import into."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.core.i18n import use_language
from biny_desktop.ui.calls import Calls
from tests.fakes.import_home import ImportHome, import_home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[ImportHome]:
    with import_home(tmp_path / "home") as made:
        yield made


@pytest.fixture
def calls(qapp) -> Iterator[Calls]:
    use_language("en")
    made = Calls()
    yield made
    made.close()
