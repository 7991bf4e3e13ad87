"""Microsoft Windows and macOS as the adapters see them, with what the test says."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from biny_desktop.capture.platforms.loops import Tell
from biny_desktop.capture.platforms.mac_ports import MacDisplay
from biny_desktop.capture.platforms.windows_ports import Display
from biny_desktop.core.geometry import Rect


class FakeLoop:
    """A message loop that delivers what the test sends; `fails` makes that many runs end at once."""

    def __init__(self, fails: int = 0) -> None:
        self.fails = fails
        self.runs = 0
        self._tell: Tell | None = None
        self._ended = threading.Event()

    @property
    def running(self) -> bool:
        return self._tell is not None

    def run(self, tell: Tell) -> None:
        self.runs += 1
        if self.runs <= self.fails:
            raise OSError(5, "refused")
        self._ended.clear()
        self._tell = tell
        self._ended.wait()
        self._tell = None

    def quit(self) -> None:
        self._ended.set()

    def send(self, message: int, first: int = 0) -> None:
        assert self._tell is not None
        self._tell(message, first)


@dataclass
class FakeWindow:
    """One window of `FakeWindows`."""

    handle: int
    path: str
    title: str = ""
    pid: int = 100
    rect: Rect | None = field(default_factory=lambda: Rect(0, 0, 800, 600))
    class_name: str = "Any"
    shown: bool = True
    see_through: bool = False
    children: tuple[int, ...] = ()


class FakeWindows:
    """`WindowsSystem`; `windows` topmost first, the children of others included."""

    def __init__(self) -> None:
        self.front = 0
        self.desktop = "Default"
        self.windows: list[FakeWindow] = []
        self.inner: list[FakeWindow] = []
        self.now_ticks, self.input_ticks = 5_000, 4_000
        self.locked: bool | None = False
        self.screens = [Display("\\\\.\\DISPLAY1", Rect(0, 0, 2560, 1440), Rect(0, 0, 2560, 1400), 144, (600, 340))]
        self.place: tuple[int, int] | None = (10, 10)
        self.descriptions: dict[str, str] = {}
        self.window_events, self.session_events = FakeLoop(), FakeLoop()

    def _window(self, handle: int) -> FakeWindow | None:
        return next((each for each in (*self.windows, *self.inner) if each.handle == handle), None)

    def foreground(self) -> int:
        return self.front

    def input_desktop(self) -> str:
        return self.desktop

    def top_windows(self) -> list[int]:
        return [each.handle for each in self.windows]

    def children(self, handle: int) -> list[int]:
        window = self._window(handle)
        return list(window.children) if window else []

    def title(self, handle: int) -> str:
        window = self._window(handle)
        return window.title if window else ""

    def class_name(self, handle: int) -> str:
        window = self._window(handle)
        return window.class_name if window else ""

    def pid(self, handle: int) -> int:
        window = self._window(handle)
        return window.pid if window else 0

    def image(self, pid: int) -> str:
        return next((each.path for each in (*self.windows, *self.inner) if each.pid == pid), "")

    def description(self, path: str) -> str:
        return self.descriptions.get(path, "")

    def frame(self, handle: int) -> Rect | None:
        window = self._window(handle)
        return window.rect if window else None

    def shown(self, handle: int) -> bool:
        window = self._window(handle)
        return window is not None and window.shown

    def see_through(self, handle: int) -> bool:
        window = self._window(handle)
        return window is not None and window.see_through

    def ticks(self) -> int:
        return self.now_ticks

    def last_input_ticks(self) -> int | None:
        return self.input_ticks

    def session_locked(self) -> bool | None:
        return self.locked

    def displays(self) -> list[Display]:
        return self.screens

    def pointer(self) -> tuple[int, int] | None:
        return self.place

    def window_loop(self) -> FakeLoop:
        return self.window_events

    def session_loop(self) -> FakeLoop:
        return self.session_events


def mac_window(number: int, pid: int, title: str | None = "", layer: int = 0, **more: Any) -> dict[str, Any]:
    """A window as the window server lists it."""
    bounds = {"X": 10.0, "Y": 40.0, "Width": 800.0, "Height": 600.0}
    window = {"kCGWindowNumber": number, "kCGWindowOwnerPID": pid, "kCGWindowLayer": layer, "kCGWindowBounds": bounds,
              "kCGWindowAlpha": 1.0, "kCGWindowOwnerName": f"owner {pid}", **more}  # fmt: skip
    return window if title is None else {**window, "kCGWindowName": title}


class FakeMac:
    """`MacSystem`; `listed` topmost first, `apps` by pid, `mode` what browsers answer."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] | None = []
        self.front: int | None = None
        self.apps: dict[int, tuple[str, str]] = {}
        self.login: dict[str, Any] | None = {"kCGSSessionOnConsoleKey": True}
        self.idle: float | None = 1.5
        self.screens = [MacDisplay("display 1", (0.0, 0.0, 1440.0, 900.0), 2.0, (300, 190))]
        self.place: tuple[float, float] | None = (100.5, 50.0)
        self.capture = True
        self.capture_asked = 0
        self.automate = False
        self.mode = "normal"
        self.modes_asked: list[str] = []
        self.power_events = FakeLoop()

    def windows(self) -> list[Mapping[str, Any]] | None:
        return None if self.listed is None else list(self.listed)

    def front_pid(self) -> int | None:
        return self.front

    def app(self, pid: int) -> tuple[str, str]:
        return self.apps.get(pid, ("", ""))

    def session(self) -> Mapping[str, Any] | None:
        return self.login

    def idle_s(self) -> float | None:
        return self.idle

    def displays(self) -> list[MacDisplay]:
        return self.screens

    def pointer(self) -> tuple[float, float] | None:
        return self.place

    def may_capture(self) -> bool:
        return self.capture

    def ask_to_capture(self) -> None:
        self.capture_asked += 1

    def may_automate(self, bundle_id: str) -> bool:
        return self.automate

    def window_mode(self, bundle_id: str) -> str:
        self.modes_asked.append(bundle_id)
        return self.mode

    def power_loop(self) -> FakeLoop:
        return self.power_events
