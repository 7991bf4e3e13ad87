"""The ledger of model calls: newest first, page by page, kept half a year."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.models.ledger import DAY_MS, KEEP_DAYS, Ledger
from biny_desktop.models.ledger_store import Call, TaskTotal
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.migrate import migrate
from tests.fakes.clock import FakeClock

CALL = Call(0, "activity_segment", "small", "tiny", "http://127.0.0.1:1", "3", 100, 20, 1_500, "ok")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    db = open_database(tmp_path / "biny.db", None)
    migrate(db)
    yield db
    db.close()


def test_pages_go_from_new_to_old_without_gap(db: Database, fake_clock: FakeClock) -> None:
    ledger = Ledger(db, fake_clock)
    assert ledger.page() == ledger.page(before=1)
    for n in range(25):
        ledger.note(replace(CALL, at_ms=fake_clock.now_ms() + n))
    seen, before = [], None
    while True:
        page = ledger.page(10, before)
        seen += [call.at_ms - fake_clock.now_ms() for call in page.calls]
        if page.next is None:
            break
        before = page.next
        ledger.note(replace(CALL, at_ms=fake_clock.now_ms() + 99))  # what comes meanwhile moves no page
    assert seen == list(range(24, -1, -1))
    assert len(ledger.page(0).calls) == 1


def test_a_call_comes_back_as_it_was_noted(db: Database, fake_clock: FakeClock) -> None:
    ledger = Ledger(db, fake_clock)
    call = replace(CALL, at_ms=fake_clock.now_ms(), tokens_in=None, tokens_out=None, outcome="http", detail="429 slow")
    ledger.note(call)
    (kept,) = ledger.page().calls
    assert replace(kept, id=0) == call


def test_totals_are_by_task_over_the_last_days(db: Database, fake_clock: FakeClock) -> None:
    ledger = Ledger(db, fake_clock)
    now = fake_clock.now_ms()
    for call in (
        CALL,
        replace(CALL, outcome="timeout", tokens_in=None, tokens_out=None, ms=500),
        replace(CALL, task="activity_report", ms=9),
    ):
        ledger.note(replace(call, at_ms=now))
    ledger.note(replace(CALL, at_ms=now - 40 * DAY_MS))
    assert ledger.totals(30) == (
        TaskTotal("activity_segment", 2, 1, 100, 20, 2_000),
        TaskTotal("activity_report", 1, 0, 100, 20, 9),
    )
    assert ledger.totals(60)[0].calls == 3


def test_old_rows_go_when_a_new_one_comes(db: Database, fake_clock: FakeClock) -> None:
    ledger = Ledger(db, fake_clock)
    ledger.note(replace(CALL, at_ms=fake_clock.now_ms()))
    fake_clock.advance((KEEP_DAYS + 1) * DAY_MS)
    ledger.note(replace(CALL, at_ms=fake_clock.now_ms(), task="new"))
    assert [call.task for call in ledger.page().calls] == ["new"]


@pytest.mark.logs_warning("a model call could not be noted")
def test_a_row_that_cannot_be_kept_is_said_in_the_log_only(db: Database, fake_clock: FakeClock) -> None:
    ledger = Ledger(db, fake_clock)
    db.close()
    ledger.note(CALL)
