"""The shared desktop itself: what other tests build on."""

import subprocess

import pytest

from tests.fakes.desktop import Desktop, PrivateBus
from tests.waiting import wait_until


def test_a_window_opens_is_active_and_answers_changes(desktop: Desktop) -> None:
    window = desktop.open_window("Ledger — 今天", text=["Invoice 4711", "Total 99.50"])

    window.change(title="Ledger 2", text=["Total 98.20"])

    assert desktop.active() == int(window.id, 16)
    wait_until(lambda: "Ledger 2" in desktop.xprop("-id", window.id, "_NET_WM_NAME"))


def test_a_closed_desktop_is_bare(desktop: Desktop) -> None:
    desktop.open_window("one")
    desktop.close()

    assert desktop.active() == 0


def test_the_tray_takes_place_at_the_lower_edge(desktop: Desktop, tray_host: None) -> None:
    assert "976" in desktop.xprop("-root", "_NET_WORKAREA")


def test_the_bus_can_die_and_come_back_at_the_same_address() -> None:
    bus = PrivateBus()
    bus.start()
    bus.kill()
    bus.start()
    try:
        command = ["dbus-send", f"--bus={bus.address}", "--dest=org.freedesktop.DBus", "--print-reply", "/",
                   "org.freedesktop.DBus.GetId"]  # fmt: skip
        assert "string" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
    finally:
        bus.close()


@pytest.mark.logs_warning("stray", "meant")
def test_a_leftover_thread_or_a_stray_warning_fails_a_test(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("from tests.conftest import leaves_nothing_behind, pytest_configure  # noqa: F401")
    pytester.makepyfile(
        """
        import logging, threading
        import pytest

        def test_thread():
            threading.Timer(3.5, lambda: None).start()

        def test_warning():
            logging.getLogger("x").warning("stray")

        @pytest.mark.logs_warning("meant")
        def test_announced():
            logging.getLogger("x").warning("this is meant")
        """
    )
    pytester.runpytest().assert_outcomes(passed=3, errors=2)
