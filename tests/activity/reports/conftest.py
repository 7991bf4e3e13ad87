"""`rig`: reports over a real database with a day in it, a real client and a scripted model server."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from biny_desktop.activity.reports.files import MarkdownFiles
from biny_desktop.activity.reports.model import ReportKind
from biny_desktop.activity.reports.reports import Reports
from biny_desktop.core import settings as settings_module
from biny_desktop.core.events import ReportMade
from biny_desktop.core.text import RedactedText
from biny_desktop.models.client import ModelClient
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock
from tests.fakes.homes import MemoryKeyring
from tests.fakes.model_server import ModelServer
from tests.fakes.report_days import DAY, DayBook, at, full_day

TRUE = [
    ("Most of the day, 2 h 41 min, went into the Storage module.", ["L2"]),
    ("You began with its page cache at 09:10 and reviewed pull request #57 until 11:21.", ["L3", "L7"]),
    ("In the evening you watched “The ferry – part 2” for 48 min.", None),
]


def answer(*sentences: tuple[str, list[str] | None]) -> Callable[[dict], str]:
    """An answer of these sentences; without ids they name the lines that hold their last number."""

    def told(request: dict) -> str:
        lines = [line for line in str(request["messages"]).replace("\\n", "\n").split("\n") if line.startswith("L")]
        every = [line.split(":")[0] for line in lines]
        return json.dumps({"sentences": [{"text": text, "lines": ids or every} for text, ids in sentences]})

    return told


class Sink:
    """`ReportSink` and `ActivitySections` that remember; `fault` is raised."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.sections: dict[str, str] = {}
        self.dropped: list[str] = []
        self.fault: Exception | None = None

    def put_report(self, kind: ReportKind, key: str, markdown: RedactedText) -> None:
        assert isinstance(markdown, RedactedText)
        if self.fault is not None:
            raise self.fault
        self.files[key] = markdown

    def drop_report(self, kind: ReportKind, key: str) -> None:
        self.dropped.append(key)
        self.files.pop(key, None)

    def put_activity(self, day: str, markdown: RedactedText) -> None:
        assert isinstance(markdown, RedactedText)
        self.sections[day] = markdown


class Rig:
    """Reports with everything they need; `now("09:10")` sets the clock on the day after `DAY`."""

    def __init__(self, root: Path, server: ModelServer) -> None:
        self.server = server
        self.clock = FakeClock(at("05:00", "2026-03-13"), "Europe/Berlin")
        self.home = ActivityHome(root / "data", self.clock)
        self.book = DayBook(self.home)
        self.made: list[ReportMade] = []
        self.home.events.subscribe(ReportMade, self.made.append)
        self.sink = Sink()
        folders = prepare(resolve(root / "home"))
        self.files = MarkdownFiles(folders.config / "memory" / "reports")
        self.folder = folders.config / "memory" / "reports"
        self.client = ModelClient(
            self.home.db, lambda: self.home.settings, ModelKeys(folders, MemoryKeyring()), self.clock
        )  # fmt: skip
        self.reports = Reports(
            self.home.db, self.book, self.book, self.client, lambda: self.home.redactor, lambda: self.home.settings,
            self.clock, self.home.events, [self.sink, self.files], [self.sink],
        )  # fmt: skip

    def full(self) -> None:
        """A full day on `DAY`."""
        self.book.put(*full_day())
        self.book.frames(20311, 20340, 20341)

    def set(self, **groups: dict[str, object]) -> None:
        self.home.settings = settings_module.build(groups)

    def with_model(self, **reports: object) -> None:
        self.set(models={"small_url": self.server.url, "small_model": "tiny"}, reports=reports)

    def now(self, clock: str, day: str = "2026-03-13") -> None:
        self.clock.set_wall(at(clock, day))

    def check(self) -> str:
        return self.reports.check(lambda: True)

    def text(self, key: str = DAY) -> str:
        return (self.folder / f"{key}.md").read_text(encoding="utf-8")


@pytest.fixture
def rig(tmp_path: Path, model_server: ModelServer) -> Iterator[Rig]:
    made = Rig(tmp_path, model_server)
    yield made
    made.home.close()
