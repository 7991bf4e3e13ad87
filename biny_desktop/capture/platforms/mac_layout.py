"""The monitors of macOS as a layout: places in points, pictures in the pixels of the sharpest one."""

from biny_desktop.capture.platforms.mac_ports import MacDisplay, MacSystem
from biny_desktop.capture.platforms.mac_windows import record_of
from biny_desktop.capture.platforms.outputs import Layout, Output, rect_of, scale_of
from biny_desktop.core.geometry import Rect

MENU_LAYER = 24
"""kCGMainMenuWindowLevel."""
MENU_HEIGHT_MAX = 80
"""A menu bar is not higher than this (points, with a camera notch)."""


class MacLayout:
    """`LayoutSource` over the calls of `MacSystem`. The work area leaves out the menu bar, which holds the clock; where
    the Dock is nobody tells without the main thread."""

    def __init__(self, system: MacSystem) -> None:
        self._system = system

    def layout(self) -> Layout | None:
        records = [record_of(each) for each in self._system.windows() or []]
        bars = [
            each.rect for each in records
            if each is not None and each.layer == MENU_LAYER and each.rect.h <= MENU_HEIGHT_MAX
        ]  # fmt: skip
        outputs = [_output(each, bars) for each in self._system.displays()]
        return Layout.logical(each for each in outputs if each is not None)

    def close(self) -> None:
        """Nothing is held open."""


def _output(display: MacDisplay, bars: list[Rect]) -> Output | None:
    rect = rect_of(*display.bounds)
    if rect is None:
        return None
    bar = next((each for each in bars if (each.x, each.y, each.w) == (rect.x, rect.y, rect.w)), None)
    work = Rect(rect.x, rect.y + bar.h, rect.w, rect.h - bar.h) if bar is not None and bar.h < rect.h else rect
    wide, high = display.size_mm
    size = f"{wide}x{high}mm" if wide and high else ""
    return Output(display.name, rect, scale_of(display.scale), size, work)
