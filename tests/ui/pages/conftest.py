"""Pages on a product whose rows are computed."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.core.i18n import use_language
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.theme import apply_theme
from tests.fakes.day_home import make_day_home
from tests.fakes.day_product import DAYS, evening, open_at_evening
from tests.fakes.product_pages import FakeProduct


@pytest.fixture
def product() -> FakeProduct:
    return FakeProduct(200)


@pytest.fixture
def calls(qapp) -> Iterator[Calls]:
    use_language("en")
    apply_theme(qapp, "light")
    made = Calls()
    yield made
    made.close()


@pytest.fixture
def bridge(product: FakeProduct, qapp) -> Iterator[Bridge]:
    made = Bridge(product.events)
    yield made
    made.close()


@pytest.fixture(scope="session")
def day_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with three real days; copied by those who change it."""
    home = tmp_path_factory.mktemp("days") / "home"
    make_day_home(home, evening(), DAYS)
    return home


@pytest.fixture
def day_product(day_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Product]:
    """A real product over a copy of that home."""
    home = tmp_path / "home"
    shutil.copytree(day_home, home)
    product = open_at_evening(home, monkeypatch)
    yield product
    product.close()
