"""Which back ends this machine gets, each with the reason for the choice, for the app and for Doctor."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from biny_desktop.capture.platforms.choices import Choice, Platform
from biny_desktop.capture.platforms.null import NullInput, NullPresence, NullScreen, NullWindows
from biny_desktop.capture.ports import InputSource
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError

__all__ = ["Choice", "Platform", "bus_addresses", "pick"]

_SYSTEM_BUS = "unix:path=/var/run/dbus/system_bus_socket"


def pick(clock: Clock, env: Mapping[str, str] = os.environ) -> Platform:
    """The platform of this session; never raises, at worst it is `null` with an honest reason.

    Asks the X server for its extensions, so it may take some milliseconds, two seconds when the server hangs.
    """
    system: str = sys.platform
    if system == "win32":
        return _windows(clock)
    if system == "darwin":
        return _mac(clock)
    if env.get("WAYLAND_DISPLAY") and env.get("XDG_SESSION_TYPE", "wayland") == "wayland":
        from biny_desktop.capture.platforms.wayland_platform import wayland_platform

        return wayland_platform(clock, *bus_addresses(env), env)
    display = env.get("DISPLAY", "")
    if not display:
        return _nothing("no_display", "No display: neither DISPLAY nor WAYLAND_DISPLAY is set.")
    from biny_desktop.capture.platforms.x11_probe import probe

    try:
        extensions = probe(display)
    except UnavailableError:
        return _nothing("no_display", f"No display: the X server at {display} does not answer.")
    return _x11(clock, display, extensions, env)


def bus_addresses(env: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Addresses of the session and the system bus; None for one that this session has not."""
    session = env.get("DBUS_SESSION_BUS_ADDRESS")
    runtime = env.get("XDG_RUNTIME_DIR")
    if not session and runtime and (Path(runtime) / "bus").exists():
        session = f"unix:path={runtime}/bus"
    return session or None, env.get("DBUS_SYSTEM_BUS_ADDRESS") or _SYSTEM_BUS


def _windows(clock: Clock) -> Platform:
    from biny_desktop.capture.platforms.windows_api import Win32
    from biny_desktop.capture.platforms.windows_platform import windows_platform

    try:
        return windows_platform(clock, Win32())
    except UnavailableError as error:
        return _nothing("unsupported", error.message)


def _mac(clock: Clock) -> Platform:
    from biny_desktop.capture.platforms.mac_api import MacApi
    from biny_desktop.capture.platforms.mac_platform import mac_platform

    try:
        return mac_platform(clock, MacApi())
    except UnavailableError as error:
        return _nothing("unsupported", error.message)


def _x11(clock: Clock, display: str, extensions: Mapping[str, bool], env: Mapping[str, str]) -> Platform:
    from biny_desktop.capture.platforms.dbus_session import DbusSession
    from biny_desktop.capture.platforms.x11_presence import X11Presence
    from biny_desktop.capture.platforms.x11_screen import SCREEN_BACK_ENDS, X11Screen
    from biny_desktop.capture.platforms.x11_windows import X11Windows

    session, system = bus_addresses(env)
    counter, counted = _input(clock, display, extensions)
    idle = "idle time by the X server's screen saver extension" if extensions["MIT-SCREEN-SAVER"] else "no idle time"
    buses = "lock and sleep by D-Bus" if session else "lock by logind only, there is no session bus"
    return Platform(
        "x11",
        X11Windows(display),
        counter,
        X11Presence(display, DbusSession(clock, session, system, env.get("XDG_SESSION_ID"))),
        tuple(X11Screen(display, clock, name=name) for name in SCREEN_BACK_ENDS),
        (
            Choice("windows", "x11", f"The X server at {display} answers."),
            counted,
            Choice("presence", "x11", f"{idle[0].upper()}{idle[1:]}; {buses}."),
            Choice("screen", SCREEN_BACK_ENDS[0], f"On X11; {', '.join(SCREEN_BACK_ENDS[1:])} if it fails."),
        ),
    )


def _input(clock: Clock, display: str, extensions: Mapping[str, bool]) -> tuple[InputSource, Choice]:
    from biny_desktop.capture.platforms.pynput_input import PynputInput
    from biny_desktop.capture.platforms.x11_input import X11Input

    if extensions["XInputExtension"]:
        return X11Input(display, clock), Choice("input", X11Input.name, "The X server has XInput 2.")
    refused = ((X11Input.name, "The X server has no XInput 2.1."),)
    return PynputInput(clock), Choice("input", PynputInput.name, "Instead of XInput 2.", refused)


def _nothing(reason: str, why: str) -> Platform:
    """No sources at all; `reason` is the word that the front window is unknown for."""
    return Platform(
        "null",
        NullWindows(reason),
        NullInput(),
        NullPresence(),
        (NullScreen(),),
        (
            Choice("windows", "null", why),
            Choice("input", "null", why),
            Choice("presence", "null", why),
            Choice("screen", "null", why),
        ),
    )
