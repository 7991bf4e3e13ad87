"""Sockets of compositors that do as the test says: Sway's IPC and Hyprland's pair."""

import contextlib
import json
import socket
import struct
import threading
from pathlib import Path
from typing import Any

HEADER = struct.Struct("=6sII")
STEP_S = 0.02


class SocketServer:
    """Listens at `path`; each connection is served by `serve` in a thread of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen()
        self._listener.settimeout(STEP_S)
        self._add(self._accept)

    def close(self) -> None:
        """End as a compositor that dies: every connection is cut; may be called twice."""
        self._stopping.set()
        for thread in list(self._threads):
            thread.join()
        self._listener.close()
        self.path.unlink(missing_ok=True)

    def serve(self, conn: socket.socket) -> None:
        raise AssertionError("not served")

    def wait_end(self) -> None:
        self._stopping.wait()

    @property
    def ended(self) -> bool:
        return self._stopping.is_set()

    def _add(self, run: Any, *args: Any) -> None:
        thread = threading.Thread(target=run, args=args, name="fake-compositor", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(TimeoutError):
                conn, _ = self._listener.accept()
                self._add(self._one, conn)

    def _one(self, conn: socket.socket) -> None:
        with conn, contextlib.suppress(OSError):
            conn.settimeout(5)
            self.serve(conn)


class FakeSway(SocketServer):
    """`answers[kind]` is sent as JSON, or as it is when bytes; `silent` never answers; `event` tells subscribers."""

    def __init__(self, path: Path, answers: dict[int, Any]) -> None:
        self.answers = answers
        self.silent = False
        self.magic = b"i3-ipc"
        self.subscribers: list[socket.socket] = []
        super().__init__(path)

    def serve(self, conn: socket.socket) -> None:
        magic, size, kind = HEADER.unpack(conn.recv(HEADER.size, socket.MSG_WAITALL))
        assert magic == b"i3-ipc"
        payload = conn.recv(size, socket.MSG_WAITALL) if size else b""
        if self.silent:
            self.wait_end()
            return
        if kind == 2:
            assert json.loads(payload) == ["window", "workspace", "output"]
            self._send(conn, kind, b'{"success": true}')
            self.subscribers.append(conn)
            self.wait_end()
            return
        answer = self.answers[kind]
        self._send(conn, kind, answer if isinstance(answer, bytes) else json.dumps(answer).encode())

    def event(self) -> None:
        for conn in self.subscribers:
            self._send(conn, 0x80000003, b'{"change": "focus"}')

    def _send(self, conn: socket.socket, kind: int, payload: bytes) -> None:
        conn.sendall(HEADER.pack(self.magic, len(payload), kind) + payload)


class FakeHyprland(SocketServer):
    """Answers `j/<question>` from `answers` and ends the connection, as Hyprland does."""

    def __init__(self, folder: Path, answers: dict[str, Any]) -> None:
        self.answers = answers
        self.silent = False
        super().__init__(folder / ".socket.sock")

    def serve(self, conn: socket.socket) -> None:
        question = conn.recv(4096).decode()
        assert question.startswith("j/")
        if self.silent:
            self.wait_end()
            return
        answer = self.answers[question[2:]]
        conn.sendall(answer if isinstance(answer, bytes) else json.dumps(answer).encode())


class FakeEvents(SocketServer):
    """Hyprland's second socket."""

    def __init__(self, folder: Path) -> None:
        self.listeners: list[socket.socket] = []
        super().__init__(folder / ".socket2.sock")

    def serve(self, conn: socket.socket) -> None:
        self.listeners.append(conn)
        self.wait_end()

    def event(self) -> None:
        for conn in self.listeners:
            conn.sendall(b"activewindow>>kitty,title\n")
