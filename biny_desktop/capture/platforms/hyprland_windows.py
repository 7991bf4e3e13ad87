"""Windows and monitors of Hyprland over its two sockets: one answers, the other tells events."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from biny_desktop.capture.platforms.json_answers import field, number, objects, parse
from biny_desktop.capture.platforms.outputs import Layout, LayoutSource, Output, rect_of, scale_of
from biny_desktop.capture.platforms.unix_sockets import QUIET_S, RETRY_S, SocketNews, Talk
from biny_desktop.capture.platforms.window_infos import WindowInfos
from biny_desktop.capture.ports import Notify, Unknown, WindowInfo
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect

REQUESTS, EVENTS = ".socket.sock", ".socket2.sock"
"""Names of the sockets in the folder of one instance."""


class HyprlandWindows:
    """`WindowSource`; `folder` is the folder of the instance. Each question is a fresh connection."""

    def __init__(
        self,
        folder: Path,
        layout: LayoutSource,
        own_pids: Collection[int] | None = None,
        retry_s: Sequence[float] = RETRY_S,
        quiet_s: float = QUIET_S,
    ) -> None:
        self._folder = folder
        self._infos = WindowInfos(layout, own_pids)
        self._news = SocketNews("hyprland-events", lambda: str(folder / EVENTS), b"", retry_s, quiet_s)

    def start(self, notify: Notify) -> None:
        self._news.start(notify)

    def stop(self) -> None:
        self._news.stop()

    def front(self) -> WindowInfo | Unknown:
        try:
            window = ask(self._folder, "activewindow")
        except TimeoutError:
            return Unknown("timeout")
        except UnavailableError:
            return Unknown("no_compositor")
        if not isinstance(window, dict):
            return Unknown("bad_answer")
        if not field(window, "address"):
            return self._bare_desktop()
        return self._infos.make(*_facts(window))

    def visible(self) -> list[WindowInfo] | None:
        windows = self._seen()
        if windows is None or not self._infos.can_place():
            return None
        return [self._infos.listed(*_facts(each)) for each in windows]

    def _bare_desktop(self) -> WindowInfo | Unknown:
        """Without an active window the desktop is in front if no window can be seen; else nobody can tell."""
        if self._seen() != []:
            return Unknown("no_front_window")
        return self._infos.make("hyprland:desktop", "hyprland", "", None, None)

    def _seen(self) -> list[dict[str, Any]] | None:
        try:
            windows, monitors = ask(self._folder, "clients"), ask(self._folder, "monitors")
        except (UnavailableError, TimeoutError):
            return None
        if not isinstance(windows, list) or not isinstance(monitors, list):
            return None
        return stacked(objects(windows), shown_workspaces(objects(monitors)))


class HyprlandLayout:
    """`LayoutSource` over the same socket."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def layout(self) -> Layout | None:
        try:
            monitors = ask(self._folder, "monitors")
        except (UnavailableError, TimeoutError):
            return None
        outputs = [each for each in map(_output, objects(monitors)) if each is not None]
        return Layout.logical(outputs) if outputs else None

    def close(self) -> None:
        """Nothing is held open."""


def instance_folder(signature: str, runtime: str | None) -> Path:
    """Where the sockets of that instance are: in the runtime folder, in versions before 0.40 in `/tmp/hypr`."""
    new = Path(runtime or "/tmp") / "hypr" / signature
    old = Path("/tmp/hypr") / signature
    return old if not new.exists() and old.exists() else new


def ask(folder: Path, question: str) -> Any:
    """The parsed answer; None when it is no JSON.

    Raises:
        UnavailableError: nobody is there.
        TimeoutError: no answer in time.
    """
    with Talk(str(folder / REQUESTS)) as talk:
        talk.send(f"j/{question}".encode())
        return parse(talk.read_all())


def shown_workspaces(monitors: list[dict[str, Any]]) -> set[int]:
    """Numbers of the workspaces that can be seen, special ones (negative numbers) included; 0 means none."""
    found = {number(each.get(name), "id") for each in monitors for name in ("activeWorkspace", "specialWorkspace")}
    return {each for each in found if each}


def stacked(windows: list[dict[str, Any]], shown: set[int]) -> list[dict[str, Any]]:
    """The windows that can be seen, lowest first. Hyprland lists them in drawing order within each kind."""
    seen = [
        each for each in windows
        if each.get("mapped") is not False and each.get("hidden") is not True
        and (number(each.get("workspace"), "id") in shown or each.get("pinned") is True)
    ]  # fmt: skip
    return sorted(seen, key=_height)


def _height(window: dict[str, Any]) -> tuple[bool, bool, bool, bool]:
    workspace = number(window.get("workspace"), "id") or 0
    return workspace < 0, bool(window.get("fullscreen")), window.get("floating") is True, window.get("pinned") is True


def _facts(window: dict[str, Any]) -> tuple[str, str, str, int | None, Rect | None]:
    """Id, app, title, process, place of one window."""
    app = field(window, "class") or field(window, "initialClass")
    place = rect_of(*_pair(window.get("at")), *_pair(window.get("size")))
    return f"hyprland:{field(window, 'address')[:64]}", app, field(window, "title"), number(window, "pid"), place


def _pair(value: Any) -> tuple[Any, Any]:
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else (None, None)


def _output(monitor: dict[str, Any]) -> Output | None:
    """Sizes are pixels, places logical; `reserved` is what bars keep: left, top, right, bottom in logical pixels."""
    if monitor.get("disabled") is True:
        return None
    scale = scale_of(monitor.get("scale"))
    width, height = number(monitor, "width"), number(monitor, "height")
    if width is None or height is None:
        return None
    if (number(monitor, "transform") or 0) % 2:
        width, height = height, width
    rect = rect_of(monitor.get("x"), monitor.get("y"), width / scale, height / scale)
    if rect is None:
        return None
    kept = monitor.get("reserved")
    work = rect
    if isinstance(kept, list) and len(kept) == 4 and all(isinstance(each, int) and each >= 0 for each in kept):
        left, top, right, bottom = kept
        work = Rect(rect.x + left, rect.y + top, rect.w - left - right, rect.h - top - bottom)
    size = _size(monitor)
    name = " ".join(filter(None, [field(monitor, "name"), field(monitor, "serial")]))
    return Output(name, rect, scale, size, work if work.w > 0 and work.h > 0 else rect)


def _size(monitor: dict[str, Any]) -> str:
    wide, high = number(monitor, "physicalWidth"), number(monitor, "physicalHeight")
    return f"{wide}x{high}mm" if wide and high else ""
