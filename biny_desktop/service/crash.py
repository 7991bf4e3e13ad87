"""Crash files: where the app failed, and nothing of what it was working on.

A traceback's message and its variables may quote captured text, so neither is written: only the kinds of the exceptions
and the places in the code. Faults below Python are written by `faulthandler`, which knows no values either.
"""

import contextlib
import faulthandler
import os
import re
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final

from biny_desktop.core.clock import Clock
from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import Folders

KEPT: Final = 20
"""Crash files kept; the oldest go."""
_NAME: Final = re.compile(r"^crash-(\d{8}T\d{6})-[\w-]+?(\.seen)?\.txt$")
_STAMP: Final = "%Y%m%dT%H%M%S"


@dataclass(frozen=True, slots=True)
class Crash:
    """One crash file: when (UTC ms), and whether the person has seen it."""

    path: str
    at_ms: int
    seen: bool


def watch_for_crashes(folders: Folders, clock: Clock) -> Callable[[], None]:
    """Write a crash file for every exception that nothing catches, in any thread; returns what ends it.

    The exception is then handed on to whoever handled it before.
    """
    before, before_thread = sys.excepthook, threading.excepthook
    native = folders.logs / f"crash-{_stamp(clock.now_ms())}-{os.getpid()}-native.txt"
    with explained("Opening the crash file"):
        for old in folders.logs.glob("crash-*-native.txt"):
            if old.stat().st_size == 0:
                old.unlink()  # of a run that was killed
        handle = os.open(native, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    faulthandler.enable(handle, all_threads=True)

    def on_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        write_crash(folders, clock, error)
        before(kind, error, trace)

    def on_thread_error(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            write_crash(folders, clock, args.exc_value)
        before_thread(args)

    def end() -> None:
        sys.excepthook, threading.excepthook = before, before_thread
        faulthandler.disable()
        os.close(handle)
        with contextlib.suppress(OSError):
            if native.stat().st_size == 0:
                native.unlink()

    sys.excepthook, threading.excepthook = on_error, on_thread_error
    return end


def write_crash(folders: Folders, clock: Clock, error: BaseException) -> None:
    """Write one crash file; a fault while doing so is swallowed, the crash itself is what matters."""
    path = folders.logs / f"crash-{_stamp(clock.now_ms())}-{os.getpid()}.txt"
    with contextlib.suppress(Exception):
        write_atomic(path, "\n".join(_scrubbed(error)).encode())
        for old in sorted(folders.logs.glob("crash-*.txt"))[:-KEPT]:
            old.unlink()


def crashes(folders: Folders) -> list[Crash]:
    """Crash files that hold something, oldest first."""
    found = []
    for path in sorted(folders.logs.glob("crash-*.txt")):
        match = _NAME.match(path.name)
        if match and path.is_file() and path.stat().st_size:
            when = datetime.strptime(match.group(1), _STAMP).replace(tzinfo=UTC)
            found.append(Crash(str(path), int(when.timestamp() * 1000), match.group(2) is not None))
    return found


def acknowledge_crashes(folders: Folders) -> None:
    """The person has seen them: they are kept under another name. Raises StorageError."""
    with explained("Renaming a crash file"):
        for crash in crashes(folders):
            if not crash.seen:
                path = Path(crash.path)
                path.rename(path.with_suffix(".seen.txt"))


def _stamp(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):{_STAMP}}"


def _scrubbed(error: BaseException) -> list[str]:
    """Kinds and places, innermost cause first as Python shows it."""
    lines: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        block = [f"{type(current).__module__}.{type(current).__qualname__}"]
        for frame, line in traceback.walk_tb(current.__traceback__):
            code = frame.f_code
            block.append(f"  {_shown(code.co_filename)}:{line} in {code.co_qualname}")
        lines = [*block, "", *lines]
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return lines


def _shown(file: str) -> str:
    """The place in a package, without the folders above it: those may hold a person's name."""
    parts = Path(file).parts
    for root in ("site-packages", "biny_desktop"):
        if root in parts:
            start = len(parts) - parts[::-1].index(root) - (root == "biny_desktop")
            return "/".join(parts[start:])
    return Path(file).name
