"""One question at a time to the Screenshot portal, and what its refusals mean.

The first request makes many desktops ask the person. That may take minutes, so the recorder does not wait for it: after
a few seconds the request stays open, later grabs are refused at once, and the answer is looked at whenever it comes.
"""

import logging
import os
import threading
from collections.abc import Callable
from typing import Any

from biny_desktop.capture.platforms.dbus_bus import (
    ASK_TIMEOUT_S,
    BUS,
    Body,
    BusThread,
    Message,
    Place,
    RefusedError,
)
from biny_desktop.capture.platforms.dbus_session import header_of, sender_of
from biny_desktop.capture.platforms.portal_file import drop
from biny_desktop.capture.ports import NoPermissionError
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, UnavailableError

NAME = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"
SCREENSHOT: Place = (NAME, PATH, "org.freedesktop.portal.Screenshot")
REQUEST = "org.freedesktop.portal.Request"
STORE: Place = (
    "org.freedesktop.impl.portal.PermissionStore",
    "/org/freedesktop/impl/portal/PermissionStore",
    "org.freedesktop.impl.portal.PermissionStore",
)
_REQUEST_PATH = "/org/freedesktop/portal/desktop/request/"

CALL_S = 2.0
"""The portal gives a handle within this time, or it hangs; the service may have to be started first."""
PROMPT_S = 5.0
"""A picture takes well under a second; what takes longer waits for a person."""
OPEN_MS = 180_000
"""A request without an answer for this long is closed: nobody is there, or the portal forgot it."""
REFUSED_MS = 600_000
"""After a refusal the portal is asked again no sooner, unless its permissions change: it may bother the person."""

_REMEDY = "Allow screenshots for Biny in the settings of the desktop (Apps or Privacy), then restart the app."

log = logging.getLogger(__name__)


class Portal:
    """Takes pictures through the portal; one thread asks, the bus thread listens."""

    def __init__(self, address: str, clock: Clock, token: Callable[[], str], prompt_s: float) -> None:
        self._clock, self._token, self._prompt_s = clock, token, prompt_s
        self._bus = BusThread(address, "dbus-portal", self._subscribe, self._on_signal, self._forget)
        self._news = threading.Condition()
        self._owner = ""
        self._responses: dict[str, tuple[int, str]] = {}
        self._open: str | None = None
        self._opened_ms = 0
        self._refused_ms: int | None = None
        self._worked = False

    def check(self) -> None:
        """Whether pictures are allowed as far as is known; asks nobody.

        Raises:
            NoPermissionError: they are refused.
        """
        if self._refused_ms is not None and self._clock.mono_ms() - self._refused_ms < REFUSED_MS:
            raise NoPermissionError("No pictures", "The desktop does not let the app take pictures.", _REMEDY)

    def picture(self) -> str:
        """Ask for a picture of everything and give the URI of its file, which is ours to remove.

        Raises:
            NoPermissionError: refused, or the desktop is asking the person.
            UnavailableError: no portal, no answer, or it failed.
        """
        self.check()
        self._bus.start()
        self._settle_open()
        handle = self._ask()
        answer = self._wait(handle)
        if answer is None:
            self._open, self._opened_ms = handle, self._clock.mono_ms()
            if self._worked:
                raise UnavailableError("No picture", "The desktop did not give a picture in time.")
            raise self._asking()
        return self._judge(*answer)

    def close(self) -> None:
        """Hang up; may be called twice, and `picture` begins anew."""
        handle, self._open = self._open, None
        if handle is not None:
            self._cancel(handle)
        self._bus.stop()
        with self._news:
            self._drop_all()
            self._refused_ms = None

    def _settle_open(self) -> None:
        """Look at the request that was left open: its picture is of an earlier moment, its verdict counts.

        Raises:
            NoPermissionError: the person has not answered yet, or refused.
        """
        handle = self._open
        if handle is None:
            return
        with self._news:
            answer = self._responses.pop(handle, None)
        if answer is None and self._clock.mono_ms() - self._opened_ms < OPEN_MS and self._owner:
            raise UnavailableError("No picture", "The desktop is busy.") if self._worked else self._asking()
        self._open = None
        if answer is None:
            self._cancel(handle)
        else:
            drop(self._judge(*answer))

    def _ask(self) -> str:
        """Send the request; gives the path of its handle."""
        token = self._token()
        options: dict[str, tuple[str, Any]] = {
            "handle_token": ("s", token), "interactive": ("b", False), "modal": ("b", False),
        }  # fmt: skip
        try:
            self._find()
            body = self._bus.ask(SCREENSHOT, "Screenshot", "sa{sv}", ("", options), CALL_S)
        except RefusedError as error:
            log.info("The screenshot portal refused: %s", error.name)
            if error.name.endswith(".NotAllowed") or error.name.endswith(".AccessDenied"):
                raise self._refuse() from error
            raise _missing() from error
        except TimeoutError:
            raise UnavailableError("No picture", "The screenshot portal does not answer.") from None
        return str(body[0]) if body else ""

    def _find(self) -> None:
        """Learn who the portal is, starting it if need be: calls here never start a service by themselves."""
        if self._owner:
            return
        try:
            owner = self._bus.ask(BUS, "GetNameOwner", "s", (NAME,), CALL_S)
        except RefusedError:
            self._bus.ask(BUS, "StartServiceByName", "su", (NAME, 0), CALL_S)
            owner = self._bus.ask(BUS, "GetNameOwner", "s", (NAME,), CALL_S)
        self._own(owner)

    def _wait(self, handle: str) -> tuple[int, str] | None:
        """The response to that handle: its code and the URI; None when it has not come in time."""
        with self._news:
            self._news.wait_for(lambda: handle in self._responses or not self._owner, self._prompt_s)
            answer = self._responses.pop(handle, None)
            self._drop_all()
        if answer is None and not self._owner:
            raise UnavailableError("No picture", "The screenshot portal went away.")
        return answer

    def _judge(self, code: int, uri: str) -> str:
        """The URI of a good response.

        Code 1 is a person who said no. Code 2 is a stored "no" as well as a failure; it counts as refusal until a
        picture has been given once.
        """
        if code == 0 and uri:
            self._worked = True
            return uri
        if uri:
            drop(uri)
        if code == 1 or (code == 2 and not self._worked):
            raise self._refuse()
        raise UnavailableError("No picture", "The screenshot portal failed.")

    def _drop_all(self) -> None:
        """Remove the pictures of requests that nobody waits for any more."""
        for _code, uri in self._responses.values():
            drop(uri)
        self._responses.clear()

    def _refuse(self) -> NoPermissionError:
        self._refused_ms = self._clock.mono_ms()
        return NoPermissionError("No pictures", "The desktop does not let the app take pictures.", _REMEDY)

    def _asking(self) -> NoPermissionError:
        return NoPermissionError(
            "No pictures yet",
            "The desktop is asking whether pictures are allowed.",
            "Look for a question of the desktop about screenshots and allow them.",
        )

    def _cancel(self, handle: str) -> None:
        try:
            self._bus.ask((NAME, handle, REQUEST), "Close", timeout_s=ASK_TIMEOUT_S)
        except (BinyError, TimeoutError):
            log.info("A screenshot request could not be closed")

    # What follows runs in the thread of the bus, `_own` in both.

    def _subscribe(self, bus: BusThread) -> None:
        bus.match(sender=NAME, interface=REQUEST, member="Response")
        bus.match(sender=BUS[0], interface=BUS[2], member="NameOwnerChanged", arg0=NAME)
        bus.match(sender=STORE[0], interface=STORE[2], member="Changed")
        bus.call(BUS, "GetNameOwner", "s", (NAME,), self._own)

    def _own(self, body: Body | None) -> None:
        with self._news:
            self._owner = str(body[0]) if body else ""
            self._news.notify_all()

    def _on_signal(self, message: Message) -> None:
        path, member = header_of(message)
        body = message.body
        if member == "NameOwnerChanged" and body[0] == NAME:
            self._own((body[2],))
        elif member == "Changed" and body[:2] == ("screenshot", "screenshot"):
            self._refused_ms = None
        elif member == "Response" and path.startswith(_REQUEST_PATH) and sender_of(message) == self._owner:
            # Anybody may send us a signal; only the portal's names a file that is read and removed.
            self._keep(path, body)

    def _keep(self, path: str, body: Body) -> None:
        code, results = (body[0], body[1]) if len(body) == 2 and isinstance(body[1], dict) else (2, {})
        uri = results.get("uri", ("s", ""))[1]
        with self._news:
            self._responses[path] = (code, uri if isinstance(uri, str) else "")
            self._news.notify_all()

    def _forget(self) -> None:
        with self._news:
            self._owner, self._open = "", None
            self._drop_all()
            self._news.notify_all()


def _missing() -> UnavailableError:
    hint = (
        f"Install xdg-desktop-portal and its back end for this desktop ({os.environ.get('XDG_CURRENT_DESKTOP', '?')})."
    )
    return UnavailableError("No screenshot portal", "The desktop offers no screenshots to apps.", hint)
