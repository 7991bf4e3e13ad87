"""Windows and monitors of Sway (and of i3's protocol): the tree of containers over the IPC socket."""

import struct
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from biny_desktop.capture.platforms.json_answers import field, number, objects, parse
from biny_desktop.capture.platforms.outputs import Layout, LayoutSource, Output, rect_of, scale_of
from biny_desktop.capture.platforms.unix_sockets import QUIET_S, RETRY_S, SocketNews, Talk
from biny_desktop.capture.platforms.window_infos import WindowInfos
from biny_desktop.capture.ports import Notify, Unknown, WindowInfo
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect

MAGIC = b"i3-ipc"
HEADER = struct.Struct("=6sII")
SUBSCRIBE, GET_WORKSPACES, GET_OUTPUTS, GET_TREE = 2, 1, 3, 4
DEPTH_MAX = 64
"""Containers in containers that are looked into; real trees are a few deep."""
_SCRATCH = ("output", "__i3")
"""The output that holds hidden windows."""


class SwayWindows:
    """`WindowSource`: each question is a fresh connection, so a restarted compositor needs no care."""

    def __init__(
        self,
        path: str,
        layout: LayoutSource,
        own_pids: Collection[int] | None = None,
        retry_s: Sequence[float] = RETRY_S,
        quiet_s: float = QUIET_S,
    ) -> None:
        self._path, self._layout = path, layout
        self._infos = WindowInfos(layout, own_pids)
        hello = message(SUBSCRIBE, b'["window","workspace","output"]')
        self._news = SocketNews("sway-events", lambda: path, hello, retry_s, quiet_s)

    def start(self, notify: Notify) -> None:
        self._news.start(notify)

    def stop(self) -> None:
        self._news.stop()

    def front(self) -> WindowInfo | Unknown:
        tree = self._tree()
        if isinstance(tree, Unknown):
            return tree
        focused = focused_node(tree)
        if focused is None:
            return Unknown("no_front_window")
        if field(focused, "type") == "workspace" and not any(_views(focused)):
            # Nothing but the bare desktop has the focus.
            return self._infos.make(f"sway:{number(focused, 'id')}", "sway", "", None, _rect(focused))
        if not _is_view(focused):
            return Unknown("no_front_window")
        return self._infos.make(*_facts(focused), dialog=_dialog(focused))

    def visible(self) -> list[WindowInfo] | None:
        tree = self._tree()
        if isinstance(tree, Unknown) or not self._infos.can_place():
            return None
        return [self._infos.listed(*_facts(each), dialog=_dialog(each)) for each in visible_views(tree)]

    def _tree(self) -> dict[str, Any] | Unknown:
        try:
            tree = ask(self._path, GET_TREE)
        except TimeoutError:
            return Unknown("timeout")
        except UnavailableError:
            return Unknown("no_compositor")
        return tree if isinstance(tree, dict) else Unknown("bad_answer")


class SwayLayout:
    """`LayoutSource` over the same socket."""

    def __init__(self, path: str) -> None:
        self._path = path

    def layout(self) -> Layout | None:
        try:
            outputs, spaces = ask(self._path, GET_OUTPUTS), ask(self._path, GET_WORKSPACES)
        except (UnavailableError, TimeoutError):
            return None
        shown = {field(each, "output"): each for each in objects(spaces) if each.get("visible") is True}
        found = [_output(each, shown.get(field(each, "name"))) for each in objects(outputs)]
        kept = [each for each in found if each is not None]
        return Layout.logical(kept) if kept else None

    def close(self) -> None:
        """Nothing is held open."""


def message(kind: int, payload: bytes = b"") -> bytes:
    """A message of the protocol."""
    return HEADER.pack(MAGIC, len(payload), kind) + payload


def ask(path: str, kind: int) -> Any:
    """The parsed answer to one question; None when it is no JSON.

    Raises:
        UnavailableError: nobody is there, or it speaks something else.
        TimeoutError: no answer in time.
    """
    with Talk(path) as talk:
        talk.send(message(kind))
        magic, size, _kind = HEADER.unpack(talk.read(HEADER.size))
        if magic != MAGIC:
            raise UnavailableError("No answer", "The compositor speaks another language.")
        return parse(talk.read(size))


def focused_node(tree: dict[str, Any]) -> dict[str, Any] | None:
    """The node that has the focus."""
    return next((node for node in _walk(tree) if node.get("focused") is True), None)


def visible_views(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """All windows that can be seen, lowest first: tiled, floating, then full-screen ones."""
    seen = [node for node in _views(tree) if node.get("visible") is True]
    return sorted(seen, key=lambda node: (bool(number(node, "fullscreen_mode")), node.get("type") == "floating_con"))


def _walk(node: dict[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    if depth > DEPTH_MAX or (field(node, "type"), field(node, "name")) == _SCRATCH:
        return
    yield node
    for child in (*objects(node.get("nodes")), *objects(node.get("floating_nodes"))):
        yield from _walk(child, depth + 1)


def _views(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return filter(_is_view, _walk(node))


def _is_view(node: dict[str, Any]) -> bool:
    """Whether it is a window: containers of windows have no process."""
    return number(node, "pid") is not None and field(node, "type") in ("con", "floating_con")


def _facts(node: dict[str, Any]) -> tuple[str, str, str, int | None, Rect | None]:
    """Id, app, title, process, place of one window."""
    x11 = node.get("window_properties")
    app = field(node, "app_id") or field(x11, "class") or field(x11, "instance")
    return f"sway:{number(node, 'id')}", app, field(node, "name"), number(node, "pid"), _rect(node)


def _dialog(node: dict[str, Any]) -> bool:
    """Only windows of X11 programs tell it."""
    x11 = node.get("window_properties")
    return field(x11, "window_type") in ("dialog", "utility") or bool(number(x11, "transient_for"))


def _rect(node: dict[str, Any] | None) -> Rect | None:
    place = node.get("rect") if node is not None else None
    if not isinstance(place, dict):
        return None
    return rect_of(*[place.get(name) for name in ("x", "y", "width", "height")])


def _output(output: dict[str, Any], space: dict[str, Any] | None) -> Output | None:
    rect = _rect(output)
    if rect is None or output.get("active") is False:
        return None
    name = " ".join(filter(None, [field(output, "name"), field(output, "serial")]))
    # The workspace leaves out what bars keep for themselves.
    return Output(name, rect, scale_of(output.get("scale")), "", _rect(space))
