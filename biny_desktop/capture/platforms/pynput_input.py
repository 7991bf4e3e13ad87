"""Counts of input by `pynput`, where XInput 2 is missing: the same counters from its two listeners."""

from dataclasses import replace
from typing import Any

from biny_desktop.capture.ports import InputTotals, Notify
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError

_EDITING = frozenset({"space", "enter", "backspace", "delete"})
"""Named keys of `pynput` that write or edit text; all others with a name are modifiers, navigation or functions."""


class PynputInput:
    """`InputSource` over `pynput`. A held key repeats there, and each repeat counts. Loaded when started only."""

    name = "pynput"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._notify: Notify = lambda: None
        self._totals = InputTotals()
        self._listeners: list[Any] = []

    def start(self, notify: Notify) -> None:
        """Begin to count.

        Raises:
            UnavailableError: `pynput` finds no display, or may not listen.
        """
        if self._listeners:
            return
        try:
            from pynput import keyboard, mouse
        except ImportError as error:
            raise UnavailableError("No input counts", "The input library finds no display.") from error
        self._notify = notify
        self._listeners = [
            keyboard.Listener(on_press=self._on_press),
            mouse.Listener(on_click=self._on_click, on_scroll=self._on_scroll),
        ]
        try:
            for listener in self._listeners:
                listener.start()
        except Exception as error:  # whatever the system's back end raises
            self.stop()
            raise UnavailableError("No input counts", "The system does not let the app count input.") from error

    def stop(self) -> None:
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener.stop()
        self._notify = lambda: None

    def totals(self) -> InputTotals:
        return self._totals

    def _on_press(self, key: Any) -> None:
        now = self._clock.mono_ms()
        name = getattr(key, "name", None)
        if key is None or (name is not None and name not in _EDITING):
            self._totals = replace(self._totals, last_input_ms=now)
            return
        self._totals = replace(self._totals, keys=self._totals.keys + 1, last_key_ms=now, last_input_ms=now)
        self._notify()

    def _on_click(self, x: float, y: float, _button: Any, pressed: bool) -> None:
        now = self._clock.mono_ms()
        self._totals = replace(self._totals, last_input_ms=now)
        if not pressed:
            clicks = self._totals.clicks + 1
            self._totals = replace(self._totals, clicks=clicks, last_click_ms=now, click_x=int(x), click_y=int(y))
            self._notify()

    def _on_scroll(self, _x: float, _y: float, _dx: float, _dy: float) -> None:
        now = self._clock.mono_ms()
        scrolls = self._totals.scrolls + 1
        self._totals = replace(self._totals, scrolls=scrolls, last_scroll_ms=now, last_input_ms=now)
        self._notify()
