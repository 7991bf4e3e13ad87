"""A home for tests of activity: real database and pictures, fake clock, and short ways to write frames and texts."""

import functools
import io
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from PIL import Image

from biny_desktop.activity.deletes import Deletes
from biny_desktop.activity.disk import GB, DiskGuard, Space
from biny_desktop.activity.frames import FrameWriter
from biny_desktop.activity.index import FRAME_INDEX, fields_of, prepare_index
from biny_desktop.activity.pins import Pins
from biny_desktop.activity.read_queue import FrameReadQueue
from biny_desktop.activity.retention import Retention
from biny_desktop.activity.search import KeywordSearch
from biny_desktop.activity.segments.edits import SegmentEdits
from biny_desktop.activity.segments.index import SEGMENT_INDEX, prepare_segment_index
from biny_desktop.activity.segments.index import fields_of as segment_fields
from biny_desktop.activity.segments.keeper import SegmentKeeper
from biny_desktop.activity.segments.reader import Segments
from biny_desktop.activity.segments.search import SegmentSearch
from biny_desktop.activity.segments.store import by_id
from biny_desktop.activity.timeline import Timeline
from biny_desktop.capture.ports import NewFrame, NewPicture, Note, TextVerdict, WindowInfo
from biny_desktop.core import settings as settings_module
from biny_desktop.core.events import EventBus
from biny_desktop.core.geometry import Rect
from biny_desktop.core.settings import Settings
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.ports import Line, Reading
from biny_desktop.redaction import RedactionOptions, Redactor
from biny_desktop.storage.atomic import FileOps
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.pictures import PictureFiles
from tests.fakes.clock import FakeClock

SIZE = (64, 36)


def jpeg(seed: int = 0, size: tuple[int, int] = SIZE) -> bytes:
    """A small JPEG that differs by seed."""
    out = io.BytesIO()
    Image.new("RGB", size, (seed * 37 % 256, seed * 91 % 256, 128)).save(out, "JPEG")
    return out.getvalue()


@functools.lru_cache(maxsize=256)
def screen_jpeg(seed: int, size: tuple[int, int] = (320, 180)) -> bytes:
    """A JPEG with lines and noise, so that its size depends on its area as that of a real screen does."""
    chance = np.random.default_rng(seed)
    pixels = np.full((size[1], size[0], 3), 235, np.uint8)
    for y in range(4, size[1] - 8, 12):
        pixels[y : y + 6, 8 : int(chance.integers(40, size[0])) : 2] = chance.integers(0, 120, 3)
    noise = chance.integers(0, 24, pixels.shape, dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels - noise).save(out, "JPEG", quality=70)
    return out.getvalue()


def screen(seed: int = 0, size: tuple[int, int] = (320, 180)) -> NewPicture:
    """An encoded picture of a made-up screen."""
    return NewPicture(screen_jpeg(seed, size), *size, 70, f"{seed:032x}", f"{seed:016x}", jpeg(seed, (16, 9)))


def picture(seed: int = 0, size: tuple[int, int] = SIZE) -> NewPicture:
    """An encoded picture."""
    return NewPicture(jpeg(seed, size), *size, 70, f"{seed:032x}", f"{seed:016x}", jpeg(seed, (16, 9)))


class FakeTextRules:
    """`TextScreen`: a word that must not be kept, None for no rule; `action` as of a user rule."""

    def __init__(self, word: str | None = None, action: str = "placeholder") -> None:
        self.word, self.action = word, action

    def wants_text(self) -> bool:
        return self.word is not None

    def wants_paint(self) -> bool:
        return self.word is not None and self.action == "mask"

    def judge_text(self, lines: Sequence[str]) -> TextVerdict:
        hit = tuple(n for n, line in enumerate(lines) if self.word is not None and self.word in line)
        if self.action == "mask":
            return TextVerdict(masked=hit, masks=("rule-1",) if hit else ())
        return TextVerdict("rule-1" if hit else None, traced=self.action == "placeholder")


class FaultyOps:
    """File operations that fail at one of their steps: `fail_at` names it, `error` is raised."""

    def __init__(self, real: FileOps) -> None:
        self._real = real
        self.fail_at: str | None = None
        self.error: BaseException = OSError(28, "No space left on device")
        self.steps: list[str] = []

    def _step(self, name: str) -> None:
        self.steps.append(name)
        if self.fail_at == name:
            raise self.error

    def write_temp(self, path: Path, data: bytes) -> None:
        if self.fail_at == "half":
            self._real.write_temp(path, data[: len(data) // 2])
            raise self.error
        self._step("write_temp")
        self._real.write_temp(path, data)

    def sync(self, path: Path) -> None:
        self._step("sync_folder" if path.is_dir() else "sync")
        self._real.sync(path)

    def rename(self, old: Path, new: Path) -> None:
        self._step("rename")
        self._real.rename(old, new)
        self._step("renamed")

    def unlink(self, path: Path) -> None:
        if not path.name.endswith(".part"):
            self._step("unlink")
        self._real.unlink(path)


@dataclass
class ActivityHome:
    """Everything of activity over one folder. `events_seen` holds every event published."""

    folder: Path
    clock: FakeClock
    secret: bytes | None = None
    ops: FileOps | None = None
    rules: FakeTextRules = field(default_factory=FakeTextRules)
    settings: Settings = field(default_factory=lambda: settings_module.build({"read": {"every": 1}}))
    space: Space | None = field(default_factory=lambda: Space(500 * GB, 1_000 * GB))

    def __post_init__(self) -> None:
        (self.folder / "pictures").mkdir(parents=True, exist_ok=True)
        self.db: Database = open_database(self.folder / "biny.db", self.secret)
        migrate(self.db)
        prepare_index(self.db)
        prepare_segment_index(self.db)
        self.files = PictureFiles(self.folder / "pictures", self.secret, self.ops)
        self.events = EventBus()
        self.redactor = Redactor(RedactionOptions())
        self.disk = DiskGuard(
            self.db, self.files, lambda: self.settings, self.clock, self.events, self.random_hex,
            lambda _folder: self.space,
        )  # fmt: skip
        self.writer = FrameWriter(
            self.db, self.files, lambda: self.redactor, lambda: self.settings, self.clock, self.events,
            self.random_hex, self.rules, disk=self.disk,
        )  # fmt: skip
        self.queue = FrameReadQueue(
            self.db, self.files, lambda: self.redactor, lambda: self.settings, self.clock, self.events,
            self.writer.held, self.rules,
        )  # fmt: skip
        self.timeline = Timeline(self.db, self.files, lambda: self.settings, self.clock)
        self.search = KeywordSearch(self.db, lambda: self.settings, self.clock)
        self.segments = Segments(self.db, lambda: self.settings, self.clock)
        self.keeper = SegmentKeeper(self.db, lambda: self.settings, self.clock, self.events)
        self.segment_edits = SegmentEdits(self.db, lambda: self.redactor, self.clock, self.events)
        self.segment_search = SegmentSearch(self.db, lambda: self.settings, self.clock)
        self.deletes = Deletes(
            self.db, self.files, lambda: self.settings, self.clock, self.events, random_hex=self.random_hex
        )
        self.pins = Pins(self.db, lambda: self.redactor, self.clock, self.events)
        self.retention = Retention(
            self.db, self.files, lambda: self.settings, self.clock, self.events, random_hex=self.random_hex
        )

    def random_hex(self, n: int) -> str:
        return secrets.token_hex(n)

    def close(self) -> None:
        self.db.close()

    def frame(self, title: str = "notes.txt", app: str = "editor", seed: int = 1, **changes: object) -> NewFrame:
        """A kept attempt at the present time; any field by name."""
        window = WindowInfo("0x1", app, app.title(), 42, title, Rect(0, 0, *SIZE))
        base = NewFrame(
            self.clock.stamp(), "click", "M1", 1.0, window, 0, 1, 1, picture(seed), None,
            TileMask.for_picture(*SIZE, 12), "parts", (), {"trigger": "click"},
        )  # fmt: skip
        return replace(base, **changes)  # type: ignore[arg-type]

    def keep(self, title: str = "notes.txt", app: str = "editor", seed: int = 1, **changes: object) -> int:
        """Write a frame; returns its id."""
        return self.writer.keep(self.frame(title, app, seed, **changes)).frame_id

    def note(self, kind: str = "skip", reason: str = "same_exact", **fields: object) -> int:
        """Write an event row; returns its id."""
        return self.writer.note(Note(self.clock.stamp(), kind, reason, **fields))  # type: ignore[arg-type]

    def read(self, frame_id: int, *lines: str) -> None:
        """Read that frame now, with these lines as what the engine gave."""
        self.queue.request(frame_id)
        job = self.queue.take()
        assert job is not None
        assert job.frame_id == frame_id
        self.queue.done(job, reading(*lines))

    def queue_nothing(self, frame_id: int) -> None:
        """Have a frame not wait to be read."""
        with self.db.write() as w:
            w.run("UPDATE frames SET read_state = 'not_due' WHERE id = :id AND read_state = 'queued'", {"id": frame_id})

    def seen(self, title: str, *lines: str, app: str = "editor", **changes: object) -> int:
        """Write a frame and read it."""
        frame_id = self.keep(title, app, **changes)
        self.read(frame_id, *lines)
        return frame_id

    def found(self, query: str, **options: object) -> list[int]:
        """Ids of the frames that a search finds, in its order."""
        return [hit.frame.id for hit in self.search.search(query, **options).hits]  # type: ignore[arg-type]

    def pictures_on_disk(self) -> list[str]:
        """Every file below the pictures folder, ours or not."""
        root = self.folder / "pictures"
        return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())

    def count(self, table: str, where: str = "1") -> int:
        """Rows of a table."""
        with self.db.read() as r:
            row = r.one(f"SELECT count(*) AS n FROM {table} WHERE {where}")
        assert row is not None
        return row.int("n")

    def bytes_holding(self, word: str) -> list[str]:
        """Files of the home (WAL and pictures too) whose bytes hold this word."""
        return [
            path.name
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and word.encode() in path.read_bytes()
        ]

    def work(self, minutes: float, title: str = "notes.txt", app: str = "editor", *lines: str) -> list[int]:
        """Somebody works in an app for that long: a focus row, then a frame and an input row each 20 s; frame ids.

        Only the first frame has a picture of its own, and a text if `lines` are given.
        """
        self.note("focus", "", app_id=app, app_name=app.title(), title=title)
        ids: list[int] = []
        for n in range(round(minutes * 3)):
            at = self.clock.now_ms()
            if ids:
                ids.append(self.keep(title, app, picture=None, seen_again_of=ids[0]))
            else:
                ids.append(self.seen(title, *lines, app=app) if lines else self.keep(title, app))
            self.note("input", "", until_ms=at + 9_000, detail={"keys": 30, "clicks": 1, "scrolls": 0, "n": n})
            self.clock.advance(20_000)
        return ids

    def segment_index_is_whole(self) -> bool:
        """Whether the text index of segments holds exactly what the rows say."""
        with self.db.write() as w:
            w.run(f"INSERT INTO {SEGMENT_INDEX.table}({SEGMENT_INDEX.table}) VALUES('integrity-check')")
            ids = [row.int("id") for row in w.query("SELECT id FROM segments")]
            terms = {segment_id: segment_fields(each) for segment_id, each in by_id(w, ids).items()}
            same = SEGMENT_INDEX.count(w) == len(terms)
            for segment_id, fields in terms.items():
                SEGMENT_INDEX.remove(w, segment_id, fields)
            w.run("CREATE VIRTUAL TABLE temp.left_over USING fts5vocab('main', 'segment_fts', 'row')")
            left = w.query("SELECT term FROM temp.left_over")
            w.run("DROP TABLE temp.left_over")
            for segment_id, fields in terms.items():
                SEGMENT_INDEX.add(w, segment_id, fields)
        return same and not left

    def index_is_whole(self) -> bool:
        """Whether the text index holds exactly what the rows say: removing all of it leaves nothing."""
        with self.db.write() as w:
            w.run(f"INSERT INTO {FRAME_INDEX.table}({FRAME_INDEX.table}) VALUES('integrity-check')")
            ids = [row.int("id") for row in w.query("SELECT id FROM frames")]
            same = FRAME_INDEX.count(w) == len(ids)
            terms = fields_of(w, ids)
            for frame_id, fields in terms.items():
                FRAME_INDEX.remove(w, frame_id, fields)
            w.run("CREATE VIRTUAL TABLE temp.left_over USING fts5vocab('main', 'frame_fts', 'row')")
            left = w.query("SELECT term FROM temp.left_over")
            w.run("DROP TABLE temp.left_over")
            for frame_id, fields in terms.items():
                FRAME_INDEX.add(w, frame_id, fields)
        return same and not left


def reading(*lines: str, size: tuple[int, int] = SIZE) -> Reading:
    """What the engine gives for these lines, one below the other, 10 px high."""
    placed = tuple(Line(text, Rect(2, 10 * n, 40, 8), 0.9) for n, text in enumerate(lines))
    return Reading(placed, "\n".join(lines), size, "fake", "whole", len(lines), 0, 5)


def bgra(width: int, height: int) -> "np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]":
    """A grab of one colour."""
    return np.full((height, width, 4), 200, np.uint8)
