"""Opening after an accident: unclean exits, zeroed pages of every table, rescues killed at each step, never a loop."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from biny_desktop.core.errors import DiskFullError, StorageError, WrongKeyError
from biny_desktop.service.data_care.notices import acknowledge, notices
from biny_desktop.storage import damage
from biny_desktop.storage.database import suspicion_of
from biny_desktop.storage.keys import obtain
from tests.fakes.homes import Home, killed_at_each_step, pages_of, zero_page

ROOT = Path(__file__).resolve().parents[3]
TABLES = ["frames", "pictures", "frame_text", "frame_events", "meta", "frames_by_time", "frame_fts_data", "audit"]
FRAMES = 120
DAMAGE = pytest.mark.logs_warning("damaged", "rescue failed", "nothing of the damaged")


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "encrypted"])
def pristine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("pristine") / "h").fill(FRAMES, encrypted=request.param)


@pytest.fixture
def home(pristine: Home, tmp_path: Path) -> Home:
    return pristine.copy_to(tmp_path / "h")


def spoil(home: Home, table: str, *, kind: str = "leaf", which: int = 1) -> None:
    """Zero one page of a table and leave the sign of an unclean exit."""
    pages = [number for number, page_kind in home.opened(lambda o: pages_of(o.database, table)) if page_kind == kind]
    zero_page(home.folders.database_file, pages[min(which, len(pages) - 1)])
    suspicion_of(home.folders.database_file).touch()


def aside(home: Home) -> list[Path]:
    return [p for p in home.folders.data.glob("biny.db.damaged-*") if p.suffix not in (".wal",)]


@DAMAGE
@pytest.mark.parametrize("table", TABLES)
def test_a_zeroed_page_of_each_table_costs_only_what_was_on_it(home: Home, table: str) -> None:
    before = home.content()
    spoil(home, table)
    damaged = home.folders.database_file.read_bytes()
    after = home.content()
    assert aside(home)[0].read_bytes() == damaged
    [report] = damage.reports(home.folders)
    assert report.complete
    kept = {t.name: t for t in report.tables}
    assert kept["frames"].recovered == len(after)
    if table in ("frames_by_time", "frame_fts_data", "audit"):
        assert after == before
        assert report.lost == 0
    elif table == "pictures":
        assert after == before, "found again by the moment in the names of their files"
    else:
        assert len(after) >= FRAMES * 0.5
        assert all(before[n][0] == title for n, (title, _, _) in after.items())
    if table == "frames":
        assert kept["frames"].lost == FRAMES - len(after)
        assert 0 < len(after) < FRAMES
    assert home.found("telling") == len(after) if table != "frame_text" else home.found("title") == FRAMES
    assert not suspicion_of(home.folders.database_file).exists()
    assert home.content() == after
    assert len(damage.reports(home.folders)) == 1


@DAMAGE
def test_a_lost_root_page_loses_that_table_only(home: Home) -> None:
    spoil(home, "frame_events", kind="leaf", which=0)
    before_titles = {n: t[0] for n, t in Home(home.path, home.ring, home.clock).content().items()}
    assert len(before_titles) == FRAMES
    spoil(home, "frames", kind="internal", which=0)
    assert home.content() == {}
    report = damage.reports(home.folders)[-1]
    assert {t.name: t.lost for t in report.tables}["frames"] == FRAMES


@pytest.mark.logs_warning("damaged", "first page")
@pytest.mark.parametrize("schema_pages", [0, 1, 3])
def test_a_lost_first_page_is_made_anew_and_no_row_is_lost(home: Home, schema_pages: int) -> None:
    before = home.content()
    pages = [number for number, _ in home.opened(lambda o: pages_of(o.database, "sqlite_schema"))]
    for number in pages[: 1 + schema_pages] if schema_pages != 1 else pages[1:2]:
        zero_page(home.folders.database_file, number)
    if schema_pages:
        suspicion_of(home.folders.database_file).touch()
    assert home.content() == before
    assert home.found("telling") == FRAMES
    [report] = damage.reports(home.folders)
    assert report.complete
    assert report.lost == 0
    assert not {p.name for p in home.folders.data.iterdir()} & {"biny.db.work", "biny.db.maker"}


@pytest.mark.logs_warning("damaged", "first page")
def test_rows_of_the_log_are_kept_when_the_first_page_is_lost(home: Home) -> None:
    home.content()
    opened = home.open()
    with opened.database.write() as w:
        w.run("UPDATE frames SET title = 'newer' WHERE id = 5")
    log = home.folders.database_file.with_name("biny.db-wal")
    whole, kept = home.folders.database_file.read_bytes(), log.read_bytes()
    opened.database.close()
    opened.presence.leave()
    home.folders.database_file.write_bytes(bytes(4096) + whole[4096:])
    log.write_bytes(kept)
    assert home.content()[5][0] == "newer"


@pytest.mark.logs_warning("damaged", "first page")
def test_a_lost_first_page_without_a_note_begins_anew_and_sets_the_file_aside(home: Home) -> None:
    home.content()
    (home.folders.data / "biny.db.roots").unlink()
    zero_page(home.folders.database_file, 1)
    assert home.content() == {}
    [report] = damage.reports(home.folders)
    assert not report.complete
    assert report.lost is None
    [notice] = notices(home.folders)
    assert notice.kind == "damage"
    assert notice.path == str(aside(home)[0])
    assert home.opened(lambda o: o.database.encrypted) == report.encrypted


@DAMAGE
def test_ids_of_lost_frames_are_not_given_again(home: Home) -> None:
    spoil(home, "frames", which=10_000)
    assert FRAMES not in home.content()

    def following(opened) -> int:
        with opened.database.read() as r:
            return r.one("SELECT seq FROM sqlite_sequence WHERE name = 'frames'").int("seq")

    assert home.opened(following) == FRAMES


@DAMAGE
def test_a_rescue_killed_at_each_step_is_done_at_the_next_opening(pristine: Home, tmp_path: Path) -> None:
    spoiled = pristine.copy_to(tmp_path / "spoiled")
    spoil(spoiled, "frame_text")
    expected = spoiled.copy_to(tmp_path / "h").content()
    assert expected
    spoiled.copy_to(tmp_path / "h")
    steps = 0
    for step in killed_at_each_step(lambda: Home(tmp_path / "h").open()):
        steps = step
        home = Home(tmp_path / "h")
        assert home.content() == expected, step
        assert len(aside(home)) == 1, step
        assert [report.complete for report in damage.reports(home.folders)] == [True], step
        assert not {p.name for p in home.folders.data.iterdir()} & {"biny.db.rescued", "rescue.json"}, step
        spoiled.copy_to(tmp_path / "h")
    assert steps > 8


@DAMAGE
def test_a_rescue_that_always_fails_ends_in_an_empty_home_at_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise StorageError("no")

    monkeypatch.setattr(damage, "salvage", failing)
    spoil(home, "frames")
    assert home.content() == {}
    assert not damage.reports(home.folders)[0].complete
    assert home.content() == {}
    assert len(aside(home)) == 1


@DAMAGE
def test_a_full_disk_does_not_use_up_the_tries(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    real = damage.salvage

    def full(*_: object) -> None:
        raise DiskFullError("full")

    monkeypatch.setattr(damage, "salvage", full)
    spoil(home, "frame_text")
    for _ in range(4):
        with pytest.raises(DiskFullError):
            home.open()
    monkeypatch.setattr(damage, "salvage", real)
    assert len(home.content()) == FRAMES
    assert damage.reports(home.folders)[0].complete


@DAMAGE
def test_damage_met_while_running_is_rescued_at_the_next_start(home: Home) -> None:
    opened = home.open()
    [*_, (number, _)] = [page for page in pages_of(opened.database, "frame_text") if page[1] == "leaf"]
    opened.database.close()
    zero_page(home.folders.database_file, number)
    opened.presence.leave()
    again = home.open()
    with pytest.raises(StorageError, match="damaged"), again.database.read() as r:
        r.query("SELECT * FROM frame_text")
    again.database.close()
    again.presence.leave()
    assert suspicion_of(home.folders.database_file).exists()
    assert len(home.content()) == FRAMES
    assert len(damage.reports(home.folders)) == 1


@pytest.mark.logs_warning("damaged")
def test_nothing_is_moved_under_another_program(home: Home) -> None:
    spoil(home, "frame_text")
    suspicion_of(home.folders.database_file).unlink()
    other = home.open()
    suspicion_of(home.folders.database_file).touch()
    second = home.open()
    assert aside(home) == []
    assert suspicion_of(home.folders.database_file).exists()
    for opened in (second, other):
        opened.database.close()
        opened.presence.leave()
    assert len(home.content()) == FRAMES
    assert len(aside(home)) == 1


def test_a_process_killed_while_open_makes_the_next_opening_check(pristine: Home, tmp_path: Path) -> None:
    home = pristine.copy_to(tmp_path / "h")
    script = (
        "import sys, pathlib\n"
        "from tests.fakes.homes import Home\n"
        "opened = Home(pathlib.Path(sys.argv[1])).open()\n"
        "print('open', flush=True)\n"
        "sys.stdin.read()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(home.path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"open\n"
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    markers = list((home.folders.data / "open").iterdir())
    assert len(markers) == 1
    assert len(home.content()) == FRAMES
    assert list((home.folders.data / "open").iterdir()) == []
    assert damage.reports(home.folders) == []


def test_a_wrong_key_is_never_taken_for_damage(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(1, encrypted=True)
    other = Home(tmp_path / "other").fill(1, encrypted=True)
    wrong = obtain(other.folders, other.ring, encrypt_new=False).secret
    assert wrong is not None
    (home.folders.config / "biny.key").write_text(wrong.hex())
    suspicion_of(home.folders.database_file).touch()
    with pytest.raises(WrongKeyError):
        home.open()
    (home.folders.data / "biny.json").write_text(
        (home.folders.data / "biny.json").read_text().partition(', "check"')[0] + "}"
    )
    with pytest.raises(WrongKeyError):
        home.open()
    assert aside(home) == []


@DAMAGE
def test_what_was_read_is_not_shown_again(home: Home) -> None:
    spoil(home, "frame_text")
    home.content()
    assert [notice.kind for notice in notices(home.folders)] == ["damage"]
    acknowledge(home.folders, "damage")
    assert notices(home.folders) == ()
    assert len(damage.reports(home.folders)) == 1
