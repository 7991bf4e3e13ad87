"""The monitors of Microsoft Windows as a layout: everything is in physical pixels there."""

from biny_desktop.capture.platforms.outputs import Layout, Output
from biny_desktop.capture.platforms.windows_ports import Display, WindowsSystem

DPI_OF_ONE = 96


class WindowsLayout:
    """`LayoutSource` over the calls of `WindowsSystem`."""

    def __init__(self, system: WindowsSystem) -> None:
        self._system = system

    def layout(self) -> Layout | None:
        return Layout(tuple(_output(each) for each in self._system.displays() if each.rect.area))

    def close(self) -> None:
        """Nothing is held open."""


def _output(display: Display) -> Output:
    wide, high = display.size_mm
    scale = round(display.dpi / DPI_OF_ONE, 2) if display.dpi > 0 else 1.0
    return Output(display.name, display.rect, scale, f"{wide}x{high}mm" if wide and high else "", display.work)
