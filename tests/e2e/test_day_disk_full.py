"""No space while the day is understood: each job says so, loses nothing, and goes on once there is space again."""

import contextlib
import itertools
import resource
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.reports import files
from biny_desktop.activity.text_keeping import TextKeeping
from biny_desktop.core.errors import DiskFullError, StorageError
from biny_desktop.models.vector_parts import LEASE_MS
from biny_desktop.service.jobs import day_jobs
from biny_desktop.service.product import Product
from biny_desktop.service.quiet import Quiet
from biny_desktop.service.schedule import JobRun, Schedule
from tests.e2e.days import (
    ONE_TEXT_AN_APP,
    ONLY_TWO_WAIT,
    QUESTION,
    Days,
    OnlyDb,
    WriteCounter,
    always,
    answer_of,
    check_whole,
    few_to_embed,
    nobody,
    put,
    rows,
    uncut,
)
from tests.fakes.activity import ActivityHome
from tests.fakes.day_product import WEEK, YESTERDAY
from tests.fakes.model_server import ModelServer

pytestmark = pytest.mark.logs_warning("failed (", "could not be")
GOOD = frozenset({"done", "waited"})


def job(product: Product, name: str) -> JobRun:
    """Run a job as the schedule of the app does, with nobody at the machine."""
    schedule = Schedule(product.clock)
    quiet = Quiet(product.clock.mono_ms, nobody, lambda: False)
    settings, db = product.settings.current, product.database
    texts = TextKeeping(db, settings, product.clock)
    for each in day_jobs(
        product.keeper, product.analysis, product.reports, product.sweep, product.message_sweep, texts, settings, quiet
    ):
        schedule.add(each)
    return schedule.run_now(name)


@contextlib.contextmanager
def full_database(product: Product) -> Iterator[None]:
    """The database cannot become larger (SQLite says that the disk is full)."""
    with product.database.write() as w:
        pages = w.one("PRAGMA page_count")
        assert pages is not None
        w.query(f"PRAGMA max_page_count={pages.int('page_count')}")
    try:
        yield
    finally:
        with product.database.write() as w:
            w.query("PRAGMA max_page_count=1000000")


@contextlib.contextmanager
def full_disk(_product: Product) -> Iterator[None]:
    """No file of this process can become larger than a page (the system says so)."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


Full = Callable[[Product], contextlib.AbstractContextManager[None]]


@dataclass(frozen=True)
class Case:
    """A job, what a home needs so that it has something to do, and what it has done in the end."""

    name: str
    prepare: Callable[[Product], object]
    done: Callable[[Product], object]


def cut(product: Product) -> list[tuple[Any, ...]]:
    return rows(product.database, "SELECT day, count(*) FROM segments GROUP BY day")


def analysed(product: Product) -> int:
    return len(rows(product.database, "SELECT id FROM segments WHERE model = 'tiny' AND status = 'analysed'"))


def report_is_there(product: Product) -> bool:
    report = product.reports.get("day", YESTERDAY)
    return report is not None and (report.state, report.file_error) == ("done", "")


CASES = (
    Case("activities", uncut, lambda product: len(cut(product)) == 3),
    Case("analysis", lambda product: put(product.database, ONLY_TWO_WAIT), lambda product: analysed(product) == 2),
    Case("reports", lambda _product: None, report_is_there),
    Case(
        "meaning",
        few_to_embed,
        lambda product: all((each.pending, each.stale) == (0, 0) for each in product.models.indexes()),
    ),
)


@pytest.mark.parametrize("full", [full_database, full_disk])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_job_says_so_and_goes_on_later(days: Days, model: ModelServer, case: Case, full: Full) -> None:
    model.always(answer_of)
    with days.opened() as product:
        case.prepare(product)
        frames = rows(product.database, "SELECT count(*) FROM frames")
        with full(product):
            run = job(product, case.name)
        if full is full_disk:
            assert run.outcome == "failed"
        if run.outcome == "failed":
            assert run.result in ("disk_full", "storage")
        assert rows(product.database, "SELECT count(*) FROM frames") == frames
        days.clock.advance(LEASE_MS + 1)
        assert job(product, case.name).outcome in GOOD
        assert case.done(product)
        check_whole(days, product)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_space_that_ends_at_any_commit_costs_nothing(
    days: Days, model: ModelServer, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise DiskFullError("The disk is full", "")

    model.always(answer_of)
    with days.opened() as product:
        case.prepare(product)
    before = days.home.with_name("before")
    shutil.copytree(days.home, before)
    for number in itertools.count():
        with days.opened() as product:
            counter = WriteCounter(number, "before", full)
            with monkeypatch.context() as patch:
                counter.install(patch)
                run = job(product, case.name)
            assert (run.outcome, run.result) == ("failed", "disk_full") or run.outcome == "done"
            days.clock.advance(LEASE_MS + 1)
            assert job(product, case.name).outcome in GOOD
            assert case.done(product)
            check_whole(days, product)
        if not counter.reached:
            break
        shutil.rmtree(days.home)
        shutil.copytree(before, days.home)
    assert number >= 3


def test_a_report_whose_file_has_no_room_is_in_its_row_and_written_later(
    days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise DiskFullError("The disk is full", "")

    with days.opened() as product:
        with monkeypatch.context() as patch:
            patch.setattr(files, "write_atomic", full)
            report = product.reports.make("day", YESTERDAY)
        assert (report.state, report.file_error) == ("done_no_model", "disk_full")
        assert product.reports.get("day", YESTERDAY) == report
        assert not days.report_file(YESTERDAY).exists()
        product.reports.check(always)
        check_whole(days, product)


@pytest.mark.parametrize("full", [full_database, full_disk])
def test_a_rebuild_keeps_the_old_vectors(days: Days, full: Full) -> None:
    with days.opened() as product:
        put(product.database, ONE_TEXT_AN_APP)
        product.sweep.run(always, nobody)
        before = [hit.frame.id for hit in product.meaning.search(QUESTION).hits]
        assert before
        with full(product), contextlib.suppress(StorageError) if full is full_database else pytest.raises(StorageError):
            product.models.rebuild("frame")
        assert [hit.frame.id for hit in product.meaning.search(QUESTION).hits] == before
        days.clock.advance(LEASE_MS + 1)
        assert product.models.rebuild("frame").indexed == 6
        assert [hit.frame.id for hit in product.meaning.search(QUESTION).hits] == before
        check_whole(days, product)


@pytest.mark.parametrize("full", [full_database, full_disk])
def test_a_delete_is_ended_at_the_next_start(days: Days, full: Full) -> None:
    with days.opened() as product:
        product.reports.check(always)
        product.reports.make("week", WEEK)
        bounds = product.timeline.day_bounds(YESTERDAY)
        failed = False
        with full(product):
            try:
                product.deletes.run(Selection.of_day(bounds))
            except StorageError:
                failed = True
        assert failed or full is full_database
    if failed:
        with days.opened() as product:
            product.deletes.run(Selection.of_day(bounds))

    def check(product: Product) -> None:
        inside = f"captured_at >= {bounds.start_ms} AND captured_at < {bounds.end_ms}"
        assert rows(product.database, f"SELECT id FROM frames WHERE {inside}") == []
        assert rows(product.database, f"SELECT id FROM segments WHERE day = '{YESTERDAY}'") == []
        assert ActivityHome.index_is_whole(OnlyDb(product.database))  # type: ignore[arg-type]  # needs no more
        check_whole(days, product)

    days.started(check)
