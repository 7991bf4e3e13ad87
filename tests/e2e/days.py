"""What the tests of a day understood share: a home opened whole, what models answer, and a child that is killed."""

import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.activity.segments import removal
from biny_desktop.models.embedder_choice import EmbedderChoice
from biny_desktop.models.model import IndexStatus
from biny_desktop.service.product import Product
from biny_desktop.storage.database import Database, Writer
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock
from tests.fakes.day_product import EVENING_MS
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.homes import NoKeyring
from tests.fakes.model_server import Request

FACT = re.compile(r"^(L\d+): (.+)$", re.MULTILINE)
SCREEN = re.compile(r"^(f\d+) .* / (.+)$", re.MULTILINE)
CLAIM = re.compile(r"\d[\d:.,]*|[A-Z][\w.#-]+|#\d+")
LINK = re.compile(r" \(\[[^\]]*\]\([^)]*\)(?:, \[[^\]]*\]\([^)]*\))*\)")


_SHIPPED = EmbedderChoice.current


@dataclass
class Days:
    """A home of its own. `clock` stands at an evening in March 2026; `embedder` is used by everything opened here."""

    home: Path
    patch: pytest.MonkeyPatch
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    clock: FakeClock = field(default_factory=lambda: FakeClock(EVENING_MS))

    def __post_init__(self) -> None:
        self.patch.setattr(EmbedderChoice, "current", lambda _choice: self.embedder)
        self.patch.setattr("biny_desktop.core.clock.SystemClock", lambda: self.clock)

    def use_shipped_embedder(self) -> None:
        """Have what is opened from now on use the embedder that a person has."""
        self.patch.setattr(EmbedderChoice, "current", _SHIPPED)

    @contextlib.contextmanager
    def opened(self) -> Iterator[Product]:
        """The product over the home, closed with the block."""
        from biny_desktop.app import open_product

        product = open_product(self.home, NoKeyring())
        try:
            yield product
        finally:
            product.close()

    def started(self, use: Callable[[Product], Any]) -> Any:
        """As the next start of the app: what a killed run left is set right first. Returns what `use` gives."""
        from biny_desktop.activity.recover import recover

        with self.opened() as product:
            recover(product.database, product.files, product.deletes, product.clock)
            return use(product)

    def biny(self, *words: str) -> int:
        """The command line in this process; its exit status."""
        from biny_desktop.app import run_cli

        return run_cli(["--home", str(self.home), *words])

    def report_file(self, key: str) -> Path:
        """Where the Markdown of a report is kept."""
        return self.home / "config" / "memory" / "reports" / f"{key}.md"


QUESTION = "timetable.py harbour def next_ferry"
"""A question whose answer the fake embedder finds."""


def always() -> bool:
    """`go_on` of who may."""
    return True


def nobody() -> None:
    """`idle_ms` where input is not known."""


def of_the_day(product: Product) -> list[IndexStatus]:
    """The indexes of what was recorded; nobody has chatted in these homes."""
    return [each for each in product.models.indexes() if each.kind in {"frame", "segment"}]


def uncut(product: Product) -> None:
    """As if no day had been cut yet."""
    with product.database.write() as w:
        removal.take_out(w, [row.int("id") for row in w.query("SELECT id FROM segments")])
        w.run("DELETE FROM segment_days")


def few_to_embed(product: Product) -> None:
    """Leave one text an app and a quarter of the activities to be embedded."""
    put(product.database, ONE_TEXT_AN_APP)
    put(product.database, "UPDATE segments SET trivial = 1 WHERE id % 4 > 0")


def rows(db: Database, sql: str) -> list[tuple[Any, ...]]:
    """What a question to the database gives."""
    with db.read() as r:
        return [tuple(row._values.values()) for row in r.query(sql)]


def put(db: Database, sql: str, **values: Any) -> int:
    """Write behind everybody's back; returns how many rows changed."""
    with db.write() as w:
        return w.run(sql, values)


def segment_answer(request: Request) -> str:
    """An account that every segment of the home bears, and the last line of a screen as a fact to remember."""
    seen = SCREEN.findall(str(request["messages"][-1]["content"]))[:1]
    said = [{"kind": "project", "content": text, "why": "", "sources": [name]} for name, text in seen]
    return json.dumps({
        "title": "At the harbour", "summary": "Some work was done.", "description": "", "topics": ["harbour"],
        "highlights": [{"text": "some work was done", "sources": [name for name, _ in seen]}], "worth": True,
        "candidates": said, "confidence": 0.9,
    })  # fmt: skip


def true_narrative(request: Request) -> str:
    """Six of the lines it was sent, said as they are."""
    facts = FACT.findall(str(request["messages"][-1]["content"]))[:6]
    return json.dumps({"sentences": [{"text": text.rstrip(".") + ".", "lines": [name]} for name, text in facts]})


def invented_narrative(request: Request) -> str:
    """Lines it was sent, each with a name, a number or a time that is in none of them."""
    facts = FACT.findall(str(request["messages"][-1]["content"]))[:6]
    lies = itertools.cycle(["with Zebediah", "for 973 min", "until 03:07"])
    told = [
        {"text": f"{text.rstrip('.')} {lie}.", "lines": [name]} for (name, text), lie in zip(facts, lies, strict=False)
    ]
    return json.dumps({"sentences": told})


def answer_of(request: Request) -> str:
    """Whichever of the two tasks it is."""
    return true_narrative(request) if FACT.search(str(request["messages"][-1]["content"])) else segment_answer(request)


ONE_TEXT_AN_APP = (
    "UPDATE frame_passages SET state = 'short' WHERE frame_id NOT IN "
    "(SELECT max(t.frame_id) FROM frame_text t JOIN frames f ON f.id = t.frame_id GROUP BY f.app_id)"
)
"""So that a test need not embed a thousand texts."""
ONLY_TWO_WAIT = (
    "UPDATE segments SET status = 'not_worth', tries = 0 WHERE status IN ('pending', 'failed') AND id NOT IN "
    "(SELECT id FROM segments WHERE status = 'pending' AND open = 0 ORDER BY id LIMIT 2)"
)
"""So that a test need not ask about all activities."""
HALF_ROWS = (
    "SELECT id FROM frames WHERE segment_id IS NOT NULL AND segment_id NOT IN (SELECT id FROM segments)",
    "SELECT id FROM frame_events WHERE segment_id IS NOT NULL AND segment_id NOT IN (SELECT id FROM segments)",
    "SELECT segment_id FROM fact_offers WHERE segment_id NOT IN (SELECT id FROM segments)",
    "SELECT segment_id FROM crystal_terms WHERE segment_id NOT IN (SELECT id FROM segments)",
    "SELECT segment_id FROM segment_edits WHERE segment_id NOT IN (SELECT id FROM segments)",
    "SELECT row_id FROM segment_vectors WHERE row_id NOT IN (SELECT id FROM segments)",
    "SELECT row_id FROM frame_vectors WHERE row_id NOT IN (SELECT id FROM frames)",
    "SELECT frame_id FROM frame_passages WHERE frame_id NOT IN (SELECT frame_id FROM frame_text)",
    "SELECT a.id FROM segments a JOIN segments b ON a.id < b.id AND a.started_at < b.ended_at "
    "AND b.started_at < a.ended_at",
)
"""Each finds nothing in a home that is whole."""


def check_whole(days: Days, product: Product) -> None:
    """No half rows, the index of segments as their rows say, and files of reports that say what the rows say."""
    for sql in HALF_ROWS:
        assert rows(product.database, sql) == [], sql
    assert ActivityHome.segment_index_is_whole(OnlyDb(product.database))  # type: ignore[arg-type]  # needs no more
    kept = rows(product.database, "SELECT key, state, markdown, file_error FROM reports")
    for key, state, markdown, error in kept:
        assert error == ""
        if state == "empty_day":
            assert not days.report_file(key).exists()
        else:
            assert markdown.strip() in days.report_file(key).read_text(encoding="utf-8")
    if (folder := days.report_file("x").parent).exists():
        assert {path.stem for path in folder.iterdir()} <= {key for key, *_ in kept}, "no file is left over"


@dataclass
class OnlyDb:
    """As much of an `ActivityHome` as looking at its indexes needs."""

    db: Database


class WriteCounter:
    """Counts commits of this process and does something at one of them: `at` = (number from 0, "before" or "after")."""

    def __init__(self, at: int, when: str, act: Callable[[], None]) -> None:
        self._at, self._when, self._act = at, when, act
        self._seen = 0

    @property
    def reached(self) -> bool:
        """Whether there was such a commit."""
        return self._seen > self._at

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Replace `Database.write`."""
        real = Database.write

        @contextlib.contextmanager
        def write(db: Database, *, free: bool = False) -> Iterator[Writer]:
            number = self._seen
            self._seen += 1
            with real(db, free=free) as w:
                yield w
                if (number, "before") == (self._at, self._when):
                    self._act()
            if (number, "after") == (self._at, self._when):
                self._act()

        patch.setattr(Database, "write", write)


def killed_at_each_commit(days: Days, work: Callable[[Product], object], every: int = 1) -> Iterator[str]:
    """Do `work` over the home in a child that kills itself (SIGKILL) just before, then just after, its n-th commit,
    for every n (or each `every`-th).

    Yields which kill it was after each killed run, for the caller to look; then the home is put back. Ends when a run
    gets through.
    """
    before = days.home.with_name("before")
    shutil.copytree(days.home, before)
    at = days.clock.stamp()
    for number in itertools.count(0, every):
        for when in ("before", "after"):
            child = os.fork()
            if child == 0:
                _work_and_die(days, work, number, when)
            _, status = os.waitpid(child, 0)
            if not os.WIFSIGNALED(status):
                assert os.WEXITSTATUS(status) == 0, "the work failed by itself"
                assert number, "nothing was written"
                return
            assert os.WTERMSIG(status) == signal.SIGKILL
            yield f"{when} commit {number}"
            shutil.rmtree(days.home)
            shutil.copytree(before, days.home)
            days.clock.set_wall(at.at_ms)


def _work_and_die(days: Days, work: Callable[[Product], object], number: int, when: str) -> None:
    status = 1
    try:
        with days.opened() as product:
            WriteCounter(number, when, lambda: os.kill(os.getpid(), signal.SIGKILL)).install(days.patch)
            work(product)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
