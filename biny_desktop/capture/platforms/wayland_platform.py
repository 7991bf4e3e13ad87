"""The sources of a Wayland session: each desktop tells its windows its own way, the rest is the same for all."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from biny_desktop.capture.platforms.choices import Choice, Platform
from biny_desktop.capture.platforms.dbus_idle import FirstIdle, idle_sources
from biny_desktop.capture.platforms.dbus_session import DbusSession
from biny_desktop.capture.platforms.null import NullScreen, NullWindows, PollInput
from biny_desktop.capture.platforms.outputs import FirstLayout, KeptLayout, LayoutSource
from biny_desktop.capture.platforms.portal_screen import PortalScreen
from biny_desktop.capture.platforms.wayland_client import socket_path
from biny_desktop.capture.platforms.wayland_idle import NotifyIdle
from biny_desktop.capture.platforms.wayland_presence import WaylandPresence
from biny_desktop.capture.ports import ScreenSource, WindowSource
from biny_desktop.core.clock import Clock

_ONLY_FRONT = "Other windows cannot be listed, so only the one in front is protected."
_REMEDY = (
    "Use GNOME with the extension Focused Window D-Bus or Window Calls, KDE Plasma, Sway, Hyprland or "
    "another compositor that tells its windows, or log in to an X11 session."
)
_NO_INPUT = "On Wayland no app sees input; idle time and changes of windows are looked at instead (`poll`)."
_NO_BUS = "There is no D-Bus session, and pictures on Wayland come from its screenshot portal."


@dataclass(frozen=True, slots=True)
class Desktop:
    """Where windows and monitors come from on one desktop."""

    name: str
    windows: WindowSource
    layout: LayoutSource
    why: str
    refused: tuple[tuple[str, str], ...] = ()


def wayland_platform(clock: Clock, session: str | None, system: str | None, env: Mapping[str, str]) -> Platform:
    """The sources; none is started. `session`, `system` are the addresses of the buses."""
    path = socket_path(env["WAYLAND_DISPLAY"], env.get("XDG_RUNTIME_DIR"))
    desktop = desktop_of(clock, session, path, env)
    sources, names = idle_sources(session, system, clock, env.get("XDG_SESSION_ID"), NotifyIdle(path, clock))
    idle = f"Idle time by the first that tells it of {names}"
    lock = "lock and sleep by D-Bus" if session else "lock by logind only, there is no session bus"
    buses = DbusSession(clock, session, system, env.get("XDG_SESSION_ID"))
    screen: ScreenSource = PortalScreen(session, clock, desktop.layout) if session else NullScreen()
    picture = "Pictures by the screenshot portal, which may ask for permission once." if session else _NO_BUS
    return Platform(
        f"wayland-{desktop.name}",
        desktop.windows,
        PollInput(),
        WaylandPresence(buses, FirstIdle(sources, clock)),
        (screen,),
        (
            Choice("windows", desktop.name, desktop.why, desktop.refused),
            Choice("input", PollInput.name, _NO_INPUT, (("pynput", "It sees nothing on Wayland."),)),
            Choice("presence", "dbus", f"{idle}; {lock}."),
            Choice("screen", screen.name, picture, (("mss", "It cannot read the screen of Wayland."),)),
        ),
    )


def desktop_of(clock: Clock, session: str | None, path: str, env: Mapping[str, str]) -> Desktop:
    """The window source of this desktop; one that says what is missing when there is none.

    `path` is the compositor's socket; it is asked only on a desktop that has no way of its own.
    """
    names = env.get("XDG_CURRENT_DESKTOP", "").lower().split(":")
    if env.get("HYPRLAND_INSTANCE_SIGNATURE"):
        return _hyprland(clock, env["HYPRLAND_INSTANCE_SIGNATURE"], env.get("XDG_RUNTIME_DIR"))
    if env.get("SWAYSOCK"):
        return _sway(clock, env["SWAYSOCK"])
    if session and "kde" in names:
        return _kde(clock, session, path)
    if session and any("gnome" in name for name in names):
        return _gnome(clock, session, path)
    return _other(session, path, ", ".join(filter(None, names)) or "this desktop")


def _other(session: str | None, path: str, told: str) -> Desktop:
    from biny_desktop.capture.platforms.foreign_toplevels import MANAGER, ForeignToplevels

    windows = ForeignToplevels(path)
    if windows.offers():
        why = f"The front window by the compositor of {told} ({MANAGER}). {_ONLY_FRONT}"
        return Desktop("toplevel", windows, windows, why)
    why = f"Nobody tells apps which window is in front on {told}. {_REMEDY}"
    bus = "" if session else " There is no D-Bus session to ask."
    refused = ((MANAGER, "The compositor does not offer it."),)
    return Desktop("null", NullWindows("no_window_source"), windows, why + bus, refused)


def _hyprland(clock: Clock, signature: str, runtime: str | None) -> Desktop:
    from biny_desktop.capture.platforms.hyprland_windows import HyprlandLayout, HyprlandWindows, instance_folder

    folder = instance_folder(signature, runtime)
    layout = KeptLayout(HyprlandLayout(folder), clock)
    return Desktop("hyprland", HyprlandWindows(folder, layout), layout, "Windows and monitors by Hyprland's sockets.")


def _sway(clock: Clock, path: str) -> Desktop:
    from biny_desktop.capture.platforms.sway_windows import SwayLayout, SwayWindows

    layout = KeptLayout(SwayLayout(path), clock)
    found = "its socket answers" if Path(path).exists() else "its socket is not there yet"
    return Desktop("sway", SwayWindows(path, layout), layout, f"Windows and monitors by Sway's IPC; {found}.")


def _kde(clock: Clock, session: str, path: str) -> Desktop:
    from biny_desktop.capture.platforms.foreign_toplevels import ForeignToplevels
    from biny_desktop.capture.platforms.kwin_windows import KwinWindows

    windows = KwinWindows(session, KeptLayout(ForeignToplevels(path), clock))
    return Desktop("kde", windows, windows, "Windows and monitors by a script in KWin, loaded while Biny records.")


def _gnome(clock: Clock, session: str, path: str) -> Desktop:
    from biny_desktop.capture.platforms.foreign_toplevels import ForeignToplevels
    from biny_desktop.capture.platforms.gnome_windows import GnomeWindows
    from biny_desktop.capture.platforms.mutter_layout import MutterLayout

    layout = KeptLayout(FirstLayout(MutterLayout(session), ForeignToplevels(path)), clock)
    windows = GnomeWindows(session, layout)
    extension = "Focused Window D-Bus or Window Calls"
    if windows.answers():
        return Desktop("gnome", windows, layout, f"The front window by a GNOME Shell extension. {_ONLY_FRONT}")
    why = f"No GNOME Shell extension tells the front window now. Install {extension} from extensions.gnome.org."
    return Desktop("gnome", windows, layout, why, (("extension", f"Neither {extension} answers."),))
