"""What the window remembers between starts, in `window.ini` of the home."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings


class WindowState:
    """Size, page, widths and what was said once. Values of a wrong type (a file edited by hand) count as missing."""

    def __init__(self, folder: Path) -> None:
        self._settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)

    def blob(self, key: str) -> QByteArray | None:
        """Bytes that Qt made (geometry)."""
        value = self._settings.value(key)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """A number inside its bounds."""
        try:
            return min(max(int(self._settings.value(key, default)), low), high)
        except (TypeError, ValueError):
            return default

    def flag(self, key: str) -> bool:
        """Whether it was set."""
        return str(self._settings.value(key, "false")).lower() == "true"

    def text(self, key: str) -> str:
        """A word."""
        value = self._settings.value(key, "")
        return value if isinstance(value, str) else ""

    def keep(self, **values: object) -> None:
        """Set values; `__` in a name becomes `/`."""
        for key, value in values.items():
            self._settings.setValue(key.replace("__", "/"), value)

    def page(self, key: str) -> QSettings:
        """The settings with the group of a page open; give it back with `endGroup`."""
        self._settings.beginGroup(f"page-{key}")
        return self._settings

    def sync(self) -> None:
        """Write to the file."""
        self._settings.sync()
