"""Windows and monitors on KDE Plasma: a script of ours inside KWin that sends them to us over the session bus.

The script sends everything at each change. Whether what it sent last is still true is found out by asking KWin whether
the script is loaded: it answers from the thread that scripts run in, and its messages keep their order, so after the
answer everything that was sent before has arrived. (A ping is answered by the bus library, also while KWin hangs.)
"""

import logging
import threading
import time
from collections.abc import Collection, Sequence
from typing import Any

from biny_desktop.capture.platforms.dbus_bus import (
    ASK_TIMEOUT_S,
    BUS,
    RETRY_S,
    Body,
    BusThread,
    Message,
    Place,
    RefusedError,
)
from biny_desktop.capture.platforms.dbus_session import header_of, sender_of
from biny_desktop.capture.platforms.json_answers import JSON_MAX, field, number, objects, parse
from biny_desktop.capture.platforms.outputs import Layout, LayoutSource, Output, rect_of, scale_of
from biny_desktop.capture.platforms.window_infos import WindowInfos
from biny_desktop.capture.ports import Notify, Unknown, WindowInfo
from biny_desktop.core.errors import BinyError, UnavailableError
from biny_desktop.core.geometry import Rect
from biny_desktop.core.resources import resource

KWIN = "org.kde.KWin"
SCRIPTING: Place = (KWIN, "/Scripting", "org.kde.kwin.Scripting")
SCRIPT = "org.kde.kwin.Script"
PLUGIN = "biny-desktop-windows"
OWN_NAME = "org.biny_desktop.Windows"
OWN_PATH = "/org/biny_desktop/Windows"
RELOAD_S = 1.0
_DO_NOT_QUEUE = 4
_OWNED = (1, 4)
"""Answers of `RequestName` that make the name ours."""

log = logging.getLogger(__name__)


class KwinWindows:
    """`WindowSource` and `LayoutSource` over one bus connection and one script in KWin, taken out again by `stop`."""

    def __init__(
        self,
        address: str,
        other_layout: LayoutSource,
        own_pids: Collection[int] | None = None,
        retry_s: Sequence[float] = RETRY_S,
    ) -> None:
        self._other_layout = other_layout
        self._infos = WindowInfos(self, own_pids)
        self._notify: Notify = lambda: None
        self._bus = BusThread(address, "dbus-kwin", self._begin, self._on_signal, self._lose, retry_s, self._on_call)
        self._lock = threading.Lock()
        self._answered = threading.Event()
        self._running = False
        self._owner = ""
        self._loaded_s = 0.0
        self._problem = "no_kwin"
        self._text: str | None = None
        self._parsed: tuple[str, dict[str, Any]] | None = None

    def start(self, notify: Notify) -> None:
        self._notify, self._running = notify, True
        self._bus.start()

    def stop(self) -> None:
        self._running = False
        self._notify = lambda: None
        self._hang_up()

    def close(self) -> None:
        """Hang up what only the screen uses; while windows are watched the script stays."""
        self._other_layout.close()
        if not self._running:
            self._hang_up()

    def front(self) -> WindowInfo | Unknown:
        state = self._state()
        if isinstance(state, Unknown):
            return state
        front = field(state, "front")
        record = next((each for each in objects(state.get("windows")) if front and field(each, "id") == front), None)
        if record is None:
            return Unknown("no_front_window")
        return self._infos.make(*_facts(record), dialog=record.get("dialog") is True)

    def visible(self) -> list[WindowInfo] | None:
        state = self._state()
        if isinstance(state, Unknown) or not self._infos.can_place():
            return None
        seen = [each for each in objects(state.get("windows")) if each.get("seen") is True]
        return [self._infos.listed(*_facts(each), dialog=each.get("dialog") is True) for each in seen]

    def layout(self) -> Layout | None:
        self._bus.start()
        self._answered.wait(ASK_TIMEOUT_S)
        with self._lock:
            state = self._known()
        screens = objects(state.get("screens")) if state is not None else []
        outputs = [each for each in map(_output, screens) if each is not None]
        # Plasma 5 gives scripts no screens.
        return Layout.logical(outputs) if outputs else self._other_layout.layout()

    def _state(self) -> dict[str, Any] | Unknown:
        """What the script sent last, once KWin has said that the script is there."""
        try:
            loaded = self._bus.ask(SCRIPTING, "isScriptLoaded", "s", (PLUGIN,)) == (True,)
            if (not loaded or self._text is None) and not self._reload():
                return Unknown(self._problem)
        except RefusedError:
            return Unknown("no_kwin")
        except TimeoutError:
            return Unknown("timeout")
        except UnavailableError:
            return Unknown("no_bus")
        with self._lock:
            state = self._known()
            return state if state is not None else Unknown(self._problem)

    def _reload(self) -> bool:
        """The script is not in any more, or says nothing: what it sent is old. Put it in anew; whether it ran.

        At most once a second, so that the first try has its time.
        """
        if not self._owner or time.monotonic() - self._loaded_s < RELOAD_S:
            return False
        self._loaded_s = time.monotonic()
        self._fail("no_answer")
        self._bus.ask(SCRIPTING, "unloadScript", "s", (PLUGIN,))
        number_ = self._bus.ask(SCRIPTING, "loadScript", "ss", (_script(), PLUGIN))[0]
        if not isinstance(number_, int) or number_ < 0:
            self._fail("kwin_refused")
            return False
        for path in _places(number_):
            try:
                self._bus.ask((KWIN, path, SCRIPT), "run")
            except RefusedError:
                continue
            return True
        return False

    def _known(self) -> dict[str, Any] | None:
        """The newest message, parsed once."""
        if self._text is None:
            return None
        if self._parsed is None or self._parsed[0] != self._text:
            value = parse(self._text)
            self._parsed = (self._text, value if isinstance(value, dict) else {})
        return self._parsed[1]

    def _hang_up(self) -> None:
        if self._owner:  # else the script is that of another process of the app, or there is none
            try:
                self._bus.ask(SCRIPTING, "unloadScript", "s", (PLUGIN,))
            except (BinyError, TimeoutError):
                log.info("The KWin script could not be taken out")
        self._bus.stop()
        self._answered.clear()

    # What follows runs in the thread of the bus.

    def _begin(self, bus: BusThread) -> None:
        bus.match(sender=BUS[0], interface=BUS[2], member="NameOwnerChanged", arg0=KWIN)

        def named(body: Body | None) -> None:
            if body and body[0] in _OWNED:
                bus.call(BUS, "GetNameOwner", "s", (KWIN,), self._found)
            else:
                self._fail("name_taken")

        bus.call(BUS, "RequestName", "su", (OWN_NAME, _DO_NOT_QUEUE), named)

    def _found(self, body: Body | None) -> None:
        """KWin is there: put the script into it, after taking out one that an earlier run left behind."""
        if not body or not body[0]:
            self._fail("no_kwin")
            return
        self._owner = str(body[0])
        self._loaded_s = time.monotonic()

        def load(_body: Body | None) -> None:
            self._bus.call(SCRIPTING, "loadScript", "ss", (_script(), PLUGIN), self._loaded)

        self._bus.call(SCRIPTING, "unloadScript", "s", (PLUGIN,), load)

    def _loaded(self, body: Body | None) -> None:
        number_ = body[0] if body else -1
        if not isinstance(number_, int) or number_ < 0:
            self._fail("kwin_refused")
            return
        self._fail("no_answer")  # until the script sends
        self._answered.clear()
        new, old = _places(number_)

        def older(answer: Body | None) -> None:
            if answer is None:
                self._bus.call((KWIN, old, SCRIPT), "run", "", (), lambda _body: None)

        self._bus.call((KWIN, new, SCRIPT), "run", "", (), older)

    def _on_call(self, message: Message) -> bool:
        path, member = header_of(message)
        # Anybody on the bus may call us; only what KWin says counts.
        if (path, member) != (OWN_PATH, "Update") or not message.body or sender_of(message) != self._owner:
            return False
        text = message.body[0]
        if not isinstance(text, str) or len(text) > JSON_MAX:
            return False
        with self._lock:
            self._text = text
        self._answered.set()
        self._notify()
        return True

    def _on_signal(self, message: Message) -> None:
        if header_of(message)[1] == "NameOwnerChanged" and message.body[0] == KWIN:
            self._fail("no_kwin")
            self._owner = ""
            if message.body[2]:
                self._found((message.body[2],))

    def _fail(self, problem: str) -> None:
        with self._lock:
            self._problem, self._text = problem, None
        self._answered.set()
        self._notify()

    def _lose(self) -> None:
        self._owner = ""
        self._fail("no_bus")


def _script() -> str:
    return str(resource("desktop", "kwin-windows.js"))


def _places(number_: object) -> tuple[str, str]:
    """Where Plasma 6 and Plasma 5 have the script with that number."""
    return f"/Scripting/Script{number_}", f"/{number_}"


def _facts(record: dict[str, Any]) -> tuple[str, str, str, int | None, Rect | None]:
    """Id, app, title, process, place of one window. Privacy lists name classes; the desktop file stands in where a
    window has none."""
    app = field(record, "class") or field(record, "app")
    return f"kwin:{field(record, 'id')[:64]}", app, field(record, "title"), number(record, "pid"), _rect(record)


def _rect(record: dict[str, Any]) -> Rect | None:
    place = record.get("rect")
    if not isinstance(place, dict):
        return None
    return rect_of(*[place.get(name) for name in ("x", "y", "width", "height")])


def _output(screen: dict[str, Any]) -> Output | None:
    rect = _rect(screen)
    if rect is None:
        return None
    return Output(field(screen, "name"), rect, scale_of(screen.get("scale")), "", _rect({"rect": screen.get("work")}))
