"""The sources of macOS put together."""

from biny_desktop.capture.platforms.choices import Choice, Platform
from biny_desktop.capture.platforms.mac_layout import MacLayout
from biny_desktop.capture.platforms.mac_ports import MacSystem
from biny_desktop.capture.platforms.mac_presence import MacPresence
from biny_desktop.capture.platforms.mac_windows import MacWindows
from biny_desktop.capture.platforms.mss_screen import MssScreen, open_sharp
from biny_desktop.capture.platforms.outputs import KeptLayout
from biny_desktop.capture.platforms.pynput_input import PynputInput
from biny_desktop.capture.ports import NoPermissionError
from biny_desktop.core.clock import Clock

_SETTINGS = "System Settings > Privacy & Security"


class Permit:
    """Refuses pictures while macOS does; the first refusal lets the system ask the person, which it does once."""

    def __init__(self, system: MacSystem) -> None:
        self._system = system
        self._asked = False

    def __call__(self) -> None:
        if self._system.may_capture():
            return
        if not self._asked:
            self._asked = True
            self._system.ask_to_capture()
        hint = f"Allow Biny in {_SETTINGS} > Screen & System Audio Recording, then start it again."
        raise NoPermissionError("No pictures", "macOS does not let the app record the screen.", hint)


def mac_platform(clock: Clock, system: MacSystem) -> Platform:
    """The sources; none is started."""
    layout = KeptLayout(MacLayout(system), clock)

    def pointer() -> tuple[int, int] | None:
        place = system.pointer()
        return (int(place[0]), int(place[1])) if place is not None else None

    allowed = "allowed" if system.may_capture() else f"not allowed yet ({_SETTINGS} > Screen & System Audio Recording)"
    return Platform(
        "macos",
        MacWindows(system, layout),
        PynputInput(clock),
        MacPresence(system, clock),
        (MssScreen(layout, pointer, clock, permit=Permit(system), open_mss=open_sharp),),
        (
            Choice(
                "windows",
                "quartz",
                "The app in front by the workspace, windows by the window server. Windows of Chromium browsers are "
                f"recorded only if Biny may ask for their mode ({_SETTINGS} > Automation); Safari tells nobody whether "
                "a window is private, so it is not recorded.",
            ),
            Choice("input", PynputInput.name, f"Counts by pynput; needs {_SETTINGS} > Input Monitoring, else `poll`."),
            Choice("presence", "quartz", "Idle time of the input devices; lock by the login session; sleep notices."),
            Choice("screen", MssScreen.name, f"Pictures in real pixels by mss; {allowed}."),
        ),
    )
