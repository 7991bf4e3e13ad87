"""`biny activity storage, pin, unpin, move-pictures` as a user calls them, over a home with pictures."""

from pathlib import Path

import pytest

from biny_desktop.activity.ageing_plan import DAY_MS
from biny_desktop.app import open_product
from biny_desktop.core.clock import SystemClock
from tests.cli.test_commands import biny, told
from tests.fakes.activity import ActivityHome, screen
from tests.fakes.clock import FakeClock


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A plain home with two frames of 40 and 2 days ago."""
    root = tmp_path / "h"
    assert biny("config", "set", "storage.encryption", "off", home=root).returncode == 0
    open_product(root).close()
    now = SystemClock().now_ms()
    made = ActivityHome(root / "data", FakeClock(now))
    for age in (40, 2):
        made.clock.set_wall(now - age * DAY_MS)
        made.queue_nothing(made.keep(f"title {age}", picture=screen(age, (1_400, 780))))
    made.clock.set_wall(now)
    made.retention.run()
    made.close()
    return root


def test_storage_tells_tiers_forecast_and_what_is_due(home: Path) -> None:
    report = told(biny("activity", "storage", "--json", home=home))
    assert report["tiers"]["original"]["pictures"] == 2
    assert (report["due"]["by_age"]["pictures"], report["due"]["shrink"]["pictures"]) == (1, 1)
    assert (report["ageing"]["phase"], report["ageing"]["postponed"]) == ("waiting", 0)
    assert report["forecast_bytes"] > 0
    assert report["free_bytes"] > 0
    assert told(biny("activity", "storage", "--postpone", "--json", home=home))["ageing"]["postponed"] == 1
    words = biny("activity", "storage", home=home).stdout
    assert "The first deletion begins" in words
    assert biny("activity", "storage", "--postpone", "--agree", home=home).returncode == 1
    assert told(biny("activity", "storage", "--agree", "--json", home=home))["ageing"]["phase"] == "running"


def test_a_frame_is_pinned_and_unpinned(home: Path) -> None:
    assert told(biny("activity", "pin", "1", "--note", "the first", "--json", home=home))["pinned"] is True
    shown = told(biny("activity", "show", "1", "--json", home=home))
    assert (shown["frame"]["pinned"], shown["pin_note"]) == (True, "the first")
    assert "pinned: the first" in biny("activity", "show", "1", home=home).stdout
    assert biny("activity", "unpin", "1", home=home).returncode == 0
    assert told(biny("activity", "show", "1", "--json", home=home))["frame"]["pinned"] is False
    assert told(biny("activity", "pin", "99", "--json", home=home))["error"]["kind"] == "not_found"


def test_the_pictures_move_to_another_folder(home: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    moved = told(biny("activity", "move-pictures", str(tmp_path / "disk"), "--json", home=home))
    assert (moved["pictures"], moved["left_behind"]) == (2, 0)
    assert not (home / "data" / "pictures").exists()
    product = open_product(home)
    try:
        assert product.timeline.picture(1)
        assert product.files.folder == tmp_path / "disk" / "biny-pictures"
    finally:
        product.close()
    assert biny("activity", "move-pictures", str(tmp_path / "none"), home=home).returncode == 1
