"""A screen full of secrets, read by the real models and painted before it is written: what is left shows none."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from biny_desktop.activity.frames import FrameWriter
from biny_desktop.activity.screening import Screener
from biny_desktop.app import open_product
from biny_desktop.capture.ports import NewFrame, WindowInfo
from biny_desktop.capture.rules_store import StoredTextRules
from biny_desktop.capture.screening import held_picture
from biny_desktop.capture.user_rules import UserRule
from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.child import OcrChild
from biny_desktop.reading.lines import read_picture
from biny_desktop.reading.memory import LineMemory
from biny_desktop.reading.reader import Reader
from biny_desktop.service.product import Product
from tests.reading.pages import page

LINES = [
    "Quarterly plan of the harbour office",
    "The card for the journey is 4111 1111 1111 1111 until May",
    "password: Kestrel-Ninety-4",
    "Write to anna.seller@harbour.example about it",
    "Falcon budget is a secret of its own",
    "The station opens at seven in the morning",
]
SECRETS = ("4111", "1111 1111", "kestrel", "anna.seller", "harbour.example", "falcon")
KEPT = ("quarterly", "journey", "password", "station opens")


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Product]:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    monkeypatch.setenv("BINY_REDACT__PAINT", "true")
    opened = open_product(tmp_path / "home")
    yield opened
    opened.close()


def test_secrets_read_from_a_screen_are_in_neither_text_nor_picture(product: Product) -> None:
    product.privacy.add_rule(UserRule(0, "Falcon", "text", "contains", "falcon", "mask"))
    rules = StoredTextRules(product.database, product.clock)
    writer = FrameWriter(
        product.database, product.files, product.redactor, product.settings.current, product.clock, product.events,
        screen=rules, held=product.held,
    )  # fmt: skip
    screener = Screener(writer, product.read_queue, product.redactor, product.settings.current, rules, product.events)
    screen = page(LINES, 720, 200)
    window = WindowInfo("w", "editor", "Editor", 1, "plan", Rect(0, 0, 720, 200))
    frame = NewFrame(
        product.clock.stamp(), "click", "m", 1.0, window, 0, 1, 1, None, None, TileMask.for_picture(720, 200, 60),
        "parts", why={"trigger": "click"},
    )  # fmt: skip
    bgra = np.dstack([screen, np.full(screen.shape[:2], 255, np.uint8)])
    child = OcrChild("rapidocr", 2, product.clock)
    try:
        frame_id = screener.hold(frame, held_picture(bgra)).frame_id
        assert Reader(screener, child, product.clock).step()
        detail = product.timeline.frame(frame_id)
        jpeg = product.timeline.picture(frame_id)
        assert jpeg is not None
        stored = np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB"))[:, :, ::-1]
        seen = read_picture(np.ascontiguousarray(stored), child, LineMemory(), None).text.lower()
    finally:
        child.close()
    text = (detail.text or "").lower()
    assert detail.frame.flags == ("painted",)
    assert [secret for secret in SECRETS if secret in text or secret in seen] == []
    assert [word for word in KEPT if word not in text] == []
    assert "quarterly" in seen
    assert "station opens" in seen
    product.database.truncate_wal()
    for path in product.folders.config.parent.rglob("*"):
        if path.is_file():
            raw = path.read_bytes().lower()
            assert [secret for secret in ("kestrel", "anna.seller", "4111 1111") if secret.encode() in raw] == [], path
    (hits,) = [rule.hits for rule in product.privacy.user_rules()]
    assert hits == 1
