"""Two processes at one home: what the command line does while a job of the app is in the middle of something."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from biny_desktop.activity.reports.files import MarkdownFiles
from biny_desktop.activity.reports.model import ReportKind
from biny_desktop.core.text import RedactedText
from biny_desktop.service.product import Product
from tests.e2e.app import ROOT
from tests.e2e.days import (
    ONE_TEXT_AN_APP,
    ONLY_TWO_WAIT,
    QUESTION,
    Days,
    always,
    answer_of,
    check_whole,
    nobody,
    of_the_day,
    put,
    rows,
)
from tests.fakes.day_product import TODAY, WEEK, YESTERDAY
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.model_server import ModelServer, Request


class Once:
    """Does something at the first call, whoever calls again while or after it is done."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act: Callable[[], object] | None = act

    def __call__(self) -> None:
        act, self._act = self._act, None
        if act is not None:
            act()

    @property
    def done(self) -> bool:
        return self._act is None


def command(days: Days, *words: str) -> None:
    """The command line in a process of its own, without a model."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("BINY_MODELS")}
    program = [sys.executable, "-m", "biny_desktop", "--home", str(days.home), *words, "--json"]
    done = subprocess.run(program, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr or done.stdout


def meanwhile(model: ModelServer, act: Callable[[], object]) -> Once:
    """Have something done while a question waits for its answer."""
    once = Once(act)

    def answer(request: Request) -> str:
        once()
        return answer_of(request)

    model.always(answer)
    return once


def test_a_report_from_the_command_line_while_a_narrative_is_waited_for(days: Days, model: ModelServer) -> None:
    once = meanwhile(model, lambda: command(days, "activity", "report", YESTERDAY))
    with days.opened() as product:
        product.reports.check(always)
        assert once.done
        report = product.reports.get("day", YESTERDAY)
        assert report is not None
        assert (report.state, report.model) == ("done", "tiny"), "the account is not lost"
        assert rows(product.database, "SELECT count(*) FROM reports WHERE key = '2026-03-11'") == [(1,)]
        check_whole(days, product)


def test_a_report_written_between_the_row_and_the_file_of_another_process(
    days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename_and_report() -> None:
        with days.opened() as other:
            segment = next(each for each in other.segments.list(0, 1 << 50) if each.day == YESTERDAY)
            other.segment_edits.rename(segment.id, "Named meanwhile", segment.revision)
            other.reports.make("day", YESTERDAY)

    once, real = Once(rename_and_report), MarkdownFiles.put_report

    def put_report(files: MarkdownFiles, kind: ReportKind, key: str, markdown: RedactedText) -> None:
        once()
        real(files, kind, key, markdown)

    monkeypatch.setattr(MarkdownFiles, "put_report", put_report)
    with days.opened() as product:
        product.reports.make("day", YESTERDAY)
        assert once.done
        assert "Named meanwhile" in days.report_file(YESTERDAY).read_text(encoding="utf-8")
        check_whole(days, product)


def test_a_day_deleted_while_its_narrative_is_waited_for(days: Days, model: ModelServer) -> None:
    once = meanwhile(model, lambda: command(days, "activity", "delete", "--day", YESTERDAY, "--yes"))
    with days.opened() as product:
        product.reports.check(always)
        assert once.done
        report = product.reports.get("day", YESTERDAY)
        assert report is not None
        assert report.state == "empty_day"
        assert not days.report_file(YESTERDAY).exists()
        product.reports.make("week", WEEK)
        check_whole(days, product)


def test_a_day_deleted_while_the_file_of_its_report_is_written(days: Days, monkeypatch: pytest.MonkeyPatch) -> None:
    once = Once(lambda: command(days, "activity", "delete", "--day", YESTERDAY, "--yes"))
    real = MarkdownFiles.put_report

    def put_report(files: MarkdownFiles, kind: ReportKind, key: str, markdown: RedactedText) -> None:
        once()
        real(files, kind, key, markdown)

    monkeypatch.setattr(MarkdownFiles, "put_report", put_report)
    with days.opened() as product:
        product.reports.make("day", YESTERDAY)
        assert once.done
        assert not days.report_file(YESTERDAY).exists(), "nothing of the deleted day comes back"
        check_whole(days, product)


def test_a_day_deleted_while_an_account_is_waited_for(days: Days, model: ModelServer) -> None:
    once = meanwhile(model, lambda: command(days, "activity", "delete", "--day", TODAY, "--yes"))
    with days.opened() as product:
        put(product.database, ONLY_TWO_WAIT)
        today = f"SELECT id FROM segments WHERE day = '{TODAY}'"
        waiting = rows(product.database, f"{today} AND status = 'pending' AND open = 0")
        assert waiting
        done = product.analysis.sweep()
        assert once.done
        assert (done.analysed, done.failed, done.dropped) == (0, 0, 1)
        assert rows(product.database, today) == []
        assert rows(product.database, "SELECT * FROM fact_offers UNION ALL SELECT * FROM fact_offers") == []
        check_whole(days, product)


def embedded_meanwhile(days: Days, act: Callable[[], object]) -> Once:
    """Have something done while the embedder works."""
    once = Once(act)

    def before(texts: Sequence[RedactedText]) -> None:
        if any("next_ferry" in text or "departures" in text for text in texts):
            once()

    days.embedder.before = before
    return once


def ready(product: Product) -> None:
    """Every index is whole and of one generation."""
    for status in of_the_day(product):
        assert (status.state, status.pending, status.stale) == ("ready", 0, 0)
    for kind in ("frame", "segment"):
        present: list[tuple[Any, ...]] = rows(
            product.database, f"SELECT generation FROM vector_indexes WHERE kind = '{kind}'"
        )
        assert rows(product.database, f"SELECT DISTINCT generation FROM {kind}_vectors") == present
    assert product.meaning.search(QUESTION).hits


def test_a_rebuild_while_the_sweep_embeds(days: Days) -> None:
    def rebuild() -> None:
        with days.opened() as other:
            for kind in ("frame", "segment"):
                other.models.rebuild(kind)

    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        once = embedded_meanwhile(days, rebuild)
        assert product.sweep.run(always, nobody)
        assert once.done
        ready(product)
        check_whole(days, product)


def test_a_sweep_while_a_rebuild_embeds(days: Days) -> None:
    def sweep() -> None:
        with days.opened() as other:
            put(other.database, "UPDATE frame_passages SET state = 'pending' WHERE frame_id % 97 = 0")
            other.sweep.run(always, nobody)

    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        product.sweep.run(always, nobody)
        once = embedded_meanwhile(days, sweep)
        product.models.rebuild("frame")
        assert once.done
        ready(product)
        check_whole(days, product)


def test_a_rebuild_with_another_embedder_while_the_sweep_embeds(days: Days) -> None:
    old, new = days.embedder, FakeEmbedder("2")

    def rebuild() -> None:
        days.embedder = new
        with days.opened() as other:
            for kind in ("frame", "segment"):
                other.models.rebuild(kind)
        days.embedder = old  # the app goes on with the one it had loaded

    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        first = rows(product.database, "SELECT max(frame_id) FROM frame_passages WHERE state = 'pending'")
        put(product.database, f"UPDATE frame_passages SET state = 'embedded' WHERE frame_id = {first[0][0]}")
        once = embedded_meanwhile(days, rebuild)
        told = product.sweep.run(always, nobody)
        assert once.done
        assert "embedder" in told, told
        days.embedder = new
        assert product.sweep.run(always, nobody)
        ready(product)
