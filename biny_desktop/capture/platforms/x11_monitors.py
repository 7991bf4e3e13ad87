"""Monitors of an X server: names and places by RandR, scale by Xft, work areas by the window manager and docks."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from biny_desktop.capture.platforms.x11_properties import Properties, answers
from biny_desktop.capture.platforms.x11_thread import Connection
from biny_desktop.capture.ports import Monitor
from biny_desktop.core.geometry import Rect

_RANDR = "RANDR"
_DPI = re.compile(r"^Xft\.dpi:\s*([\d.]+)", re.MULTILINE)
DPI_OF_ONE = 96.0
SCALES = (0.5, 4.0)
"""Scales outside this are a broken setting and count as 1."""


class X11Monitors:
    """The monitors over one connection; `changed()` says whether the server told of a new arrangement since."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn
        self._properties = Properties(conn)
        self.root: int = conn.setup.roots[conn.pref_screen].root
        self._randr = self._extension()

    def _extension(self) -> Any:
        """RandR 1.5 or later with its notices selected, else None."""
        import xcffib.randr

        randr: Any = xcffib.randr
        if not self._conn.core.QueryExtension(len(_RANDR), _RANDR).reply().present:
            return None
        extension = self._conn(randr.key)
        version = extension.QueryVersion(1, 5).reply()
        if (version.major_version, version.minor_version) < (1, 5):
            return None
        mask = randr.NotifyMask.ScreenChange | randr.NotifyMask.CrtcChange | randr.NotifyMask.OutputChange
        extension.SelectInput(self.root, mask)
        return extension

    def read(self) -> list[Monitor]:
        """The monitors now, in the server's order; empty when none is on.

        Raises:
            XcffibException: the connection broke.
        """
        places = self._places()
        struts = self._struts()
        current = (self._properties.numbers(self.root, "_NET_CURRENT_DESKTOP") or (0,))[0]
        areas = self._properties.numbers(self.root, "_NET_WORKAREA")
        area = areas[current * 4 : current * 4 + 4] or areas[:4]
        bounds = Rect(0, 0, *self._root_size())
        scale = self._scale()
        found = []
        for key, rect in places:
            work = without_struts(rect, bounds, struts)
            if len(places) == 1 and len(area) == 4:
                # With several monitors this one rectangle for all of them would cut off parts of the larger ones.
                work = work.intersect(Rect(*area))
            found.append(Monitor(key, rect, scale, work if work.area > 0 else rect))
        return found

    def _places(self) -> list[tuple[str, Rect]]:
        if self._randr is None:
            width, height = self._root_size()
            return [("screen +0+0", Rect(0, 0, width, height))]
        monitors = self._randr.GetMonitors(self.root, True).reply().monitors
        names = answers([self._conn.core.GetAtomName(each.name) for each in monitors])
        return [
            (
                f"{_name(name)} {each.width_in_millimeters}x{each.height_in_millimeters}mm {each.x:+d}{each.y:+d}",
                Rect(each.x, each.y, each.width, each.height),
            )
            for each, name in zip(monitors, names, strict=True)
            if each.width and each.height
        ]

    def _root_size(self) -> tuple[int, int]:
        place = self._conn.core.GetGeometry(self.root).reply()
        return place.width, place.height

    def _scale(self) -> float:
        """Physical pixels per logical one, as the desktop set it for fonts; 1 when it did not."""
        resources = self._properties.text(self._properties.get(self.root, "RESOURCE_MANAGER")[0])
        match = _DPI.search(resources)
        try:
            scale = float(match.group(1)) / DPI_OF_ONE if match else 1.0
        except ValueError:
            return 1.0
        return round(scale, 2) if SCALES[0] <= scale <= SCALES[1] else 1.0

    def _struts(self) -> list[tuple[int, ...]]:
        """The twelve numbers of each dock that keeps an edge of the screen for itself."""
        windows = self._properties.numbers(self.root, "_NET_CLIENT_LIST")
        names = ("_NET_WM_STRUT_PARTIAL", "_NET_WM_STRUT")
        found = self._properties.get_all([(window, name) for window in windows for name in names])
        width, height = self._root_size()
        whole = (0, height, 0, height, 0, width, 0, width)
        struts = []
        for partial, plain in zip(found[::2], found[1::2], strict=True):
            numbers = partial.numbers() if partial else ()
            if len(numbers) < 12:
                numbers = (*(plain.numbers()[:4] if plain else ()), *whole)
            if len(numbers) >= 12 and any(numbers[:4]):
                struts.append(numbers[:12])
        return struts


def without_struts(monitor: Rect, bounds: Rect, struts: Iterable[Sequence[int]]) -> Rect:
    """The part of a monitor that no dock keeps; `struts` as EWMH `_NET_WM_STRUT_PARTIAL`, sizes from the edges of
    `bounds` (the whole virtual screen)."""
    left, top, right, bottom = monitor.x, monitor.y, monitor.right, monitor.bottom
    for west, east, north, south, *spans in struts:
        rows, columns = (monitor.y, monitor.bottom), (monitor.x, monitor.right)
        if monitor.x < west < monitor.right and _touch(rows, spans[0:2]):
            left = max(left, west)
        if monitor.x < bounds.right - east < monitor.right and _touch(rows, spans[2:4]):
            right = min(right, bounds.right - east)
        if monitor.y < north < monitor.bottom and _touch(columns, spans[4:6]):
            top = max(top, north)
        if monitor.y < bounds.bottom - south < monitor.bottom and _touch(columns, spans[6:8]):
            bottom = min(bottom, bounds.bottom - south)
    return Rect(left, top, max(0, right - left), max(0, bottom - top))


def _touch(side: tuple[int, int], span: Sequence[int]) -> bool:
    return span[0] < side[1] and span[1] >= side[0]


def _name(answer: object | None) -> str:
    return str(answer.name.to_string()) if answer is not None else "screen"  # type: ignore[attr-defined]
