"""A process killed (SIGKILL) around each of its commits while it understands the day: the next start converges."""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import openai  # noqa: F401  # loaded once here, not in every child
import pytest

from biny_desktop.activity.analysis.offers import Offers
from biny_desktop.activity.analysis.ports import CrystalTerm, FactOutcome, OfferedFact
from biny_desktop.activity.deletes import Selection
from biny_desktop.models.vector_parts import LEASE_MS
from biny_desktop.service.product import Product
from tests.e2e.days import (
    ONE_TEXT_AN_APP,
    ONLY_TWO_WAIT,
    QUESTION,
    Days,
    OnlyDb,
    always,
    answer_of,
    check_whole,
    few_to_embed,
    killed_at_each_commit,
    nobody,
    of_the_day,
    put,
    rows,
    uncut,
)
from tests.fakes.activity import ActivityHome
from tests.fakes.day_product import WEEK, YESTERDAY
from tests.fakes.homes import killed_at_each_step
from tests.fakes.model_server import ModelServer

Rows = list[tuple[Any, ...]]


def cut(product: Product) -> Rows:
    """The segments as they are, without their ids."""
    what = "started_at, ended_at, kind, title, active_ms, frame_count, open"
    return rows(product.database, f"SELECT {what} FROM segments ORDER BY started_at")


def test_while_days_are_cut(days: Days) -> None:
    with days.opened() as product:
        uncut(product)
        product.keeper.catch_up()
        expected = cut(product)
        uncut(product)
    kills = 0
    for kill in killed_at_each_commit(days, lambda product: product.keeper.catch_up()):
        kills += 1

        def check(product: Product, kill: str = kill) -> None:
            product.keeper.catch_up()
            assert cut(product) == expected, kill
            check_whole(days, product)

        days.started(check)
    assert kills >= 6


def test_while_a_model_is_asked_no_answer_and_no_offer_is_doubled(days: Days, model: ModelServer) -> None:
    model.always(answer_of)
    with days.opened() as product:
        put(product.database, ONLY_TWO_WAIT)
    kills = 0
    for kill in killed_at_each_commit(days, lambda product: product.analysis.sweep()):
        kills += 1

        def check(product: Product, kill: str = kill) -> None:
            product.analysis.sweep()
            db = product.database
            asked = rows(db, "SELECT id, revision FROM segments WHERE status = 'analysed' AND model = 'tiny'")
            assert len(asked) == 2, kill
            assert rows(db, "SELECT segment_id FROM fact_offers ORDER BY 1") == [(each,) for each, _ in asked], kill
            assert not rows(db, "SELECT id FROM segments WHERE tries > 0 AND status <> 'failed'")
            check_whole(days, product)
            requests = len(model.requests)
            assert product.analysis.sweep().analysed == 0
            assert len(model.requests) == requests, "what was answered is not asked again"

        days.started(check)
    assert kills >= 8


class KeptFacts:
    """Takers that keep what they took in a file of their own, committed before they answer, each key once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._open() as db:
            db.execute("CREATE TABLE IF NOT EXISTS facts(key TEXT PRIMARY KEY, n INTEGER)")
            db.execute("CREATE TABLE IF NOT EXISTS terms(segment_id, term, PRIMARY KEY(segment_id, term))")

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with contextlib.closing(sqlite3.connect(self._path)) as db, db:
            yield db

    def offer(self, fact: OfferedFact) -> FactOutcome:
        with self._open() as db:
            db.execute("INSERT INTO facts VALUES(?, 1) ON CONFLICT(key) DO UPDATE SET n = n + 1", (fact.key,))
        return FactOutcome("added", fact_id=f"of {fact.key}")

    def take(self, terms: Sequence[CrystalTerm]) -> None:
        with self._open() as db:
            db.executemany("INSERT OR IGNORE INTO terms VALUES(?, ?)", [(each.segment_id, each.term) for each in terms])

    def all(self, table: str) -> Rows:
        with self._open() as db:
            return db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()


def test_between_whoever_takes_an_offer_and_the_row_that_says_so(days: Days, model: ModelServer) -> None:
    model.always(answer_of)
    with days.opened() as product:
        put(product.database, ONLY_TWO_WAIT)
        product.analysis.sweep()
    taken = days.home.parent / "taken.db"

    def pass_on(product: Product) -> None:
        keeper = KeptFacts(taken)
        Offers(product.database, product.clock, keeper, keeper).pass_on()

    again = []
    for kill in killed_at_each_commit(days, pass_on):

        def check(product: Product, kill: str = kill) -> None:
            pass_on(product)
            told = rows(product.database, "SELECT segment_id, n, outcome, fact_id FROM fact_offers ORDER BY 1")
            keys = [f"segment:{segment}:{n}" for segment, n, *_ in told]
            assert [each[2:] for each in told] == [("added", f"of {key}") for key in keys], kill
            facts = KeptFacts(taken).all("facts")
            assert [key for key, _n in facts] == keys, "one fact an offer"
            again.append(max(n for _key, n in facts))
            terms = rows(product.database, "SELECT segment_id, term FROM crystal_terms ORDER BY 1, 2")
            assert terms
            assert KeptFacts(taken).all("terms") == terms
            assert not rows(product.database, "SELECT 1 FROM crystal_terms WHERE passed_at IS NULL")

        days.started(check)
        taken.unlink()
    assert 2 in again, "one was killed in between"


def test_between_the_row_of_a_report_and_its_file(days: Days) -> None:
    def make(product: Product) -> None:
        product.reports.make("day", YESTERDAY)
        product.reports.make("week", WEEK)

    def check(product: Product) -> None:
        product.reports.check(always)
        assert (YESTERDAY, "done_no_model") in rows(product.database, "SELECT key, state FROM reports")
        check_whole(days, product)

    kills = 0
    for _kill in killed_at_each_commit(days, make):
        kills += 1
        days.started(check)
    assert kills >= 8


def test_at_each_step_of_writing_the_file_of_a_report(days: Days) -> None:
    def make() -> None:
        with days.opened() as product:
            product.reports.make("day", YESTERDAY)

    for _step in killed_at_each_step(make):

        def check(product: Product) -> None:
            product.reports.check(always)
            check_whole(days, product)

        days.started(check)


def test_between_embedding_and_the_commit(days: Days) -> None:
    with days.opened() as product:
        few_to_embed(product)

    def sweep(product: Product) -> None:
        product.sweep.run(always, nobody)

    kills = 0
    for kill in killed_at_each_commit(days, sweep, every=3):
        kills += 1

        def check(product: Product, kill: str = kill) -> None:
            sweep(product)
            for status in of_the_day(product):
                assert (status.state, status.pending, status.stale) == ("ready", 0, 0), kill
            assert not rows(product.database, "SELECT 1 FROM frame_passages WHERE state = 'pending'")
            assert product.meaning.search(QUESTION).hits
            check_whole(days, product)

        days.started(check)
    assert kills >= 4


def test_in_a_rebuild_the_old_vectors_serve_until_the_new_ones_are_whole(days: Days) -> None:
    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        product.sweep.run(always, nobody)
        expected = [hit.frame.id for hit in product.meaning.search(QUESTION).hits]
    assert expected
    kills = 0
    for kill in killed_at_each_commit(days, lambda product: product.models.rebuild("frame")):
        kills += 1

        def check(product: Product, kill: str = kill) -> None:
            assert [hit.frame.id for hit in product.meaning.search(QUESTION).hits] == expected, kill
            days.clock.advance(LEASE_MS + 1)
            status = product.models.rebuild("frame")
            assert (status.state, status.indexed, status.pending, status.stale) == ("ready", 6, 0, 0), kill
            generations = rows(product.database, "SELECT DISTINCT generation FROM frame_vectors")
            assert generations == rows(product.database, "SELECT generation FROM vector_indexes WHERE kind = 'frame'")
            assert [hit.frame.id for hit in product.meaning.search(QUESTION).hits] == expected
            check_whole(days, product)

        days.started(check)
    assert kills >= 6


def test_while_a_day_with_all_that_was_made_of_it_is_deleted(
    days: Days, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.always(answer_of)
    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        put(product.database, ONLY_TWO_WAIT)
        product.analysis.sweep()
        product.sweep.run(always, nobody)
        product.reports.check(always)
        product.reports.make("week", WEEK)
        week = product.reports.get("week", WEEK)
        assert week is not None
        before = week.statistics.active_ms
    # Nobody writes reports any more: what they quote has to go all the same.
    monkeypatch.setenv("BINY_REPORTS__ENABLED", "false")

    def delete(product: Product) -> None:
        product.deletes.run(Selection.of_day(product.timeline.day_bounds(YESTERDAY)))

    begun = 0
    for kill in killed_at_each_commit(days, delete, every=6):

        def check(product: Product, kill: str = kill) -> None:
            nonlocal begun
            db = product.database
            whole = rows(db, "SELECT count(*) FROM segments WHERE day = '2026-03-11'") != [(0,)]
            if whole:
                assert kill == "before commit 0", kill
            else:
                begun += 1
                bounds = product.timeline.day_bounds(YESTERDAY)
                inside = f"captured_at >= {bounds.start_ms} AND captured_at < {bounds.end_ms}"
                assert rows(db, f"SELECT id FROM frames WHERE {inside}") == [], kill
                report, week = product.reports.get("day", YESTERDAY), product.reports.get("week", WEEK)
                assert report is not None
                assert report.state == "empty_day", kill
                assert week is not None
                assert (week.stale, week.statistics.active_ms < before) == (False, True), kill
                assert ActivityHome.index_is_whole(OnlyDb(db))  # type: ignore[arg-type]  # needs no more
            check_whole(days, product)

        days.started(check)
    assert begun >= 5
