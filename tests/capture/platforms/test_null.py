"""The platform that gives nothing."""

import pytest

from biny_desktop.capture.platforms.null import NullInput, NullPresence, NullScreen, NullWindows
from biny_desktop.capture.ports import InputTotals, Unknown
from biny_desktop.core.errors import UnavailableError
from tests.fakes.capture import make_monitor


def test_everything_can_be_started_asked_and_stopped() -> None:
    windows, counter, presence = NullWindows(), NullInput(), NullPresence()
    for source in (windows, counter, presence):
        source.start(lambda: None)
        source.stop()
        source.stop()

    assert (windows.front(), windows.visible()) == (Unknown("no_display"), None)
    assert counter.totals() == InputTotals()
    assert (presence.idle_ms(), presence.locked(), presence.notices()) == (None, None, [])


def test_there_is_no_monitor_to_grab() -> None:
    screen = NullScreen()
    screen.renew()

    assert (screen.monitors(), screen.pointer()) == ([], None)
    with pytest.raises(UnavailableError):
        screen.grab(make_monitor())
    screen.close()
