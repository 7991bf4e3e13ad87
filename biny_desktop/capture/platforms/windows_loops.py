"""The two message loops of Microsoft Windows by `ctypes`: WinEvent hooks, and session and power messages.

Like `windows_api` these lines decide nothing and cannot run elsewhere.
"""

import ctypes
import threading
from ctypes import wintypes
from typing import Any

from biny_desktop.capture.platforms.loops import Tell

_WM_QUIT = 0x0012
_EVENTS = ((0x0003, 0x0003), (0x0016, 0x0017), (0x0020, 0x0020), (0x800C, 0x800C))
"""Foreground; minimise start and end; desktop switch; name change."""
_OBJID_WINDOW = 0
_NOTIFY_THIS_SESSION = 0
_SESSION_CHANGE, _POWER = 0x02B1, 0x0218
_CLASS_NAME = "BinyDesktopSession"


class _ThreadLoop:
    """A message loop that `quit` ends from any thread."""

    def __init__(self, user: Any, kernel: Any) -> None:
        self._user, self._kernel = user, kernel
        self._lock = threading.Lock()
        self._thread_id = 0
        self._quitting = False

    def quit(self) -> None:
        with self._lock:
            self._quitting = True
            if self._thread_id:
                self._user.PostThreadMessageW(self._thread_id, _WM_QUIT, 0, 0)

    def _pump(self) -> None:
        """Deliver messages until `quit`; what was registered in this thread before is called from here."""
        message = wintypes.MSG()
        self._user.PeekMessageW(ctypes.byref(message), None, 0, 0, 0)  # makes the queue that `quit` posts to
        with self._lock:
            quitting, self._quitting = self._quitting, False
            self._thread_id = int(self._kernel.GetCurrentThreadId())
        try:
            while not quitting and self._user.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
                self._user.TranslateMessage(ctypes.byref(message))
                self._user.DispatchMessageW(ctypes.byref(message))
        finally:
            with self._lock:
                self._thread_id, self._quitting = 0, False


class WindowLoop(_ThreadLoop):
    """Tells (event, window) of WinEvent hooks that run out of context, in this thread."""

    def __init__(self, user: Any, kernel: Any, callback: Any) -> None:
        super().__init__(user, kernel)
        pointer, number = ctypes.c_void_p, wintypes.DWORD
        self._procedure = callback(None, pointer, number, pointer, wintypes.LONG, wintypes.LONG, number, number)
        user.SetWinEventHook.restype = pointer
        user.SetWinEventHook.argtypes = [number, number, pointer, self._procedure, number, number, number]
        user.UnhookWinEvent.argtypes = [pointer]

    def run(self, tell: Tell) -> None:
        def on_event(
            _hook: Any, event: int, window: int | None, thing: int, child: int, _thread: int, _at: int
        ) -> None:
            if thing == _OBJID_WINDOW and child == 0:
                tell(event, int(window or 0))

        procedure = self._procedure(on_event)  # kept alive by this frame while the hooks may call it
        hooks = [self._user.SetWinEventHook(low, high, None, procedure, 0, 0, 0) for low, high in _EVENTS]
        try:
            if not any(hooks):
                raise OSError(ctypes.get_errno(), "no hooks")
            self._pump()
        finally:
            for hook in filter(None, hooks):
                self._user.UnhookWinEvent(hook)


class SessionLoop(_ThreadLoop):
    """Tells (message, first argument) of a hidden top-level window; only those get power messages."""

    def __init__(self, user: Any, kernel: Any, wts: Any, callback: Any) -> None:
        super().__init__(user, kernel)
        self._wts = wts
        pointer = ctypes.c_void_p
        self._procedure = callback(ctypes.c_ssize_t, pointer, wintypes.UINT, ctypes.c_size_t, ctypes.c_ssize_t)
        user.DefWindowProcW.restype = ctypes.c_ssize_t
        user.DefWindowProcW.argtypes = [pointer, wintypes.UINT, ctypes.c_size_t, ctypes.c_ssize_t]
        user.CreateWindowExW.restype = pointer
        user.CreateWindowExW.argtypes = [
            wintypes.DWORD, wintypes.LPCWSTR, wintypes.LPCWSTR, wintypes.DWORD, *[ctypes.c_int] * 4, *[pointer] * 4
        ]  # fmt: skip
        user.DestroyWindow.argtypes = [pointer]
        kernel.GetModuleHandleW.restype = pointer
        wts.WTSRegisterSessionNotification.argtypes = [pointer, wintypes.DWORD]
        wts.WTSUnRegisterSessionNotification.argtypes = [pointer]

    def run(self, tell: Tell) -> None:
        def on_message(window: int | None, message: int, first: int, second: int) -> int:
            if message in (_SESSION_CHANGE, _POWER):
                tell(message, int(first))
                return 1
            return int(self._user.DefWindowProcW(window, message, first, second))

        procedure = self._procedure(on_message)
        module = self._kernel.GetModuleHandleW(None)
        kind = self._class(procedure, module)
        if not self._user.RegisterClassW(ctypes.byref(kind)):
            raise OSError(ctypes.get_errno(), "no window class")
        window = self._user.CreateWindowExW(0, _CLASS_NAME, "", 0, 0, 0, 0, 0, None, None, module, None)
        try:
            if not window:
                raise OSError(ctypes.get_errno(), "no window")
            self._wts.WTSRegisterSessionNotification(window, _NOTIFY_THIS_SESSION)
            self._pump()
        finally:
            if window:
                self._wts.WTSUnRegisterSessionNotification(window)
                self._user.DestroyWindow(window)
            self._user.UnregisterClassW(ctypes.c_wchar_p(_CLASS_NAME), ctypes.c_void_p(module))

    def _class(self, procedure: Any, module: Any) -> ctypes.Structure:
        kind = _WindowClass()
        kind.procedure = ctypes.cast(procedure, ctypes.c_void_p)
        kind.instance, kind.name = module, _CLASS_NAME
        return kind


class _WindowClass(ctypes.Structure):
    """WNDCLASSW."""

    _fields_ = (
        ("style", wintypes.UINT), ("procedure", ctypes.c_void_p), ("class_extra", ctypes.c_int),
        ("window_extra", ctypes.c_int), ("instance", ctypes.c_void_p), ("icon", ctypes.c_void_p),
        ("cursor", ctypes.c_void_p), ("background", ctypes.c_void_p), ("menu", wintypes.LPCWSTR),
        ("name", wintypes.LPCWSTR),
    )  # fmt: skip
