"""The front window by the protocol `wlr-foreign-toplevel-management`: for compositors that have nothing better.

It tells title, app id and monitor of each window and which one is active; no process, no rectangle, no order. So only
the window in front is known, and the whole monitor it is on stands for its rectangle: the right monitor is recorded,
and a rule that masks it covers all of that monitor.
"""

import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from biny_desktop.capture.platforms.outputs import Layout
from biny_desktop.capture.platforms.unix_sockets import RETRY_S
from biny_desktop.capture.platforms.wayland_client import WaylandClient
from biny_desktop.capture.platforms.wayland_outputs import OutputTracker
from biny_desktop.capture.platforms.wayland_wire import Arguments
from biny_desktop.capture.platforms.window_infos import WindowInfos
from biny_desktop.capture.ports import Notify, Unknown, WindowInfo

MANAGER = "zwlr_foreign_toplevel_manager_v1"
_VERSION = 3
PROBE_TIMEOUT_S = 1.0
"""For questions that begin a connection, or that nobody needs within the 200 ms of a window answer."""
_ACTIVATED = 2
_DESTROY = 7


@dataclass
class _Toplevel:
    title: str = ""
    app: str = ""
    outputs: set[int] = field(default_factory=set)
    active: bool = False


class ForeignToplevels:
    """`WindowSource` and `LayoutSource` over one `WaylandClient`."""

    def __init__(self, path: str, own_pids: Collection[int] | None = None, retry_s: Sequence[float] = RETRY_S) -> None:
        self._infos = WindowInfos(self, own_pids)
        self._outputs = OutputTracker()
        self._client = WaylandClient(path, "wayland-windows", self._on_global, self._on_gone, self._lose, retry_s)
        self._lock = threading.Lock()
        self._windows: dict[int, _Toplevel] = {}
        self._offered = self._running = False
        self._notify: Notify = lambda: None

    def start(self, notify: Notify) -> None:
        self._notify, self._running = notify, True
        self._client.start()

    def stop(self) -> None:
        self._running = False
        self._notify = lambda: None
        self._client.stop()

    def close(self) -> None:
        """Hang up what only the screen uses; while windows are watched the connection stays."""
        if not self._running:
            self._client.stop()

    def offers(self) -> bool:
        """Whether the compositor is there and tells windows; asked before this source is chosen."""
        self._client.start()
        offered = self._client.settle(PROBE_TIMEOUT_S) and self._offered
        self.close()
        return offered

    def front(self) -> WindowInfo | Unknown:
        if not self._client.settle():
            return Unknown("no_compositor")
        with self._lock:
            if not self._offered:
                return Unknown("no_window_source")
            found = next(((number, each) for number, each in self._windows.items() if each.active), None)
            rect = next(filter(None, map(self._outputs.rect_of, found[1].outputs)), None) if found else None
        if found is None:
            return Unknown("no_front_window")
        number, window = found
        return self._infos.make(f"wayland:{number:#x}", window.app, window.title, None, rect)

    def visible(self) -> list[WindowInfo] | None:
        return None

    def layout(self) -> Layout | None:
        self._client.start()
        if not self._client.settle(PROBE_TIMEOUT_S):
            return None
        with self._lock:
            return self._outputs.layout()

    # What follows runs in the thread of the client.

    def _on_global(self, client: WaylandClient, name: int, interface: str, version: int) -> None:
        with self._lock:
            self._outputs.on_global(client, name, interface, version)
            if interface == MANAGER and not self._offered:
                self._offered = True
                client.bind(name, MANAGER, min(version, _VERSION), lambda op, args: self._on_manager(client, op, args))

    def _on_gone(self, name: int) -> None:
        with self._lock:
            self._outputs.on_gone(name)

    def _on_manager(self, client: WaylandClient, opcode: int, arguments: Arguments) -> None:
        if opcode != 0:
            return
        number = arguments.uint()
        window = _Toplevel()
        with self._lock:
            self._windows[number] = window
        client.adopt(number, lambda op, args: self._on_window(client, number, window, op, args))

    def _on_window(
        self, client: WaylandClient, number: int, window: _Toplevel, opcode: int, arguments: Arguments
    ) -> None:
        with self._lock:
            match opcode:
                case 0:
                    window.title = arguments.string()
                case 1:
                    window.app = arguments.string()
                case 2:
                    window.outputs.add(arguments.uint())
                case 3:
                    window.outputs.discard(arguments.uint())
                case 4:
                    window.active = _ACTIVATED in arguments.uints()
                case 6:
                    self._windows.pop(number, None)
                    client.drop(number)
                    client.send(number, _DESTROY)
        if opcode in (5, 6):
            self._notify()

    def _lose(self) -> None:
        with self._lock:
            self._windows.clear()
            self._outputs.forget()
            self._offered = False
        self._notify()
