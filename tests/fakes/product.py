"""A product for the shell: the pages' computed rows, real folders and settings, a state that the test sets."""

from dataclasses import replace
from pathlib import Path

from biny_desktop.capture.ports import FOREVER_MS
from biny_desktop.core.errors import BinyError
from biny_desktop.redaction.redact import Redactor
from biny_desktop.redaction.result import RedactionOptions
from biny_desktop.service.power import Overlaid
from biny_desktop.service.settings_store import SettingsStore
from biny_desktop.service.status import Status
from biny_desktop.storage.folders import prepare, resolve
from tests.fakes.product_pages import FakeProduct, a_status


class FakePower:
    """`PowerProfile`: what the test puts in `found`."""

    def __init__(self) -> None:
        self.found: list[Overlaid] = []

    def overlaid(self) -> tuple[Overlaid, ...]:
        return tuple(self.found)


class FakeApprovals:
    """`Approvals`: as many wait as the test says."""

    def __init__(self) -> None:
        self.waiting = 0

    def count_open(self) -> int:
        return self.waiting


class ShellProduct(FakeProduct):
    """What window and tray use of `Product`; `done` is what they asked for."""

    def __init__(self, home: Path, count: int = 20) -> None:
        super().__init__(count)
        self.folders = prepare(resolve(home))
        self.settings = SettingsStore(self.folders, self.events)
        self.state = a_status(last_frame_ms=self.clock.now_ms(), since_ms=self.clock.now_ms() - 60_000)
        self.fault: BinyError | None = None
        self.done: list[str] = []
        self.captured: dict[str, object] = {"frame_id": 1}
        self.on_show = lambda: None
        self.recording = None
        self.power = FakePower()
        self.approvals = FakeApprovals()
        self.on_quit = lambda: None
        self.jobs: list[dict[str, object]] = []
        self.redactor = lambda: Redactor(RedactionOptions())

    def status(self) -> Status:
        if self.fault is not None:
            raise self.fault
        return replace(self.state, enabled=self.settings.current().capture.enabled)

    def pause(self, length: str = "") -> int:
        self.done.append(f"pause {length}")
        until = self.clock.now_ms() + 900_000 if length else FOREVER_MS
        self.state = replace(self.state, state="paused", reason="user", paused_until_ms=until)
        return until

    def resume(self) -> None:
        self.done.append("resume")
        self.state = replace(self.state, state="capturing", reason="", paused_until_ms=None)

    def set_setting(self, key: str, text: str) -> None:
        self.done.append(f"set {key} {text}")
        self.settings.set(key, text)

    def reset_setting(self, key: str) -> None:
        self.done.append(f"reset {key}")
        self.settings.reset(key)

    def health(self) -> dict[str, object] | None:
        return {"jobs": self.jobs}

    def capture(self) -> dict[str, object]:
        self.done.append("capture")
        return self.captured

    def close(self) -> None:
        self.done.append("close")
