"""Counts of keys, clicks and wheel steps on X11, from XInput 2 raw events: key numbers only, never characters."""

import struct
from dataclasses import dataclass, field, replace
from typing import Any

from biny_desktop.capture.platforms.x11_keys import typing_keys
from biny_desktop.capture.platforms.x11_properties import answers
from biny_desktop.capture.platforms.x11_thread import Connection, XThread
from biny_desktop.capture.ports import InputTotals, Notify
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError

_RAW = struct.Struct("=BxHIHHIIHHI4x")
"""First 32 bytes of a raw event: kind, sequence, length, event, device, time, detail, source, valuators, flags.

Read here and not by `xcffib`, whose class counts the values of a wheel event wrongly (the sum of a bit mask).
"""
_GENERIC, _MAPPING_NOTIFY = 35, 34
_KEY_PRESS, _KEY_RELEASE, _BUTTON_PRESS, _BUTTON_RELEASE = 13, 14, 15, 16
_SELECTED = 1 << _KEY_PRESS | 1 << _KEY_RELEASE | 1 << _BUTTON_PRESS | 1 << _BUTTON_RELEASE
_ALL_MASTERS = 1
_WHEEL = range(4, 8)
_EXTENSION = "XInputExtension"
_NEEDED = (2, 1)
"""From XInput 2.1 on raw events arrive while a menu or a game holds a grab."""

REPEAT_DELAY_MS = 500
REPEAT_EACH_MS = 40
"""X's usual key repeat. Raw events do not repeat (the server repeats for the window in front), so it is reckoned."""
HELD_CHECK_S = 1.0
"""While a key is held: how often the keyboard is asked whether it still is, since a release can be missed."""


@dataclass(frozen=True, slots=True)
class Count:
    """Totals and the typing key that is down (its number, since when in monotonic ms); replaced as a whole."""

    totals: InputTotals = field(default_factory=InputTotals)
    held: tuple[int, int] | None = None

    def at(self, now: int) -> InputTotals:
        """The totals at that moment, with the repeats of the key that is down."""
        if self.held is None:
            return self.totals
        keys = self.totals.keys + max(0, now - self.held[1] - REPEAT_DELAY_MS) // REPEAT_EACH_MS
        return replace(self.totals, keys=keys, last_key_ms=now, last_input_ms=now)

    def pressed(self, key: int, now: int, *, typing: bool) -> "Count":
        before = self.at(now)
        if not typing:
            return Count(replace(before, last_input_ms=now), None if self.held is None else (self.held[0], now))
        return Count(replace(before, keys=before.keys + 1, last_key_ms=now, last_input_ms=now), (key, now))

    def released(self, key: int, now: int) -> "Count":
        if self.held is None or self.held[0] != key:
            return Count(replace(self.totals, last_input_ms=now), self.held)
        return Count(self.at(now))

    def button(self, button: int, now: int, *, down: bool) -> "Count":
        """Buttons count when released, wheel steps when pressed."""
        totals = replace(self.totals, last_input_ms=now)
        if button in _WHEEL and down:
            totals = replace(totals, scrolls=totals.scrolls + 1, last_scroll_ms=now)
        elif button not in _WHEEL and not down:
            totals = replace(totals, clicks=totals.clicks + 1, last_click_ms=now)
        return Count(totals, self.held)


class X11Input:
    """`InputSource` over one X connection of its own; its callbacks only add to counters."""

    name = "xinput2"

    def __init__(self, display: str, clock: Clock) -> None:
        self._clock = clock
        self._notify: Notify = lambda: None
        self._count = Count()
        self._typing: frozenset[int] = frozenset()
        self._root = 0
        self._usable = False
        self._thread = XThread(
            display, "x11-input", on_connect=self._select, on_readable=self._drain,
            tick_s=lambda: HELD_CHECK_S if self._count.held else None,
        )  # fmt: skip

    def start(self, notify: Notify) -> None:
        """Begin to count.

        Raises:
            UnavailableError: no X server, or one without XInput 2.1.
        """
        self._notify = notify
        if not self._thread.start() or not self._usable:
            self.stop()
            raise UnavailableError("No input counts", "There is no X server with XInput 2.1.")

    def stop(self) -> None:
        self._thread.stop()
        self._notify = lambda: None

    def totals(self) -> InputTotals:
        return self._count.at(self._clock.mono_ms())

    def _select(self, conn: Connection) -> None:
        import xcffib.xinput

        xinput: Any = xcffib.xinput
        self._root = conn.setup.roots[conn.pref_screen].root
        self._typing = typing_keys(conn)
        self._count = Count(self._count.totals)
        self._usable = xinput_version(conn) is not None
        if self._usable:
            conn(xinput.key).XISelectEvents(self._root, 1, [xinput.EventMask.synthetic(_ALL_MASTERS, 1, [_SELECTED])])

    def _drain(self, conn: Connection) -> None:
        """Count all waiting events; one notice for all of them."""
        before, now = self._count, self._clock.mono_ms()
        waiting = raw_events(conn)
        if any(data[0] & 0x7F == _MAPPING_NOTIFY for data in waiting):
            self._typing = typing_keys(conn)
        for data in waiting:
            self._take(data, now)
        after = self._count.totals
        if after.clicks != before.totals.clicks:
            self._place_click(conn)
        if not waiting and before.held is not None:
            self._check_held(conn, *before.held)
        if _sum(after) != _sum(before.totals):
            self._notify()

    def _take(self, data: bytes, now: int) -> None:
        """Count one event; under 50 µs (spec 02 §1.5)."""
        kind, _, _, event, _, _, detail, *_ = _RAW.unpack(data)
        if kind != _GENERIC:
            return
        if event == _KEY_PRESS:
            self._count = self._count.pressed(detail, now, typing=detail in self._typing)
        elif event == _KEY_RELEASE:
            self._count = self._count.released(detail, now)
        elif event in (_BUTTON_PRESS, _BUTTON_RELEASE):
            self._count = self._count.button(detail, now, down=event == _BUTTON_PRESS)

    def _place_click(self, conn: Connection) -> None:
        pointer: Any = answers([conn.core.QueryPointer(self._root)])[0]
        if pointer is not None:
            totals = replace(self._count.totals, click_x=pointer.root_x, click_y=pointer.root_y)
            self._count = Count(totals, self._count.held)

    def _check_held(self, conn: Connection, key: int, since: int) -> None:
        now = self._clock.mono_ms()
        if now - since >= HELD_CHECK_S * 1000:
            keys = conn.core.QueryKeymap().reply().keys
            if not keys[key // 8] >> key % 8 & 1:
                self._count = self._count.released(key, now)


def xinput_version(conn: Connection) -> tuple[int, int] | None:
    """The server's version of XInput; None when it is missing or too old."""
    import xcffib.xinput

    xinput: Any = xcffib.xinput
    if not conn.core.QueryExtension(len(_EXTENSION), _EXTENSION).reply().present:
        return None
    reply = conn(xinput.key).XIQueryVersion(2, 2).reply()
    version = (int(reply.major_version), int(reply.minor_version))
    return version if version >= _NEEDED else None


def _sum(totals: InputTotals) -> int:
    return totals.keys + totals.clicks + totals.scrolls


def raw_events(conn: Connection) -> list[bytes]:
    """The first 32 bytes of every waiting event.

    Raises:
        ConnectionException: the connection broke.
    """
    import xcffib
    from xcffib.ffi import ffi

    library: Any = xcffib
    found: list[bytes] = []
    while True:
        # `_conn`, since the public call builds the event class named above.
        event = library.lib.xcb_poll_for_event(conn._conn)
        if event == ffi.NULL:
            conn.invalid()
            return found
        found.append(bytes(ffi.buffer(ffi.gc(event, library.c_free), 32)))
