"""The calls of Microsoft Windows by `ctypes`, and nothing that decides: only these lines cannot run elsewhere."""

import ctypes
from collections.abc import Callable
from ctypes import wintypes
from typing import Any, cast

from biny_desktop.capture.platforms.loops import Loop
from biny_desktop.capture.platforms.windows_loops import SessionLoop, WindowLoop
from biny_desktop.capture.platforms.windows_ports import Display
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect

_PROCESS_QUERY_LIMITED = 0x1000
_DWMWA_FRAME, _DWMWA_CLOAKED = 9, 14
_GWL_EXSTYLE, _WS_EX_TRANSPARENT = -20, 0x20
_UOI_NAME = 2
_DESKTOP_READ = 0x0001
_CURRENT_SESSION, _WTS_SESSION_INFO_EX, _FLAGS_OFFSET = 0xFFFFFFFF, 25, 16
_LOCKED_FLAGS = {0: True, 1: False}
"""WTS_SESSIONSTATE_LOCK and _UNLOCK; Windows 7 had them the other way round and is not supported."""
_PER_MONITOR_V2 = -4
_HORZSIZE, _VERTSIZE = 4, 6
TEXT_MAX = 1_024
"""Longest title or class name that is read (characters)."""
PATH_MAX = 32_768


class _LastInput(ctypes.Structure):
    _fields_ = (("size", wintypes.UINT), ("time", wintypes.DWORD))


class _MonitorInfo(ctypes.Structure):
    _fields_ = (
        ("size", wintypes.DWORD), ("monitor", wintypes.RECT), ("work", wintypes.RECT), ("flags", wintypes.DWORD),
        ("device", wintypes.WCHAR * 32),
    )  # fmt: skip


class Win32:
    """`WindowsSystem` by ctypes.

    Raises:
        UnavailableError: this is no Windows, or one without these libraries.
    """

    def __init__(self) -> None:
        try:
            load = cast(Any, ctypes).WinDLL
            self._user: Any = load("user32", use_last_error=True)
            self._kernel: Any = load("kernel32", use_last_error=True)
            self._wts: Any = load("wtsapi32", use_last_error=True)
            self._dwm: Any = load("dwmapi", use_last_error=True)
            self._gdi: Any = load("gdi32", use_last_error=True)
            self._shcore: Any = load("shcore", use_last_error=True)
            self._version: Any = load("version", use_last_error=True)
            self._callback: Any = cast(Any, ctypes).WINFUNCTYPE
        except (AttributeError, OSError) as error:
            raise UnavailableError("No Windows", "The libraries of Windows cannot be loaded.") from error
        self._declare()
        # Fails when the window library has done it already.
        self._user.SetProcessDpiAwarenessContext(ctypes.c_void_p(_PER_MONITOR_V2))

    def _declare(self) -> None:
        """Handles are pointers; without this ctypes cuts them to 32 bits."""
        user, handle = self._user, ctypes.c_void_p
        for function in (user.GetForegroundWindow, user.OpenInputDesktop):
            function.restype = handle
        for name in ("GetWindowTextW", "GetClassNameW", "GetWindowThreadProcessId", "IsWindowVisible", "IsIconic",
                     "GetWindowRect", "GetWindowLongW", "CloseDesktop"):  # fmt: skip
            first = {"GetWindowTextW": [handle, wintypes.LPWSTR, ctypes.c_int],
                     "GetClassNameW": [handle, wintypes.LPWSTR, ctypes.c_int],
                     "GetWindowThreadProcessId": [handle, ctypes.POINTER(wintypes.DWORD)],
                     "GetWindowRect": [handle, ctypes.POINTER(wintypes.RECT)],
                     "GetWindowLongW": [handle, ctypes.c_int]}  # fmt: skip
            getattr(user, name).argtypes = first.get(name, [handle])
        self._kernel.OpenProcess.restype = handle
        self._kernel.CloseHandle.argtypes = [handle]
        self._kernel.GetTickCount64.restype = ctypes.c_ulonglong
        self._kernel.QueryFullProcessImageNameW.argtypes = [
            handle, wintypes.DWORD, wintypes.LPWSTR, ctypes.POINTER(wintypes.DWORD)
        ]  # fmt: skip
        self._dwm.DwmGetWindowAttribute.argtypes = [handle, wintypes.DWORD, ctypes.c_void_p, wintypes.DWORD]
        self._gdi.CreateDCW.restype = handle
        self._gdi.GetDeviceCaps.argtypes = [handle, ctypes.c_int]
        self._gdi.DeleteDC.argtypes = [handle]
        self._shcore.GetDpiForMonitor.argtypes = [
            handle, ctypes.c_int, ctypes.POINTER(wintypes.UINT), ctypes.POINTER(wintypes.UINT)
        ]  # fmt: skip
        user.GetMonitorInfoW.argtypes = [handle, ctypes.POINTER(_MonitorInfo)]
        user.GetUserObjectInformationW.argtypes = [
            handle, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD, ctypes.POINTER(wintypes.DWORD)
        ]  # fmt: skip
        self._wts.WTSFreeMemory.argtypes = [ctypes.c_void_p]

    def foreground(self) -> int:
        return int(self._user.GetForegroundWindow() or 0)

    def input_desktop(self) -> str:
        desktop = self._user.OpenInputDesktop(0, False, _DESKTOP_READ)
        if not desktop:
            return ""
        try:
            name, needed = ctypes.create_unicode_buffer(256), wintypes.DWORD()
            size = ctypes.sizeof(name)
            told = self._user.GetUserObjectInformationW(desktop, _UOI_NAME, name, size, ctypes.byref(needed))
            return name.value if told else ""
        finally:
            self._user.CloseDesktop(desktop)

    def top_windows(self) -> list[int]:
        found: list[int] = []
        self._each(lambda visit: self._user.EnumWindows(visit, 0), found.append)
        return found

    def children(self, handle: int) -> list[int]:
        found: list[int] = []
        self._each(lambda visit: self._user.EnumChildWindows(ctypes.c_void_p(handle), visit, 0), found.append)
        return found

    def _each(self, enumerate_: Callable[[Any], Any], add: Callable[[int], None]) -> None:
        def visit(handle: int | None, _argument: Any) -> bool:
            add(int(handle or 0))
            return True

        enumerate_(self._callback(wintypes.BOOL, ctypes.c_void_p, ctypes.c_void_p)(visit))

    def title(self, handle: int) -> str:
        return self._text(self._user.GetWindowTextW, handle)

    def class_name(self, handle: int) -> str:
        return self._text(self._user.GetClassNameW, handle)

    def _text(self, read: Any, handle: int) -> str:
        text = ctypes.create_unicode_buffer(TEXT_MAX)
        return text.value if read(handle, text, TEXT_MAX) > 0 else ""

    def pid(self, handle: int) -> int:
        pid = wintypes.DWORD()
        self._user.GetWindowThreadProcessId(handle, ctypes.byref(pid))
        return int(pid.value)

    def image(self, pid: int) -> str:
        process = self._kernel.OpenProcess(_PROCESS_QUERY_LIMITED, False, pid)
        if not process:
            return ""
        try:
            path, size = ctypes.create_unicode_buffer(PATH_MAX), wintypes.DWORD(PATH_MAX)
            told = self._kernel.QueryFullProcessImageNameW(process, 0, path, ctypes.byref(size))
            return path.value if told else ""
        finally:
            self._kernel.CloseHandle(process)

    def description(self, path: str) -> str:
        size = self._version.GetFileVersionInfoSizeW(ctypes.c_wchar_p(path), None)
        data = ctypes.create_string_buffer(size or 1)
        if not size or not self._version.GetFileVersionInfoW(ctypes.c_wchar_p(path), 0, size, data):
            return ""
        pages = self._version_value(data, "\\VarFileInfo\\Translation")
        if len(pages) < 4:
            return ""
        language, page = int.from_bytes(pages[:2], "little"), int.from_bytes(pages[2:4], "little")
        raw = self._version_value(data, f"\\StringFileInfo\\{language:04x}{page:04x}\\FileDescription", wide=True)
        return raw.decode("utf-16-le", "replace").rstrip("\0")

    def _version_value(self, data: Any, name: str, *, wide: bool = False) -> bytes:
        value, size = ctypes.c_void_p(), wintypes.UINT()
        told = self._version.VerQueryValueW(data, ctypes.c_wchar_p(name), ctypes.byref(value), ctypes.byref(size))
        if not told or not value.value:
            return b""
        return ctypes.string_at(value.value, size.value * (2 if wide else 1))

    def frame(self, handle: int) -> Rect | None:
        rect = wintypes.RECT()
        size = ctypes.sizeof(rect)
        if self._dwm.DwmGetWindowAttribute(handle, _DWMWA_FRAME, ctypes.byref(rect), size) == 0:
            return _rect(rect)
        return _rect(rect) if self._user.GetWindowRect(handle, ctypes.byref(rect)) else None

    def shown(self, handle: int) -> bool:
        if not self._user.IsWindowVisible(handle) or self._user.IsIconic(handle):
            return False
        cloaked = wintypes.DWORD()
        size = ctypes.sizeof(cloaked)
        told = self._dwm.DwmGetWindowAttribute(handle, _DWMWA_CLOAKED, ctypes.byref(cloaked), size) == 0
        return not (told and cloaked.value)

    def see_through(self, handle: int) -> bool:
        return bool(self._user.GetWindowLongW(handle, _GWL_EXSTYLE) & _WS_EX_TRANSPARENT)

    def ticks(self) -> int:
        return int(self._kernel.GetTickCount64())

    def last_input_ticks(self) -> int | None:
        last = _LastInput(ctypes.sizeof(_LastInput), 0)
        return int(last.time) if self._user.GetLastInputInfo(ctypes.byref(last)) else None

    def session_locked(self) -> bool | None:
        data, size = ctypes.c_void_p(), wintypes.DWORD()
        told = self._wts.WTSQuerySessionInformationW(
            None, _CURRENT_SESSION, _WTS_SESSION_INFO_EX, ctypes.byref(data), ctypes.byref(size)
        )
        if not told or not data.value:
            return None
        try:
            if size.value < _FLAGS_OFFSET + 4:
                return None
            flags = ctypes.c_int32.from_address(data.value + _FLAGS_OFFSET).value
            return _LOCKED_FLAGS.get(flags)
        finally:
            self._wts.WTSFreeMemory(data)

    def displays(self) -> list[Display]:
        found: list[int] = []

        def visit(monitor: int | None, _dc: Any, _rect: Any, _argument: Any) -> bool:
            found.append(int(monitor or 0))
            return True

        pointer = ctypes.c_void_p
        self._user.EnumDisplayMonitors(None, None, self._callback(wintypes.BOOL, *[pointer] * 4)(visit), 0)
        known = [self._display(monitor) for monitor in found]
        return [each for each in known if each is not None]

    def _display(self, monitor: int) -> Display | None:
        info = _MonitorInfo()
        info.size = ctypes.sizeof(info)
        if not self._user.GetMonitorInfoW(monitor, ctypes.byref(info)):
            return None
        across, down = wintypes.UINT(), wintypes.UINT()
        told = self._shcore.GetDpiForMonitor(monitor, 0, ctypes.byref(across), ctypes.byref(down)) == 0
        device = str(info.device)
        dpi = int(across.value) if told else 0
        return Display(device, _rect(info.monitor), _rect(info.work), dpi, self._millimetres(device))

    def _millimetres(self, device: str) -> tuple[int, int]:
        context = self._gdi.CreateDCW(ctypes.c_wchar_p(device), None, None, None)
        if not context:
            return (0, 0)
        try:
            caps = self._gdi.GetDeviceCaps
            return int(caps(context, _HORZSIZE)), int(caps(context, _VERTSIZE))
        finally:
            self._gdi.DeleteDC(context)

    def pointer(self) -> tuple[int, int] | None:
        point = wintypes.POINT()
        return (int(point.x), int(point.y)) if self._user.GetCursorPos(ctypes.byref(point)) else None

    def window_loop(self) -> Loop:
        return WindowLoop(self._user, self._kernel, self._callback)

    def session_loop(self) -> Loop:
        return SessionLoop(self._user, self._kernel, self._wts, self._callback)


def _rect(rect: Any) -> Rect:
    return Rect(rect.left, rect.top, max(0, rect.right - rect.left), max(0, rect.bottom - rect.top))
