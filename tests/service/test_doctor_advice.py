"""What Doctor tells about the battery and about almost white pictures."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.app import open_product
from biny_desktop.service.doctor import ADVICE_MS, examine
from biny_desktop.service.power import PowerProfile
from biny_desktop.service.product import Product


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Product]:
    monkeypatch.setenv("BINY_STORAGE__ENCRYPTION", "off")
    opened = open_product(tmp_path / "home")
    yield opened
    opened.close()


def told(product: Product, name: str) -> list[tuple[str, str]]:
    return [(check.text, check.hint) for check in examine(product).checks if check.name == name]


def test_settings_that_the_battery_changes_are_told(product: Product) -> None:
    product.power = PowerProfile(product.settings.current, product.clock, lambda: False)
    assert told(product, "power") == []
    product.power = PowerProfile(product.settings.current, product.clock, lambda: True)
    ((text, hint),) = told(product, "power")
    assert "capture.merge_ms 8000 (4000)" in text
    assert hint
    product.settings.set("capture.merge_ms", "5000")
    assert told(product, "power") == [("On battery.", "")]


@pytest.mark.parametrize(("age_ms", "shown"), [(0, True), (ADVICE_MS, False)])
def test_advice_about_white_pictures_is_told_for_a_week(product: Product, age_ms: int, shown: bool) -> None:
    with product.database.write() as w:
        w.run(
            "INSERT INTO frame_events(at, time_zone, mono_ms, boot_id, kind, reason) "
            "VALUES(:at, 'UTC', 1, 'b', 'source', 'over_exposed')",
            {"at": product.clock.now_ms() - age_ms},
        )
    assert any("HDR" in hint for _text, hint in told(product, "pictures")) is shown
