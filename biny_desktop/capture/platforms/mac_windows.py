"""Windows on macOS: the app in front by the workspace, its window and all others by the window server's list.

Workspace notices reach only the main thread of a program with an event loop, which capture cannot count on; so a thread
looks twice a second. The two answers may disagree for a moment, or because the first is stale in a program without
event loop: then the front window is unknown.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from biny_desktop.capture.platforms.mac_modes import BrowserModes
from biny_desktop.capture.platforms.mac_ports import MacSystem
from biny_desktop.capture.platforms.outputs import LayoutSource, rect_of
from biny_desktop.capture.platforms.polling import Poller
from biny_desktop.capture.ports import Notify, Unknown, WindowInfo
from biny_desktop.core.geometry import Rect
from biny_desktop.core.text import clean_title

POLL_S = 0.5
"""A change of the front window is seen after this time at most, besides the looks of the recorder."""
NORMAL_LAYER = 0
"""Documents and ordinary windows; menus, panels and the Dock are above, the desktop far below."""
PANEL_PART = 0.5
"""A window above the normal layer that is larger than this part of a monitor is a see-through overlay of the system
(the Dock's and the notifications' fill the screen): it must not count as cover of a private window."""
SMALL = 40
"""Windows smaller than this each way are bubbles and helpers of another one (points)."""


@dataclass(frozen=True, slots=True)
class MacRecord:
    """One window of the list; `rect` in points."""

    number: int
    pid: int
    title: str
    owner: str
    layer: int
    rect: Rect


class MacWindows:
    """`WindowSource` over the calls of `MacSystem`. `own_pids` are the processes of this app."""

    def __init__(
        self, system: MacSystem, layout: LayoutSource, own_pids: Collection[int] | None = None, poll_s: float = POLL_S
    ) -> None:
        self._system, self._layout = system, layout
        self._own_pids = frozenset(own_pids) if own_pids is not None else frozenset({os.getpid()})
        self._modes = BrowserModes(system)
        self._poller = Poller("mac-windows", self._look, poll_s)

    def start(self, notify: Notify) -> None:
        self._poller.start(notify)

    def stop(self) -> None:
        self._poller.stop()

    def front(self) -> WindowInfo | Unknown:
        records = self._records()
        pid = self._system.front_pid()
        if records is None or pid is None:
            return Unknown("no_front_app")
        record = front_record(records, pid)
        if isinstance(record, Unknown):
            return record
        info = self._info(record) if record is not None else self._windowless(pid)
        return info if info.app_id else Unknown("no_app_id")

    def visible(self) -> list[WindowInfo] | None:
        """The windows on the screen, lowest first: normal ones and panels, without wallpaper and overlays."""
        records, layout = self._records(), self._layout.layout()
        if records is None or layout is None:
            return None
        areas = [each.rect.area for each in layout.outputs]
        most = PANEL_PART * min(areas, default=0)
        kept = [each for each in records if each.layer == NORMAL_LAYER or (each.layer > 0 and each.rect.area <= most)]
        return [self._info(each) for each in reversed(kept)]

    def _look(self) -> object:
        """What the poller compares; learns the mode of a browser's window on the way, since that may take long."""
        front = self.front()
        if isinstance(front, WindowInfo) and front.private_hint == "unknown":
            self._modes.learn(front.app_id, front.window_id, self._front_id)
            front = self.front()
        return front

    def _front_id(self) -> str:
        front = self.front()
        return front.window_id if isinstance(front, WindowInfo) else ""

    def _records(self) -> list[MacRecord] | None:
        listed = self._system.windows()
        if listed is None:
            return None
        found = [record_of(each) for each in listed]
        return [each for each in found if each is not None]

    def _windowless(self, pid: int) -> WindowInfo:
        """An app in front without any window, as the Finder with the bare desktop."""
        bundle, name = self._system.app(pid)
        app_id = clean_title(bundle).lower()
        return WindowInfo(
            f"mac:app:{pid}", app_id, clean_title(name) or app_id, pid, "", None, own=pid in self._own_pids
        )

    def _info(self, record: MacRecord) -> WindowInfo:
        bundle, name = self._system.app(record.pid)
        # Helpers without a bundle are named as the window server calls them, as `loginwindow`.
        app_id = clean_title(bundle or record.owner).lower()
        window_id = f"mac:{record.number}"
        layout = self._layout.layout()
        return WindowInfo(
            window_id=window_id,
            app_id=app_id,
            app_name=clean_title(name or record.owner),
            pid=record.pid,
            title=record.title,
            rect=layout.physical(record.rect) if layout is not None else None,
            private_hint=self._modes.hint(app_id, window_id),
            own=record.pid in self._own_pids,
        )


def record_of(window: Mapping[str, Any]) -> MacRecord | None:
    """A record of the window server's list; None for one that is invisible, or of a shape nobody expects."""
    number, pid, layer = (window.get(key) for key in ("kCGWindowNumber", "kCGWindowOwnerPID", "kCGWindowLayer"))
    bounds, alpha = window.get("kCGWindowBounds"), window.get("kCGWindowAlpha", 1.0)
    if not isinstance(number, int) or not isinstance(pid, int) or not isinstance(layer, int):
        return None
    if not isinstance(bounds, Mapping) or not isinstance(alpha, int | float) or alpha <= 0:
        return None
    rect = rect_of(*[bounds.get(name) for name in ("X", "Y", "Width", "Height")])
    if rect is None:
        return None
    title, owner = window.get("kCGWindowName"), window.get("kCGWindowOwnerName")
    return MacRecord(
        number, pid, clean_title(title) if isinstance(title, str) else "",
        clean_title(owner) if isinstance(owner, str) else "", layer, rect,
    )  # fmt: skip


def front_record(records: list[MacRecord], pid: int) -> MacRecord | Unknown | None:
    """The front window of the app in front; None when it has none, Unknown when another app's window lies above.

    `records` topmost first. Browsers show link bubbles as windows above their own: the first with a title counts, then
    the first of some size.
    """
    normal = [
        each for each in records if each.layer == NORMAL_LAYER and (each.rect.w >= SMALL and each.rect.h >= SMALL)
    ]
    own = [each for each in normal if each.pid == pid]
    if not own:
        return None
    if normal[0].pid != pid:
        return Unknown("front_differs")
    return next((each for each in own if each.title), own[0])
