"""The log file: rotating, private, and without any captured text (callers log ids, counts and reasons only)."""

import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path

from biny_desktop.storage.folders import Folders

MAX_BYTES = 2_000_000
KEPT_FILES = 4
_QUIET = ("PIL", "asyncio", "urllib3", "RapidOCR", "jeepney", "keyring", "xcffib")


def start_logging(folders: Folders, *, debug: bool = False) -> Path:
    """Log to `biny.log` of this home (mode 0600); returns its path. Calling it again changes the level only."""
    path = folders.logs / "biny.log"
    root = logging.getLogger()
    root.setLevel(logging.DEBUG if debug else logging.INFO)
    if not any(isinstance(handler, _PrivateFile) and handler.baseFilename == str(path) for handler in root.handlers):
        handler = _PrivateFile(path, maxBytes=MAX_BYTES, backupCount=KEPT_FILES, encoding="utf-8", delay=True)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"))
        root.addHandler(handler)
    for name in _QUIET:  # libraries that might quote what they were given
        logging.getLogger(name).setLevel(logging.WARNING)
    return path


def tail(folders: Folders, lines: int = 200) -> list[str]:
    """The last lines of the log, oldest first."""
    try:
        return (folders.logs / "biny.log").read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]
    except FileNotFoundError:
        return []


class _PrivateFile(RotatingFileHandler):
    def _open(self):  # type: ignore[no-untyped-def]  # the base class returns a TextIOWrapper
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return os.fdopen(handle, "a", encoding="utf-8")
