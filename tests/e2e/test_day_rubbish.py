"""Rubbish in rows, in what a model says, in the installation: each command and page gives something or says why."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.activity.deletes import Selection
from biny_desktop.core import resources
from biny_desktop.models.ledger import DAY_MS
from biny_desktop.service.product import Product
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
from tests.fakes.day_product import EVENING_MS, TODAY, WEEK, YESTERDAY
from tests.fakes.model_server import ModelServer

WRONG_JSON = ("{", "null", "[]", "{}", '"text"', "[[1, 2], {}, null, [null, null, null]]", "[" * 20_000, "", "NaN")
JSON_COLUMNS = ("spans", "apps", "titles", "edited_fields", "topics", "highlights", "entities")


def used_in_every_way(product: Product) -> None:
    """What pages and commands ask of a home; nothing of it raises."""
    product.keeper.catch_up()
    day = product.segments.day(YESTERDAY)
    product.segments.range(day.start_ms, day.end_ms)
    product.segments.range(day.start_ms - 40 * DAY_MS, day.end_ms)
    product.segments.heat("2026-03-01", TODAY)
    product.segments.digest()
    for segment in product.segments.list(0, EVENING_MS, hidden=True):
        product.segments.detail(segment.id)
        product.segment_edits.history(segment.id)
    product.segment_search.search("harbour")
    product.analysis.counts()
    product.analysis.sweep()
    product.sweep.run(always, nobody)
    product.meaning.search(QUESTION)
    product.meaning.segments("harbour timetable")
    product.models.indexes()
    product.models.calls()
    product.models.totals()
    for key in (YESTERDAY, TODAY):
        product.reports.get("day", key)
        product.reports.fresh("day", key)
    product.reports.fresh("week", WEEK)
    product.reports.check(always)
    product.reports.marks("2026-03-01", "2026-03-31")
    product.reports.export("2026-03-01", TODAY, "json")


def commands() -> Iterator[list[str]]:
    """Every command about the day."""
    yield ["activity", "segments", "--day", YESTERDAY, "--all"]
    yield ["activity", "segments", "--from", "2026-03-01", "--to", TODAY]
    yield ["activity", "segments", "search", "harbour"]
    yield ["activity", "report", YESTERDAY]
    yield ["activity", "report", TODAY, "--week"]
    yield ["activity", "report", "--export", "2026-03-01", TODAY]
    yield ["activity", "search", "--meaning", "harbour"]
    yield ["models", "list"]
    yield ["models", "calls", "--totals"]
    yield ["models", "index", "status"]
    yield ["doctor"]


@pytest.mark.parametrize("shift", [0, 4])
def test_damaged_json_of_segments(days: Days, shift: int) -> None:
    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        ids = [each for (each,) in rows(product.database, "SELECT id FROM segments ORDER BY id")]
        for place, segment_id in enumerate(ids):
            for number, column in enumerate(JSON_COLUMNS):
                wrong = WRONG_JSON[(place + number + shift) % len(WRONG_JSON)]
                sql = f"UPDATE segments SET {column} = :wrong WHERE id = :id"
                put(product.database, sql, wrong=wrong, id=segment_id)
        used_in_every_way(product)
        product.deletes.run(Selection.of_app("mail"))
        product.deletes.run(Selection.of_day(product.timeline.day_bounds("2026-03-10")))
        used_in_every_way(product)


def test_damaged_json_of_everything_else(days: Days, model: ModelServer) -> None:
    model.always(answer_of)
    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        used_in_every_way(product)
        for wrong in WRONG_JSON[::2]:
            for sql in (
                "UPDATE segment_days SET gaps = :wrong",
                "UPDATE segment_edits SET before = :wrong, after = :wrong",
                "UPDATE fact_offers SET sources = :wrong",
                "UPDATE frame_events SET detail = :wrong WHERE id % 3 = 0",
                "UPDATE frames SET why = :wrong WHERE id % 3 = 0",
                "UPDATE frame_text SET lines = :wrong WHERE frame_id % 3 = 0",
                "UPDATE reports SET statistics = :wrong",
                "UPDATE vector_indexes SET staged = :wrong WHERE kind = 'frame'",
                "UPDATE vector_indexes SET calibration = :wrong WHERE kind = 'segment'",
                "UPDATE segments SET status = 'pending'",
            ):
                put(product.database, sql, **({"wrong": wrong} if ":wrong" in sql else {}))
            used_in_every_way(product)
        for status in product.models.indexes():
            product.models.rebuild(status.kind)
        assert {each.state for each in of_the_day(product)} == {"ready"}


def test_commands_in_a_damaged_home_give_one_object_or_one_error(
    days: Days, capsys: pytest.CaptureFixture[str]
) -> None:
    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        product.sweep.run(always, nobody)
        product.reports.check(always)
        for column in JSON_COLUMNS:
            put(product.database, f"UPDATE segments SET {column} = '{{'")
        put(product.database, "UPDATE reports SET statistics = '{', narrative = ''")
        put(product.database, "UPDATE frame_vectors SET q = x'0102', bits = x''")
    for command in commands():
        for form in (["--json"], []):
            capsys.readouterr()
            assert days.biny(*command, *form) == 0, command
            out = capsys.readouterr().out
            if form:
                json.loads(out)


@pytest.mark.parametrize("change", [
    {"from_another_version": 7, "apps": [{"app_id": "x", "app_name": "X", "ms": 1, "new": True}]},
    {"gap_ms": {"eclipse": 5}},
    {"apps": "none"},
    {"start_ms": None},
    {"active_ms": "many"},
])  # fmt: skip
def test_figures_of_another_version_are_made_anew(days: Days, change: dict[str, Any]) -> None:
    with days.opened() as product:
        made = product.reports.make("day", YESTERDAY)
        (text,) = rows(product.database, "SELECT statistics FROM reports")[0]
        put(product.database, "UPDATE reports SET statistics = :s", s=json.dumps({**json.loads(text), **change}))
        product.reports.marks("2026-03-01", TODAY)
        kept = product.reports.get("day", YESTERDAY)
        assert kept is not None
        assert kept.markdown == made.markdown
        fresh = product.reports.fresh("day", YESTERDAY)
        if "from_another_version" not in change:  # what is not known is no harm
            assert kept.stale
            assert fresh.statistics == made.statistics
        check_whole(days, product)


@pytest.mark.parametrize("blob", [b"", b"\x01", bytes(383), bytes(385), bytes(4_000)], ids=len)
def test_vectors_of_a_wrong_length_are_left_out_and_healed(days: Days, blob: bytes) -> None:
    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        product.sweep.run(always, nobody)
        before = [hit.frame.id for hit in product.meaning.search(QUESTION).hits]
        assert before
        worst = before[0]
        other = rows(product.database, f"SELECT max(row_id) FROM frame_vectors WHERE row_id <> {worst}")
        put(product.database, "UPDATE frame_vectors SET q = :b WHERE row_id = :id", b=blob, id=worst)
        put(product.database, "UPDATE frame_vectors SET bits = :b WHERE row_id = :id", b=blob, id=other[0][0])
        put(product.database, "INSERT INTO question_vectors(script, q, scale, fingerprint, at) "
            "SELECT 'other', :b, 1, fingerprint, 1 FROM vector_indexes LIMIT 1", b=blob)  # fmt: skip
    with days.opened() as product:
        assert worst not in [hit.frame.id for hit in product.meaning.search(QUESTION).hits]
        assert {each.kind: each.stale for each in of_the_day(product)} == {"frame": 2, "segment": 0}
        product.sweep.run(always, nobody)  # heals
        assert [hit.frame.id for hit in product.meaning.search(QUESTION).hits] == before
        assert all(each.stale == each.pending == 0 for each in product.models.indexes())


@pytest.mark.logs_warning("missing or damaged", "is missing")
@pytest.mark.parametrize("text", [None, b"no version\n", b"\xff\xfe"])
def test_a_prompt_file_that_is_missing_or_damaged(
    days: Days, model: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: bytes | None,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    model.always(answer_of)
    empty = tmp_path / "resources"
    (empty / "prompts").mkdir(parents=True)
    if text is not None:
        for name in ("activity_segment", "activity_narrative", "models_test", "models_data"):
            (empty / "prompts" / f"{name}.md").write_bytes(text)
    real: Callable[..., Path] = resources.resource
    monkeypatch.setattr(
        "biny_desktop.models.prompts.resource",
        lambda *parts: empty.joinpath(*parts) if parts[0] == "prompts" else real(*parts),
    )
    with days.opened() as product:
        put(product.database, ONLY_TWO_WAIT)
        done = product.analysis.sweep()
        assert (done.analysed, done.failed) == (0, 0), "it is no try of a segment"
        report = product.reports.make("day", YESTERDAY)
        assert (report.state, report.reason) == ("narrative_failed", "no_prompt")
        assert report.statistics.apps, "figures never wait for a model"
        used_in_every_way(product)
    capsys.readouterr()
    assert days.biny("models", "test", "small") == 1
    assert "Install the program again" in capsys.readouterr().out
    assert not model.requests


FAULTS: dict[str, dict[str, Any]] = {
    "five_megabytes": {"text": "x" * 5_000_000, "piece": 50_000},
    "five_megabytes_of_json": {"text": json.dumps({"sentences": ["x" * 99] * 50_000}), "piece": 50_000},
    "five_megabytes_at_once": {"text": "y" * 5_000_000, "stream": False},
    "deep": {"text": "[" * 100_000, "piece": 50_000},
    "empty": {"text": ""},
    "page": {"body": b"<html>" + b"z" * 100_000},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_no_model_should_answer(days: Days, model: ModelServer, fault: str) -> None:
    model.always(**FAULTS[fault])
    with days.opened() as product:
        put(product.database, ONLY_TWO_WAIT)
        done = product.analysis.sweep()
        assert (done.analysed, done.failed) in ((0, 1), (0, 2))
        report = product.reports.make("day", YESTERDAY)
        assert report.state == "narrative_failed"
        assert report.statistics.apps
        assert "xxxx" not in report.markdown
        assert not product.models.test("small").ok
        check_whole(days, product)


class Slammer:
    """A server that closes every connection at once."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        self._thread = threading.Thread(target=self._slam)
        self._thread.start()

    def _slam(self) -> None:
        while True:
            try:
                self._socket.accept()[0].close()
            except OSError:
                return

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@pytest.fixture
def slammer() -> Iterator[Slammer]:
    server = Slammer()
    yield server
    server.close()


def test_a_server_that_closes_at_once(days: Days, slammer: Slammer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BINY_MODELS__SMALL_URL", slammer.url)
    monkeypatch.setenv("BINY_MODELS__SMALL_MODEL", "tiny")
    with days.opened() as product:
        done = product.analysis.sweep()
        assert (done.analysed, done.failed) == (0, 1), "the others would only meet the same"
        report = product.reports.make("day", YESTERDAY)
        assert (report.state, report.reason) == ("narrative_failed", "http")
        assert product.models.test("small").failure is not None
        assert {call.outcome for call in product.models.calls().calls} == {"http"}


def test_a_ledger_of_a_hundred_thousand_calls(
    days: Days, model: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    model.always('{"ok": true}')
    with days.opened() as product:
        put(
            product.database,
            "INSERT INTO model_calls(at, task, slot, model, server, prompt_version, ms, outcome) "
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
            "SELECT :now - i * 200000, 'task_' || i % 7, 'small', 'tiny', 'http://x', '1', i, 'ok' FROM n",
            now=EVENING_MS,
        )
        page = product.models.calls(500)
        assert len(page.calls) == 500
        assert product.models.calls(500, page.next).calls[0].id == page.calls[-1].id - 1
        assert sum(total.calls for total in product.models.totals(30)) == 12_960
        assert product.models.test("small").ok
        kept = rows(product.database, "SELECT count(*), min(at) FROM model_calls")[0]
        assert kept[1] >= EVENING_MS - 180 * DAY_MS, "what is older than half a year went with the next call"
    assert days.biny("models", "calls", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["items"]) == 20
