"""Pixels by `mss` on Windows and macOS, where the system's own calls tell the monitors."""

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from biny_desktop.capture.platforms.outputs import Layout, LayoutSource
from biny_desktop.capture.platforms.shots import fit
from biny_desktop.capture.ports import Monitor, Pixels, Shot
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect


class MssScreen:
    """`ScreenSource` over one `mss` instance, used from the recorder thread only.

    `pointer` gives the pointer's place in layout units, `permit` raises NoPermissionError where pictures are not
    allowed, `open_mss` makes the instance. Another arrangement of monitors makes a new one (spec 02 §4.2).
    """

    name = "mss"

    def __init__(
        self,
        layout: LayoutSource,
        pointer: Callable[[], tuple[int, int] | None],
        clock: Clock,
        *,
        permit: Callable[[], None] = lambda: None,
        open_mss: Callable[[], Any] | None = None,
    ) -> None:
        self._layout, self._pointer, self._clock, self._permit = layout, pointer, clock, permit
        self._open = open_mss or open_plain
        self._mss: Any = None
        self._made_for: Layout | None = None

    def monitors(self) -> list[Monitor]:
        """The monitors now.

        Raises:
            NoPermissionError: the system does not allow pictures.
        """
        self._permit()
        layout = self._layout.layout()
        return layout.monitors() if layout is not None else []

    def grab(self, monitor: Monitor) -> Shot:
        self._permit()
        layout = self._layout.layout()
        if layout is None:
            raise UnavailableError("No picture", "The system does not tell its monitors.")
        if layout != self._made_for:
            self.close()
        pairs = zip(layout.monitors(), layout.outputs, strict=True)
        place = next((out.rect for now, out in pairs if (now.key, now.rect) == (monitor.key, monitor.rect)), None)
        if place is None:
            raise UnavailableError("Monitor is gone", "The monitor was switched off, moved or changed.")
        self._made_for = layout
        pixels = self._shoot(place)
        return fit(pixels, monitor, self.pointer(), self._clock.mono_ms())

    def pointer(self) -> tuple[int, int] | None:
        place, layout = self._pointer(), self._layout.layout()
        if place is None or layout is None:
            return None
        return int(place[0] * layout.ratio), int(place[1] * layout.ratio)

    def renew(self) -> None:
        self.close()

    def close(self) -> None:
        from mss.exception import ScreenShotError

        opened, self._mss = self._mss, None
        self._made_for = None
        if opened is not None:
            with contextlib.suppress(ScreenShotError, OSError):
                opened.close()

    def _shoot(self, rect: Rect) -> Pixels:
        from mss.exception import ScreenShotError

        try:
            if self._mss is None:
                self._mss = self._open()
            shot = self._mss.grab({"left": rect.x, "top": rect.y, "width": rect.w, "height": rect.h})
            pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        except (ScreenShotError, OSError, ValueError) as error:
            self.close()
            raise UnavailableError("No picture", f"The system refused ({type(error).__name__}).") from error
        return pixels


def open_plain() -> Any:
    """`mss` as it comes."""
    import mss

    return mss.MSS()


def open_sharp() -> Any:
    """`mss` on macOS with real pixels: by itself it gives logical ones, in which small text cannot be read."""
    import mss
    from mss import darwin

    settings = vars(darwin)
    settings["IMAGE_OPTIONS"] &= ~settings["kCGWindowImageNominalResolution"]
    return mss.MSS()
