"""Pixels on Wayland: the Screenshot portal, whose picture of all monitors is cut into one a monitor."""

import secrets
from collections.abc import Callable

from biny_desktop.capture.platforms.outputs import Layout, LayoutSource, Output
from biny_desktop.capture.platforms.portal_file import read_once
from biny_desktop.capture.platforms.portal_request import PROMPT_S, Portal
from biny_desktop.capture.platforms.shots import fit
from biny_desktop.capture.ports import Monitor, Pixels, Shot
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect

FIRST_SIZE = (1920, 1080)
"""Size of the one monitor that stands for all until the first picture tells the real size (px); only where no
compositor tells the monitors, and wrong for one attempt at most."""
WHOLE = "wayland"
"""Name of the monitor that stands for all."""

SHAPE_SLACK = 0.02
"""How much the scale of a picture may differ between width and height: rounding of fractional scales."""


class PortalScreen:
    """`ScreenSource` over the Screenshot portal, used from the recorder thread only.

    `layout` tells the monitors. A portal picture holds all of them; without a layout it is one monitor. The wl_output
    protocol would tell them everywhere, but each of the desktops here tells its own way and better (names, panels).
    """

    name = "portal"

    def __init__(
        self,
        address: str,
        clock: Clock,
        layout: LayoutSource,
        *,
        prompt_s: float = PROMPT_S,
        token: Callable[[], str] = lambda: f"biny{secrets.token_hex(8)}",
    ) -> None:
        self._clock, self._layout = clock, layout
        self._portal = Portal(address, clock, token, prompt_s)
        self._size = FIRST_SIZE

    def monitors(self) -> list[Monitor]:
        """The monitors; the portal is not asked for a picture.

        Raises:
            NoPermissionError: the person, or the desktop for the person, refused pictures.
        """
        self._portal.check()
        return self._now().monitors()

    def grab(self, monitor: Monitor) -> Shot:
        layout = self._now()
        if all((each.key, each.rect) != (monitor.key, monitor.rect) for each in layout.monitors()):
            raise UnavailableError("Monitor is gone", "The monitor was switched off, moved or changed.")
        whole = read_once(self._portal.picture())
        mono_ms = self._clock.mono_ms()
        if [each.name for each in layout.outputs] == [WHOLE]:
            self._size = (whole.shape[1], whole.shape[0])
            monitor = next(iter(self._now().monitors()))
            return fit(whole, monitor, None, mono_ms)
        return fit(_cut(whole, layout.bounds, monitor.rect), monitor, None, mono_ms)

    def pointer(self) -> tuple[int, int] | None:
        """Wayland tells it nobody."""
        return None

    def renew(self) -> None:
        self.close()

    def close(self) -> None:
        self._portal.close()
        self._layout.close()

    def _now(self) -> Layout:
        told = self._layout.layout()
        if told is not None and told.outputs:
            return told
        return Layout((Output(WHOLE, Rect(0, 0, *self._size)),))


def _cut(whole: Pixels, bounds: Rect, rect: Rect) -> Pixels:
    """The part of a picture of `bounds` that shows `rect`; the picture's own size decides how large a pixel is.

    Raises:
        UnavailableError: the picture shows something else (monitors changed meanwhile): its shape is not that of the
            monitors, so the place of the monitor in it is not known.
    """
    height, width = whole.shape[:2]
    across, down = width / bounds.w, height / bounds.h
    if abs(across - down) > SHAPE_SLACK * max(across, down):
        raise UnavailableError("No picture", "The picture does not fit the monitors; they changed meanwhile.")
    left, top = round((rect.x - bounds.x) * across), round((rect.y - bounds.y) * down)
    right, bottom = round((rect.right - bounds.x) * across), round((rect.bottom - bounds.y) * down)
    part = Rect(left, top, right - left, bottom - top).clamped(width, height)
    return whole[part.y : part.bottom, part.x : part.right]
