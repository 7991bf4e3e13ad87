"""The jobs' bodies over a real home: they yield to the person, and say in words what came of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.activity.ageing_plan import DAY_MS
from biny_desktop.activity.analysis.analysis import Analysis, Swept
from biny_desktop.activity.disk import GB, Space
from biny_desktop.activity.relocate import PictureMove
from biny_desktop.activity.text_keeping import TextKeeping
from biny_desktop.conversation.search.rows import MessageRows
from biny_desktop.conversation.search.sweep import MessageSweep
from biny_desktop.core import settings as settings_module
from biny_desktop.models.client import ModelClient
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.service.day_parts import DayParts, make_day_parts
from biny_desktop.service.jobs import (
    age_pictures,
    analyse,
    check_disk,
    day_jobs,
    embed,
    join_index,
    keeping_jobs,
    retry_deletes,
)
from biny_desktop.service.quiet import Quiet
from biny_desktop.service.schedule import Schedule
from biny_desktop.storage.atomic import RealFileOps
from biny_desktop.storage.folders import Folders, prepare, resolve
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.activity import ActivityHome, FaultyOps, screen
from tests.fakes.clock import FakeClock
from tests.fakes.homes import MemoryKeyring


@pytest.fixture
def home(tmp_path: Path) -> Iterator[ActivityHome]:
    made = ActivityHome(tmp_path / "data", FakeClock())
    yield made
    made.close()


def move_of(home: ActivityHome) -> PictureMove:
    folders = Folders(home.folder.parent / "config", home.folder, home.folder.parent / "logs")
    return PictureMove(home.db, home.files, folders)


def always() -> bool:
    return True


def test_ageing_waits_for_the_person_and_for_the_first_preview(home: ActivityHome) -> None:
    for number in range(3):
        home.queue_nothing(home.keep("old", picture=screen(number, (1_400, 780))))
    home.clock.advance(2 * DAY_MS)
    assert age_pictures(home.retention, home.disk, lambda: False, always) == ""
    assert home.retention.state().phase == "none"
    assert age_pictures(home.retention, home.disk, always, always) == "first deletion waits"
    home.retention.agree_now()
    asked = iter([True] * 4 + [False] * 20)
    assert age_pictures(home.retention, home.disk, lambda: next(asked), always) == (
        "2 smaller, 0 deleted, 0 files pending, more is due"
    )
    assert age_pictures(home.retention, home.disk, always, always) == "1 smaller, 0 deleted, 0 files pending"


@pytest.mark.logs_warning("no space", "the disk is full")
def test_a_full_disk_met_by_ageing_has_the_guard_look_at_once(tmp_path: Path) -> None:
    ops = FaultyOps(RealFileOps())
    home = ActivityHome(tmp_path / "full", FakeClock(), ops=ops)
    home.queue_nothing(home.keep("old", picture=screen(1, (1_400, 780))))
    home.clock.advance(2 * DAY_MS)
    age_pictures(home.retention, home.disk, always, always)
    home.retention.agree_now()
    ops.fail_at, home.space = "write_temp", Space(0, 400 * GB)
    assert age_pictures(home.retention, home.disk, always, always).startswith("0 smaller")
    assert home.writer.problem() == "disk_low"
    home.close()


def test_left_over_files_are_tried_again(home: ActivityHome) -> None:
    home.keep()
    with home.db.write() as w:
        w.run("UPDATE pictures SET state = 'pending_delete'")
    assert retry_deletes(home.deletes, move_of(home), always) == "1 files removed, 0 pending"
    assert home.pictures_on_disk() == []


@pytest.mark.logs_warning("the disk is full")
def test_the_disk_is_looked_at(home: ActivityHome) -> None:
    assert check_disk(home.disk, always) == "enough"
    home.space = Space(GB, 400 * GB)
    assert check_disk(home.disk, lambda: False) == ""
    assert check_disk(home.disk, always) == "stopped"


def test_what_rows_added_to_the_text_index_is_joined_until_the_app_ends(home: ActivityHome) -> None:
    ids = [home.seen(f"page {n}", f"harbour {n}") for n in range(12)]
    assert join_index(home.db, home.clock, lambda: False) == ""
    assert join_index(home.db, home.clock, always) == "1 step"
    assert join_index(home.db, home.clock, always) == "0 steps"
    assert home.found("harbour") == ids[::-1]
    assert home.index_is_whole()


def test_ageing_comes_a_minute_after_the_start_and_then_each_half_hour(home: ActivityHome) -> None:
    jobs = keeping_jobs(home.retention, home.deletes, move_of(home), home.disk, home.db, home.clock, always)
    assert [(job.name, job.first_s, job.every_s) for job in jobs] == [
        ("ageing", 60, 1_800), ("left-over files", 600, 600), ("disk", 60, 60), ("text index", 30, 30),
    ]  # fmt: skip
    schedule = Schedule(home.clock)
    for job in jobs:
        schedule.add(job)
        assert schedule.run_now(job.name).outcome == "done"


def quiet_of(home: ActivityHome, last_input_ms: int | None = None, *, battery: bool = False) -> Quiet:
    return Quiet(home.clock.mono_ms, lambda: last_input_ms, lambda: battery)


@pytest.fixture
def parts(home: ActivityHome, tmp_path: Path) -> DayParts:
    client = ModelClient(
        home.db, lambda: home.settings, ModelKeys(prepare(resolve(tmp_path / "keys")), MemoryKeyring()), home.clock
    )
    folders = prepare(resolve(tmp_path / "home"))
    return make_day_parts(
        folders, home.db, lambda: home.redactor, lambda: home.settings, home.clock, home.events, client
    )


def messages_of(home: ActivityHome, parts: DayParts) -> MessageSweep:
    rows = MessageRows(parts.embedder.current)
    index = VectorIndex(rows, home.db, parts.embedder.current, home.clock, home.events)
    return MessageSweep(home.db, rows, index, parts.embedder.current, home.clock)


def test_the_jobs_of_the_day_come_when_the_spec_says(home: ActivityHome, parts: DayParts) -> None:
    texts = TextKeeping(home.db, lambda: home.settings, home.clock)
    jobs = day_jobs(
        parts.keeper,
        parts.analysis,
        parts.reports,
        parts.sweep,
        messages_of(home, parts),
        texts,
        lambda: home.settings,
        quiet_of(home),
    )
    found = {
        job.name: (job.first_s, job.every_s if isinstance(job.every_s, int) else job.every_s(), job.again_s)
        for job in jobs
    }
    assert found == {
        "activities": (20, 120, None), "analysis": (120, 600, 30), "reports": (120, 900, 30),
        "meaning": (300, 300, 30), "chats by meaning": (330, 300, 30), "old texts": (900, 21_600, 30),
    }  # fmt: skip
    home.work(8, "notes.txt", "editor", "a page about the harbour and its ferries")
    home.clock.advance(3_600_000)
    schedule = Schedule(home.clock)
    for job in jobs:
        schedule.add(job)
    assert [(run.outcome, run.result) for run in map(schedule.run_now, found)] == [
        ("done", "1 activity changed"), ("done", "no model"), ("done", "up to date"),
        ("done", schedule.runs()[3].result), ("done", "0 messages"), ("done", "0 texts deleted"),
    ]  # fmt: skip
    assert "1" in schedule.runs()[3].result, "one text has a vector now"


def test_the_jobs_of_the_day_make_way_for_the_person_and_for_the_battery(home: ActivityHome, parts: DayParts) -> None:
    texts = TextKeeping(home.db, lambda: home.settings, home.clock)
    embedding = {"meaning", "chats by meaning"}
    for quiet, waiting in (
        (
            quiet_of(home, home.clock.mono_ms() - 2_000),
            {"analysis", "reports", "old texts"} | embedding,
        ),
        (quiet_of(home, home.clock.mono_ms() - 60_000, battery=True), {"analysis"} | embedding),
        (quiet_of(home, home.clock.mono_ms() - 60_000), set()),
    ):
        schedule = Schedule(home.clock)
        jobs = day_jobs(
            parts.keeper, parts.analysis, parts.reports, parts.sweep, messages_of(home, parts), texts,
            lambda: home.settings, quiet,
        )  # fmt: skip
        for job in jobs:
            schedule.add(job)
        assert {job.name for job in jobs if schedule.run_now(job.name).outcome == "waited"} == waiting


def test_an_analysis_that_made_way_before_anything_came_of_it_is_tried_again_soon(
    home: ActivityHome, parts: DayParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = [Swept(cut_off=True), Swept(cut_off=True, analysed=2), Swept(waiting="off")]
    monkeypatch.setattr(Analysis, "sweep", lambda *_: done.pop(0))
    words = [analyse(parts.analysis, lambda: home.settings, quiet_of(home), always) for _ in range(3)]
    assert words == ["", "2 named, 0 failed, 0 given up", "off"]


def test_on_battery_a_model_is_asked_only_when_that_is_wanted(home: ActivityHome, parts: DayParts) -> None:
    quiet = quiet_of(home, battery=True)
    assert analyse(parts.analysis, lambda: home.settings, quiet, always) == ""
    home.settings = settings_module.build({"activity": {"on_battery": True}})
    assert analyse(parts.analysis, lambda: home.settings, quiet, always) == "no model"
    assert embed(parts.sweep, lambda: home.settings, quiet, always)


def test_how_often_a_model_is_asked_is_a_setting(home: ActivityHome, parts: DayParts) -> None:
    texts = TextKeeping(home.db, lambda: home.settings, home.clock)
    jobs = day_jobs(
        parts.keeper,
        parts.analysis,
        parts.reports,
        parts.sweep,
        messages_of(home, parts),
        texts,
        lambda: home.settings,
        quiet_of(home),
    )
    home.settings = settings_module.build({"activity": {"every_min": 45}})
    every_s = next(job.every_s for job in jobs if job.name == "analysis")
    assert callable(every_s)
    assert every_s() == 2_700
