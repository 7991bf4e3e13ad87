"""The counters over `pynput`, with its dummy back end and keys handed to the callbacks."""

from types import SimpleNamespace

import pytest

from biny_desktop.capture.platforms.pynput_input import PynputInput
from biny_desktop.core.errors import UnavailableError
from tests.fakes.clock import FakeClock


def test_characters_and_editing_keys_count_and_others_do_not(fake_clock: FakeClock) -> None:
    from pynput.keyboard import KeyCode

    source = PynputInput(fake_clock)
    named = [SimpleNamespace(name=name) for name in ("space", "backspace", "shift", "left", "f1", "tab")]
    for key in (KeyCode.from_char("a"), *named, None):
        source._on_press(key)

    assert source.totals().keys == 3
    assert source.totals().last_key_ms == fake_clock.mono_ms()


def test_clicks_count_when_released_and_wheel_steps_apart(fake_clock: FakeClock) -> None:
    told: list[int] = []
    source = PynputInput(fake_clock)
    source._notify = lambda: told.append(1)
    source._on_click(7.6, 9.2, None, True)
    source._on_click(7.6, 9.2, None, False)
    source._on_scroll(0, 0, 0, 1)

    totals = source.totals()
    assert (totals.clicks, totals.scrolls, totals.click_x, totals.click_y, len(told)) == (1, 1, 7, 9, 2)


def test_a_back_end_that_cannot_listen_is_unavailable(fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    from pynput import keyboard

    class Refusing(keyboard.Listener):
        def start(self) -> None:
            raise OSError("no")

        def stop(self) -> None: ...

    monkeypatch.setattr(keyboard, "Listener", Refusing)
    source = PynputInput(fake_clock)
    with pytest.raises(UnavailableError):
        source.start(lambda: None)
    source.stop()
