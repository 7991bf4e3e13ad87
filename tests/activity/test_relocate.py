"""Moving the pictures: everything is at one place or the other, whatever happens; recording goes on."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from biny_desktop.activity.disk import Space
from biny_desktop.activity.relocate import FOLDER_NAME, PictureMove
from biny_desktop.core.errors import BinyError, DiskFullError, InvalidInputError, StorageError
from biny_desktop.storage import picture_place
from biny_desktop.storage.atomic import RealFileOps
from biny_desktop.storage.folders import Folders
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.progress import CancelledError, Progress, Watch
from tests.fakes.activity import ActivityHome, FaultyOps
from tests.fakes.clock import FakeClock


@dataclass
class Rig:
    home: ActivityHome
    folders: Folders
    disk: Path
    ops: FaultyOps
    ids: list[int]

    @property
    def move(self) -> PictureMove:
        return PictureMove(self.home.db, self.home.files, self.folders, self.ops)

    def whole(self, folder: Path) -> None:
        """All pictures can be seen, they lie there and nowhere else, and no move is under way."""
        for frame_id in self.ids:
            assert self.home.timeline.picture(frame_id)
        assert self.home.files.folder == self.folders.pictures == folder
        for other in (self.folders.data / "pictures", self.disk / FOLDER_NAME):
            if other != folder:
                assert not [path for path in other.rglob("*") if path.is_file()]
        place = picture_place.load(self.folders)
        assert (place.folder, place.moving_to, place.left) == (folder, None, None)


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    folders = Folders(tmp_path / "config", tmp_path / "data", tmp_path / "logs")
    home = ActivityHome(folders.data, FakeClock())
    ids = [home.keep(f"title {number}", seed=number) for number in range(5)]
    disk = tmp_path / "disk"
    disk.mkdir()
    return Rig(home, folders, disk, FaultyOps(RealFileOps()), ids)


@pytest.fixture(autouse=True)
def _closed(rig: Rig) -> object:
    yield
    rig.home.close()


def test_the_pictures_move_there_and_back_while_frames_are_kept(rig: Rig) -> None:
    told: list[Progress] = []

    def tell(progress: Progress) -> None:
        told.append(progress)
        if progress.done == 2:
            rig.ids.append(rig.home.keep("recorded meanwhile", seed=9))

    moved = rig.move.move(rig.disk, Watch(tell))
    assert (moved.folder, moved.pictures, moved.left_behind) == (rig.disk / FOLDER_NAME, 6, 0)
    assert moved.bytes == sum(path.stat().st_size for path in moved.folder.rglob("*.jpg"))
    assert [each.done for each in told] == [0, 1, 2, 3, 4]
    rig.whole(rig.disk / FOLDER_NAME)
    rig.ids.append(rig.home.keep("after", seed=10))
    rig.whole(rig.disk / FOLDER_NAME)
    assert rig.move.move(rig.folders.data).pictures == 7
    rig.whole(rig.folders.data / "pictures")


def test_a_disk_that_is_taken_away_is_missed_and_never_made_anew(rig: Rig) -> None:
    rig.move.move(rig.disk)
    (rig.disk / FOLDER_NAME).rename(rig.disk.parent / "unplugged")  # the mount point stays
    assert rig.home.writer.problem() == "folder_missing"
    with pytest.raises(StorageError):
        rig.home.keep("lost")
    with pytest.raises(StorageError):
        rig.move.move(rig.folders.data)
    assert not (rig.disk / FOLDER_NAME).exists()
    assert not (rig.folders.data / "pictures").exists()
    (rig.disk.parent / "unplugged").rename(rig.disk / FOLDER_NAME)
    rig.whole(rig.disk / FOLDER_NAME)


def test_it_can_be_cancelled(rig: Rig) -> None:
    seen: list[Progress] = []
    with pytest.raises(CancelledError):
        rig.move.move(rig.disk, Watch(seen.append, lambda: len(seen) > 3))
    rig.whole(rig.folders.data / "pictures")


def test_too_small_a_disk_is_told_before_anything_is_copied(rig: Rig) -> None:
    small = PictureMove(rig.home.db, rig.home.files, rig.folders, rig.ops, lambda _folder: Space(1_000, 2_000))
    with pytest.raises(DiskFullError):
        small.move(rig.disk)
    rig.whole(rig.folders.data / "pictures")


@pytest.mark.parametrize(
    "chosen",
    [lambda rig: Path("relative"), lambda rig: rig.disk / "none", lambda rig: rig.folders.data,
     lambda rig: rig.folders.pictures, lambda rig: rig.folders.config],
)  # fmt: skip
def test_a_place_that_cannot_be_used_is_refused(rig: Rig, chosen: Callable[[Rig], Path]) -> None:
    rig.folders.config.mkdir()
    with pytest.raises(InvalidInputError):
        rig.move.move(chosen(rig))
    rig.whole(rig.folders.data / "pictures")


def test_a_folder_with_files_is_refused_and_a_link_too(rig: Rig) -> None:
    (rig.disk / FOLDER_NAME).mkdir()
    (rig.disk / FOLDER_NAME / "mine").touch()
    with pytest.raises(InvalidInputError):
        rig.move.move(rig.disk)
    (rig.disk / FOLDER_NAME / "mine").unlink()
    (rig.disk / FOLDER_NAME).rmdir()
    (rig.disk.parent / "other").mkdir()
    (rig.disk / FOLDER_NAME).symlink_to(rig.disk.parent / "other")
    with pytest.raises(BinyError):
        rig.move.move(rig.disk)
    assert rig.home.timeline.picture(rig.ids[0])


def test_a_strangers_file_stays_where_it_is(rig: Rig) -> None:
    stranger = rig.folders.data / "pictures" / "holiday.jpg"
    stranger.write_bytes(b"mine")
    rig.move.move(rig.disk)
    assert stranger.read_bytes() == b"mine"
    assert len(list((rig.folders.data / "pictures").rglob("*"))) == 1


@pytest.mark.logs_warning("cannot be removed yet")
def test_a_locked_old_file_is_removed_later(rig: Rig) -> None:
    rig.ops.fail_at, rig.ops.error = "unlink", PermissionError(13, "locked")
    assert rig.move.move(rig.disk).left_behind == 5
    rig.ops.fail_at = None
    assert rig.move.settle() == 0
    rig.whole(rig.disk / FOLDER_NAME)


class _Killed(BaseException):
    """Stands for the process dying at that step."""


def test_killed_at_any_step_the_next_start_has_all_pictures_in_one_place(rig: Rig) -> None:
    n, done = 0, False
    step = rig.ops._step
    while not done:
        left = n

        def dying(name: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:  # from here on nothing is done any more, as in a dead process
                raise _Killed
            step(name)

        target, before = _other(rig), rig.folders.pictures
        rig.ops._step = dying  # type: ignore[method-assign]
        try:
            rig.move.move(target)
            done = True
        except _Killed:
            pass
        rig.ops._step = step  # type: ignore[method-assign]
        rig.home.files.use_folder(rig.folders.pictures)  # the next process opens what the file names
        for frame_id in rig.ids:
            assert rig.home.timeline.picture(frame_id)
        assert rig.move.settle() == 0
        rig.whole(rig.folders.pictures)
        assert done or rig.folders.pictures in (before, target / FOLDER_NAME, target / "pictures")
        n += 1
    assert n > 20


def _other(rig: Rig) -> Path:
    return rig.disk if rig.folders.pictures == rig.folders.data / "pictures" else rig.folders.data


def test_a_damaged_note_of_the_place_is_told_and_writes_nothing(rig: Rig) -> None:
    rig.folders.place_file.write_text("{")
    with pytest.raises(StorageError):
        rig.move.move(rig.disk)
    assert rig.folders.pictures == rig.folders.data / "pictures"


def test_sealed_pictures_are_opened_at_the_new_place(tmp_path: Path) -> None:
    folders = Folders(tmp_path / "c", tmp_path / "sealed", tmp_path / "l")
    home = ActivityHome(folders.data, FakeClock(), secret=bytes(range(32)))
    frame_id = home.keep()
    (tmp_path / "disk2").mkdir()
    PictureMove(home.db, home.files, folders).move(tmp_path / "disk2")
    assert home.timeline.picture(frame_id)
    again = PictureFiles(folders.pictures, bytes(range(32)))
    assert again.read(home.timeline.frame(frame_id).picture_path or "")
    home.close()
