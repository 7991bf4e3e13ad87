"""Windows on a real X server with a real window manager."""

import os
import threading
from collections.abc import Iterator

import psutil
import pytest

from biny_desktop.capture.platforms.x11_windows import X11Windows
from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.core.geometry import Rect
from tests.fakes.desktop import Desktop, Window, running, x_server
from tests.waiting import wait_until


@pytest.fixture
def windows(desktop: Desktop) -> Iterator[X11Windows]:
    source = X11Windows(desktop.display)
    source.start(lambda: None)
    yield source
    source.stop()


def front(source: X11Windows) -> WindowInfo:
    window = source.front()
    assert isinstance(window, WindowInfo), window
    return window


def test_the_active_window_is_in_front_with_all_its_facts(desktop: Desktop, windows: X11Windows) -> None:
    opened = desktop.open_window("Ledger — 今天", "KeePassXC", (200, 150, 500, 300))

    found = front(windows)

    assert found.window_id == opened.id
    assert (found.app_id, found.app_name, found.title, found.pid) == (
        "keepassxc",
        "KeePassXC",
        "Ledger — 今天",
        opened.pid,
    )
    assert (found.dialog, found.own, found.private_hint) == (False, False, None)


def test_the_rectangle_holds_the_whole_window_with_its_title_bar(desktop: Desktop, windows: X11Windows) -> None:
    opened = desktop.open_window(geometry=(200, 150, 500, 300))
    corner = [int(line.split()[-1]) for line in desktop.xwininfo(opened).splitlines() if "Absolute upper-left" in line]
    inner = Rect(*corner, 500, 300)

    rect = front(windows).rect

    assert rect is not None
    assert rect.intersect(inner) == inner
    assert rect.w <= 520
    assert 10 <= inner.y - rect.y <= 60


def test_a_dialog_is_told_apart(desktop: Desktop, windows: X11Windows) -> None:
    desktop.open_window(dialog=True)

    assert front(windows).dialog


def test_a_window_of_this_process_is_our_own(desktop: Desktop) -> None:
    desktop.open_window(pid=os.getpid())
    source = X11Windows(desktop.display)
    source.start(lambda: None)
    try:
        assert front(source).own
    finally:
        source.stop()


def test_an_old_latin_1_name_is_the_title_when_there_is_no_other(desktop: Desktop, windows: X11Windows) -> None:
    desktop.open_window(wm_name="Pr\xe9f\xe9rences")

    assert front(windows).title == "Préférences"


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        (b"", ""),
        (b"a\0b\x1bc", "abc"),
        (b"\xff\xfe caf\xe9", "ÿþ café"),
        ("\u200f\u05e9\u05dc\u200e".encode(), "\u05e9\u05dc"),
        (b"\xed\xa0\xbd broken", "í\xa0½ broken"),
    ],
    ids=["empty", "nul", "latin-1", "direction marks", "lone surrogate"],
)
def test_any_bytes_are_a_clean_title(desktop: Desktop, windows: X11Windows, raw: bytes, title: str) -> None:
    desktop.open_window(title_hex=raw.hex())

    assert front(windows).title == " ".join(title.split())


def test_a_very_long_title_is_cut_between_characters(desktop: Desktop, windows: X11Windows) -> None:
    desktop.open_window("漢" * 20_000)

    assert front(windows).title == "漢" * 256


def test_a_window_without_a_class_is_unknown(desktop: Desktop, windows: X11Windows) -> None:
    desktop.open_window(cls=None)

    assert windows.front() == Unknown("no_app_id")


def test_the_bare_desktop_is_in_front_when_nothing_is_open(desktop: Desktop, windows: X11Windows) -> None:
    assert front(windows).app_id == "openbox"
    desktop.open_window()
    desktop.close()
    assert front(windows).app_id == "openbox"


def test_a_locker_that_the_manager_does_not_know_is_in_front(desktop: Desktop, windows: X11Windows) -> None:
    desktop.open_window("work")
    desktop.open_window("lock", "i3lock", (0, 0, 1600, 1000), unmanaged=True)

    assert front(windows).app_id == "i3lock"


def test_a_small_pop_up_does_not_hide_the_window_in_front(desktop: Desktop, windows: X11Windows) -> None:
    desktop.open_window("work", "Editor")
    desktop.open_window("menu", "Editor-menu", (300, 300, 200, 200), unmanaged=True)

    assert front(windows).app_id == "editor"


def test_visible_windows_come_lowest_first_without_minimised_ones(desktop: Desktop, windows: X11Windows) -> None:
    first, second = desktop.open_window("first"), desktop.open_window("second")
    third = desktop.open_window("third")
    desktop.focus(first)
    third.change(iconify=True)

    wait_until(lambda: [each.window_id for each in windows.visible() or []] == [second.id, first.id])


def test_windows_of_another_desktop_are_not_visible(desktop: Desktop, windows: X11Windows) -> None:
    here, there = desktop.open_window("here"), desktop.open_window("there")
    desktop.xdotool("set_desktop_for_window", there.id, 1)

    wait_until(lambda: [each.window_id for each in windows.visible() or []] == [here.id])


def test_focus_title_and_closing_are_told(desktop: Desktop) -> None:
    told = threading.Event()
    source = X11Windows(desktop.display)
    source.start(told.set)
    try:
        told.clear()
        first = desktop.open_window("first")
        assert told.wait(5)
        second = desktop.open_window("second")
        told.clear()
        desktop.focus(first)
        assert told.wait(5)
        front(source)
        told.clear()
        first.change(title="another")
        assert told.wait(5)
        assert front(source).title == "another"
        told.clear()
        second.close()
        assert told.wait(5)
    finally:
        source.stop()


def test_stopping_twice_and_asking_afterwards_is_harmless(desktop: Desktop) -> None:
    source = X11Windows(desktop.display)
    source.start(lambda: None)
    source.stop()
    source.stop()

    assert source.front() == Unknown("no_display")
    assert source.visible() is None


def test_a_hanging_server_is_a_time_out_and_the_source_recovers() -> None:
    with x_server(320, 240) as server:
        source = X11Windows(server.display)
        source.start(lambda: None)
        with server.hanging():
            assert source.front() == Unknown("timeout")
            assert source.visible() is None
        wait_until(lambda: source.visible() == [])
        source.stop()


def test_a_hanging_server_does_not_keep_the_source_from_stopping() -> None:
    with x_server(320, 240) as server:
        source = X11Windows(server.display)
        source.start(lambda: None)
        with server.hanging():
            assert source.front() == Unknown("timeout")
            source.stop()
        assert "x11-windows" not in {thread.name for thread in threading.enumerate()}


def test_a_server_that_went_away_is_no_display() -> None:
    with x_server(320, 240) as server:
        source = X11Windows(server.display)
        source.start(lambda: None)
    wait_until(lambda: source.front() == Unknown("no_display"))
    source.stop()


def test_without_a_window_manager_the_focus_or_the_topmost_window_counts() -> None:
    with x_server(800, 600) as server:
        bare = Desktop(server.display)
        source = X11Windows(server.display)
        source.start(lambda: None)
        assert source.front() == Unknown("no_front_window")
        low, high = bare.open_window("low", "Low"), bare.open_window("high", "High")
        assert front(source).app_id == "high"
        bare.xdotool("windowfocus", low.id)
        wait_until(lambda: front(source).app_id == "low")
        assert [each.window_id for each in source.visible() or []] == [low.id, high.id]
        bare.close()
        source.stop()


def test_a_manager_that_starts_later_is_noticed() -> None:
    with x_server(800, 600) as server:
        bare = Desktop(server.display)
        source = X11Windows(server.display)
        source.start(lambda: None)
        with running(["openbox", "--sm-disable"], bare.env(), bare.managed):
            assert front(source).app_id == "openbox"
        wait_until(lambda: source.front() == Unknown("no_front_window"))
        source.stop()


def test_windows_that_come_and_go_while_polling_never_raise(desktop: Desktop, windows: X11Windows) -> None:
    kept = desktop.open_window("kept", "Kept")
    stop = threading.Event()
    churn = threading.Thread(target=_churn, args=(desktop.display, 120, stop))
    churn.start()
    answers: list[WindowInfo | Unknown] = []
    while churn.is_alive():
        answers.append(windows.front())
        windows.visible()
    churn.join()

    assert all(isinstance(each, WindowInfo) or each.reason != "failed" for each in answers)
    desktop.focus(kept)
    assert front(windows).app_id == "kept"


def _churn(display: str, count: int, stop: threading.Event) -> None:
    """Open and close that many managed windows as fast as the server takes them."""
    import xcffib
    import xcffib.xproto

    conn = xcffib.connect(display)
    screen = conn.setup.roots[0]
    for _ in range(count):
        window = conn.generate_id()
        conn.core.CreateWindow(24, window, screen.root, 0, 0, 50, 50, 0, 1, screen.root_visual, 0, [])
        name = b"churn\0Churn\0"
        conn.core.ChangeProperty(0, window, 67, 31, 8, len(name), name)
        conn.core.MapWindow(window)
        conn.core.GetInputFocus().reply()
        conn.core.DestroyWindow(window)
        conn.core.GetInputFocus().reply()
    conn.disconnect()


def test_a_browser_started_for_private_browsing_is_hinted(desktop: Desktop, windows: X11Windows) -> None:
    browser = psutil.Popen(["sh", "-c", "read _", "chromium", "--incognito"], stdin=-1)
    try:
        desktop.open_window("New Tab", "Chromium", pid=browser.pid)
        assert front(windows).private_hint == "private"
    finally:
        browser.communicate()


def test_a_window_keeps_its_identity_when_its_title_changes(desktop: Desktop, windows: X11Windows) -> None:
    window: Window = desktop.open_window("one")
    before = front(windows)
    window.change(title="two")

    assert front(windows).window_id == before.window_id
