"""Pages on a product whose rows are computed."""

from collections.abc import Iterator

import pytest

from biny_desktop.core.i18n import use_language
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.theme import apply_theme
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
