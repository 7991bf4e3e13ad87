"""Counts of real input on a real X server."""

import threading
from collections.abc import Iterator

import pytest

from biny_desktop.capture.platforms.x11_input import REPEAT_DELAY_MS, REPEAT_EACH_MS, Count, X11Input
from biny_desktop.capture.ports import InputTotals
from biny_desktop.core.clock import SystemClock
from biny_desktop.core.errors import UnavailableError
from tests.fakes.clock import FakeClock
from tests.fakes.desktop import Desktop, x_server
from tests.waiting import wait_until


@pytest.fixture
def counter(desktop: Desktop, fake_clock: FakeClock) -> Iterator[X11Input]:
    source = X11Input(desktop.display, fake_clock)
    source.start(lambda: None)
    yield source
    source.stop()


def test_typed_keys_are_counted_and_modifiers_and_navigation_are_not(desktop: Desktop, counter: X11Input) -> None:
    desktop.open_window()
    desktop.xdotool("type", "Hello, you")
    desktop.xdotool("key", "Left", "Home", "Escape", "Tab", "F5", "shift")
    desktop.xdotool("key", "BackSpace", "Return")

    wait_until(lambda: counter.totals().keys == 12)
    assert (counter.totals().clicks, counter.totals().scrolls) == (0, 0)


def test_clicks_are_counted_with_their_place_and_the_wheel_apart(desktop: Desktop, counter: X11Input) -> None:
    desktop.xdotool("mousemove", 321, 234)
    desktop.xdotool("click", 1, "click", 3)
    desktop.xdotool("click", "--repeat", 3, 4)
    desktop.xdotool("click", 7)

    wait_until(lambda: counter.totals().scrolls == 4)
    totals = counter.totals()
    assert (totals.clicks, totals.click_x, totals.click_y, totals.keys) == (2, 321, 234, 0)


def test_times_come_from_the_clock_given(desktop: Desktop, fake_clock: FakeClock, counter: X11Input) -> None:
    fake_clock.advance(5_000)
    desktop.xdotool("click", 1)
    wait_until(lambda: counter.totals().clicks)

    assert counter.totals().last_click_ms == counter.totals().last_input_ms == fake_clock.mono_ms()
    assert counter.totals().last_key_ms == 0


def test_a_held_key_goes_on_typing_until_it_is_let_go(
    desktop: Desktop, fake_clock: FakeClock, counter: X11Input
) -> None:
    desktop.xdotool("keydown", "a")
    wait_until(lambda: counter.totals().keys == 1)
    fake_clock.advance(REPEAT_DELAY_MS + 100 * REPEAT_EACH_MS)

    assert counter.totals().keys == 101
    assert counter.totals().last_key_ms == fake_clock.mono_ms()

    desktop.xdotool("keyup", "a")
    released = fake_clock.mono_ms()
    fake_clock_moved = wait_until(lambda: counter._count.held is None)
    fake_clock.advance(60_000)
    assert fake_clock_moved
    assert (counter.totals().keys, counter.totals().last_key_ms) == (101, released)


def test_a_menu_that_grabs_the_keyboard_does_not_hide_input(desktop: Desktop, counter: X11Input) -> None:
    import xcffib
    import xcffib.xproto

    conn = xcffib.connect(desktop.display)
    conn.core.GrabKeyboard(False, conn.setup.roots[0].root, 0, 1, 1).reply()
    try:
        desktop.xdotool("key", "b")
        wait_until(lambda: counter.totals().keys == 1)
    finally:
        conn.disconnect()


def test_input_is_told(desktop: Desktop) -> None:
    told = threading.Event()
    source = X11Input(desktop.display, SystemClock())
    source.start(told.set)
    try:
        desktop.xdotool("key", "a")
        assert told.wait(5)
    finally:
        source.stop()


def test_no_server_means_unavailable_and_no_thread_left() -> None:
    with pytest.raises(UnavailableError):
        X11Input(":4093", FakeClock()).start(lambda: None)

    assert "x11-input" not in {thread.name for thread in threading.enumerate()}


def test_a_server_without_the_extension_means_unavailable() -> None:
    with x_server(320, 240, "-extension", "GLX") as server:
        source = X11Input(server.display, FakeClock())
        source.start(lambda: None)
        source.stop()
        source.stop()
    with pytest.raises(UnavailableError):
        source.start(lambda: None)


def test_totals_only_rise_through_presses_repeats_and_releases() -> None:
    count, seen = Count(), []
    steps = [(100, "p", 38), (900, "p", 50), (1_500, "p", 39), (1_700, "r", 38), (4_000, "r", 39), (9_000, "r", 50)]
    for now, what, key in steps:
        count = count.pressed(key, now, typing=key != 50) if what == "p" else count.released(key, now)
        seen += [count.at(now).keys, count.at(now + 90).keys]

    assert seen == sorted(seen)
    assert count.held is None


def test_a_wheel_step_counts_once_and_a_button_when_it_is_let_go() -> None:
    count = Count()
    for button in (1, 4, 9):
        count = count.button(button, 10, down=True).button(button, 20, down=False)

    assert count.totals == InputTotals(clicks=2, scrolls=1, last_click_ms=20, last_scroll_ms=10, last_input_ms=20)
