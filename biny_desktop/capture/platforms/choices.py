"""What was chosen for this session: the sources, and the reason for each, for the app and for Doctor."""

from dataclasses import dataclass
from typing import Literal

from biny_desktop.capture.ports import InputSource, PresenceSource, ScreenSource, WindowSource


@dataclass(frozen=True, slots=True)
class Choice:
    """One port: the name of the back end chosen, a sentence why, and (name, why not) of each one refused."""

    port: Literal["windows", "input", "presence", "screen"]
    chosen: str
    why: str
    refused: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Platform:
    """The sources to record with; none is started. `screens` are the ways to take pictures, best first."""

    name: str
    windows: WindowSource
    input: InputSource
    presence: PresenceSource
    screens: tuple[ScreenSource, ...]
    reasons: tuple[Choice, ...]

    @property
    def screen(self) -> ScreenSource:
        """The best way to take pictures."""
        return self.screens[0]

    def next_screen(self, failed: ScreenSource) -> ScreenSource | None:
        """The way to try when `failed` keeps failing (spec 02 §2.4); None after the last."""
        names = [screen.name for screen in self.screens]
        place = names.index(failed.name) + 1
        return self.screens[place] if place < len(self.screens) else None
