"""The calls of macOS by `ctypes`, and nothing that decides: only these lines cannot run elsewhere.

Lists and dictionaries of the system become Python ones by way of a property list, which both sides can write and read:
no conversion by hand, no reference left behind. Rejected: `pyobjc` (large, one package a framework), `osascript` for
everything (a process a question).
"""

import ctypes
import plistlib
import subprocess
from collections.abc import Mapping
from ctypes import c_bool, c_char_p, c_double, c_int32, c_long, c_uint32, c_void_p
from typing import Any

from biny_desktop.capture.platforms.loops import Loop
from biny_desktop.capture.platforms.mac_ports import MacDisplay
from biny_desktop.capture.platforms.mac_power import PowerLoop
from biny_desktop.core.errors import UnavailableError

_FRAMEWORKS = "/System/Library/Frameworks/{0}.framework/{0}"
_ON_SCREEN, _NO_WINDOW = 1, 0
_BINARY_PLIST = 200
_HID_STATE, _ANY_INPUT = 1, 0xFFFFFFFF
_DISPLAYS_MAX = 16
_UTF8 = 0x08000100
_BUNDLE_ID, _WILD = int.from_bytes(b"bund", "big"), int.from_bytes(b"****", "big")
MODE_TIMEOUT_S = 2.0
"""A browser that does not tell its mode within this time is unknown; asked from a thread that may wait."""
TEXT_MAX = 4_096
_DESCRIPTOR_SIZE = 16
"""At least the size of an AEDesc, which is opaque here."""


class _Point(ctypes.Structure):
    _fields_ = (("x", c_double), ("y", c_double))


class _Bounds(ctypes.Structure):
    _fields_ = (("x", c_double), ("y", c_double), ("width", c_double), ("height", c_double))


class MacApi:
    """`MacSystem` by ctypes.

    Raises:
        UnavailableError: this is no macOS, or one without these libraries.
    """

    def __init__(self) -> None:
        try:
            self._cf: Any = ctypes.CDLL(_FRAMEWORKS.format("CoreFoundation"))
            self._cg: Any = ctypes.CDLL(_FRAMEWORKS.format("CoreGraphics"))
            self._ae: Any = ctypes.CDLL(_FRAMEWORKS.format("CoreServices"))
            self._objc: Any = ctypes.CDLL("/usr/lib/libobjc.dylib")
            ctypes.CDLL(_FRAMEWORKS.format("AppKit"))
            self._declare()
        except (AttributeError, OSError) as error:
            raise UnavailableError("No macOS", "The libraries of macOS cannot be loaded.") from error

    def _declare(self) -> None:
        """Pointers and floats; ctypes takes everything else for an int."""
        cf, cg, objc = self._cf, self._cg, self._objc
        results: list[tuple[Any, Any, list[Any]]] = [
            (cf.CFRelease, None, [c_void_p]),
            (cf.CFPropertyListCreateData, c_void_p, [c_void_p, c_void_p, c_long, c_long, c_void_p]),
            (cf.CFDataGetBytePtr, c_void_p, [c_void_p]),
            (cf.CFDataGetLength, c_long, [c_void_p]),
            (cf.CFStringGetCString, c_bool, [c_void_p, c_char_p, c_long, c_uint32]),
            (cg.CGWindowListCopyWindowInfo, c_void_p, [c_uint32, c_uint32]),
            (cg.CGSessionCopyCurrentDictionary, c_void_p, []),
            (cg.CGEventSourceSecondsSinceLastEventType, c_double, [c_int32, c_uint32]),
            (cg.CGGetActiveDisplayList, c_int32, [c_uint32, c_void_p, c_void_p]),
            (cg.CGDisplayBounds, _Bounds, [c_uint32]),
            (cg.CGDisplayScreenSize, _Point, [c_uint32]),
            (cg.CGDisplayCopyDisplayMode, c_void_p, [c_uint32]),
            (cg.CGDisplayModeGetPixelWidth, ctypes.c_size_t, [c_void_p]),
            (cg.CGDisplayModeGetWidth, ctypes.c_size_t, [c_void_p]),
            (cg.CGDisplayModeRelease, None, [c_void_p]),
            (cg.CGDisplayVendorNumber, c_uint32, [c_uint32]),
            (cg.CGDisplayModelNumber, c_uint32, [c_uint32]),
            (cg.CGDisplaySerialNumber, c_uint32, [c_uint32]),
            (cg.CGEventCreate, c_void_p, [c_void_p]),
            (cg.CGEventGetLocation, _Point, [c_void_p]),
            (cg.CGPreflightScreenCaptureAccess, c_bool, []),
            (cg.CGRequestScreenCaptureAccess, c_bool, []),
            (objc.objc_getClass, c_void_p, [c_char_p]),
            (objc.sel_registerName, c_void_p, [c_char_p]),
            (objc.objc_autoreleasePoolPush, c_void_p, []),
            (objc.objc_autoreleasePoolPop, None, [c_void_p]),
        ]
        for function, result, arguments in results:
            function.restype, function.argtypes = result, arguments

    def windows(self) -> list[Mapping[str, Any]] | None:
        value = self._python(self._cg.CGWindowListCopyWindowInfo(_ON_SCREEN, _NO_WINDOW))
        return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else None

    def session(self) -> Mapping[str, Any] | None:
        value = self._python(self._cg.CGSessionCopyCurrentDictionary())
        return value if isinstance(value, dict) else None

    def _python(self, value: int | None) -> Any:
        """A value of Core Foundation, which is released, as a Python one; None when it cannot be had."""
        if not value:
            return None
        data = self._cf.CFPropertyListCreateData(None, value, _BINARY_PLIST, 0, None)
        self._cf.CFRelease(value)
        if not data:
            return None
        try:
            raw = ctypes.string_at(self._cf.CFDataGetBytePtr(data), self._cf.CFDataGetLength(data))
            return plistlib.loads(raw)
        except (ValueError, plistlib.InvalidFileException):
            return None
        finally:
            self._cf.CFRelease(data)

    def front_pid(self) -> int | None:
        pool = self._objc.objc_autoreleasePoolPush()
        try:
            app = self._send(self._send(self._class(b"NSWorkspace"), b"sharedWorkspace"), b"frontmostApplication")
            pid = self._send(app, b"processIdentifier", c_int32) if app else None
            return int(pid) if pid is not None and pid > 0 else None
        finally:
            self._objc.objc_autoreleasePoolPop(pool)

    def app(self, pid: int) -> tuple[str, str]:
        pool = self._objc.objc_autoreleasePoolPush()
        try:
            kind, member = self._class(b"NSRunningApplication"), b"runningApplicationWithProcessIdentifier:"
            app = self._send(kind, member, c_void_p, (c_int32, pid))
            if not app:
                return "", ""
            return self._text(self._send(app, b"bundleIdentifier")), self._text(self._send(app, b"localizedName"))
        finally:
            self._objc.objc_autoreleasePoolPop(pool)

    def _class(self, name: bytes) -> int | None:
        found: int | None = self._objc.objc_getClass(name)
        return found

    def _send(self, to: int | None, name: bytes, result: Any = c_void_p, *arguments: tuple[Any, Any]) -> Any:
        """A message to an object; None to nobody. A prototype of its own each time: arguments are never variadic."""
        if not to:
            return None
        types = [kind for kind, _value in arguments]
        call = ctypes.CFUNCTYPE(result, c_void_p, c_void_p, *types)(("objc_msgSend", self._objc))
        return call(to, self._objc.sel_registerName(name), *[value for _kind, value in arguments])

    def _text(self, string: int | None) -> str:
        buffer = ctypes.create_string_buffer(TEXT_MAX)
        if not string or not self._cf.CFStringGetCString(string, buffer, TEXT_MAX, _UTF8):
            return ""
        return buffer.value.decode("utf-8", "replace")

    def idle_s(self) -> float | None:
        return float(self._cg.CGEventSourceSecondsSinceLastEventType(_HID_STATE, _ANY_INPUT))

    def displays(self) -> list[MacDisplay]:
        ids, count = (c_uint32 * _DISPLAYS_MAX)(), c_uint32()
        if self._cg.CGGetActiveDisplayList(_DISPLAYS_MAX, ids, ctypes.byref(count)) != 0:
            return []
        return [self._display(each) for each in ids[: count.value]]

    def _display(self, number: int) -> MacDisplay:
        cg = self._cg
        bounds, size = cg.CGDisplayBounds(number), cg.CGDisplayScreenSize(number)
        scale, mode = 1.0, cg.CGDisplayCopyDisplayMode(number)
        if mode:
            scale = cg.CGDisplayModeGetPixelWidth(mode) / max(1, cg.CGDisplayModeGetWidth(mode))
            cg.CGDisplayModeRelease(mode)
        numbers = (cg.CGDisplayVendorNumber(number), cg.CGDisplayModelNumber(number), cg.CGDisplaySerialNumber(number))
        name = "display " + "-".join(f"{each:x}" for each in numbers)
        place = (bounds.x, bounds.y, bounds.width, bounds.height)
        return MacDisplay(name, place, scale, (round(size.x), round(size.y)))

    def pointer(self) -> tuple[float, float] | None:
        event = self._cg.CGEventCreate(None)
        if not event:
            return None
        place = self._cg.CGEventGetLocation(event)
        self._cf.CFRelease(event)
        return float(place.x), float(place.y)

    def may_capture(self) -> bool:
        return bool(self._cg.CGPreflightScreenCaptureAccess())

    def ask_to_capture(self) -> None:
        self._cg.CGRequestScreenCaptureAccess()

    def may_automate(self, bundle_id: str) -> bool:
        name, target = bundle_id.encode("ascii"), ctypes.create_string_buffer(_DESCRIPTOR_SIZE)
        size = ctypes.c_ssize_t(len(name))
        if self._ae.AECreateDesc(c_uint32(_BUNDLE_ID), name, size, target) != 0:
            return False
        try:
            kinds = (c_uint32(_WILD), c_uint32(_WILD))
            status = self._ae.AEDeterminePermissionToAutomateTarget(target, *kinds, c_bool(False))
            return int(status) == 0
        finally:
            self._ae.AEDisposeDesc(target)

    def window_mode(self, bundle_id: str) -> str:
        script = f'tell application id "{bundle_id}" to get mode of front window'
        command = ["/usr/bin/osascript", "-e", script]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=MODE_TIMEOUT_S, check=False)
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            return ""
        return done.stdout.strip() if done.returncode == 0 else ""

    def power_loop(self) -> Loop:
        return PowerLoop(self._cf)
