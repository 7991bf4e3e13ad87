"""The monitors of GNOME, as Mutter tells them on the session bus."""

from typing import Any

from biny_desktop.capture.platforms.dbus_bus import Body, Place
from biny_desktop.capture.platforms.dbus_client import BusClient
from biny_desktop.capture.platforms.outputs import Layout, Output, rect_of, scale_of
from biny_desktop.core.errors import UnavailableError

DISPLAY_CONFIG: Place = (
    "org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig", "org.gnome.Mutter.DisplayConfig"
)  # fmt: skip
_PHYSICAL = 2
"""Mutter's layout mode in which places and sizes are physical pixels; every other counts logical ones."""


class MutterLayout:
    """`LayoutSource` over `org.gnome.Mutter.DisplayConfig`."""

    def __init__(self, address: str) -> None:
        self._bus = BusClient(address, "dbus-mutter")

    def layout(self) -> Layout | None:
        try:
            return layout_of(self._bus.ask(DISPLAY_CONFIG, "GetCurrentState"))
        except (UnavailableError, TimeoutError):
            return None

    def close(self) -> None:
        self._bus.close()


def layout_of(state: Body) -> Layout | None:
    """The layout in an answer of `GetCurrentState`; None when it has another shape than Mutter has sent since 3.26."""
    try:
        _serial, monitors, logical, properties = state
        physical = _value(properties, "layout-mode") == _PHYSICAL
        known = {monitor[0][0]: monitor for monitor in monitors}
        found = [_output(each, known, physical=physical) for each in logical]
    except (ValueError, TypeError, IndexError, KeyError, AttributeError):
        return None
    outputs = [each for each in found if each is not None]
    return Layout(tuple(outputs)) if physical else Layout.logical(outputs)


def _output(logical: Any, known: dict[str, Any], *, physical: bool) -> Output | None:
    x, y, scale, transform, _primary, names, *_ = logical
    spec, modes, properties, *_ = known[names[0][0]]
    mode = next(mode for mode in (*modes, None) if mode is None or _value(mode[6], "is-current"))
    if mode is None:
        return None
    scale = scale_of(scale)
    width, height = (mode[2], mode[1]) if transform % 2 else (mode[1], mode[2])
    units = 1.0 if physical else scale
    rect = rect_of(x, y, width / units, height / units)
    wide, high = _value(properties, "width-mm"), _value(properties, "height-mm")
    size = f"{wide}x{high}mm" if wide and high else ""
    return None if rect is None else Output(str(spec[0]), rect, scale, size)


def _value(properties: Any, name: str) -> Any:
    """A property of a D-Bus dictionary of variants; None when it is missing."""
    return properties.get(name, ("", None))[1]
