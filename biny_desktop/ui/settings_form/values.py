"""The values of the settings as the window knows them: read and changed on pool threads, told when they moved."""

import os
import threading
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from biny_desktop.core.errors import BinyError
from biny_desktop.core.settings import Declaration, Settings, Value, declarations, get
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls


class SettingValues(QObject):
    """`loaded` when values were read; `refused(key, BinyError)` when a change was not accepted, nothing is changed."""

    loaded = Signal()
    refused = Signal(str, object)

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._product, self._calls = product, calls
        self._settings: Settings | None = None
        self._overlaid: dict[str, Value] = {}
        self._todo: deque[tuple[str, Callable[[], object]]] = deque()
        self._order = threading.Lock()
        self.declared: dict[str, Declaration] = {each.key: each for each in declarations()}
        bridge.setting_changed.connect(self._on_setting)

    def load(self) -> None:
        """Read them; `loaded` follows."""
        self._calls.run(self._read, self._on_read, owner=self, latest="settings")

    def _on_setting(self, _key: str) -> None:
        self.load()

    def value(self, key: str) -> Value | None:
        """The value in force; None before the first `loaded`."""
        return get(self._settings, key) if self._settings is not None else None

    def is_default(self, key: str) -> bool:
        """Whether nothing differs from the declaration."""
        return self.value(key) == self.declared[key].default

    def on_battery(self, key: str) -> Value | None:
        """The value in force instead, while the machine runs on battery; None when its own is."""
        return self._overlaid.get(key)

    def set(self, key: str, text: str) -> None:
        """Change one; `loaded` or `refused` follows."""
        self._change(key, lambda: self._product.set_setting(key, text))

    def reset(self, key: str) -> None:
        """Back to the default; `loaded` or `refused` follows."""
        self._change(key, lambda: self._product.reset_setting(key))

    def _change(self, key: str, work: Callable[[], object]) -> None:
        self._todo.append((key, work))
        self._calls.run(self._do_oldest, self._on_done, owner=self)

    def _do_oldest(self) -> tuple[str, BinyError | None]:
        """On a pool thread: changes are made in the order they were asked for, whichever thread comes first, so that
        of two values given to one setting the later one stays."""
        with self._order:
            key, work = self._todo.popleft()
            try:
                work()
            except BinyError as error:
                return key, error
        return key, None

    def _on_done(self, done: tuple[str, BinyError | None]) -> None:
        key, error = done
        if error is None:
            self.load()
        else:
            self.refused.emit(key, error)

    def _read(self) -> tuple[Settings, dict[str, Value]]:
        overlaid = {each.key: each.now for each in self._product.power.overlaid()}
        return self._product.settings.current(), overlaid

    def _on_read(self, found: tuple[Settings, dict[str, Value]]) -> None:
        self._settings, self._overlaid = found
        self.loaded.emit()


def environment_name(key: str) -> str | None:
    """The environment variable that sets this setting now, None when none does."""
    group, _dot, name = key.partition(".")
    wanted = f"BINY_{group}__{name}".upper()
    return next((each for each in os.environ if each.upper() == wanted), None)
