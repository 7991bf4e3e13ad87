"""The sources of Microsoft Windows put together."""

from biny_desktop.capture.platforms.choices import Choice, Platform
from biny_desktop.capture.platforms.mss_screen import MssScreen
from biny_desktop.capture.platforms.outputs import KeptLayout
from biny_desktop.capture.platforms.pynput_input import PynputInput
from biny_desktop.capture.platforms.windows_layout import WindowsLayout
from biny_desktop.capture.platforms.windows_ports import WindowsSystem
from biny_desktop.capture.platforms.windows_presence import WindowsPresence
from biny_desktop.capture.platforms.windows_windows import WindowsWindows
from biny_desktop.core.clock import Clock


def windows_platform(clock: Clock, system: WindowsSystem) -> Platform:
    """The sources; none is started."""
    layout = KeptLayout(WindowsLayout(system), clock)
    return Platform(
        "windows",
        WindowsWindows(system),
        PynputInput(clock),
        WindowsPresence(system, clock),
        (MssScreen(layout, system.pointer, clock),),
        (
            Choice("windows", "winevent", "Foreground and name changes by WinEvent hooks of Windows."),
            Choice("input", PynputInput.name, "Counts by the hooks of pynput; no characters are read."),
            Choice("presence", "windows", "Idle time by GetLastInputInfo; lock, session and sleep by their messages."),
            Choice("screen", MssScreen.name, "Pictures in physical pixels by mss; no permission is needed."),
        ),
    )
