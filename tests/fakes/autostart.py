"""Start at login that remembers, and can be in any state."""

from biny_desktop.service.autostart.pick import Picked
from biny_desktop.service.autostart.ports import AutostartState, StartCommand, State


class FakeAutostart:
    """`Autostart`; `error` is raised by the next change."""

    name = "fake"

    def __init__(self, state: State = "off") -> None:
        self.now: State = state
        self.error: Exception | None = None

    def state(self) -> AutostartState:
        return AutostartState(self.now, "/autostart/biny")

    def on(self, command: StartCommand) -> None:
        self._change("on")

    def off(self) -> None:
        self._change("off")

    def picked(self) -> Picked:
        return Picked(self, "for a test", StartCommand(("/usr/bin/biny", "run")))

    def _change(self, state: State) -> None:
        if self.error is not None:
            raise self.error
        self.now = state
