"""Services of Wayland desktops on a private bus: the screenshot portal, Mutter, GNOME extensions, KWin."""

import json
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from tests.fakes.dbus_services import STEP_S, BusService

PORTAL = "org.freedesktop.portal.Desktop"
PORTAL_PATH = "/org/freedesktop/portal/desktop"
REQUEST = "org.freedesktop.portal.Request"
STORE = "org.freedesktop.impl.portal.PermissionStore"
SHELL = "org.gnome.Shell"
FOCUSED_PATH = "/org/gnome/shell/extensions/FocusedWindow"
CALLS_PATH = "/org/gnome/Shell/Extensions/Windows"
DISPLAY_PATH = "/org/gnome/Mutter/DisplayConfig"
IDLE_PATH = "/org/gnome/Mutter/IdleMonitor/Core"
KWIN = "org.kde.KWin"


class ScriptedService:
    """Owns `name`; `on_call(message)` gives a signature and body, None for an error, or `NO_ANSWER` to stay silent.

    Unlike `BusService` it can look at arguments, and send what it likes before and after the answer.
    """

    NO_ANSWER: tuple[str, tuple[Any, ...]] = ("!", ())

    def __init__(self, address: str, name: str) -> None:
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self._sending = threading.Lock()
        self._stopping = threading.Event()
        self._conn = open_dbus_connection(address)
        self._conn.send_and_get_reply(message_bus.RequestName(name))
        self._thread = threading.Thread(target=self._run, name=f"fake-{name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Give the name back; may be called twice."""
        self._stopping.set()
        self._thread.join()
        self._conn.close()

    def on_call(self, path: str, member: str, body: tuple[Any, ...], sender: str) -> tuple[str, tuple[Any, ...]] | None:
        raise AssertionError(f"{member} is not expected at {path} with {body} from {sender}")

    def after(self, member: str) -> None:
        """Runs once the answer to `member` is sent."""

    def send(self, message: Any) -> None:
        with self._sending:
            self._conn.send(message)

    def signal(self, to: str, path: str, interface: str, member: str, signature: str, *body: Any) -> None:
        """Send a signal, to one receiver only unless `to` is ""."""
        message = new_signal(DBusAddress(path, interface=interface), member, signature, body)
        if to:
            message.header.fields[HeaderFields.destination] = to
        self.send(message)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                message = self._conn.receive(timeout=STEP_S)
            except TimeoutError:
                continue
            except OSError:
                return  # the bus died
            if message.header.message_type is not MessageType.method_call:
                continue
            fields = message.header.fields
            path, member = fields.get(HeaderFields.path, ""), fields.get(HeaderFields.member, "")
            self.asked.append((member, message.body))
            answer = self.on_call(path, member, message.body, fields.get(HeaderFields.sender, ""))
            try:
                if answer is not self.NO_ANSWER:
                    known = new_method_return(message, *answer) if answer else None
                    self.send(known or new_error(message, "org.example.Unknown"))
                self.after(member)
            except OSError:
                return  # as above


class FakePortal(ScriptedService):
    """A screenshot portal that writes `picture` as PNG into `folder` and answers as the test says.

    `mode`: `give`, `refuse` (the person), `deny` (stored or failed), `silent` (the person has not answered), `fail`
    (an error instead of a handle), `mute` (no answer at all), `early` (the response comes before the handle), `old`
    (a handle of its own, as portals before 0.9), `link`, `nonsense` (files that must not be touched), `foreign` (URI).
    """

    def __init__(self, address: str, folder: Path, picture: np.ndarray[Any, Any]) -> None:
        self.mode = "give"
        self.folder, self.picture = folder, picture
        self.closed: list[str] = []
        self.handles: list[str] = []
        self._pending: list[tuple[str, str]] = []
        self._count = 0
        super().__init__(address, PORTAL)

    def on_call(self, path: str, member: str, body: tuple[Any, ...], sender: str) -> tuple[str, tuple[Any, ...]] | None:
        if member == "Close":
            self.closed.append(path)
            return "", ()
        assert (path, member) == (PORTAL_PATH, "Screenshot")
        if self.mode == "fail":
            return None
        if self.mode == "mute":
            return self.NO_ANSWER
        options = body[1]
        assert options["interactive"] == ("b", False)
        token = options["handle_token"][1] if self.mode != "old" else f"own{self._count}"
        handle = f"{PORTAL_PATH}/request/{sender[1:].replace('.', '_')}/{token}"
        self.handles.append(handle)
        self._pending.append((sender, handle))
        if self.mode == "early":
            self.respond()
        return "o", (handle,)

    def after(self, member: str) -> None:
        if member == "Screenshot" and self.mode != "silent":
            self.respond()

    def respond(self, code: int | None = None) -> None:
        """Answer every open request."""
        pending, self._pending = self._pending, []
        for sender, handle in pending:
            codes = {"refuse": 1, "deny": 2}
            wanted = codes.get(self.mode, 0) if code is None else code
            results = {} if wanted else {"uri": ("s", self._uri())}
            self.signal(sender, handle, REQUEST, "Response", "ua{sv}", wanted, results)

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())

    def _uri(self) -> str:
        self._count += 1
        path = self.folder / f"Screenshot {self._count} ü.png"
        if self.mode == "link":
            target = self.folder / "precious.txt"
            target.write_text("mine", encoding="utf-8")
            path.symlink_to(target)
        elif self.mode == "nonsense":
            path.write_bytes(b"no picture at all")
        elif self.mode == "foreign":
            return "http://example.org/picture.png"
        else:
            path.write_bytes(cv2.imencode(".png", self.picture)[1].tobytes())
        return path.as_uri()


class FakeMutter(BusService):
    """DisplayConfig with two monitors: 3840×2160 at scale 2 and, right of it, 1920×1080 turned on its side."""

    def __init__(self, address: str, *, physical: bool = False) -> None:
        super().__init__(address, "org.gnome.Mutter.DisplayConfig", {})
        left, right = ("DP-1", "DEL", "U27", "1"), ("HDMI-1", "LG", "24", "2")
        mode = "(siiddada{sv})"
        monitors = [
            (left, [("a", 3840, 2160, 60.0, 2.0, [1.0, 2.0], {"is-current": ("b", True)}),
                    ("b", 1920, 1080, 60.0, 1.0, [1.0], {})], {"width-mm": ("i", 600), "height-mm": ("i", 340)}),
            (right, [("c", 1920, 1080, 60.0, 1.0, [1.0], {"is-current": ("b", True)})], {}),
        ]  # fmt: skip
        x = 3840 if physical else 1920
        logical = [(0, 0, 2.0, 0, True, [left], {}), (x, 0, 1.0, 1, False, [right], {})]
        modes = {"layout-mode": ("u", 2 if physical else 1)}
        signature = f"ua((ssss)a{mode}a{{sv}})a(iiduba(ssss)a{{sv}})a{{sv}}"
        self.answers[(DISPLAY_PATH, "GetCurrentState")] = (signature, (1, monitors, logical, modes))


class FakeShell(ScriptedService):
    """GNOME Shell with the extensions that the test switches on; `windows` as "Window Calls" lists them."""

    def __init__(self, address: str, *, focused: bool = False, calls: bool = False) -> None:
        self.focused, self.calls = focused, calls
        self.windows: list[dict[str, Any]] = []
        self.raw: str | None = None
        self.silent = False
        super().__init__(address, SHELL)

    def on_call(self, path: str, member: str, body: tuple[Any, ...], sender: str) -> tuple[str, tuple[Any, ...]] | None:
        if self.silent:
            return self.NO_ANSWER
        text: Any = None
        front = next((each for each in self.windows if each.get("focus")), {})
        if self.focused and path == FOCUSED_PATH:
            text = front
        elif self.calls and path == CALLS_PATH and member == "List":
            text = [{key: each.get(key) for key in ("id", "focus", "wm_class")} for each in self.windows]
        elif self.calls and path == CALLS_PATH and member == "Details":
            text = next((each for each in self.windows if each["id"] == body[0]), None)
        if text is None:
            return None
        return "s", (self.raw if self.raw is not None else json.dumps(text),)

    def focus_changed(self) -> None:
        self.signal("", FOCUSED_PATH, "org.gnome.shell.extensions.FocusedWindow", "FocusChanged", "s", "{}")


class FakeKwin(ScriptedService):
    """KWin's script loader. `plasma` 5 or 6 decides where scripts are run; the "script" sends `state` when run."""

    def __init__(self, address: str, state: dict[str, Any], *, plasma: int = 6) -> None:
        self.state, self.plasma = state, plasma
        self.loaded: dict[str, str] = {}
        self.refuses = self.silent = self.mute = False
        self.runs = 0
        super().__init__(address, KWIN)

    def on_call(self, path: str, member: str, body: tuple[Any, ...], sender: str) -> tuple[str, tuple[Any, ...]] | None:
        if self.silent:
            return self.NO_ANSWER
        match member:
            case "isScriptLoaded":
                return "b", (body[0] in self.loaded,)
            case "unloadScript":
                return "b", (self.loaded.pop(body[0], None) is not None,)
            case "loadScript" if self.refuses or body[1] in self.loaded:
                return "i", (-1,)
            case "loadScript":
                self.loaded[body[1]] = body[0]
                return "i", (7,)
            case "run" if path == ("/Scripting/Script7" if self.plasma == 6 else "/7"):
                self.runs += 1
                if not self.mute:
                    self.tell()
                return "", ()
        return None

    def tell(self, text: str | None = None) -> None:
        """Send the state, as the script does at each change."""
        place = DBusAddress("/org/biny_desktop/Windows", "org.biny_desktop.Windows", "org.biny_desktop.Windows")
        self.send(new_method_call(place, "Update", "s", (json.dumps(self.state) if text is None else text,)))
