"""The program as a user starts it: real windows, real input, a tray; what happened is in the rows and in the window."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mss
import numpy as np
import pytest

from biny_desktop.reading.child import OcrChild
from biny_desktop.reading.lines import read_picture
from biny_desktop.reading.memory import LineMemory
from tests.e2e.app import ROOT, SLOW_S, App
from tests.fakes.desktop import Desktop
from tests.waiting import wait_until

VAULT = "Family vault - KeePassXC"


@pytest.fixture
def app(tmp_path: Path, desktop: Desktop, tray_host: None) -> Iterator[App]:
    running = App(tmp_path / "home", desktop)
    yield running
    running.stop()


def words_on(display: str) -> str:
    """Everything that can be read on the screen now, by the real OCR models."""
    old = os.environ.get("DISPLAY")
    os.environ["DISPLAY"] = display
    child = OcrChild()
    try:
        with mss.MSS() as grabber:
            picture = np.ascontiguousarray(np.asarray(grabber.grab(grabber.monitors[0]))[:, :, :3])
        return read_picture(picture, child, LineMemory(), None).text
    finally:
        child.close()
        os.environ.pop("DISPLAY") if old is None else os.environ.update(DISPLAY=old)


@pytest.mark.timeout(600)
def test_a_morning_at_the_desk(app: App, desktop: Desktop) -> None:
    ledger = desktop.open_window("Ledger - Sums", "ledger", (60, 60, 700, 420), text=["Invoice total 99.50 marmalade"])
    wait_until(lambda: any(f["title"] == "Ledger - Sums" for f in app.frames()), SLOW_S, "the ledger is kept")

    # Nothing new on the screen: a click is answered by a reason, not by a picture.
    kept = len(app.frames())
    desktop.xdotool("mousemove", "400", "300", "click", "1")
    wait_until(
        lambda: any(e["kind"] == "skip" and e["reason"].startswith("same_") for e in app.events()), SLOW_S, "dropped"
    )
    assert len(app.frames()) == kept

    # A change after a click is kept.
    ledger.change(text=["Invoice total 98.20 gooseberry"])
    desktop.xdotool("click", "1")
    wait_until(lambda: len(app.frames()) > kept, SLOW_S, "the change is kept")

    # A password manager: a placeholder, no frame, no title.
    vault = desktop.open_window(VAULT, "keepassxc", (300, 200, 500, 300), text=["hunter2hunter2"])
    wait_until(lambda: any(e["kind"] == "private" for e in app.events()), SLOW_S, "the private time has a row")
    assert app.status()["state"] == "paused"
    assert app.status()["reason"] == "private"
    vault.close()

    # Text is found, by words of the right window only.
    def found(words: str) -> list[dict]:
        return app.ask("activity", "search", words)["items"]

    wait_until(lambda: found("marmalade"), SLOW_S, "the first page is read")
    wait_until(lambda: found("gooseberry"), SLOW_S, "the second page is read")
    assert {hit["app_id"] for hit in found("gooseberry")} == {"ledger"}
    assert not found("hunter2hunter2")
    assert not any(frame["app_id"] == "keepassxc" for frame in app.frames())

    # Pause is obeyed and shown; a picture asked for is refused with the reason.
    app.ask("pause", "15m")
    wait_until(lambda: (app.status()["state"], app.status()["reason"]) == ("paused", "user"), SLOW_S, "paused")
    assert app.ask("capture") == {"reason": "paused_by_user"}
    app.ask("resume")
    desktop.focus(ledger)
    wait_until(lambda: app.status()["state"] in ("capturing", "idle"), SLOW_S, "recording again")
    assert "frame_id" in app.ask("capture")

    # A second start brings the window to the front; what was kept can be read in it; it is never recorded itself.
    assert app.start_again() == 0
    wait_until(lambda: "Biny" in desktop.xprop("-id", hex(desktop.active()), "_NET_WM_NAME"), SLOW_S, "the window")
    wait_until(lambda: "Ledger" in words_on(desktop.display), SLOW_S, "the window shows the frames")
    assert not any("biny" in frame["app_id"] for frame in app.frames())

    assert app.stop() == 0
    check_left_behind(app.home)


def check_left_behind(home: Path) -> None:
    """No plain secret anywhere, and rows and files that agree."""
    for path in (path for path in home.rglob("*") if path.is_file()):
        raw = path.read_bytes()
        assert b"hunter2" not in raw, path
        assert VAULT.encode() not in raw, path
    with sqlite3.connect(f"file:{home}/data/biny.db?mode=ro", uri=True) as db:
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)
        rows = {path for (path,) in db.execute("SELECT path FROM pictures WHERE state = 'live'")}
    db.close()
    files = {str(path.relative_to(home / "data" / "pictures")) for path in (home / "data" / "pictures").glob("*/*")}
    assert rows == files


@pytest.mark.timeout(300)
def test_a_signal_ends_the_app_with_its_window_open_and_no_tray(tmp_path: Path, desktop: Desktop) -> None:
    running = App(tmp_path / "home", desktop)
    try:
        assert running.start_again() == 0
        wait_until(lambda: "Biny" in desktop.xprop("-id", hex(desktop.active()), "_NET_WM_NAME"), SLOW_S, "the window")
    finally:
        assert running.stop() == 0


@pytest.mark.timeout(300)
def test_the_app_without_a_display_runs_and_says_what_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "biny_desktop", "--home", str(tmp_path / "h")]
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "BINY_CAPTURE__ENABLED": "true"}
    env.pop("QT_QPA_PLATFORM")
    process = subprocess.Popen([*command, "run"], cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True)

    def status() -> dict:
        done = subprocess.run([*command, "status", "--json"], cwd=ROOT, env=env, capture_output=True, check=True)
        return json.loads(done.stdout)

    try:
        wait_until(lambda: status()["running"] and status()["state"] == "stalled", SLOW_S, "stalled is shown")
        assert "display" in status()["advice"]
    finally:
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 0
    assert "no display" in said


@pytest.mark.timeout(600)
def test_the_demo_gives_its_account(tmp_path: Path) -> None:
    home = tmp_path / "demo"
    command = [sys.executable, "-m", "biny_desktop", "--home", str(home)]
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run([*command, "demo", "--json"], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    story = json.loads(done.stdout)
    assert story["frames_kept"] >= 5
    assert story["frames_dropped"] >= 3
    assert {"private_app", "private_window"} <= set(story["reasons"])
    assert {"password", "token", "url_secret"} <= set(story["redactions"])
    assert story["search"]["hits"]
    assert not any(frame["app"] == "keepassxc" for frame in story["frames"])
    raw = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    for secret in (b"Tr0ub4dor", b"ghp_R7mK", b"correct-horse", b"blue-Lantern", b"paper lanterns"):
        assert secret not in raw
    assert b"lighthouse" not in raw, "with encryption on nothing is plain"
    pictures = list((home / "data" / "pictures").glob("*/*"))
    assert pictures
    for path in pictures:  # three bytes stand somewhere in a megabyte by chance, so only the beginning tells
        assert path.suffix == ".sealed"
        assert not path.read_bytes().startswith(b"\xff\xd8\xff"), "pictures are sealed"
    again = subprocess.run(
        [*command, "activity", "search", "lighthouse", "--json"], cwd=ROOT, env=env, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert json.loads(again.stdout)["total"] >= 1
