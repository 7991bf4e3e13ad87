"""`TurnStore`: one checkpoint file a session, written whole or not at all, sealed when the database is encrypted."""

import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from biny_desktop.conversation.turns.state import DamagedTurnError, TurnState, damaged, from_json, to_json
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnsafePathError
from biny_desktop.storage.atomic import TEMP_SUFFIX, FileOps, RealFileOps, write_atomic
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import private_folder
from biny_desktop.storage.sealing import SEALED, seal, unseal

_PURPOSE: Final = "turns"
_PLAIN: Final = ".json"
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
_FILE = re.compile(rf"({_ID.pattern})\.json(\.sealed)?")
_TEMP = re.compile(rf"({_ID.pattern})\.json(\.sealed)?\.[0-9a-f]+{re.escape(TEMP_SUFFIX)}")


class TurnStore:
    """Checkpoints of the sessions of one home (spec 05 §7).

    Args:
        folder: absolute path of `turns/`; made with the first checkpoint.
        secret: the database key; None keeps files plain.
        ops: the file operations (tests inject faults).
        former: the key before a change of keys; what it sealed is read too.
    """

    def __init__(
        self, folder: Path, secret: bytes | None, clock: Clock, ops: FileOps | None = None, *,
        former: bytes | None = None,
    ) -> None:  # fmt: skip
        self._folder, self._secret, self._former, self._clock = folder, secret, former, clock
        self._ops = ops or RealFileOps()

    def save(self, state: TurnState) -> None:
        """Write the checkpoint of its session in place of the one before; the file is the old or the new one.

        Raises:
            DiskFullError, StorageError: it was not written; the turn must not go on to its next request.
        """
        self._write(state.session_id, to_json(replace(state, updated_at_ms=self._clock.now_ms())))

    def load(self, session_id: str) -> TurnState | None:
        """The checkpoint of a session, None when it has none.

        Raises:
            DamagedTurnError: there is one and it cannot be read.
        """
        found = self._files(session_id)
        if not found:
            return None
        return from_json(self._open(found[0]), session_id)

    def remove(self, session_id: str) -> None:
        """Remove the checkpoint; nothing happens when there is none.

        Raises:
            StorageError: it is still there.
        """
        for path in self._files(session_id):
            self._drop(path)

    def sessions(self) -> tuple[str, ...]:
        """Sessions that have a checkpoint, whole or damaged."""
        return tuple(sorted({match[1] for match in map(_FILE.fullmatch, self._names()) if match}))

    def tidy(self, writing: Callable[[str], bool] = lambda _session_id: False) -> int:
        """Remove what killed writes left (at start); returns how many files.

        Args:
            writing: whether a session has a turn that runs now, maybe in another process: its files are left alone.
        """
        stray = [
            self._folder / match[0] for match in map(_TEMP.fullmatch, self._names()) if match and not writing(match[1])
        ]
        for path in stray:
            self._drop(path)
        return len(stray)

    def reseal(self) -> int:
        """Write every checkpoint as the key of now wants it, sealed or plain; returns how many were not yet.

        One that holds no whole checkpoint is written as it is: it has to be shown. One whose seal no key here opens
        stays.

        Raises:
            DiskFullError, StorageError: the rest waits; call it again.
        """
        changed = 0
        for session_id in self.sessions():
            files = self._files(session_id)
            if len(files) == 1 and self._as_wanted(files[0]):
                continue
            try:
                data = self._open(files[0])
            except DamagedTurnError:
                continue
            self._write(session_id, data)
            changed += 1
        return changed

    def _write(self, session_id: str, data: bytes) -> None:
        target = self._path(session_id, sealed=self._secret is not None)
        if self._secret is not None:
            data = seal(self._secret, _PURPOSE, data, target.name)
        private_folder(self._folder)
        write_atomic(target, data, self._ops, mark=f".{secrets.token_hex(6)}")
        other = self._path(session_id, sealed=self._secret is None)
        if other.exists():  # of the time before encryption was switched
            self._drop(other)

    def _path(self, session_id: str, *, sealed: bool) -> Path:
        if not _ID.fullmatch(session_id):
            raise UnsafePathError("The session id is not safe", "It cannot name a file.")
        return self._folder / (session_id + _PLAIN + (SEALED if sealed else ""))

    def _files(self, session_id: str) -> list[Path]:
        """Its files that are there; first the form of now, which is the newer one if both are."""
        wanted = self._secret is not None
        paths = [self._path(session_id, sealed=wanted), self._path(session_id, sealed=not wanted)]
        return [path for path in paths if path.is_symlink() or path.exists()]

    def _names(self) -> list[str]:
        with explained("Listing the checkpoints"):
            return [path.name for path in self._folder.iterdir()] if self._folder.is_dir() else []

    def _open(self, path: Path) -> bytes:
        """What is in a file. Raises DamagedTurnError."""
        try:
            if path.is_symlink():
                raise damaged()
            data = path.read_bytes()
        except OSError as error:
            raise damaged() from error
        if not path.name.endswith(SEALED):
            return data
        for key in (self._secret, self._former):
            plain = None if key is None else unseal(key, _PURPOSE, data, path.name)
            if plain is not None:
                return plain
        raise damaged()

    def _as_wanted(self, path: Path) -> bool:
        if path.name.endswith(SEALED) != (self._secret is not None):
            return False
        with explained("Reading a checkpoint"):
            return self._secret is None or unseal(self._secret, _PURPOSE, path.read_bytes(), path.name) is not None

    def _drop(self, path: Path) -> None:
        with explained("Removing a checkpoint"):
            try:
                self._ops.unlink(path)
            except FileNotFoundError:
                return
