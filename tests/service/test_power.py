"""On battery untouched settings are other ones, and it is told which."""

from pathlib import Path

import pytest

from biny_desktop.core.events import EventBus
from biny_desktop.core.settings import Settings, build
from biny_desktop.service.power import POWER_MS, Overlaid, PowerProfile, system_on_battery, touched
from biny_desktop.service.recording import SETTLED_IDLE_MS, reading_allowed
from biny_desktop.service.settings_store import SettingsStore
from biny_desktop.storage.folders import prepare, resolve
from tests.fakes.clock import FakeClock


class Battery:
    def __init__(self) -> None:
        self.on = False
        self.looks = 0

    def __call__(self) -> bool:
        self.looks += 1
        return self.on


def profile(settings: Settings, *, on: bool = True) -> tuple[PowerProfile, Battery, FakeClock]:
    battery, clock = Battery(), FakeClock()
    battery.on = on
    return PowerProfile(lambda: settings, clock, battery), battery, clock


def test_untouched_settings_change_on_battery_and_are_told() -> None:
    power, _, _ = profile(build({}))
    assert power.settings().capture.merge_ms == 8_000
    assert power.overlaid() == (Overlaid("capture.merge_ms", 4_000, 8_000),)
    assert power.settings() is power.settings(), "one snapshot, so that nobody sees a change where there is none"


def test_what_the_user_made_stays_even_if_it_is_the_default() -> None:
    chosen = build({"capture": {"merge_ms": 4_000}, "watch": {"enabled": True}, "read": {"catch_up": True}})
    power, _, _ = profile(chosen)
    assert power.settings() == chosen
    assert power.overlaid() == ()


def test_the_environment_counts_as_the_users_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BINY_CAPTURE__MERGE_MS", "5000")
    chosen = build({})
    assert touched(chosen, "capture.merge_ms")
    assert not touched(chosen, "watch.enabled")
    assert profile(chosen)[0].settings().capture.merge_ms == 5_000


def test_other_settings_of_a_group_stay_as_they_were_made() -> None:
    power, _, _ = profile(build({"capture": {"typing_pause_ms": 3_000}, "read": {"every": 7}}))
    now = power.settings()
    assert (now.capture.merge_ms, now.capture.typing_pause_ms, now.read.every) == (8_000, 3_000, 7)


def test_on_mains_nothing_changes_and_the_battery_is_looked_at_each_half_minute() -> None:
    chosen = build({})
    power, battery, clock = profile(chosen, on=False)
    assert power.settings() is chosen
    battery.on = True
    for _ in range(5):
        assert power.settings() is chosen
    assert battery.looks == 1
    clock.advance(POWER_MS)
    assert power.settings().capture.merge_ms == 8_000
    battery.on = False
    clock.advance(POWER_MS)
    assert power.settings() is chosen
    assert power.overlaid() == ()


def test_a_changed_setting_is_in_force_at_once(tmp_path: Path) -> None:
    store = SettingsStore(prepare(resolve(tmp_path / "home")), EventBus())
    power = PowerProfile(store.current, FakeClock(), lambda: True)
    assert power.settings().capture.merge_ms == 8_000
    store.set("capture.merge_ms", "6000")
    assert power.settings().capture.merge_ms == 6_000
    store.reset("capture.merge_ms")
    assert power.settings().capture.merge_ms == 8_000


@pytest.mark.parametrize(
    ("battery", "idle", "allowed"),
    [(False, 0, True), (False, None, True), (True, 0, False), (True, None, False), (True, SETTLED_IDLE_MS, True)],
)
def test_on_battery_reading_waits_for_a_minute_without_input(battery: bool, idle: int | None, allowed: bool) -> None:
    clock = FakeClock()
    last = None if idle is None else clock.mono_ms() - idle
    assert reading_allowed(clock.mono_ms, lambda: last, lambda: battery)() is allowed


def test_a_system_that_cannot_tell_is_on_mains(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OSError("no sensor")

    monkeypatch.setattr("psutil.sensors_battery", refuse, raising=False)
    assert system_on_battery() is False
    monkeypatch.setattr("psutil.sensors_battery", lambda: None, raising=False)
    assert system_on_battery() is False
