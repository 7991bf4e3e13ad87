"""Staying alive without a window: where there is no display the app runs and says what is missing (spec 02 §11.25)."""

import os
import signal
import sys
import threading
from collections.abc import Mapping
from types import FrameType

LOOK_S = 0.5
"""A signal is noticed within this time; Python runs handlers only between waits (s)."""


def has_display(env: Mapping[str, str] = os.environ) -> bool:
    """Whether a window can be shown: always on Windows and macOS, else when a display or a Qt platform is named."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(env.get("DISPLAY") or env.get("WAYLAND_DISPLAY") or env.get("QT_QPA_PLATFORM") == "offscreen")


def stay() -> None:
    """Wait until SIGINT or SIGTERM; their handlers are put back afterwards."""
    stop = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        while not stop.wait(LOOK_S):
            pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
