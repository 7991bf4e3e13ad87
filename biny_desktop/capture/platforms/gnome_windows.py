"""The front window on GNOME, from a Shell extension that answers on the session bus.

GNOME tells ordinary programs nothing about windows. Two widespread extensions do: "Focused Window D-Bus" and "Window
Calls". Neither tells which windows are minimised, so what hides what is not known and `visible` gives None: a minimised
window must not count as cover of a private one. Neither sends a notice for titles, so a thread looks each second.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from biny_desktop.capture.platforms.dbus_bus import RETRY_S, Body, BusThread, Message, Place, RefusedError
from biny_desktop.capture.platforms.json_answers import field, number, objects, parse
from biny_desktop.capture.platforms.outputs import LayoutSource, rect_of
from biny_desktop.capture.platforms.polling import Poller
from biny_desktop.capture.platforms.window_infos import WindowInfos
from biny_desktop.capture.ports import Notify, Unknown, WindowInfo
from biny_desktop.core.errors import UnavailableError

SHELL = "org.gnome.Shell"
FOCUSED: Place = (SHELL, "/org/gnome/shell/extensions/FocusedWindow", "org.gnome.shell.extensions.FocusedWindow")
CALLS: Place = (SHELL, "/org/gnome/Shell/Extensions/Windows", "org.gnome.Shell.Extensions.Windows")
POLL_S = 1.0
"""The same pace as `poll` (spec 02 §1.8)."""
STEP_TIMEOUT_S = 0.09
"""A question that takes two steps has this long for each: together below the 200 ms of spec 02 §3."""
_UINT32_MAX = 0xFFFFFFFF
_DIALOGS = (3, 4)
"""Mutter's window types "dialog" and "modal dialog"."""


class GnomeWindows:
    """`WindowSource` over one bus connection; both extensions are tried, the one that answered last comes first."""

    def __init__(
        self,
        address: str,
        layout: LayoutSource,
        own_pids: Collection[int] | None = None,
        poll_s: float = POLL_S,
        retry_s: Sequence[float] = RETRY_S,
    ) -> None:
        self._layout = layout
        self._infos = WindowInfos(layout, own_pids)
        self._notify: Notify = lambda: None
        self._bus = BusThread(address, "dbus-gnome", self._watch, self._on_signal, lambda: None, retry_s)
        self._poller = Poller("poll-gnome", self.front, poll_s)
        self._ways: list[Callable[[], Any]] = [self._by_focused, self._by_calls]

    def start(self, notify: Notify) -> None:
        self._notify = notify
        self._bus.start()
        self._poller.start(notify)

    def stop(self) -> None:
        self._poller.stop()
        self._bus.stop()
        self._layout.close()
        self._notify = lambda: None

    def answers(self) -> bool:
        """Whether one of the extensions is there now; asked before this source is chosen."""
        self._bus.start()
        front = self.front()
        self._bus.stop()
        return not isinstance(front, Unknown) or front.reason in ("no_front_window", "no_app_id")

    def front(self) -> WindowInfo | Unknown:
        for way in list(self._ways):
            try:
                record = way()
            except RefusedError:
                continue
            except TimeoutError:
                return Unknown("timeout")
            except UnavailableError:
                return Unknown("no_bus")
            if way is not self._ways[0]:
                self._ways.reverse()
            return self._info(record)
        return Unknown("no_extension")

    def visible(self) -> list[WindowInfo] | None:
        return None

    def _by_focused(self) -> Any:
        return parse(_text(self._bus.ask(FOCUSED, "Get")))

    def _by_calls(self) -> Any:
        windows = parse(_text(self._bus.ask(CALLS, "List", timeout_s=STEP_TIMEOUT_S)))
        if not isinstance(windows, list):
            return None
        focused = next((each for each in objects(windows) if each.get("focus") is True), None)
        window_id = number(focused, "id")
        if window_id is None or not 0 <= window_id <= _UINT32_MAX:
            return {}
        details = parse(_text(self._bus.ask(CALLS, "Details", "u", (window_id,), STEP_TIMEOUT_S)))
        # Gone between the two, or another one by now: the title must belong to the window.
        return details if isinstance(details, dict) and details.get("focus") is True else {}

    def _info(self, record: Any) -> WindowInfo | Unknown:
        if not isinstance(record, dict):
            return Unknown("bad_answer")
        window_id = number(record, "id")
        if window_id is None:
            return Unknown("no_front_window")
        rect = rect_of(*[record.get(name) for name in ("x", "y", "width", "height")])
        app = field(record, "wm_class") or field(record, "wm_class_instance")
        dialog = record.get("window_type") in _DIALOGS
        title, pid = field(record, "title"), number(record, "pid")
        return self._infos.make(f"gnome:{window_id}", app, title, pid, rect, dialog=dialog)

    # What follows runs in the thread of the bus.

    def _watch(self, bus: BusThread) -> None:
        bus.match(interface=FOCUSED[2], member="FocusChanged")
        bus.match(sender="org.freedesktop.DBus", member="NameOwnerChanged", arg0=SHELL)
        self._notify()

    def _on_signal(self, _message: Message) -> None:
        self._notify()


def _text(body: Body) -> Any:
    return body[0] if body else None
