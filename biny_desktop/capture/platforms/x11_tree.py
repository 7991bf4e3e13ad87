"""Raw facts about X windows: one record a window, the listed windows, and what covers them all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from biny_desktop.capture.platforms.x11_properties import Properties, Property, answers, decode_utf8
from biny_desktop.capture.platforms.x11_thread import Connection
from biny_desktop.core.geometry import Rect
from biny_desktop.core.text import clean_title

_NAMES = (
    "WM_CLASS", "_NET_WM_NAME", "WM_NAME", "_NET_WM_PID", "_NET_WM_WINDOW_TYPE", "_NET_WM_STATE", "_NET_WM_DESKTOP",
    "_NET_FRAME_EXTENTS",
)  # fmt: skip
_VIEWABLE = 2
_INPUT_ONLY = 2
ALL_DESKTOPS = 0xFFFFFFFF
CLIMB_MAX = 8
"""Most parents looked at for a WM_CLASS; real trees are two or three deep."""
COVER_LOOK = 24
"""Topmost children of the root that are looked at for a screen saver."""
COVER_PART = 0.25
"""An unmanaged window counts as covering from this part of the root on (one of four monitors)."""
ONE_DESKTOP_MANAGERS = ("gnome shell", "mutter", "muffin", "compiz", "kwin")
"""Window managers that leave windows of other desktops mapped and show one desktop on all monitors. With others the map
state alone tells what can be seen: a tiling one may show several desktops at once."""


@dataclass(frozen=True, slots=True)
class Record:
    """One window as X tells it; `rect` with its frame, on the virtual screen, None when it could not be told."""

    window: int
    wm_class: str
    title: str
    pid: int | None
    rect: Rect | None
    dialog: bool
    furniture: bool
    hidden: bool
    desktop: int
    viewable: bool
    unmanaged: bool


class WindowTree:
    """Questions about windows over one connection; every method runs in the thread of that connection."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn
        self._properties = Properties(conn)
        self.root: int = conn.setup.roots[conn.pref_screen].root
        screen = conn.setup.roots[conn.pref_screen]
        self._root_size: tuple[int, int] = (screen.width_in_pixels, screen.height_in_pixels)

    def atoms(self, *names: str) -> list[int]:
        return self._properties.atoms(*names)

    def root_record(self) -> Record:
        """The root window: what is seen when there is no other."""
        rect = Rect(0, 0, *self._root_size)
        return Record(self.root, "", "", None, rect, False, True, False, ALL_DESKTOPS, True, False)

    def root_numbers(self, name: str) -> tuple[int, ...]:
        """A property of the root window; empty when absent."""
        return self._properties.numbers(self.root, name)

    def manager(self) -> str | None:
        """The name of the running window manager ("" when it has none); None when there is none."""
        check = self.root_numbers("_NET_SUPPORTING_WM_CHECK")
        if not check:
            return None
        itself, name = self._properties.get(check[0], "_NET_SUPPORTING_WM_CHECK", "_NET_WM_NAME")
        if itself is None or itself.numbers()[:1] != check[:1]:
            return None  # what a dead manager left behind
        return clean_title(self._properties.text(name))

    def focused(self) -> int:
        """The top-level window that holds the input focus, else the topmost one; 0 when there is none.

        Only asked without a window manager; the focus then often is nobody's, or follows the pointer.
        """
        focus = self._conn.core.GetInputFocus().reply().focus
        if focus <= 1 or focus == self.root:
            seen = self.visible()
            return seen[-1].window if seen else 0
        path = self._climb(int(focus))
        return path[-1] if path else 0

    def listed(self) -> list[int]:
        """Managed windows, lowest first; without a window manager the children of the root."""
        stacking = self.root_numbers("_NET_CLIENT_LIST_STACKING")
        if stacking or self.manager() is not None:
            return list(stacking)
        return self._children(self.root)

    def visible(self) -> list[Record]:
        """Records of all listed windows that can be seen, lowest first."""
        current = self.root_numbers("_NET_CURRENT_DESKTOP")
        name = (self.manager() or "").lower()
        one_desktop = name.startswith(ONE_DESKTOP_MANAGERS)
        found = []
        for record in self.records(self.listed()):
            elsewhere = one_desktop and current and record.desktop not in (current[0], ALL_DESKTOPS)
            if record.viewable and not (record.hidden or record.unmanaged or elsewhere):
                found.append(record)
        return found

    def cover(self) -> Record | None:
        """The topmost window that the manager does not know of and that covers much of the screen: savers and lockers.

        They never become the active window, so the property alone would name the window below them.
        """
        top = self._children(self.root)[: -COVER_LOOK - 1 : -1]
        states = answers([self._conn.core.GetWindowAttributes(window) for window in top])
        for window, state in zip(top, states, strict=True):
            if state is None or _of(state, "map_state") != _VIEWABLE or _of(state, "_class") == _INPUT_ONLY:
                continue
            if not _of(state, "override_redirect"):
                return None
            record = next(iter(self.records([window])), None)
            if record is not None and record.wm_class and record.rect is not None and self._is_large(record.rect):
                return record
        return None

    def _is_large(self, rect: Rect) -> bool:
        width, height = self._root_size
        return rect.area >= COVER_PART * width * height

    def records(self, windows: Sequence[int]) -> list[Record]:
        """What X tells of these windows, in their order; those that are gone meanwhile are left out."""
        core = self._conn.core
        states = [core.GetWindowAttributes(window) for window in windows]
        places = [core.GetGeometry(window) for window in windows]
        moves = [core.TranslateCoordinates(window, self.root, 0, 0) for window in windows]
        found = self._properties.get_all([(window, name) for window in windows for name in _NAMES])
        told = zip(windows, answers(states), answers(places), answers(moves), _chunks(found, len(_NAMES)), strict=True)
        return [
            self._record(window, state, _rect(place, move), properties)
            for window, state, place, move, properties in told
            if state is not None and place is not None
        ]

    def _record(self, window: int, state: object, rect: Rect | None, properties: Sequence[Property | None]) -> Record:
        wm_class, net_name, name, pid, types, states, desktop, frame = properties
        kinds, flags = _numbers(types), _numbers(states)
        dialog, dock, background, hidden = self.atoms(
            "_NET_WM_WINDOW_TYPE_DIALOG", "_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_DESKTOP",
            "_NET_WM_STATE_HIDDEN",
        )  # fmt: skip
        return Record(
            window,
            class_name(wm_class) or self._class_above(window),
            clean_title(self._properties.text(net_name) or self._properties.text(name)),
            next(iter(_numbers(pid)), None),
            _framed(rect, _numbers(frame)),
            dialog in kinds[:1],
            bool({dock, background} & set(kinds)),
            hidden in flags,
            next(iter(_numbers(desktop)), ALL_DESKTOPS),
            _of(state, "map_state") == _VIEWABLE and _of(state, "_class") != _INPUT_ONLY,
            bool(_of(state, "override_redirect")),
        )

    def _class_above(self, window: int) -> str:
        """The WM_CLASS of the nearest parent that has one: some programs give the focus to a bare child."""
        for parent in self._climb(window)[1:]:
            name = class_name(self._properties.get(parent, "WM_CLASS")[0])
            if name:
                return name
        return ""

    def _climb(self, window: int) -> list[int]:
        """The window and its parents below the root."""
        path: list[int] = []
        while window and window != self.root and len(path) < CLIMB_MAX:
            path.append(window)
            tree = answers([self._conn.core.QueryTree(window)])[0]
            window = _of(tree, "parent") if tree is not None else 0
        return path

    def _children(self, window: int) -> list[int]:
        tree: Any = answers([self._conn.core.QueryTree(window)])[0]
        return list(tree.children) if tree is not None else []


def class_name(found: Property | None) -> str:
    """The class of a WM_CLASS property, else its instance name."""
    if found is None or found.bits != 8:
        return ""
    parts = [clean_title(decode_utf8(part)) for part in found.data.split(b"\0")]
    return next((part for part in [*parts[1:2], *parts[:1]] if part), "")


def _of(answer: object, field: str) -> int:
    return int(getattr(answer, field))


def _numbers(found: Property | None) -> tuple[int, ...]:
    return found.numbers() if found else ()


def _rect(place: object, move: object) -> Rect | None:
    if place is None or move is None:
        return None
    return Rect(_of(move, "dst_x"), _of(move, "dst_y"), _of(place, "width"), _of(place, "height"))


def _framed(rect: Rect | None, frame: tuple[int, ...]) -> Rect | None:
    """With the title bar that the manager draws: it shows the title, so a mask must cover it too."""
    if rect is None or len(frame) < 4 or max(frame[:4]) > 1000:
        return rect
    left, right, top, bottom = frame[:4]
    return Rect(rect.x - left, rect.y - top, rect.w + left + right, rect.h + top + bottom)


def _chunks(items: Sequence[Property | None], size: int) -> Iterable[Sequence[Property | None]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
