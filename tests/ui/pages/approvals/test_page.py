"""The page Approvals over a real home: what waits is read and answered by keys."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from biny_desktop.app import open_product
from biny_desktop.conversation.drafts import Draft
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.approvals.page import ApprovalsPage
from biny_desktop.ui.widgets.diff_view import DiffView
from tests.fakes.model_server import ModelServer


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_server: ModelServer) -> Iterator[Product]:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    opened = open_product(tmp_path / "home")
    (tmp_path / "open").mkdir()
    for key, value in (("models.chat_url", model_server.url), ("models.chat_model", "large")):
        opened.set_setting(key, value)
    opened.set_setting("agent.folders", str(tmp_path / "open"))
    yield opened
    opened.close()
    for handler in [h for h in logging.getLogger().handlers if str(tmp_path) in getattr(h, "baseFilename", "")]:
        logging.getLogger().removeHandler(handler)
        handler.close()


def asked(product: Product, server: ModelServer, name: str) -> str:
    """A turn that waits for a file to be allowed; its session."""
    args = {"path": f"open/{name}", "text": "# new\n", "reason": "you asked"}
    server.answer("", tool_calls=[{"id": "w", "name": "write_file", "arguments": args}]).answer("Done with it.")
    session = product.chat.create().id
    assert product.chat.wait(product.chat.send(session, Draft(f"write {name}")), 20.0) is not None
    return session


@pytest.fixture
def page(product: Product, calls: Calls, qtbot) -> Iterator[ApprovalsPage]:
    bridge = Bridge(product.events)
    made = ApprovalsPage(product, calls, bridge)
    made.resize(1_000, 640)
    made.show()
    made.activateWindow()
    yield made
    qtbot.waitUntil(lambda: not calls.busy())
    bridge.close()
    made.deleteLater()


def test_nothing_waits_and_it_is_said(page: ApprovalsPage, qtbot) -> None:
    qtbot.waitUntil(lambda: page.count.text() == "0 wait")
    assert page.empty.isVisible()
    assert not page.allow.isEnabled()


def test_a_change_is_read_with_its_diff_and_allowed_by_a_key(
    page: ApprovalsPage, product: Product, model_server: ModelServer, qtbot, tmp_path: Path
) -> None:
    session = asked(product, model_server, "a.md")
    qtbot.waitUntil(lambda: page.model.rowCount() == 1 and page.allow.isEnabled(), timeout=10_000)
    assert "+# new" in page.findChild(DiffView).toPlainText()
    opened = []
    page.open_requested.connect(opened.append)
    page.open.click()
    assert opened[0].kind == "message"
    qtbot.keyClick(page.list, Qt.Key.Key_A)
    qtbot.waitUntil((tmp_path / "open" / "a.md").exists, timeout=10_000)
    qtbot.waitUntil(page.empty.isVisible, timeout=10_000)
    qtbot.waitUntil(lambda: product.chat.view(session).turn_status == "completed", timeout=10_000)
    page.which.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.model.rowCount() == 1)
    assert page.model.items[0].status == "used"


def test_a_refusal_writes_nothing_and_the_model_is_told(
    page: ApprovalsPage, product: Product, model_server: ModelServer, qtbot, tmp_path: Path
) -> None:
    session = asked(product, model_server, "b.md")
    qtbot.waitUntil(page.refuse.isEnabled, timeout=10_000)
    page.refuse.click()
    qtbot.waitUntil(lambda: product.chat.view(session).turn_status == "completed", timeout=10_000)
    assert not (tmp_path / "open" / "b.md").exists()
    assert "refused" in model_server.said()
