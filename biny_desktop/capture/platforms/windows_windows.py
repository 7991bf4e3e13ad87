"""Windows on Microsoft Windows: the one in front, those that can be seen, and notices by WinEvent hooks."""

import os
from collections.abc import Collection
from pathlib import PureWindowsPath

from biny_desktop.capture.platforms.loops import LoopThread
from biny_desktop.capture.platforms.process_hint import ProcessHints
from biny_desktop.capture.platforms.windows_ports import WindowsSystem
from biny_desktop.capture.ports import Notify, Unknown, WindowInfo
from biny_desktop.core.text import clean_title

NAME_CHANGE = 0x800C
"""EVENT_OBJECT_NAMECHANGE; told for every window, wanted for the one in front."""
DEFAULT_DESKTOP = "default"
_DIALOG_CLASS = "#32770"
_FRAME_HOST = "applicationframehost.exe"
"""Owns the windows of Store apps; the app itself is the process of a child window."""
NAMES_MAX = 256
"""Programs whose names are remembered."""


class WindowsWindows:
    """`WindowSource` over the calls of `WindowsSystem`. `own_pids` are the processes of this app."""

    def __init__(self, system: WindowsSystem, own_pids: Collection[int] | None = None) -> None:
        self._system = system
        self._own_pids = frozenset(own_pids) if own_pids is not None else frozenset({os.getpid()})
        self._loop = LoopThread("windows-events", system.window_loop())
        self._hints = ProcessHints()
        self._names: dict[str, str] = {}
        self._notify: Notify = lambda: None

    def start(self, notify: Notify) -> None:
        self._notify = notify
        self._loop.start(self._on_event)

    def stop(self) -> None:
        self._loop.stop()
        self._notify = lambda: None

    def front(self) -> WindowInfo | Unknown:
        handle = self._system.foreground()
        if not handle:
            # Between two windows there is no foreground for a moment; on the secure desktop there never is one.
            return Unknown("no_front_window" if on_default_desktop(self._system) else "secure_desktop")
        info = self._info(handle)
        return info if info.app_id else Unknown("no_app_id")

    def visible(self) -> list[WindowInfo] | None:
        """All windows that can be seen, lowest first; overlays that let clicks through are left out of the cover."""
        handles = [each for each in self._system.top_windows() if self._system.shown(each)]
        if not handles and not on_default_desktop(self._system):
            return None
        found = [self._info(each) for each in reversed(handles) if not self._system.see_through(each)]
        return [each for each in found if each.rect is not None]

    def _info(self, handle: int) -> WindowInfo:
        """The window; its app id is "" when its process may not be asked."""
        pid, path = self._process(handle)
        app_id = PureWindowsPath(path).name.lower()
        rect = self._system.frame(handle)
        return WindowInfo(
            window_id=f"{handle:#x}",
            app_id=app_id,
            app_name=self._name(path) if path else "",
            pid=pid or None,
            title=clean_title(self._system.title(handle)),
            rect=rect if rect is not None and rect.area else None,
            dialog=self._system.class_name(handle) == _DIALOG_CLASS,
            private_hint=self._hints.hint(app_id, pid),
            own=pid in self._own_pids,
        )

    def _process(self, handle: int) -> tuple[int, str]:
        """Process and program of a window; of a Store app's window the app's own, not its frame's."""
        pid = self._system.pid(handle)
        path = self._system.image(pid) if pid else ""
        if PureWindowsPath(path).name.lower() == _FRAME_HOST:
            for child in self._system.children(handle):
                inner = self._system.pid(child)
                if inner and inner != pid:
                    return inner, self._system.image(inner)
        return pid, path

    def _name(self, path: str) -> str:
        if path not in self._names:
            if len(self._names) >= NAMES_MAX:
                self._names.clear()
            self._names[path] = clean_title(self._system.description(path)) or PureWindowsPath(path).stem
        return self._names[path]

    def _on_event(self, event: int, handle: int) -> None:
        if event != NAME_CHANGE or handle == self._system.foreground():
            self._notify()


def on_default_desktop(system: WindowsSystem) -> bool:
    """Whether input goes to the ordinary desktop: not to the lock screen, a consent prompt or a screen saver."""
    return system.input_desktop().lower() == DEFAULT_DESKTOP
