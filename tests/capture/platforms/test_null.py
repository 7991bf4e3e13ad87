"""The platform that gives nothing."""

import pytest

from biny_desktop.capture.inputs import InputWatch
from biny_desktop.capture.platforms.null import NullInput, NullPresence, NullScreen, NullWindows, PollInput
from biny_desktop.capture.ports import InputTotals, Unknown
from biny_desktop.core.errors import UnavailableError
from tests.fakes.capture import make_monitor
from tests.fakes.clock import FakeClock


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


@pytest.mark.logs_warning("input cannot be listened to")
def test_where_input_cannot_be_seen_idle_time_is_polled(fake_clock: FakeClock) -> None:
    watch = InputWatch(PollInput(), fake_clock)
    watch.start("auto", lambda: None)
    stirred = []
    for idle_ms in (60_000, 61_000, 200, 1_200, 2_200):
        stirred.append(watch.look(idle_ms).stirred)
        fake_clock.advance(1_000)

    assert watch.name == "poll"
    assert stirred == [False, False, True, False, False]
    watch.stop()
