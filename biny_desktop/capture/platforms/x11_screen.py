"""Pixels on X11: `mss` with its shared memory, and a plain GetImage for servers where that fails."""

import contextlib
from typing import Any, Protocol

import numpy as np

from biny_desktop.capture.platforms.shots import fit
from biny_desktop.capture.platforms.x11_monitors import X11Monitors
from biny_desktop.capture.platforms.x11_properties import answers, raw_reply
from biny_desktop.capture.platforms.x11_thread import Connection, events
from biny_desktop.capture.ports import Monitor, Pixels, Shot
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect

_REPLY_HEADER_BYTES = 32
_Z_PIXMAP = 2
_ALL_PLANES = 0xFFFFFFFF


class Grabber(Protocol):
    """One way to read pixels; belongs to the thread that made it."""

    def grab(self, rect: Rect) -> Pixels:
        """The pixels of that part of the virtual screen."""
        ...

    def close(self) -> None: ...


class X11Screen:
    """`ScreenSource` over one X connection, used from the recorder thread only. `name` says which grabber it uses.

    Nothing is opened before the first question. When the server tells that monitors changed, the connection and the
    grabber are made anew.
    """

    def __init__(self, display: str, clock: Clock, *, name: str = "mss") -> None:
        self.name = name
        self._display, self._clock = display, clock
        self._conn: Connection = None
        self._layout: X11Monitors | None = None
        self._grabber: Grabber | None = None

    def monitors(self) -> list[Monitor]:
        import xcffib

        try:
            return self._fresh().read()
        except (UnavailableError, xcffib.XcffibException, OSError):
            self.close()
            return []

    def grab(self, monitor: Monitor) -> Shot:
        import xcffib

        try:
            layout = self._fresh()
            now = next((each for each in layout.read() if each.key == monitor.key and each.rect == monitor.rect), None)
            if now is None:
                raise UnavailableError("Monitor is gone", "The monitor was switched off, moved or changed.")
            if self._grabber is None:
                self._grabber = _GRABBERS[self.name](self._display, self._conn)
            pixels = self._grabber.grab(now.rect)
            return fit(pixels, now, self._pointer(layout), self._clock.mono_ms())
        except UnavailableError:
            raise
        except (xcffib.XcffibException, OSError, ValueError) as error:
            self.close()
            raise UnavailableError("No picture", f"The X server refused ({type(error).__name__}).") from error

    def pointer(self) -> tuple[int, int] | None:
        import xcffib

        try:
            return self._pointer(self._fresh())
        except (UnavailableError, xcffib.XcffibException, OSError):
            self.close()
            return None

    def renew(self) -> None:
        self.close()

    def close(self) -> None:
        grabber, self._grabber = self._grabber, None
        conn, self._conn = self._conn, None
        self._layout = None
        if grabber is not None:
            grabber.close()
        if conn is not None:
            conn.disconnect()

    def _fresh(self) -> X11Monitors:
        """The monitors over a connection that is newer than the last screen change."""
        import xcffib.randr
        import xcffib.xproto

        news = xcffib.randr.ScreenChangeNotifyEvent | xcffib.randr.NotifyEvent
        if self._conn is not None and any(isinstance(event, news) for event in events(self._conn)):
            self.close()
        if self._layout is None:
            connect: Any = xcffib.connect
            try:
                self._conn = connect(self._display)
            except xcffib.XcffibException as error:
                raise UnavailableError("No display", "The X server does not answer.") from error
            self._layout = X11Monitors(self._conn)
        return self._layout

    def _pointer(self, layout: X11Monitors) -> tuple[int, int] | None:
        place: Any = answers([self._conn.core.QueryPointer(layout.root)])[0]
        return (place.root_x, place.root_y) if place is not None and place.same_screen else None


class MssGrabber:
    """`mss`: one instance, never one per shot."""

    def __init__(self, display: str, _conn: Connection) -> None:
        import mss
        from mss.exception import ScreenShotError

        self._error = ScreenShotError
        try:
            self._mss = mss.MSS(display=display)
        except ScreenShotError as error:
            raise UnavailableError("No picture", "The screenshot library cannot start here.") from error

    def grab(self, rect: Rect) -> Pixels:
        try:
            shot = self._mss.grab({"left": rect.x, "top": rect.y, "width": rect.w, "height": rect.h})
        except self._error as error:
            raise UnavailableError("No picture", "The X server refused the screenshot.") from error
        return np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)

    def close(self) -> None:
        with contextlib.suppress(self._error):
            self._mss.close()


class ImageGrabber:
    """The core protocol's GetImage: slower, without shared memory, works wherever X does."""

    def __init__(self, _display: str, conn: Connection) -> None:
        self._conn = conn
        screen = conn.setup.roots[conn.pref_screen]
        self._root = screen.root
        formats = {each.depth: each.bits_per_pixel for each in conn.setup.pixmap_formats}
        if formats.get(screen.root_depth) != 32 or conn.setup.image_byte_order != 0:
            raise UnavailableError("No picture", "This screen does not use 32 bits a pixel.")

    def grab(self, rect: Rect) -> Pixels:
        cookie = self._conn.core.GetImage(_Z_PIXMAP, self._root, rect.x, rect.y, rect.w, rect.h, _ALL_PLANES)
        data = raw_reply(self._conn, cookie)
        if data is None:
            raise UnavailableError("No picture", "The X server refused the screenshot.")
        count = rect.w * rect.h * 4
        pixels = np.frombuffer(bytearray(data), np.uint8, count, _REPLY_HEADER_BYTES)
        return pixels.reshape(rect.h, rect.w, 4)

    def close(self) -> None:
        """Nothing of its own to free."""


_GRABBERS: dict[str, type[MssGrabber] | type[ImageGrabber]] = {"mss": MssGrabber, "getimage": ImageGrabber}
SCREEN_BACK_ENDS = tuple(_GRABBERS)
"""Names of the ways to grab, best first."""
