"""What the adapters for macOS need from the system; `mac_api.MacApi` gives it, tests give a fake."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from biny_desktop.capture.platforms.loops import Loop


@dataclass(frozen=True, slots=True)
class MacDisplay:
    """One monitor: `name` that stays the same, `bounds` (x, y, width, height) in points, `scale` pixels per point,
    physical size in mm."""

    name: str
    bounds: tuple[float, float, float, float]
    scale: float
    size_mm: tuple[int, int]


class MacSystem(Protocol):
    """Plain facts; nothing raises, what the system does not tell is None or empty."""

    def windows(self) -> list[Mapping[str, Any]] | None:
        """The windows on the screen as the window server lists them, topmost first (keys `kCGWindow…`)."""
        ...

    def front_pid(self) -> int | None:
        """Process of the app that is in front."""
        ...

    def app(self, pid: int) -> tuple[str, str]:
        """(bundle id, name) of a running app; "" for what it has not."""
        ...

    def session(self) -> Mapping[str, Any] | None:
        """The login session of this process (keys `CGSSession…`); None outside of one."""
        ...

    def idle_s(self) -> float | None:
        """Seconds since the last input of any device."""
        ...

    def displays(self) -> list[MacDisplay]: ...

    def pointer(self) -> tuple[float, float] | None:
        """In points."""
        ...

    def may_capture(self) -> bool:
        """Whether pictures of the screen are allowed; asks nobody."""
        ...

    def ask_to_capture(self) -> None:
        """Let the system ask the person; it does so once, later calls do nothing."""
        ...

    def may_automate(self, bundle_id: str) -> bool:
        """Whether Apple events to that app are allowed; asks nobody."""
        ...

    def window_mode(self, bundle_id: str) -> str:
        """`normal` or `incognito` of the front window of a Chromium browser, by an Apple event; "" when it fails."""
        ...

    def power_loop(self) -> Loop:
        """Tells (message, 0) of going to sleep and waking."""
        ...
