"""What people call a program: the Name of its desktop file, else its window class."""

import configparser
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from biny_desktop.core.text import clean_title

_ENTRY = "Desktop Entry"


class AppNames:
    """Names by window class; the desktop files are read once, at the first question."""

    def __init__(self, folders: Sequence[Path] | None = None) -> None:
        self._folders = list(folders) if folders is not None else None
        self._names: dict[str, str] | None = None

    def name_of(self, wm_class: str) -> str:
        """The name for this window class; the class itself when no desktop file claims it."""
        if self._names is None:
            self._names = dict(_entries(self._folders if self._folders is not None else data_folders()))
        return self._names.get(wm_class.lower(), wm_class)


def data_folders() -> list[Path]:
    """Where desktop files live, least important first (freedesktop base directories)."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local/share")
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [Path(folder) / "applications" for folder in [*reversed(shared.split(":")), home] if folder]


def _entries(folders: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """(class or file name in lower case, name) of every desktop file, StartupWMClass last so that it wins."""
    named: list[tuple[str, str]] = []
    for folder in folders:
        try:
            paths = sorted(folder.glob("*.desktop"))
        except OSError:
            continue
        for path in paths:
            entry = _read(path)
            name = clean_title(entry.get("name", ""))
            if name and entry.get("nodisplay", "").lower() != "true":
                stem = path.stem.lower()
                yield stem, name
                yield stem.rsplit(".", 1)[-1], name
                if entry.get("startupwmclass"):
                    named.append((entry["startupwmclass"].lower(), name))
    yield from named


def _read(path: Path) -> dict[str, str]:
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    try:
        parser.read_string(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, configparser.Error):
        return {}
    return dict(parser[_ENTRY]) if parser.has_section(_ENTRY) else {}
