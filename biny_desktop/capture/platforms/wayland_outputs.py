"""Monitors by the protocols `wl_output` and `xdg-output`: what one connection has been told so far."""

from dataclasses import dataclass

from biny_desktop.capture.platforms.outputs import Layout, Output, rect_of, scale_of
from biny_desktop.capture.platforms.wayland_client import WaylandClient
from biny_desktop.capture.platforms.wayland_wire import Arguments
from biny_desktop.core.geometry import Rect

OUTPUT, MANAGER = "wl_output", "zxdg_output_manager_v1"
_VERSIONS = {OUTPUT: 4, MANAGER: 3}
_GET_XDG_OUTPUT = 1
_CURRENT = 1
"""Flag of the mode in use."""


@dataclass
class _Told:
    """One monitor as it has been told; `place`, `size` in logical pixels, `mode` in physical ones."""

    object_id: int
    name: str = ""
    model: str = ""
    origin: tuple[int, int] = (0, 0)
    millimetres: tuple[int, int] = (0, 0)
    transform: int = 0
    mode: tuple[int, int] = (0, 0)
    scale: int = 1
    place: tuple[int, int] | None = None
    size: tuple[int, int] | None = None

    def output(self) -> Output | None:
        width, height = self.mode[::-1] if self.transform % 2 else self.mode
        if self.size is not None and min(self.size) > 0:
            scale = scale_of(width / self.size[0])
            rect = rect_of(*(self.place or self.origin), *self.size)
        else:
            scale = scale_of(self.scale)
            rect = rect_of(*self.origin, width / scale, height / scale)
        wide, high = self.millimetres
        size = f"{wide}x{high}mm" if wide > 0 and high > 0 else ""
        return None if rect is None else Output(self.name or self.model or "output", rect, round(scale, 3), size)


class OutputTracker:
    """Feed it with a client's globals; runs in the client's thread."""

    def __init__(self) -> None:
        self._told: dict[int, _Told] = {}
        self._manager = 0

    def on_global(self, client: WaylandClient, name: int, interface: str, version: int) -> None:
        if interface == MANAGER and not self._manager:
            self._manager = client.bind(name, MANAGER, min(version, _VERSIONS[MANAGER]), lambda _op, _args: None)
            for each in self._told.values():
                self._ask(client, each)
        elif interface == OUTPUT:
            told = _Told(0)
            told.object_id = client.bind(
                name, OUTPUT, min(version, _VERSIONS[OUTPUT]), lambda op, args: _on_output(told, op, args)
            )
            self._told[name] = told
            if self._manager:
                self._ask(client, told)

    def on_gone(self, name: int) -> None:
        self._told.pop(name, None)

    def forget(self) -> None:
        self._told, self._manager = {}, 0

    def layout(self) -> Layout | None:
        """The arrangement as far as it is told; None without a monitor."""
        outputs = [each.output() for each in list(self._told.values())]
        kept = [each for each in outputs if each is not None]
        return Layout.logical(kept) if kept else None

    def rect_of(self, object_id: int) -> Rect | None:
        """The place of one monitor in layout units."""
        for told in list(self._told.values()):
            if told.object_id == object_id:
                output = told.output()
                return output.rect if output is not None else None
        return None

    def _ask(self, client: WaylandClient, told: _Told) -> None:
        number = client.new_object(lambda op, args: _on_xdg_output(told, op, args))
        client.send(self._manager, _GET_XDG_OUTPUT, number, told.object_id)


def _on_output(told: _Told, opcode: int, arguments: Arguments) -> None:
    match opcode:
        case 0:
            told.origin = (arguments.sint(), arguments.sint())
            told.millimetres = (arguments.sint(), arguments.sint())
            arguments.sint()  # order of sub-pixels
            told.model = f"{arguments.string()} {arguments.string()}".strip()
            told.transform = arguments.sint()
        case 1:
            flags, size = arguments.uint(), (arguments.sint(), arguments.sint())
            if flags & _CURRENT:
                told.mode = size
        case 3:
            told.scale = arguments.sint()
        case 4:
            told.name = arguments.string()


def _on_xdg_output(told: _Told, opcode: int, arguments: Arguments) -> None:
    if opcode == 0:
        told.place = (arguments.sint(), arguments.sint())
    elif opcode == 1:
        told.size = (arguments.sint(), arguments.sint())
