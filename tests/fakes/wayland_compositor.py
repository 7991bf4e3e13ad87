"""A Wayland compositor without a screen: tells monitors, windows and idle notices over a real socket."""

import contextlib
import socket
import struct
import threading
from pathlib import Path
from typing import Any

from tests.fakes.compositor_sockets import STEP_S, SocketServer

IDLE, TOPLEVELS = "ext_idle_notifier_v1", "zwlr_foreign_toplevel_manager_v1"
OUTPUT, XDG = "wl_output", "zxdg_output_manager_v1"


def event(target: int, opcode: int, *arguments: int | str | list[int]) -> bytes:
    """A message, written here by hand and not by the code that is tested."""
    body = b""
    for each in arguments:
        if isinstance(each, int):
            body += struct.pack("=i" if each < 0 else "=I", each)
        elif isinstance(each, str):
            text = each.encode() + b"\0"
            body += struct.pack("=I", len(text)) + text + b"\0" * (-len(text) % 4)
        else:
            body += struct.pack("=I", 4 * len(each)) + struct.pack(f"={len(each)}I", *each)
    return struct.pack("=IHH", target, opcode, 8 + len(body)) + body


class FakeCompositor(SocketServer):
    """Offers the interfaces of `offers` (name: version). `outputs` are (name, place, mode, logical size or None)."""

    def __init__(self, path: Path, offers: dict[str, int], outputs: list[tuple[Any, ...]] | None = None) -> None:
        self.offers = list(offers.items())
        self.outputs = outputs or []
        self.silent = False
        self.bound: dict[str, list[int]] = {}
        self.notices: list[tuple[int, int, int]] = []
        self.requests: list[tuple[int, int]] = []
        self._conns: list[socket.socket] = []
        self._sending = threading.Lock()
        self._handles = 0xFF000000
        self._by_id: dict[int, tuple[str, int]] = {}
        super().__init__(path)

    def send(self, data: bytes) -> None:
        """To every client."""
        with self._sending:
            for conn in list(self._conns):
                with contextlib.suppress(OSError):  # one that has hung up
                    conn.sendall(data)

    def serve(self, conn: socket.socket) -> None:
        self._conns.append(conn)
        conn.settimeout(STEP_S)
        buffer = b""
        while not self.ended:
            try:
                part = conn.recv(65_536)
            except TimeoutError:
                continue
            if not part:
                break
            buffer += part
            while len(buffer) >= 8:
                target, opcode, size = struct.unpack("=IHH", buffer[:8])
                if len(buffer) < size:
                    break
                self._request(target, opcode, buffer[8:size])
                buffer = buffer[size:]
        self._conns.remove(conn)

    def _request(self, target: int, opcode: int, body: bytes) -> None:
        self.requests.append((target, opcode))
        numbers = struct.unpack(f"={len(body) // 4}I", body[: len(body) // 4 * 4])
        if (target, opcode) == (1, 1):
            names = [*self.offers, *[(OUTPUT, 4)] * len(self.outputs)]
            self.send(b"".join(event(2, 0, place, *each) for place, each in enumerate(names)))
        elif (target, opcode) == (1, 0):
            if not self.silent:
                self.send(event(numbers[0], 0, 7))
        elif (target, opcode) == (2, 0):
            length = numbers[1]
            self._bound(body[8 : 8 + length - 1].decode(), numbers[0], numbers[-1])
        elif self._by_id.get(target, ("", 0))[0] == IDLE and opcode in (1, 2):
            self.notices.append((opcode, numbers[0], numbers[1]))
        elif self._by_id.get(target, ("", 0))[0] == XDG and opcode == 1:
            _, place = self._by_id[numbers[1]]
            _name, at, _mode, size = self.outputs[place]
            if size is not None:
                self.send(event(numbers[0], 0, *at) + event(numbers[0], 1, *size) + event(numbers[0], 2))

    def _bound(self, interface: str, name: int, number: int) -> None:
        self.bound.setdefault(interface, []).append(number)
        self._by_id[number] = (interface, name - len(self.offers))
        if interface == OUTPUT:
            title, at, mode, _size = self.outputs[name - len(self.offers)]
            data = event(number, 0, *at, 600, 340, 0, "Maker", "Model", 0) + event(number, 1, 1, *mode, 60_000)
            data += event(number, 1, 2, 640, 480, 60_000) + event(number, 3, 2) + event(number, 4, title)
            self.send(data + event(number, 2))

    def notify(self, opcode: int) -> None:
        """0: idled, 1: resumed."""
        self.send(event(self.notices[-1][1], opcode))

    def open_window(self, title: str, app: str, *, active: bool = True, output: int | None = None) -> int:
        """Tell a new window; gives its handle."""
        manager = self.bound[TOPLEVELS][-1]
        self._handles += 1
        handle = self._handles
        data = event(manager, 0, handle) + event(handle, 0, title) + event(handle, 1, app)
        if output is not None:
            data += event(handle, 2, self.bound[OUTPUT][output])
        self.send(data + event(handle, 4, [0, 2] if active else [0]) + event(handle, 5))
        return handle
