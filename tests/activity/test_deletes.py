"""Deletes: what goes, what stays, that no word of it is left, and that a kill at any step converges."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from biny_desktop.activity import deletes as deletes_module
from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.index import reindexed
from biny_desktop.activity.recover import recover
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.events import ActivityDeleted, DayDeleted
from biny_desktop.storage.atomic import RealFileOps
from tests.fakes.activity import ActivityHome, FaultyOps, picture
from tests.fakes.clock import FakeClock

HOUR = 3_600_000
WORD = "unmistakable"


class KilledError(BaseException):
    """Stands for the end of the process."""


def filled(home: ActivityHome) -> list[int]:
    """Six frames an hour apart in two apps with texts, and an event each."""
    ids = []
    for n in range(6):
        app = "mail" if n % 2 else "editor"
        ids.append(home.seen(f"{WORD}{n} title", f"{WORD}{n} text", app=app, seed=n, why={"n": n}))
        home.note("focus", "", app_id=app, title=f"{WORD}{n} title")
        home.clock.advance(HOUR)
    return ids


def left(home: ActivityHome) -> list[int]:
    return [frame.id for frame in reversed(home.timeline.frames(limit=500).frames)]


def selections(home: ActivityHome, ids: list[int]) -> dict[str, tuple[Selection, list[int]]]:
    start = home.timeline.frame(ids[0]).frame.at_ms
    return {
        "frames": (Selection.of_frames(ids[1], ids[2]), [ids[0], *ids[3:]]),
        "range": (Selection.of_range(start + HOUR, start + 3 * HOUR), [ids[0], *ids[3:]]),
        "app": (Selection.of_app("mail"), ids[::2]),
        "app range": (Selection.of_app("mail", start, start + 2 * HOUR), [ids[0], *ids[2:]]),
        "day": (Selection.of_day(home.timeline.day_bounds("2026-01-05")), ids[:4]),
        "everything": (Selection.of_everything(), []),
    }


KINDS = ("frames", "range", "app", "app range", "day", "everything")


@pytest.mark.parametrize("kind", KINDS)
def test_a_delete_takes_what_was_chosen_and_leaves_no_word(home: ActivityHome, kind: str) -> None:
    ids = filled(home)
    chosen, stay = selections(home, ids)[kind]
    gone = [each for each in ids if each not in stay]
    told: list[ActivityDeleted] = []
    home.events.subscribe(ActivityDeleted, told.append)
    before = _generation(home)

    preview = home.deletes.preview(chosen)
    receipt = home.deletes.run(chosen)

    assert left(home) == stay
    assert (preview.frames, preview.texts, preview.pictures) == (len(gone),) * 3
    assert (receipt.frames, receipt.texts, receipt.files) == (len(gone),) * 3
    assert receipt.events == preview.events == (0 if kind == "frames" else len(gone))
    assert receipt.bytes_freed == preview.picture_bytes > 0
    assert (receipt.verified, receipt.files_pending) == (True, 0)
    assert told[0].frame_ids == tuple(gone)
    assert _generation(home) != before
    assert len(home.pictures_on_disk()) == home.count("pictures") == len(stay)
    assert home.count("frame_text") == len(stay)
    assert home.index_is_whole()
    for n, frame_id in enumerate(ids):
        if frame_id in stay:
            assert home.found(f"{WORD}{n}") == [frame_id]
        else:
            assert home.found(f"{WORD}{n}") == []
    # index_is_whole wrote the words that stay anew; those of deleted frames are nowhere
    home.deletes.finish_pending()
    if kind != "frames":  # an event of its own may hold the title of a single frame
        for n, frame_id in enumerate(ids):
            assert (home.bytes_holding(f"{WORD}{n}") == []) == (frame_id not in stay)


def _generation(home: ActivityHome) -> str:
    with home.db.read() as r:
        row = r.one("SELECT revision FROM activity_generation")
    assert row is not None
    return row.text("revision")


def test_a_deleted_range_shows_as_a_gap_without_content(home: ActivityHome) -> None:
    filled(home)
    start = home.timeline.frame(1).frame.at_ms
    home.deletes.run(Selection.of_range(start + HOUR - 1, start + 3 * HOUR))
    gaps = home.timeline.gaps(start, start + 3 * HOUR)
    assert [(gap.start_ms - start, gap.end_ms - start, gap.cause) for gap in gaps] == [
        (0, HOUR - 1, "no_input"),
        (HOUR - 1, 3 * HOUR, "deleted"),
    ]
    row = next(event for event in home.timeline.events(0, 2**60) if event.reason == "deleted")
    assert (row.app_id, row.title, row.detail) == (None, None, {})


def test_a_day_is_told_as_a_day(home: ActivityHome) -> None:
    filled(home)
    told: list[DayDeleted] = []
    home.events.subscribe(DayDeleted, told.append)
    bounds = home.timeline.day_bounds("2026-01-05")
    home.deletes.run(Selection.of_day(bounds))
    assert told == [DayDeleted("2026-01-05", bounds.start_ms, bounds.end_ms)]


def test_a_shared_picture_stays_until_its_last_owner_goes(home: ActivityHome) -> None:
    first = home.keep()
    second = home.keep(picture=None, seen_again_of=first)
    third = home.keep(picture=None, seen_again_of=first)
    receipt = home.deletes.run(Selection.of_frames(first))
    assert (receipt.files, home.count("pictures", "state = 'live'")) == (0, 1)
    assert home.timeline.frame(second).frame.seen_again_of is None
    assert home.timeline.frame(third).frame.seen_again_of == second
    assert home.deletes.preview(Selection.of_frames(second)).pictures == 0
    assert home.deletes.run(Selection.of_frames(second, third)).files == 1
    assert home.pictures_on_disk() == []


def test_pinned_pictures_are_named_in_the_preview_and_go_with_the_users_delete(home: ActivityHome) -> None:
    frame_id = home.keep()
    with home.db.write() as w, reindexed(w, [frame_id]):
        w.run("UPDATE pictures SET pinned = 1")
    assert home.found("has:pinned") == [frame_id]
    assert home.deletes.preview(Selection.of_frames(frame_id)).pinned == 1
    assert home.deletes.run(Selection.of_frames(frame_id)).files == 1


def test_ids_are_never_used_again(home: ActivityHome) -> None:
    last = filled(home)[-1]
    home.deletes.run(Selection.of_everything())
    assert home.keep() == last + 1


@pytest.mark.parametrize(
    "chosen",
    [
        Selection.of_frames(), Selection.of_range(5, 5), Selection.of_range(9, 1), Selection.of_app(""),
        Selection("range"), Selection.of_app("x", 5, 1),
    ],
)  # fmt: skip
def test_an_empty_or_turned_selection_is_refused(home: ActivityHome, chosen: Selection) -> None:
    home.keep()
    for call in (home.deletes.preview, home.deletes.run):
        with pytest.raises(InvalidInputError):
            call(chosen)
    assert home.count("frames") == 1


def test_deleting_what_is_not_there_changes_nothing(home: ActivityHome) -> None:
    ids = filled(home)
    receipt = home.deletes.run(Selection.of_frames(99, 100))
    assert (receipt.frames, receipt.verified) == (0, True)
    assert left(home) == ids


@pytest.mark.logs_warning("cannot be removed yet")
def test_a_file_that_cannot_be_removed_is_tried_again(tmp_path: Path) -> None:
    ops = FaultyOps(RealFileOps())
    home = ActivityHome(tmp_path / "data", FakeClock(), ops=ops)
    frame_id = home.keep(WORD)
    ops.fail_at, ops.error = "unlink", PermissionError(13, "locked")
    receipt = home.deletes.run(Selection.of_frames(frame_id))
    assert (receipt.files, receipt.files_pending) == (0, 1)
    assert home.timeline.totals().pictures_pending == 1
    ops.fail_at = None
    assert home.deletes.finish_pending().files == 1
    assert home.pictures_on_disk() == []
    assert home.count("pictures") == 0
    home.close()


def test_more_than_a_batch_is_deleted_while_recording_goes_on(
    home: ActivityHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biny_desktop.activity.delete_store.BATCH", 2)
    monkeypatch.setattr("biny_desktop.activity.deletes._FIRST_BATCH", 1)
    ids = filled(home)
    fresh: list[int] = []
    batch = home.deletes._batch

    def recording(*args: object, **named: object) -> bool:
        fresh.append(home.keep("kept meanwhile", "mail"))
        return batch(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(home.deletes, "_batch", recording)
    home.deletes.run(Selection.of_app("mail"))
    assert left(home) == [*ids[::2], *fresh]
    assert len(fresh) > 2
    assert home.index_is_whole()
    home.deletes.run(Selection.of_everything())
    assert len(left(home)) > 0
    assert home.index_is_whole()


class _KillAt:
    """Raises at the n-th SQL statement or file step, as if the process ended there."""

    def __init__(self, n: int) -> None:
        self.left = n

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise KilledError


def _killing(monkeypatch: pytest.MonkeyPatch, home: ActivityHome, ops: FaultyOps, kill: Callable[[], None]) -> None:
    from biny_desktop.storage.database import Writer

    real_run = Writer.run
    real_unlink = ops.unlink

    def run(self: Writer, sql: str, params=None):  # type: ignore[no-untyped-def]
        kill()
        return real_run(self, sql, params)

    def unlink(path: Path) -> None:
        kill()
        real_unlink(path)
        kill()

    monkeypatch.setattr(Writer, "run", run)
    monkeypatch.setattr(ops, "unlink", unlink)


@pytest.mark.parametrize("many", [2, 1_000])
@pytest.mark.parametrize(("chosen", "stay"), [(Selection.of_app("mail"), [1, 3, 5]), (Selection.of_everything(), [])])
def test_a_kill_at_any_step_converges_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: Selection, stay: list[int], many: int
) -> None:
    for n in itertools.count(0, 2):
        ops = FaultyOps(RealFileOps())
        home = ActivityHome(tmp_path / f"data{n}", FakeClock(), ops=ops)
        filled(home)
        finished = False
        with monkeypatch.context() as patch:
            patch.setattr("biny_desktop.activity.delete_store.BATCH", 2)
            patch.setattr(deletes_module, "MANY", many)
            _killing(patch, home, ops, _KillAt(n))
            try:
                home.deletes.run(chosen)
                finished = True
            except KilledError:
                pass
        home.close()
        again = ActivityHome(tmp_path / f"data{n}", FakeClock())
        again.clock.set_wall(home.clock.now_ms())
        recover(again.db, again.files, again.deletes, again.clock)
        assert again.index_is_whole()
        kept = left(again)
        assert kept in (stay, [1, 2, 3, 4, 5, 6])
        assert len(again.pictures_on_disk()) == again.count("pictures") == len(kept)
        assert again.count("meta", "key = 'activity.delete_job'") == 0
        if kept == stay:
            assert again.bytes_holding(f"{WORD}1") == []
        with again.db.read() as r:
            secure = r.one("SELECT v FROM frame_fts_config WHERE k = 'secure-delete'")
        assert secure is not None
        assert secure.int("v") == 1
        again.close()
        if finished:
            assert n > 20, "the delete had many steps"
            return


def test_deleting_while_a_reading_is_under_way_brings_nothing_back(home: ActivityHome) -> None:
    from tests.fakes.activity import reading

    for kind in KINDS:
        ids = filled(home)
        home.queue.request(ids[1])
        job = home.queue.take()
        assert job is not None
        chosen, _ = (
            selections(home, ids)[kind]
            if kind not in ("day",)
            else (
                Selection.of_day(home.timeline.day_bounds(deletes_module.activity_day(home.clock.now_ms(), "UTC"))),
                [],
            )
        )
        home.deletes.run(chosen)
        if ids[1] not in left(home):
            home.queue.done(job, reading("revenant"))
            assert home.found("revenant") == []
            assert home.bytes_holding("revenant") == []
        home.deletes.run(Selection.of_everything())


@pytest.mark.parametrize("many", [10, 1_000])
def test_a_large_index_keeps_no_deleted_word(home: ActivityHome, monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    """Enough words that the index has many pages and inner nodes, where a deleted word could stay as a separator."""
    monkeypatch.setattr(deletes_module, "MANY", many)
    ids = []
    for n in range(400):
        words = " ".join(f"w{n}x{k}" for k in range(40))
        ids.append(home.seen(f"zq{n}title", words, picture=picture(1)))
    gone = ids[::3]
    home.deletes.run(Selection.of_frames(*gone))
    data = b"".join(path.read_bytes() for path in home.folder.glob("biny.db*"))
    found = {int(n) + 1 for n in re.findall(rb"w(\d+)x\d", data)} | {int(n) + 1 for n in re.findall(rb"zq(\d+)t", data)}
    assert not found & set(gone)
    assert home.index_is_whole()
