"""A home with closed segments, the analysis over it, and takers of facts and terms that the test looks into."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from biny_desktop.activity.analysis.analysis import Analysis
from biny_desktop.activity.analysis.offers import Offers
from biny_desktop.activity.analysis.ports import CrystalTerm, FactOutcome, OfferedFact
from biny_desktop.activity.segments.index import prepare_segment_index
from biny_desktop.activity.segments.model import Segment
from biny_desktop.core import settings as settings_module
from biny_desktop.models.client import ModelClient
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.activity import ActivityHome
from tests.fakes.homes import MemoryKeyring
from tests.fakes.model_server import ModelServer, Request

LINES = (
    "Pull request #42 reads the SQLite WAL page cache",
    "The ferry to Harbour Point leaves at 09:15",
    "Decision: backups run every night at 02:00",
    "https://harbour.example/minutes version 3.54.0",
)
GOOD = {
    "title": "Read pull request #42",
    "description": "Pull request #42 was read. It concerns the SQLite page cache.",
    "summary": "Pull request #42 was read. After it a timetable was open.",
    "project": "SQLite",
    "topics": ["page cache", "ferry"],
    "highlights": [{"text": "Backups run every night at 02:00", "sources": ["f1"]}],
    "entities": {"prs": ["#42"], "urls": ["https://harbour.example/minutes"], "versions": ["3.54.0"]},
    "worth": True,
    "worth_why": "A decision was made.",
    "candidates": [
        {"kind": "project", "content": "Backups run every night at 02:00.", "why": "decided", "sources": ["f1"]}
    ],
    "is_meeting": False,
    "tier": "important",
    "confidence": 0.8,
}


def said(**changes: object) -> str:
    """The good answer with some fields changed."""
    return json.dumps({**GOOD, **changes}, ensure_ascii=False)


@dataclass
class Takers:
    """`FactSink` and `CrystalSink`: what they were given, and the outcomes they give in turn (then `added`)."""

    facts: list[OfferedFact] = field(default_factory=list)
    terms: list[CrystalTerm] = field(default_factory=list)
    outcomes: list[FactOutcome] = field(default_factory=list)

    def offer(self, fact: OfferedFact) -> FactOutcome:
        self.facts.append(fact)
        return self.outcomes.pop(0) if self.outcomes else FactOutcome("added", fact_id=f"fact-{len(self.facts)}")

    def take(self, terms: Sequence[CrystalTerm]) -> None:
        self.terms += terms


class Rig:
    """`work` makes a closed segment with a text; `sweep` asks about what is due. `model=False`: no slot is set."""

    def __init__(self, folder: Path, server: ModelServer, *, model: bool = True) -> None:
        self.home = home_of(folder)
        prepare_segment_index(self.home.db)
        self.server, self.takers = server, Takers()
        self.set(model=model)
        keys = ModelKeys(prepare(resolve(folder / "keys")), MemoryKeyring())
        self.client = ModelClient(self.home.db, lambda: self.home.settings, keys, self.home.clock)
        self.offers = Offers(self.home.db, self.home.clock, self.takers, self.takers)
        self.analysis = self.with_offers(self.offers)

    def with_offers(self, offers: Offers) -> Analysis:
        home = self.home
        return Analysis(
            home.db, self.client, lambda: home.redactor, lambda: home.settings, home.clock, home.events, offers
        )

    def set(self, *, model: bool = True, **activity: settings_module.Value) -> None:
        """Choose a model or none, and settings of the group activity."""
        slots = {"small_url": self.server.url, "small_model": "tiny"} if model else {}
        self.home.settings = settings_module.build({"read": {"every": 1}, "models": slots, "activity": activity})

    def work(self, *lines: str, minutes: float = 8, title: str = "notes.txt", app: str = "editor") -> Segment:
        """Somebody works, goes away, and the segment is closed."""
        frames = self.home.work(minutes, title, app, *(lines or LINES))
        self.home.clock.advance(40 * 60_000)
        self.home.note("focus", "", app_id="clock", app_name="Clock", title="Clock")
        self.home.clock.advance(20 * 60_000)
        self.home.keeper.catch_up(lambda: True)
        found = self.home.segments.of_frame(frames[0])
        assert found is not None
        assert not found.open
        return found

    def now(self, segment: Segment) -> Segment:
        """The segment as it is now."""
        return self.home.segments.segment(segment.id)

    def outcomes(self, segment: Segment) -> list[tuple[str, str]]:
        """(outcome, reason) of its offers."""
        return [(each.outcome, each.reason) for each in self.offers.of_segment(segment.id)]


def home_of(folder: Path) -> ActivityHome:
    """A plain home, so that bytes can be searched."""
    from tests.fakes.clock import FakeClock

    return ActivityHome(folder / "data", FakeClock())


def sources_in(request: Request) -> list[str]:
    """The ids of screen texts that a request holds."""
    text = "\n".join(str(message["content"]) for message in request["messages"])
    return [word for word in text.split() if word.startswith("f") and word[1:].isdigit()]
