"""The local socket of a running app: one JSON object in, one out; only processes of the same user can speak to it.

`multiprocessing.connection` gives a Unix socket (a named pipe on Windows), so neither Qt nor an own protocol is needed;
messages are sent as bytes, nothing is ever unpickled. It replaces QLocalServer of spec 01, which the command line could
not use without loading Qt. Each question carries the key of the home (a file of mode 0600) instead of the module's own
challenge, which a client that stops in the middle could block for ever.
"""

import contextlib
import hmac
import json
import logging
import os
import secrets
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import TypeAlias

from biny_desktop.core.errors import BinyError, UnavailableError
from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.folders import Folders
from biny_desktop.storage.rows import JsonValue

log = logging.getLogger(__name__)
Message: TypeAlias = Mapping[str, JsonValue]
Handler: TypeAlias = Callable[[Message], Message]
MAX_BYTES = 1_000_000
ANSWER_S = 10.0
"""How long a client waits for the answer (a capture may take a few seconds)."""
QUESTION_S = 2
"""How long the server waits for a client to ask, whole seconds."""


class LocalServer:
    """Answers commands while the app runs. `run` fits `Supervisor.add`."""

    def __init__(self, folders: Folders, handler: Handler) -> None:
        self._folders = folders
        self._handler = handler
        self._key = _make_key(folders)
        self._address, family = address, _ = _address(folders)
        if family == "AF_UNIX":
            Path(address).unlink(missing_ok=True)  # the instance lock is ours, so a socket left there is a dead one's
        self._listener = Listener(address, family)
        if family == "AF_UNIX":
            Path(address).chmod(0o600)

    def run(self, stop: threading.Event) -> None:
        """Serve until `stop` is set; one client at a time, each with one question."""
        knocker = threading.Thread(target=self._knock_on, args=(stop,), name="biny-socket-closer", daemon=True)
        knocker.start()
        while not stop.is_set():
            with contextlib.suppress(OSError, EOFError), self._listener.accept() as connection:
                if not stop.is_set():
                    self._answer(connection)
        knocker.join()
        self._listener.close()

    def _knock_on(self, stop: threading.Event) -> None:
        """Wake `accept` when it is time to end: connect and hang up, without a word."""
        stop.wait()
        with contextlib.suppress(OSError), Client(self._address):
            pass

    def _answer(self, connection: Connection) -> None:
        _limit_waiting(connection)
        if not connection.poll(QUESTION_S):
            return
        try:
            question = json.loads(connection.recv_bytes(MAX_BYTES))
            if not isinstance(question, dict):
                answer = _error("not an object")
            elif not hmac.compare_digest(str(question.pop("key", "")).encode(), self._key):
                answer = _error("wrong key")
            else:
                answer = self._handler(question)
        except (ValueError, UnicodeDecodeError):
            answer = _error("not JSON")
        except BinyError as error:
            answer = {"error": {"kind": error.kind, "message": f"{error.title}: {error.message}", "hint": error.hint}}
        connection.send_bytes(json.dumps(answer).encode())


def ask(folders: Folders, message: Message) -> Message:
    """Ask the running app of this home.

    Raises:
        UnavailableError: no app is running, or it does not answer.
    """
    address, family = _address(folders)
    try:
        key = _key_path(folders).read_bytes()
        with Client(address, family) as connection:
            connection.send_bytes(json.dumps({**message, "key": key.decode("ascii")}).encode())
            if not connection.poll(ANSWER_S):
                raise UnavailableError("The app does not answer", "It is running but busy.", "Try again.")
            answer = json.loads(connection.recv_bytes(MAX_BYTES))
    except (OSError, EOFError, ValueError) as error:
        raise UnavailableError("The app is not running", "", "Start it with `biny run`.") from error
    return answer if isinstance(answer, dict) else {}


def _limit_waiting(connection: Connection) -> None:
    """A client that sends half a message is given up after `QUESTION_S`."""
    if os.name == "posix":
        with socket.socket(fileno=os.dup(connection.fileno())) as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", QUESTION_S, 0))


def _error(message: str) -> Message:
    return {"error": {"kind": "invalid_input", "message": message, "hint": ""}}


def _address(folders: Folders) -> tuple[str, str]:
    if os.name == "nt":
        return rf"\\.\pipe\{folders.socket_name}", "AF_PIPE"
    return str(folders.runtime_dir() / f"{folders.socket_name}.sock"), "AF_UNIX"


def _key_path(folders: Folders) -> Path:
    return folders.data / "socket.key"


def _make_key(folders: Folders) -> bytes:
    key = secrets.token_hex(16).encode()
    write_atomic(_key_path(folders), key)
    return key
