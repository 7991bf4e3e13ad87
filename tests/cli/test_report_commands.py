"""`biny activity report` over a real home's reports: what a person reads, and what a program gets."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from biny_desktop.cli.main import main
from tests.activity.reports.conftest import TRUE, Rig, answer
from tests.fakes.model_server import ModelServer
from tests.fakes.report_days import DAY, segment


class Backend:
    """`Backend` that opens the rig's parts as a product."""

    def __init__(self, rig: Rig) -> None:
        self._product = SimpleNamespace(
            reports=rig.reports, client=rig.client, clock=rig.clock, close=lambda: None,
            settings=SimpleNamespace(current=lambda: rig.home.settings),
        )  # fmt: skip

    def open(self, home: Path | None) -> SimpleNamespace:
        del home
        return self._product


class Line:
    """A command line over a rig; `run` gives (status, stdout, stderr)."""

    def __init__(self, rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
        self.rig, self._capsys = rig, capsys

    def run(self, *words: str) -> tuple[int, str, str]:
        status = main(Backend(self.rig), ["activity", "report", *words])  # type: ignore[arg-type]
        said = self._capsys.readouterr()
        return status, said.out, said.err


@pytest.fixture
def line(tmp_path: Path, model_server: ModelServer, capsys: pytest.CaptureFixture[str]) -> Iterator[Line]:
    rig = Rig(tmp_path, model_server)
    yield Line(rig, capsys)
    rig.home.close()


def test_a_day_is_markdown_and_the_missing_model_is_one_line_beside_it(line: Line) -> None:
    line.rig.full()
    status, out, err = line.run("yesterday")
    assert status == 0
    assert out == line.rig.reports.get("day", DAY).markdown  # type: ignore[union-attr]
    assert out.startswith(f"# {DAY} Thursday\n")
    assert err.splitlines() == ["No model is set; all figures are there without one. See: biny models --help"]


def test_without_a_date_it_is_today(line: Line) -> None:
    line.rig.book.put(segment(1, "04:10", 20, "Early", day="2026-03-13"))
    status, out, _err = line.run()
    assert (status, out.splitlines()[0]) == (0, "# 2026-03-13 Friday")


@pytest.mark.parametrize("words", [("2026-W11",), ("2026-w11",), (DAY, "--week"), ("--week",)])
def test_a_week(line: Line, words: tuple[str, ...]) -> None:
    line.rig.full()
    status, out, _err = line.run(*words)
    assert status == 0
    assert out.startswith("# 2026-W11 (2026-03-09 to 2026-03-15)\n")


def test_json_is_one_object(line: Line) -> None:
    line.rig.full()
    status, out, _err = line.run(DAY, "--json")
    told = json.loads(out)
    assert (status, len(out.splitlines())) == (0, 1)
    assert (told["kind"], told["key"], told["state"]) == ("day", DAY, "done_no_model")
    assert told["statistics"]["segments"] == 14
    assert told["markdown"].startswith(f"# {DAY} ")


def test_a_kept_report_is_not_made_again_until_something_changes(line: Line) -> None:
    line.rig.full()
    line.run(DAY)
    line.run(DAY)
    assert len(line.rig.made) == 1
    line.rig.book.put(segment(900, "19:00", 20, "Added later"))
    _status, out, _err = line.run(DAY)
    assert "Added later" in out
    assert len(line.rig.made) == 2


def test_narrative_is_asked_for_also_when_the_setting_is_off(line: Line) -> None:
    line.rig.full()
    line.rig.with_model(narrative=False)
    line.rig.server.always(answer(*TRUE))
    _status, plain, err = line.run(DAY)
    assert (err, line.rig.server.requests) == ("", [])
    _status, out, _err = line.run(DAY, "--narrative")
    assert "account by tiny" in out
    assert "account by tiny" not in plain


def test_an_invented_narrative_is_refused_and_said(line: Line) -> None:
    line.rig.full()
    line.rig.with_model()
    line.rig.server.always(answer(("You met Alice at 23:15 in Lisbon and wrote 77 files.", None)))
    status, out, _err = line.run(DAY, "--narrative")
    assert status == 0
    assert "Alice" not in out
    assert "(unsupported).*" in out


@pytest.mark.parametrize(
    "words",
    [
        ("soon",),
        ("2026-W60",),
        ("2026-03-14",),
        ("2026-13-01",),
        ("--export", "a", "b"),
        ("--export", DAY, "2026-03-01"),
        ("--export", DAY, DAY, "--format", "pdf"),
    ],
)
def test_what_cannot_be_told_is_an_error_with_a_hint(line: Line, words: tuple[str, ...]) -> None:
    status, out, err = line.run(*words)
    assert (status, out) == (1, "")
    assert err
    status, out, _err = line.run(*words, "--json")
    if "--format" not in words:
        assert json.loads(out)["error"]["kind"] == "invalid_input"


def test_an_empty_day_says_so(line: Line) -> None:
    status, out, err = line.run("2026-03-01")
    assert (status, out, err) == (0, "# 2026-03-01 Sunday\n\nNothing was recorded on this day.\n", "")


def test_export_to_the_screen_and_to_a_new_file(line: Line, tmp_path: Path) -> None:
    line.rig.full()
    line.rig.book.put(segment(900, "09:00", 60, "Earlier", day="2026-03-11"))
    _status, out, _err = line.run("--export", "2026-03-01", "today")
    assert out.index("# 2026-03-11 ") < out.index("# 2026-03-12 ")
    _status, out, _err = line.run("--export", "2026-03-01", "today", "--json")
    assert [each["key"] for each in json.loads(out)["reports"]] == ["2026-03-11", DAY]
    path = tmp_path / "out.md"
    assert line.run(DAY, "-o", str(path))[0] == 0
    assert path.read_text(encoding="utf-8").startswith(f"# {DAY} ")
    status, _out, err = line.run("--export", DAY, DAY, "--output", str(path))
    assert status == 1
    assert "Name a new file." in err


def test_a_terminal_gets_it_set(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    line.rig.full()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    _status, out, _err = line.run(DAY)
    assert "Page cache of the storage module" in out
    assert "](biny://" not in out
