"""What the person decided about recording: agreed, paused until when; in the database, so it survives a restart."""

import re

from biny_desktop.capture.ports import FOREVER_MS
from biny_desktop.core.clock import Clock, to_local
from biny_desktop.core.days import activity_range, calendar_day
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.service.settings_store import SettingsStore
from biny_desktop.storage.database import Database

_LENGTH = re.compile(r"^(\d{1,4})\s*(m|min|h|d)?$")
_UNIT_MS = {"m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_KEY = "capture.paused_until_ms"


class RecordingControl:
    """Implements `capture.ports.Control`; changed by the window, the tray and the command line."""

    def __init__(self, database: Database, settings: SettingsStore, clock: Clock) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock

    def enabled(self) -> bool:
        """Recording is agreed to and on."""
        return self._settings.current().capture.enabled

    def paused_until_ms(self) -> int | None:
        """None: not paused; else UTC ms (`FOREVER_MS` for a pause without end). A pause that ran out is none."""
        with self._database.read() as r:
            row = r.one("SELECT value FROM meta WHERE key = :key", {"key": _KEY})
        until = int(row.text("value")) if row else 0
        return until if until > self._clock.now_ms() else None

    def pause(self, length: str = "") -> int:
        """Pause recording; returns until when (UTC ms).

        Args:
            length: "" (until resumed), "15m", "1h", "2d", or "tomorrow" (until the next `day.start`).

        Raises:
            InvalidInputError: the length cannot be read; nothing changed.
        """
        until = self._until(length.strip().lower())
        with self._database.write() as w:
            w.run(
                "INSERT INTO meta(key, value) VALUES(:key, :value) "
                "ON CONFLICT(key) DO UPDATE SET value = excluded.value",
                {"key": _KEY, "value": str(until)},
            )
        return until

    def resume(self) -> None:
        """End a pause; nothing happens when there is none."""
        with self._database.write() as w:
            w.run("DELETE FROM meta WHERE key = :key", {"key": _KEY})

    def _until(self, length: str) -> int:
        stamp = self._clock.stamp()
        if length == "":
            return FOREVER_MS
        if length == "tomorrow":
            start = self._settings.current().day.start
            today = activity_range(calendar_day(stamp.at_ms, stamp.zone), stamp.zone, start)
            return today.start_ms if stamp.at_ms < today.start_ms else today.end_ms
        match = _LENGTH.match(length)
        if match is None or int(match.group(1)) == 0:
            raise InvalidInputError(
                "How long?", f"{length!r} is no length of time.", "Say for example 15m, 1h, 2d or tomorrow."
            )
        return stamp.at_ms + int(match.group(1)) * _UNIT_MS[match.group(2) or "m"]


def describe_until(until_ms: int, zone: str) -> str:
    """ISO local minute of the end of a pause, or "resumed"."""
    return "resumed" if until_ms >= FOREVER_MS else to_local(until_ms, zone).isoformat(" ", "minutes")
