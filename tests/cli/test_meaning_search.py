"""`biny activity search --meaning`: one JSON object with both similarities and the reason for nothing."""

import json
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner, Result

from biny_desktop.activity.meaning.model import MeaningHit, MeaningPage
from biny_desktop.activity.model import Frame
from biny_desktop.cli.activity_commands import app
from biny_desktop.cli.output import Session
from tests.cli.test_commands import biny, told
from tests.fakes.clock import START_MS

FRAME = Frame(7, START_MS, "UTC", "click", "editor", "Editor", "plan.md", "M1", "gone", "done", None, 0, False, ())
PAGE = MeaningPage((MeaningHit(FRAME, "the budget\nmeeting", 0.512, 0.871, "gone", 3),))


@dataclass
class Meaning:
    """Answers every search with one page and remembers how it was asked."""

    page: MeaningPage
    asked: tuple[str, int, bool] | None = None

    def search(self, text: str, limit: int = 20, *, every_frame: bool = False) -> MeaningPage:
        self.asked = (text, limit, every_frame)
        return self.page


def searched(meaning: Meaning, *words: str) -> Result:
    product = SimpleNamespace(meaning=meaning, close=lambda: None)
    backend = SimpleNamespace(open=lambda _home: product)
    return CliRunner().invoke(app, ["search", "--meaning", *words], obj=Session(backend))  # type: ignore[arg-type]


def test_json_holds_both_similarities_and_where_the_frame_belongs() -> None:
    meaning = Meaning(PAGE)
    told = json.loads(searched(meaning, "budget", "app:editor", "--limit", "5", "--every-frame", "--json").stdout)
    assert meaning.asked == ("budget app:editor", 5, True)
    assert (told["reason"], told["notice"]) == (None, None)
    (item,) = told["items"]
    assert (item["id"], item["at"], item["segment_id"]) == (7, "2026-01-05 00:00:00", 3)
    assert (item["centred"], item["raw"], item["picture_tier"]) == (0.512, 0.871, "gone")
    assert item["passage"] == "the budget\nmeeting"


def test_a_person_sees_one_hit_in_two_lines() -> None:
    told = searched(Meaning(PAGE), "budget").stdout
    assert "#7  0.51 (0.87)  2026-01-05 00:00:00  Editor  plan.md\n    the budget meeting\n" in told


@pytest.mark.parametrize("reason", ["no_embedder", "no_vectors", "index_mismatch", "below_floor"])
def test_nothing_has_its_reason(reason: str) -> None:
    page = MeaningPage((), reason)  # type: ignore[arg-type]
    assert json.loads(searched(Meaning(page), "x", "--json").stdout)["reason"] == reason
    assert "(" in searched(Meaning(page), "x").stdout


def test_a_query_without_a_question_says_what_is_missing() -> None:
    page = MeaningPage((), notice="say in words what you look for")
    assert searched(Meaning(page), "app:editor").stdout.startswith("say in words")


def test_a_home_without_vectors_says_so(tmp_path: Path) -> None:
    told_of = told(biny("activity", "search", "--meaning", "budget", "--json", home=tmp_path / "h"))
    assert told_of == {"items": [], "reason": "no_vectors", "notice": None}
