"""Sleep and wake on macOS by `ctypes`: the power manager's messages in a run loop of our own.

Like `mac_api` these lines decide nothing and cannot run elsewhere.
"""

import ctypes
import threading
from ctypes import c_bool, c_double, c_int32, c_long, c_uint32, c_void_p
from typing import Any

from biny_desktop.capture.platforms.loops import Tell

_IOKIT = "/System/Library/Frameworks/IOKit.framework/IOKit"
_CAN_SLEEP, _WILL_SLEEP = 0xE0000270, 0xE0000280
"""Both wait for our answer; without one the machine sleeps half a minute later."""
STEP_S = 0.5
"""The run loop returns this often to see whether it shall end."""


class PowerLoop:
    """`Loop` that tells (message, 0) of the system's power manager."""

    def __init__(self, cf: Any) -> None:
        self._cf = cf
        self._kit: Any = ctypes.CDLL(_IOKIT)
        self._quitting = threading.Event()
        self._callback = ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_uint32, c_void_p)
        kit = self._kit
        kit.IORegisterForSystemPower.restype = c_uint32
        kit.IORegisterForSystemPower.argtypes = [c_void_p, c_void_p, self._callback, c_void_p]
        kit.IONotificationPortGetRunLoopSource.restype = c_void_p
        kit.IONotificationPortGetRunLoopSource.argtypes = [c_void_p]
        kit.IONotificationPortDestroy.argtypes = [c_void_p]
        kit.IODeregisterForSystemPower.argtypes = [c_void_p]
        kit.IOServiceClose.argtypes = [c_uint32]
        kit.IOAllowPowerChange.argtypes = [c_uint32, c_long]
        cf.CFRunLoopGetCurrent.restype = c_void_p
        cf.CFRunLoopAddSource.argtypes = cf.CFRunLoopRemoveSource.argtypes = [c_void_p, c_void_p, c_void_p]
        cf.CFRunLoopRunInMode.restype = c_int32
        cf.CFRunLoopRunInMode.argtypes = [c_void_p, c_double, c_bool]

    def quit(self) -> None:
        self._quitting.set()

    def run(self, tell: Tell) -> None:
        root = 0

        def on_message(_reference: Any, _service: int, message: int, argument: int | None) -> None:
            if message in (_CAN_SLEEP, _WILL_SLEEP):
                tell(message, 0)
                self._kit.IOAllowPowerChange(root, argument or 0)
            else:
                tell(message, 0)

        callback, port, notifier = self._callback(on_message), c_void_p(), c_uint32()
        root = self._kit.IORegisterForSystemPower(None, ctypes.byref(port), callback, ctypes.byref(notifier))
        if not root:
            raise OSError(1, "no power notices")
        mode = c_void_p.in_dll(self._cf, "kCFRunLoopDefaultMode")
        source = self._kit.IONotificationPortGetRunLoopSource(port)
        loop = self._cf.CFRunLoopGetCurrent()
        self._cf.CFRunLoopAddSource(loop, source, mode)
        try:
            while not self._quitting.is_set():
                self._cf.CFRunLoopRunInMode(mode, STEP_S, False)
        finally:
            self._quitting.clear()
            self._cf.CFRunLoopRemoveSource(loop, source, mode)
            self._kit.IODeregisterForSystemPower(ctypes.byref(notifier))
            self._kit.IOServiceClose(root)
            self._kit.IONotificationPortDestroy(port)
