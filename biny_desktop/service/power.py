"""What the machine's power allows: on battery some settings that nobody touched are other ones (spec 02 §10)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from biny_desktop.core.clock import Clock
from biny_desktop.core.settings import Settings, Value, get

POWER_MS: Final = 30_000
"""The battery is looked at this often (monotonic ms)."""
ON_BATTERY: Final[tuple[tuple[str, Value], ...]] = (
    ("capture.merge_ms", 8_000),
    ("watch.enabled", False),
    ("read.catch_up", False),
)
"""Key → value on battery (§10); only for settings the user did not make."""


@dataclass(frozen=True, slots=True)
class Overlaid:
    """A setting that is another one for now: its own value, and the one in force."""

    key: str
    value: Value
    now: Value


class PowerProfile:
    """The settings of this moment, and what of them is due to the battery. Thread-safe: a race only looks twice."""

    def __init__(self, settings: Callable[[], Settings], clock: Clock, probe: Callable[[], bool] | None = None) -> None:
        self._settings, self._clock = settings, clock
        self._probe = probe or system_on_battery
        self._looked_ms: int | None = None
        self._on_battery = False
        self._made: tuple[Settings, bool, Settings] | None = None

    def on_battery(self) -> bool:
        """Whether the machine runs on battery; looked at each 30 s."""
        now = self._clock.mono_ms()
        if self._looked_ms is None or now - self._looked_ms >= POWER_MS:
            self._looked_ms, self._on_battery = now, self._probe()
        return self._on_battery

    def settings(self) -> Settings:
        """The settings in force."""
        chosen, battery = self._settings(), self.on_battery()
        made = self._made
        if made is None or made[0] is not chosen or made[1] != battery:
            made = (chosen, battery, _overlay(chosen) if battery else chosen)
            self._made = made
        return made[2]

    def overlaid(self) -> tuple[Overlaid, ...]:
        """What is in force instead of a setting's own value, for the Settings page and Doctor."""
        chosen, now = self._settings(), self.settings()
        keys = [key for key, _ in ON_BATTERY if get(chosen, key) != get(now, key)]
        return tuple(Overlaid(key, get(chosen, key), get(now, key)) for key in keys)


def touched(settings: Settings, key: str) -> bool:
    """Whether the user made this setting, in the file or the environment."""
    group, _, name = key.partition(".")
    fields: set[str] = getattr(settings, group).model_fields_set
    return name in fields


def _overlay(chosen: Settings) -> Settings:
    changed: dict[str, Any] = {}
    for key, value in ON_BATTERY:
        group, _, name = key.partition(".")
        if not touched(chosen, key):
            before = changed.get(group) or getattr(chosen, group)
            changed[group] = before.model_copy(update={name: value})
    return chosen.model_copy(update=changed)


def system_on_battery() -> bool:
    """Whether the system says that it runs on battery; False where it has none or does not tell."""
    import psutil

    try:
        battery = psutil.sensors_battery()
    except (OSError, RuntimeError, AttributeError):  # no such sensor on this system
        return False
    return battery is not None and battery.power_plugged is False
