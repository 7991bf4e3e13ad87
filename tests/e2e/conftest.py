"""A home with three days in it and the whole product over it, on a clock that stands in March 2026."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.app import open_product
from biny_desktop.models.reference import reference_means
from tests.e2e.days import Days
from tests.fakes.day_home import make_day_home
from tests.fakes.day_product import DAYS, evening
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.homes import NoKeyring
from tests.fakes.model_server import ModelServer


@pytest.fixture(scope="session")
def filled_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three days of work, encrypted; only copied."""
    home = tmp_path_factory.mktemp("filled") / "home"
    make_day_home(home, evening(), DAYS)
    with contextlib.closing(open_product(home, NoKeyring())) as product:
        reference_means(product.database, FakeEmbedder())  # once, not in every test that embeds
    return home


@pytest.fixture
def days(filled_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Days:
    """A copy of that home, with an embedder that needs no model; nothing of it is open yet."""
    home = tmp_path / "home"
    shutil.copytree(filled_home, home)
    return Days(home, monkeypatch)


@pytest.fixture
def model(days: Days, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A model in the slot `small`, set as a person would in the environment."""
    monkeypatch.setenv("BINY_MODELS__SMALL_URL", model_server.url)
    monkeypatch.setenv("BINY_MODELS__SMALL_MODEL", "tiny")
    yield model_server
    model_server.release()
