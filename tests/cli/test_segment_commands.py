"""`biny activity segments`: lists with gaps, detail, search and edits, as a person and as a program get them."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from biny_desktop.cli.main import main
from tests.activity.segments.saying import MORNING_MS, all_segments, analysed
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock

MINUTE_MS = 60_000


class Line:
    """A command line over a home; `run` gives (status, stdout, stderr)."""

    def __init__(self, home: ActivityHome, capsys: pytest.CaptureFixture[str]) -> None:
        self.home, self._capsys = home, capsys
        self._product = SimpleNamespace(
            segments=home.segments, keeper=home.keeper, segment_edits=home.segment_edits,
            segment_search=home.segment_search, clock=home.clock, close=lambda: None,
            settings=SimpleNamespace(current=lambda: home.settings),
        )  # fmt: skip

    def open(self, home: Path | None) -> SimpleNamespace:
        del home
        return self._product

    def run(self, *words: str) -> tuple[int, str, str]:
        status = main(self, ["activity", "segments", *words])  # type: ignore[arg-type]
        said = self._capsys.readouterr()
        return status, said.out, said.err

    def told(self, *words: str) -> dict:
        status, out, err = self.run(*words, "--json")
        assert (status, err) == (0, "")
        (one,) = out.splitlines()
        return json.loads(one)


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """Work, a locked hour, private time, mail; nothing was cut into segments yet."""
    monkeypatch.setenv("COLUMNS", "200")
    home = ActivityHome(tmp_path / "data", FakeClock(MORNING_MS))
    home.work(10, "report.md", "editor")
    home.note("lock", "")
    home.clock.advance(60 * MINUTE_MS)
    home.note("unlock", "")
    home.work(10, "Inbox", "mail")
    home.clock.advance(20 * MINUTE_MS)
    home.work(0.3, "blink", "clock")
    home.clock.advance(20 * MINUTE_MS)
    yield Line(home, capsys)
    home.close()


def test_a_day_is_listed_with_its_gaps(line: Line) -> None:
    status, out, _ = line.run()
    assert status == 0
    rows = out.splitlines()
    assert [word in out for word in ("08:00–08:10", "Editor – report.md", "(locked)", "Mail – Inbox")] == [True] * 4
    assert "blink" not in out
    assert "blink" in line.run("--all")[1]
    assert len(rows) > 4


def test_a_gap_is_shown_in_the_zone_of_the_activity_before_it(line: Line) -> None:
    before, gap = line.told()["items"][:2]
    line.home.clock.set_zone("Pacific/Auckland")
    assert (gap["type"], gap["from"]) == ("gap", before["to"])
    assert line.told("--day", before["day"])["items"][1]["from"] == gap["from"]


def test_a_program_gets_one_object(line: Line) -> None:
    answer = line.told("--day", "today")
    assert [item["type"] for item in answer["items"]][:3] == ["segment", "gap", "segment"]
    assert answer["next"] is None
    first = answer["items"][0]
    assert (first["from"], first["to"], first["title"]) == (
        "2026-01-05 08:00", "2026-01-05 08:10", "Editor – report.md",
    )  # fmt: skip


def test_a_longer_time_comes_in_pages_newest_first(line: Line) -> None:
    page = line.told("--from", "2026-01-05", "--limit", "1")
    assert [item["apps"][0]["app_id"] for item in page["items"]] == ["mail"]
    rest = line.told("--from", "2026-01-05", "--limit", "1", "--before", str(page["next"]))
    assert [item["apps"][0]["app_id"] for item in rest["items"]] == ["editor"]
    assert rest["next"] is None
    assert line.told("--from", "2026-01-05T08:30", "--to", "2026-01-05T09:00")["items"] == []


def test_one_in_detail(line: Line) -> None:
    line.run()
    segment = all_segments(line.home)[0]
    analysed(line.home, segment.id, "Ferry", entities={"issues": ("#8",)})
    answer = line.told("show", str(segment.id))
    assert (answer["title"], len(answer["frames"]), answer["analysis"]["entities"]) == ("Ferry", 30, {"issues": ["#8"]})
    status, out, _ = line.run("show", str(segment.id))
    assert status == 0
    assert "Moved the northern quay." in out


def test_edits_change_what_is_listed(line: Line) -> None:
    line.run()
    first, second, _ = (str(segment.id) for segment in all_segments(line.home))
    assert line.told("rename", first, "The report")["title"] == "The report"
    assert line.told("note", first, "for Mara")["note"] == "for Mara"
    assert line.told("project", second, "harbour")["project"] == "harbour"
    assert [item["id"] for item in line.told("search", "project:harbour")["items"]] == [int(second)]
    half = line.told("split", first, "08:04")
    assert half["to"] == "2026-01-05 08:04"
    other = all_segments(line.home)[1].id
    assert line.told("merge", first, str(other))["to"] == "2026-01-05 08:10"
    assert line.told("hide", second)["hidden"] is True
    assert line.told("hide", second, "--undo")["hidden"] is False
    assert line.told("rebuild", "today")["changed"] == 0
    assert line.run("rename", first, "Again")[0] == 0


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("show", "99"), "not_found"), (("rename", "1", "x", "--revision", "9"), "stale_revision"),
        (("split", "1", "23:00"), "invalid_input"), (("split", "1", "soon"), "invalid_input"),
        (("--from", "2026-01-05Tx"), "invalid_input"), (("--day", "never"), "invalid_input"),
    ],
)  # fmt: skip
def test_errors_are_told_in_one_object(line: Line, words: tuple[str, ...], kind: str) -> None:
    line.run()
    status, out, _ = line.run(*words, "--json")
    assert (status, json.loads(out)["error"]["kind"]) == (1, kind)


def test_an_old_home_answers_before_all_its_days_are_cut(line: Line) -> None:
    for _ in range(4):
        line.home.clock.advance(24 * 60 * MINUTE_MS)
        line.home.work(2)
    line.run()
    assert len(line.home.segments.days_with_segments()) == 2
    assert line.told("--day", "2026-01-05")["items"][0]["title"] == "Editor – report.md"
