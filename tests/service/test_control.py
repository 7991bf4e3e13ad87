"""Agreeing, pausing, resuming; settings that change under a running product."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.capture.ports import FOREVER_MS
from biny_desktop.core.errors import InvalidInputError, InvalidSettingError
from biny_desktop.core.events import EventBus, SettingChanged
from biny_desktop.service.control import RecordingControl, describe_until
from biny_desktop.service.settings_store import SettingsStore
from biny_desktop.storage.database import open_database
from biny_desktop.storage.folders import Folders, prepare, resolve
from biny_desktop.storage.migrate import migrate
from tests.fakes.clock import FakeClock


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return prepare(resolve(tmp_path / "home"))


@pytest.fixture
def control(folders: Folders) -> Iterator[tuple[RecordingControl, FakeClock]]:
    clock = FakeClock()
    database = open_database(folders.database_file, None)
    migrate(database)
    yield RecordingControl(database, SettingsStore(folders, EventBus()), clock), clock
    database.close()


def test_recording_is_off_until_agreed(control: tuple[RecordingControl, FakeClock]) -> None:
    assert control[0].enabled() is False


@pytest.mark.parametrize(("length", "minutes"), [("15m", 15), ("1h", 60), ("2d", 2880), ("90", 90), (" 5 MIN ", 5)])
def test_a_pause_ends_by_itself(control: tuple[RecordingControl, FakeClock], length: str, minutes: int) -> None:
    rule, clock = control
    assert rule.paused_until_ms() is None
    until = rule.pause(length)
    assert until == clock.now_ms() + minutes * 60_000
    assert rule.paused_until_ms() == until
    clock.advance(minutes * 60_000 + 1)
    assert rule.paused_until_ms() is None


def test_a_pause_without_end_lasts_until_resumed(control: tuple[RecordingControl, FakeClock]) -> None:
    rule, clock = control
    assert rule.pause() == FOREVER_MS
    clock.advance(10**10)
    assert rule.paused_until_ms() == FOREVER_MS
    rule.resume()
    rule.resume()
    assert rule.paused_until_ms() is None
    assert describe_until(FOREVER_MS, "UTC") == "resumed"


def test_tomorrow_is_the_next_start_of_a_day(control: tuple[RecordingControl, FakeClock]) -> None:
    rule, clock = control
    until = rule.pause("tomorrow")
    assert 0 < until - clock.now_ms() <= 86_400_000
    assert describe_until(until, "UTC").endswith("04:00+00:00")


@pytest.mark.parametrize("length", ["soon", "-5m", "0m", "99999999d", "1w", "m", "1.5h", "\x00"])
def test_a_length_that_cannot_be_read_is_refused(control: tuple[RecordingControl, FakeClock], length: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        control[0].pause(length)
    assert "15m" in caught.value.hint
    assert control[0].paused_until_ms() is None


def test_settings_are_taken_over_from_the_file_and_told(folders: Folders) -> None:
    events, told = EventBus(), []
    events.subscribe(SettingChanged, lambda event: told.append(event.key))
    store = SettingsStore(folders, events)
    assert store.set("read.every", "2") == 2
    assert told == ["read.every"]
    other = SettingsStore(folders, EventBus())
    other.set("read.every", "5")
    assert store.current().read.every == 5
    assert store.reset("read.every") == 3
    with pytest.raises(InvalidSettingError):
        store.set("read.every", "99")


def test_a_file_that_becomes_unreadable_keeps_the_last_good_settings(folders: Folders) -> None:
    store = SettingsStore(folders, EventBus())
    store.set("read.every", "2")
    folders.settings_file.write_text("[read\n")
    assert store.current().read.every == 2
    assert store.problem is not None
    folders.settings_file.write_text("[read]\nevery = 4\n")
    assert store.current().read.every == 4
    assert store.problem is None


@given(st.text(max_size=12))
def test_no_length_of_a_pause_raises_anything_else(text: str) -> None:
    class Nothing:
        current = staticmethod(lambda: None)

    rule = RecordingControl.__new__(RecordingControl)
    rule._clock, rule._settings = FakeClock(), Nothing()  # type: ignore[assignment]
    if text.strip().lower() in ("", "tomorrow"):
        return
    with contextlib.suppress(InvalidInputError):
        assert rule._until(text.strip().lower()) > rule._clock.now_ms()
