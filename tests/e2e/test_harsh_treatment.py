"""The running program killed, starved of disk, and with a private window in sight."""

import contextlib
import io
import resource
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image

from tests.e2e.app import SLOW_S, App
from tests.fakes.desktop import Desktop
from tests.waiting import wait_until


@contextlib.contextmanager
def started(home: Path, desktop: Desktop) -> Iterator[App]:
    app = App(home, desktop)
    try:
        yield app
    finally:
        app.stop()


def rows_and_files(home: Path) -> tuple[set[str], set[str]]:
    with contextlib.closing(sqlite3.connect(f"file:{home}/data/biny.db?mode=ro", uri=True)) as db:
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)
        rows = {path for (path,) in db.execute("SELECT path FROM pictures WHERE state = 'live'")}
    folder = home / "data" / "pictures"
    return rows, {str(path.relative_to(folder)) for path in folder.glob("*/*")}


@pytest.mark.timeout(300)
def test_a_private_window_in_sight_is_one_flat_colour_in_the_file(tmp_path: Path, desktop: Desktop) -> None:
    desktop.open_window("Vault - KeePassXC", "keepassxc", (900, 120, 400, 300), color="#30c0f0", text=["secret words"])
    with started(tmp_path / "home", desktop) as app:
        desktop.open_window("Notes", "notes", (60, 60, 600, 400), text=["plain words"])
        wait_until(lambda: any(f["app_id"] == "notes" for f in app.frames()), SLOW_S, "the notes are kept")
        frame = next(f for f in app.frames() if f["app_id"] == "notes")
        path = app.home / "data" / "pictures" / app.ask("activity", "show", str(frame["id"]))["picture_path"]
        with Image.open(io.BytesIO(path.read_bytes())) as picture:
            pixels = np.asarray(picture.convert("RGB")).astype(int)
    inside = pixels[130:410, 910:1290].reshape(-1, 3)
    assert (inside.max(axis=0) - inside.min(axis=0)).max() <= 6, "nothing of the vault can be told"
    assert np.abs(inside.mean(axis=0) - np.array([0x30, 0xC0, 0xF0])).max() > 30, "not its own colour either"
    notes = pixels[80:420, 80:600].reshape(-1, 3)
    assert (notes.max(axis=0) - notes.min(axis=0)).max() > 100


@pytest.mark.timeout(300)
def test_killed_at_any_moment_the_next_start_goes_on(tmp_path: Path, desktop: Desktop) -> None:
    home = tmp_path / "home"
    window = desktop.open_window("Ledger", "ledger", (60, 60, 600, 400), text=["first page"])
    for round_ in range(3):
        app = App(home, desktop)
        before = len(app.frames())
        window.change(text=[f"page {round_} of many words", "changed again"])
        desktop.xdotool("mousemove", 200 + 40 * round_, 200, "click", "1")
        wait_until(lambda app=app, before=before: len(app.frames()) > before, SLOW_S, "a frame")
        app.process.kill()
        app.process.communicate()
    with started(home, desktop) as app:
        assert app.status()["running"]
        assert len(app.frames()) >= 3
        assert not any(frame["picture_state"] == "missing" for frame in app.frames())
    rows, files = rows_and_files(home)
    assert rows <= files
    assert all(name.endswith(".part") or name in rows for name in files)


@pytest.mark.timeout(300)
def test_without_space_it_stops_cleanly_says_so_and_goes_on_later(tmp_path: Path, desktop: Desktop) -> None:
    home = tmp_path / "home"
    window = desktop.open_window("Ledger", "ledger", (60, 60, 600, 400), text=["first page"])
    with started(home, desktop) as app:
        desktop.focus(window)  # without a tray the app's own window came to the front
        wait_until(app.frames, SLOW_S, "the first frame")
        kept = len(app.frames())
        process = psutil.Process(app.process.pid)
        process.rlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        window.change(text=["second page", "with other words on it"])
        desktop.xdotool("mousemove", 300, 300, "click", "1")
        wait_until(lambda: app.status()["state"] == "stalled", SLOW_S, "stalled")
        assert app.status()["reason"] in ("disk_low", "write_failed")
        assert app.status()["advice"]
        assert len(app.frames()) == kept, "searching and listing go on"
        process.rlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        window.change(text=["third page", "and yet other words"])

        def recorded() -> bool:
            desktop.xdotool("mousemove", 310, 300, "click", "1")
            return len(app.frames()) > kept

        wait_until(recorded, SLOW_S, "recording again")
    rows, files = rows_and_files(home)
    assert rows == files
