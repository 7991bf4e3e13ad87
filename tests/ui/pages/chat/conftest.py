"""The page Chat over a real home and a scripted server."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.app import open_product
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from tests.fakes.chat_page import ChatRig
from tests.fakes.model_server import ModelServer


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_server: ModelServer) -> Iterator[Product]:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    opened = open_product(tmp_path / "home")
    opened.set_setting("models.chat_url", model_server.url)
    opened.set_setting("models.chat_model", "large")
    yield opened
    opened.close()
    for handler in [h for h in logging.getLogger().handlers if str(tmp_path) in getattr(h, "baseFilename", "")]:
        logging.getLogger().removeHandler(handler)
        handler.close()


@pytest.fixture
def rig(product: Product, calls: Calls, qtbot: object) -> Iterator[ChatRig]:
    bridge = Bridge(product.events)
    made = ChatRig(product, calls, bridge, qtbot)
    yield made
    made.until(lambda: not calls.busy())
    bridge.close()
    made.page.deleteLater()
