"""Whole homes for tests of backup, encryption and damage: real files, and a child killed at a chosen file step."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from biny_desktop.service.data_care.opening import OpenedHome, open_home
from biny_desktop.storage.database import Database
from biny_desktop.storage.folders import Folders, prepare, resolve
from biny_desktop.storage.keys import Keyring, obtain
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock

PLAIN = b"telling"
"""A word of every title and text; JPEG files begin with other bytes, see `plain_files`."""
_JPEG = b"\xff\xd8\xff"
_STEPS = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree"}


class MemoryKeyring:
    """A keyring that works."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get(self, user: str) -> str | None:
        return self.kept.get(user)

    def set(self, user: str, secret: str) -> None:
        self.kept[user] = secret

    def forget(self, user: str) -> None:
        self.kept.pop(user, None)


class NoKeyring:
    """None: keys go into files."""

    def get(self, user: str) -> str | None:
        raise OSError("no bus")

    def set(self, user: str, secret: str) -> None:
        raise OSError("no bus")

    def forget(self, user: str) -> None:
        raise OSError("no bus")


@dataclass
class Home:
    """A closed home with some frames, texts and pictures. `content` is what a person would miss."""

    path: Path
    ring: Keyring = field(default_factory=NoKeyring)
    clock: FakeClock = field(default_factory=FakeClock)

    @property
    def folders(self) -> Folders:
        return resolve(self.path)

    def fill(self, frames: int = 3, *, encrypted: bool) -> "Home":
        key = obtain(prepare(self.folders), self.ring, encrypt_new=encrypted)
        activity = ActivityHome(self.folders.data, self.clock, key.secret)
        for n in range(frames):
            self.clock.advance(60_000)
            activity.seen(f"telling title {n}", f"a telling line {n}", seed=n + 1)
        activity.close()
        return self

    def open(self) -> OpenedHome:
        return open_home(self.folders, self.ring, self.clock, encrypt_new=True)

    def opened(self, use: Callable[[OpenedHome], object]) -> object:
        home = self.open()
        try:
            return use(home)
        finally:
            home.database.close()
            home.presence.leave()

    def content(self) -> dict[int, tuple[str, str | None, str | None]]:
        """Frame id → title, text, hash of the JPEG."""
        return self.opened(_content)  # type: ignore[return-value]

    def found(self, word: str) -> int:
        """How many frames full-text search finds by a word."""

        def count(home: OpenedHome) -> int:
            with home.database.read() as r:
                return len(r.query("SELECT rowid FROM frame_fts WHERE frame_fts MATCH :w", {"w": f'"{word}"'}))

        return self.opened(count)  # type: ignore[return-value]

    def plain_files(self) -> list[str]:
        """Files of the data folder in which captured words or a JPEG can be read."""
        found = []
        for path in self.folders.data.rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                if PLAIN in data or _JPEG in data[:3] or b"SQLite format" in data:
                    found.append(path.relative_to(self.folders.data).as_posix())
        return sorted(found)

    def copy_to(self, path: Path) -> "Home":
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.path, path)
        return Home(path, self.ring, self.clock)


def _content(home: OpenedHome) -> dict[int, tuple[str, str | None, str | None]]:
    with home.database.read() as r:
        rows = r.query(
            "SELECT f.id, f.title, t.text, p.path FROM frames f LEFT JOIN frame_text t ON t.frame_id = f.id "
            "LEFT JOIN pictures p ON p.id = f.picture_id ORDER BY f.id"
        )
    found = {}
    for row in rows:
        path = row.maybe_text("path")
        picture = None if path is None else sha256(home.files.read(path)).hexdigest()
        found[row.int("id")] = (row.text("title"), row.maybe_text("text"), picture)
    return found


def killed_at_each_step(work: Callable[[], object]) -> Iterator[int]:
    """Run `work` in a child that kills itself (SIGKILL) before its n-th change of a file, for n = 1, 2, …

    Yields n after each killed run, for the caller to look and to put things back; ends when a run gets through.
    """
    step = 0
    while True:
        step += 1
        child = os.fork()
        if child == 0:
            _run_and_die(work, step)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            assert os.WEXITSTATUS(status) == 0, "the work failed by itself"
            return
        yield step


def _run_and_die(work: Callable[[], object], step: int) -> None:
    left = step

    def on_event(event: str, args: tuple[object, ...]) -> None:
        nonlocal left
        writes = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if event in _STEPS or writes:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    status = 1
    try:
        sys.addaudithook(on_event)
        work()
        status = 0
    finally:
        os._exit(status)


def zero_page(path: Path, number: int, size: int = 4096) -> None:
    """Overwrite a page (counted from 1) with zeros, as a bad disk may."""
    with path.open("r+b") as file:
        file.seek((number - 1) * size)
        file.write(bytes(size))


def pages_of(database: Database, table: str) -> list[tuple[int, str]]:
    """(number, kind) of the pages of a table or index, in the order of the tree."""
    with database.read() as r:
        rows = r.query("SELECT pageno, pagetype FROM dbstat WHERE name = :t ORDER BY path", {"t": table})
    return [(row.int("pageno"), row.text("pagetype")) for row in rows]
