"""What the adapters for Windows need from the system; `windows_api.Win32` gives it, tests give a fake."""

from dataclasses import dataclass
from typing import Protocol

from biny_desktop.capture.platforms.loops import Loop
from biny_desktop.core.geometry import Rect


@dataclass(frozen=True, slots=True)
class Display:
    """One monitor: device name, rectangle and work area in physical px, dots per inch, physical size in mm."""

    name: str
    rect: Rect
    work: Rect
    dpi: int
    size_mm: tuple[int, int]


class WindowsSystem(Protocol):
    """Plain facts; nothing raises, a question about a window that is gone gives "", 0, None or False."""

    def foreground(self) -> int:
        """Handle of the window in front; 0 when there is none, or it is on another desktop (secure desktop)."""
        ...

    def input_desktop(self) -> str:
        """Name of the desktop that gets input: `Default`; "" when it is one that programs may not open."""
        ...

    def top_windows(self) -> list[int]:
        """Handles of the top-level windows, topmost first."""
        ...

    def children(self, handle: int) -> list[int]: ...
    def title(self, handle: int) -> str: ...
    def class_name(self, handle: int) -> str: ...
    def pid(self, handle: int) -> int: ...

    def image(self, pid: int) -> str:
        """Path of the program of a process; "" for one that may not be asked (a protected one)."""
        ...

    def description(self, path: str) -> str:
        """What the program calls itself in its version resource; "" when it does not say."""
        ...

    def frame(self, handle: int) -> Rect | None:
        """What a person sees of the window, without its shadow, in physical px."""
        ...

    def shown(self, handle: int) -> bool:
        """Visible by its own style, not minimised, not cloaked (other virtual desktop, suspended app)."""
        ...

    def see_through(self, handle: int) -> bool:
        """Whether it lets clicks through (an overlay)."""
        ...

    def ticks(self) -> int:
        """Milliseconds since the system started, of any width."""
        ...

    def last_input_ticks(self) -> int | None:
        """The low 32 bits of `ticks` at the last input."""
        ...

    def session_locked(self) -> bool | None: ...
    def displays(self) -> list[Display]: ...
    def pointer(self) -> tuple[int, int] | None: ...

    def window_loop(self) -> Loop:
        """Tells (event, window handle) of foreground, name, minimise and desktop switches."""
        ...

    def session_loop(self) -> Loop:
        """Tells (window message, first argument) of session and power messages."""
        ...
