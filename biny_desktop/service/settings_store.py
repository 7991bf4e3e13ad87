"""The settings as the running product sees them: one frozen snapshot, replaced on change, told to everyone."""

import threading

from biny_desktop.core.errors import InvalidSettingError
from biny_desktop.core.events import EventBus, SettingChanged
from biny_desktop.core.settings import Settings, Value, get, load
from biny_desktop.storage import settings_file
from biny_desktop.storage.folders import Folders


class SettingsStore:
    """Loads `settings.toml` once and again when its time stamp moved."""

    def __init__(self, folders: Folders, events: EventBus) -> None:
        self._path = folders.settings_file
        self._events = events
        self._lock = threading.Lock()
        self._stamp = self._mtime()
        self._settings = load(self._path)
        self.problem: InvalidSettingError | None = None

    def current(self) -> Settings:
        """The snapshot to work with; a file that became unreadable keeps the last good one (`problem` says why)."""
        stamp = self._mtime()
        if stamp != self._stamp:
            with self._lock:
                self._stamp = stamp
                try:
                    self._settings, self.problem = load(self._path), None
                except InvalidSettingError as error:
                    self.problem = error
        return self._settings

    def value(self, key: str) -> Value:
        """One value now.

        Raises:
            InvalidSettingError: there is no such setting.
        """
        return get(self.current(), key)

    def set(self, key: str, text: str) -> Value:
        """Check, store and announce a setting.

        Raises:
            InvalidSettingError: not accepted, nothing changed. StorageError: the file cannot be written.
        """
        value = settings_file.set_value(self._path, key, text)
        self._reload(key)
        return value

    def reset(self, key: str) -> Value:
        """Back to the default; returns it."""
        get(self.current(), key)
        settings_file.unset(self._path, key)
        self._reload(key)
        return self.value(key)

    def _reload(self, key: str) -> None:
        with self._lock:
            self._stamp = self._mtime()
            self._settings, self.problem = load(self._path), None
        self._events.publish(SettingChanged(key))

    def _mtime(self) -> int:
        try:
            return self._path.stat().st_mtime_ns
        except FileNotFoundError:
            return 0
