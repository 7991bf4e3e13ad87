"""Keys of model servers, one a server: in the system keyring, or in a private file when there is no keyring.

A server is named by its origin (scheme, host, port), so that a key never goes to another host than the one it was given
for. Keys are never logged and never part of a `repr`.
"""

import json
import logging
import re
from typing import Final

from biny_desktop.core.errors import InvalidInputError, StorageError
from biny_desktop.core.i18n import mark
from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.faults import explained
from biny_desktop.storage.file_lock import held
from biny_desktop.storage.folders import Folders, check_file
from biny_desktop.storage.keys import KeyPlace, Keyring

log = logging.getLogger(__name__)
KEY_MAX: Final = 4_096
"""Characters of a key; the longest known ones (signed tokens) have some 2,000."""
_KEY: Final = re.compile(r"^[\x21-\x7e]+$")
"""What can stand in an HTTP header: printable ASCII without spaces."""


class ModelKeys:
    """Keys of model servers in this home. Thread-safe, and safe between processes."""

    def __init__(self, folders: Folders, keyring: Keyring) -> None:
        self._path = folders.config / "model_keys.json"
        self._keyring = keyring

    def get(self, server: str) -> str | None:
        """The key of a server, or None.

        Args:
            server: its origin, as `models.slots.server_of` gives it.

        Raises:
            StorageError, UnsafePathError: the file with the keys cannot be read.
        """
        return self._from_keyring(server) or self._from_file().get(server)

    def place(self, server: str) -> KeyPlace:
        """Where the key of a server is kept: `keyring`, `file` (readable by programs of this user), or `none`.

        Raises:
            StorageError, UnsafePathError: the file with the keys cannot be read.
        """
        if self._from_keyring(server):
            return "keyring"
        return "file" if server in self._from_file() else "none"

    def set(self, server: str, key: str) -> KeyPlace:
        """Keep the key of a server, in place of an older one; returns where.

        Raises:
            InvalidInputError: it is empty or cannot be a key. StorageError, UnsafePathError: it cannot be kept.
        """
        key = key.strip()
        if not _KEY.match(key) or len(key) > KEY_MAX:
            raise InvalidInputError(
                mark("This is no key"), mark("A key is one word of plain letters, digits and signs."),
                mark("Copy it again from the page of your provider."),
            )  # fmt: skip
        if self._to_keyring(server, key):
            self._change_file(server, None)
            return "keyring"
        self._change_file(server, key)
        return "file"

    def forget(self, server: str) -> None:
        """Remove the key of a server wherever it is kept.

        Raises:
            StorageError, UnsafePathError: it is still there.
        """
        self._change_file(server, None)
        if self._from_keyring(server) is None:
            return
        try:
            self._keyring.forget(_user(server))
        except Exception as error:  # every back end has its own exceptions
            raise StorageError(
                mark("The key could not be removed"), mark("The keyring refused."), mark("Remove it in the keyring.")
            ) from error

    def _from_keyring(self, server: str) -> str | None:
        try:
            return self._keyring.get(_user(server)) or None
        except Exception as error:  # every back end has its own exceptions; any of them means: no keyring
            log.info("no usable keyring (%s)", type(error).__name__)
            return None

    def _to_keyring(self, server: str, key: str) -> bool:
        try:
            self._keyring.set(_user(server), key)
            return self._keyring.get(_user(server)) == key
        except Exception as error:  # see above
            log.info("no usable keyring (%s); the key is kept in a file", type(error).__name__)
            return False

    def _from_file(self) -> dict[str, str]:
        check_file(self._path)
        with explained("Reading the keys of model servers"):
            try:
                raw = self._path.read_bytes()
            except FileNotFoundError:
                return {}
        try:
            content = json.loads(raw)
        except ValueError as error:
            raise StorageError(
                mark("The file with the keys is damaged"), self._path.name, mark("Remove it and set the keys again.")
            ) from error
        found = content.items() if isinstance(content, dict) else ()
        return {name: key for name, key in found if isinstance(key, str)}

    def _change_file(self, server: str, key: str | None) -> None:
        if key is None and not self._path.exists():
            return
        with held(self._path.with_name("model_keys.lock")):
            content = self._from_file()
            content.pop(server, None)
            if key is not None:
                content[server] = key
            write_atomic(self._path, json.dumps(content).encode())


def _user(server: str) -> str:
    return f"model:{server}"
