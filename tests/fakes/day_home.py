"""A home with plausible days: real rows and pictures of a month of work up to now, cut into segments by the keeper.

`fill_days` writes frames, focus, input, lock and private rows of today and of the days before; nothing is random
without a seed, so two homes of the same moment are alike. `evening_zone` names a zone in which it is early evening at
present, so that a picture of "today" has a day to show at any time.
"""

import io
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from PIL import Image, ImageDraw, ImageFont

from biny_desktop.activity import event_store, frame_store, picture_store, read_store
from biny_desktop.activity.index import FRAME_INDEX, fields_of, prepare_index
from biny_desktop.activity.safe_fields import SafeWindow
from biny_desktop.activity.segments.edits import SegmentEdits
from biny_desktop.activity.segments.index import prepare_segment_index, reindexed
from biny_desktop.activity.segments.keeper import SegmentKeeper
from biny_desktop.activity.segments.model import Segment
from biny_desktop.activity.segments.reader import Segments
from biny_desktop.core.clock import Stamp
from biny_desktop.core.days import activity_day
from biny_desktop.core.events import EventBus
from biny_desktop.core.settings import Settings
from biny_desktop.core.text import RedactedText
from biny_desktop.core.tiles import TileMask
from biny_desktop.redaction import RedactionOptions, Redactor
from biny_desktop.storage.database import Database, Writer, open_database
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.keys import obtain
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.rows import dump_json
from tests.fakes.clock import FakeClock
from tests.fakes.homes import NoKeyring

MINUTE_MS: Final = 60_000
DAYS: Final = 24
"""Days before today; weekends stay free."""
NEAR_STEP_S, FAR_STEP_S = 75, 240
"""Seconds between frames today and yesterday, and before."""
INPUT_MS: Final = 22_000
SIZE: Final = (640, 360)
ZONES: Final = (
    "Pacific/Pago_Pago", "Pacific/Honolulu", "Pacific/Gambier", "Pacific/Pitcairn", "America/Phoenix",
    "America/Costa_Rica", "America/Panama", "America/Puerto_Rico", "America/Argentina/Buenos_Aires",
    "Atlantic/South_Georgia", "Atlantic/Cape_Verde", "Atlantic/Reykjavik", "Africa/Lagos", "Africa/Johannesburg",
    "Europe/Istanbul", "Asia/Dubai", "Asia/Karachi", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo",
    "Australia/Brisbane", "Pacific/Noumea", "Pacific/Tarawa",
)  # fmt: skip
"""One for each hour before and after UTC, none with summer time."""
EVENING: Final = 18


@dataclass(frozen=True)
class App:
    """An app, its windows, the lines one reads in them, the colour of its picture."""

    app_id: str
    name: str
    titles: tuple[str, ...]
    lines: tuple[str, ...]
    ink: tuple[int, int, int]


CODE = App(
    "code", "Visual Studio Code",
    ("timetable.py – harbour", "test_timetable.py – harbour", "storage.py – harbour"),
    ("def next_ferry(now, pier):", "    rows = store.departures(pier)", "    return first(rows, after=now)",
     "# the page cache was too small for the winter plan", "assert next_ferry(NOON, 'north').at == '12:40'"),
    (38, 84, 140),
)  # fmt: skip
TERMINAL = App(
    "gnome-terminal", "Terminal", ("harbour: pytest", "harbour: git log"),
    ("$ pytest -q tests/test_timetable.py", "48 passed in 3.12s", "$ git commit -m 'Read departures in one page'"),
    (20, 28, 36),
)  # fmt: skip
FIREFOX = App(
    "firefox", "Firefox",
    ("Fix the winter timetable by mara · Pull request #57 — Mozilla Firefox", "Council minutes — Mozilla Firefox",
     "Page cache – manual — Mozilla Firefox"),
    ("Fix the winter timetable #57", "mara wants to merge 3 commits", "The council agreed to repair the quay"),
    (120, 82, 150),
)  # fmt: skip
MAIL = App(
    "mail", "Mail", ("Inbox – mara@harbour.example", "Re: Offer for the north quay"),
    ("Offer for the north quay", "Dear Mara, please find our offer", "Ferry tickets for the workshop"), (40, 110, 120),
)  # fmt: skip
SHEET = App(
    "libreoffice-calc", "表格", ("码头维修报价.ods – 表格", "预算 2027.ods – 表格"),
    ("码头维修报价", "钢板 12 块 合计 4,800", "今天中午一起讨论预算"), (60, 120, 70),
)  # fmt: skip
PLAYER = App("vlc", "VLC", ("Harbour walk.mkv – VLC",), ("Harbour walk",), (150, 90, 30))

WORK, BROWSE, OFFICE = (CODE, TERMINAL, FIREFOX), (FIREFOX, MAIL), (SHEET, FIREFOX)
Kind = str
PLANS: Final[tuple[tuple[tuple[str, int, Kind, tuple[App, ...]], ...], ...]] = (
    (("09:06", 57, "work", WORK), ("10:04", 19, "work", (MAIL,)), ("10:24", 92, "work", WORK),
     ("12:04", 48, "lock", ()), ("12:53", 2, "work", (TERMINAL,)), ("13:02", 38, "work", BROWSE),
     ("13:41", 46, "work", OFFICE), ("14:28", 12, "private", ()), ("14:41", 73, "work", WORK),
     ("16:02", 21, "watch", (PLAYER,)), ("16:31", 88, "work", WORK), ("18:01", 40, "work", BROWSE)),
    (("08:40", 35, "work", BROWSE), ("09:20", 110, "work", WORK), ("11:40", 25, "work", OFFICE),
     ("12:10", 55, "sleep", ()), ("13:10", 80, "work", OFFICE), ("14:35", 6, "private", ()),
     ("14:42", 95, "work", WORK), ("16:40", 45, "work", BROWSE)),
    (("10:15", 64, "work", OFFICE), ("11:25", 40, "work", (MAIL,)), ("12:10", 70, "lock", ()),
     ("13:25", 118, "work", WORK), ("15:40", 30, "watch", (PLAYER,)), ("16:20", 20, "work", BROWSE)),
    (("09:30", 75, "work", WORK), ("13:05", 50, "work", BROWSE)),
)  # fmt: skip
"""Start, minutes, kind, apps; today is the first one."""


def evening_zone(now: datetime | None = None) -> str:
    """The zone in which it is between 18 and 19 o'clock."""
    at = now or datetime.now(UTC)
    return next(zone for zone in ZONES if at.astimezone(ZoneInfo(zone)).hour == EVENING)


def make_day_home(home: Path, stamp: Stamp, days: int = DAYS, *, weekends: bool = False) -> None:
    """A new home without a keyring, filled up to `stamp`; `weekends`: they are worked on too."""
    folders = prepare(resolve(home))
    key = obtain(folders, NoKeyring(), encrypt_new=True)
    db = open_database(folders.database_file, key.secret)
    migrate(db)
    prepare_index(db)
    prepare_segment_index(db)
    fill_days(db, PictureFiles(folders.pictures, key.secret), stamp, days, weekends=weekends)
    db.close()


def fill_days(db: Database, files: PictureFiles, stamp: Stamp, days: int = DAYS, *, weekends: bool = False) -> None:
    """Write the rows of today and of the days before, and have the keeper cut them."""
    today = date.fromisoformat(activity_day(stamp.at_ms, stamp.zone))
    number = 0
    for back in range(days, -1, -1):
        day = today - timedelta(back)
        if back and day.weekday() >= 5 and not weekends:
            continue
        plan = PLANS[number % len(PLANS)] if back else PLANS[0]
        number += 1
        with db.write() as w:
            _Day(w, files, stamp, day, NEAR_STEP_S if back < 2 else FAR_STEP_S, day.toordinal()).write(plan)
    clock = FakeClock(stamp.at_ms, stamp.zone, stamp.mono_ms, stamp.boot_id)
    SegmentKeeper(db, Settings, clock, EventBus()).catch_up()
    dress_day(db, clock, today.isoformat())


def dress_day(db: Database, clock: FakeClock, day: str) -> None:
    """What a person and a model made of that day: projects, a name, a note, two summaries and one that failed."""
    edits = SegmentEdits(db, lambda: Redactor(RedactionOptions()), clock, EventBus())
    found = [each for each in Segments(db, Settings, clock).day(day).items if isinstance(each, Segment)]
    long = [each for each in found if each.kind == "active" and not each.open and each.length_ms > 20 * MINUTE_MS]
    for place, segment in enumerate(long):
        project = "harbour" if segment.apps and segment.apps[0].app_id == CODE.app_id else "north quay"
        if place % 2 == 0:
            edits.set_project(segment.id, project, segment.revision)
    if len(long) > 2:
        named = edits.rename(long[1].id, "Offers for the north quay", long[1].revision)
        edits.annotate(named.id, "Ask Jonas about the crane", named.revision)
        with db.write() as w:
            with reindexed(w, [long[0].id, long[2].id]):
                _summarise(w, long[0].id, "Winter timetable read in one page", clock.now_ms())
                _summarise(w, long[2].id, "Review of pull request #57", clock.now_ms())
            w.run(
                "UPDATE segments SET status = 'failed', reason = 'timeout', tries = 3 WHERE id = :id",
                {"id": long[-1].id},
            )


def _summarise(w: Writer, segment_id: int, title: str, at_ms: int) -> None:
    """As the analysis writes it."""
    frames = [
        row.int("id") for row in w.query("SELECT id FROM frames WHERE segment_id = :s LIMIT 3", {"s": segment_id})
    ]
    highlights = [{"text": "The page cache was too small for the winter plan", "sources": frames[:2]}]
    w.run(
        "UPDATE segments SET status = 'analysed', title = :title, title_by = 'model', description = :description, "
        "summary = :summary, topics = :topics, highlights = :highlights, entities = :entities, model = 'small-model', "
        "confidence = 0.8, analysed_at = :at, revision = revision + 1 WHERE id = :id",
        {
            "title": title, "at": at_ms, "id": segment_id, "topics": dump_json(["timetable"]),
            "description": "Works on how departures are read from the store.",
            "summary": "Departures are read in one page now; all 48 tests pass.",
            "highlights": dump_json(highlights), "entities": dump_json({"prs": ["#57"], "people": ["mara"]}),
        },
    )  # fmt: skip


class _Day:
    """Writes one day."""

    def __init__(self, w: Writer, files: PictureFiles, now: Stamp, day: date, step_s: int, seed: int) -> None:
        self._w, self._files, self._now, self._day, self._step_ms = w, files, now, day, step_s * 1_000
        self._chance = random.Random(seed)
        self._frames: list[int] = []
        self._pictures: dict[tuple[str, int], int] = {}

    def write(self, plan: tuple[tuple[str, int, Kind, tuple[App, ...]], ...]) -> None:
        first, last = self._at(plan[0][0]), self._at(plan[-1][0]) + plan[-1][1] * MINUTE_MS
        event_store.insert_state(self._w, first - 20_000, "starting", "", "{}")
        event_store.insert_state(self._w, first - 10_000, "capturing", "", "{}")
        for start, minutes, kind, apps in plan:
            at = self._at(start)
            end = min(at + minutes * MINUTE_MS, self._now.at_ms)
            if at >= self._now.at_ms:
                break
            {
                "work": self._work,
                "lock": self._away,
                "sleep": self._away,
                "private": self._private,
                "watch": self._watch,
            }[kind](at, end, apps, kind)
        if last < self._now.at_ms and self._day < datetime.fromtimestamp(self._now.at_ms / 1000, UTC).date():
            event_store.insert_state(self._w, last + MINUTE_MS, "off", "shutting_down", "{}")
        for frame_id, fields in fields_of(self._w, self._frames).items():
            FRAME_INDEX.add(self._w, frame_id, fields)
        event_store.bump_day(self._w, self._day.isoformat())

    def _at(self, clock: str) -> int:
        hour, minute = (int(part) for part in clock.split(":"))
        local = datetime(self._day.year, self._day.month, self._day.day, hour, minute, tzinfo=ZoneInfo(self._now.zone))
        return round(local.timestamp() * 1_000)

    def _stamp(self, at_ms: int) -> Stamp:
        return replace(self._now, at_ms=at_ms, mono_ms=self._now.mono_ms + at_ms - self._now.at_ms)

    def _event(self, at: int, kind: str, reason: str = "", app: App | None = None, **more: object) -> None:
        until, title, detail = more.get("until"), more.get("title"), more.get("detail", {})
        texts = [RedactedText(text) if text is not None else None for text in (
            app.app_id if app else None, app.name if app else None, title if isinstance(title, str) else None,
        )]  # fmt: skip
        new = event_store.NewEvent(
            self._stamp(at),
            kind,
            reason,
            1,
            until if isinstance(until, int) else None,
            *texts,
            dump_json(detail),  # type: ignore[arg-type]
        )
        event_store.insert_event(self._w, new)

    def _work(self, start: int, end: int, apps: tuple[App, ...], _kind: str) -> None:
        """Apps in turn, the first one longest, pauses now and then."""
        at, pick = start, 0
        while at < end:
            app = apps[0] if pick % 2 == 0 else self._chance.choice(apps)
            title = app.titles[(pick // 3) % len(app.titles)]
            stay = self._chance.randint(50, 170) * 1_000
            self._event(at, "focus", app=app, title=title)
            self._frame(at + 900, "app_switch", app, title, pick)
            for moment in range(at + INPUT_MS, min(at + stay, end), INPUT_MS):
                keys = self._chance.randint(8, 40)
                detail = {"keys": keys, "clicks": keys // 12, "scrolls": 3}
                self._event(moment - 11_000, "input", until=moment - 1_000, detail=detail)
                if moment % self._step_ms < INPUT_MS:
                    self._frame(moment, "typing_pause", app, title, pick + 1, keys)
            at += stay + (self._chance.randint(40, 150) * 1_000 if self._chance.random() < 0.12 else 0)
            pick += 1

    def _watch(self, start: int, end: int, apps: tuple[App, ...], _kind: str) -> None:
        self._event(start, "focus", app=apps[0], title=apps[0].titles[0])
        for n, moment in enumerate(range(start + 1_000, end, 45_000)):
            self._frame(moment, "visual_change", apps[0], apps[0].titles[0], n, idle_ms=moment - start)

    def _private(self, start: int, end: int, _apps: tuple[App, ...], _kind: str) -> None:
        self._event(start, "private", "private_app", until=end)

    def _away(self, start: int, end: int, _apps: tuple[App, ...], kind: str) -> None:
        self._event(start, kind)
        if end < self._now.at_ms:
            self._event(end, "unlock" if kind == "lock" else "wake")

    def _frame(self, at: int, trigger: str, app: App, title: str, page: int, keys: int = 0, idle_ms: int = 900) -> None:
        if at >= self._now.at_ms:
            return
        picture_id = self._picture(at, app, title, page % 4)
        window = SafeWindow(RedactedText(app.app_id), RedactedText(app.name), RedactedText(title), None)
        why = dump_json({"trigger": trigger, "parts": 3, "grab_ms": 21, "compare_ms": 4})
        frame_id = frame_store.insert_frame(self._w, frame_store.NewRow(
            self._stamp(at), trigger, "M1", 1.0, window, idle_ms, keys, keys // 12, picture_id, None, SIZE,
            TileMask.for_picture(*SIZE, 60), "parts", (), "done", False, why,
        ))  # fmt: skip
        self._text(frame_id, at, app, title)
        self._frames.append(frame_id)

    def _picture(self, at: int, app: App, title: str, page: int) -> int:
        """A picture of that page; a day keeps each only once."""
        key = (title, page)
        if key not in self._pictures:
            data, thumb = screen(app, title, page)
            path = self._files.write(data, at, f"{at:012x}{len(self._pictures):04x}"[-16:]).path
            row = picture_store.PictureRow(path, len(data), *SIZE, 70, True, "0", "0", "0", thumb, "M1", at)
            self._pictures[key] = picture_store.insert_picture(self._w, row)
        return self._pictures[key]

    def _text(self, frame_id: int, at: int, app: App, title: str) -> None:
        placed, start, lines = [], 0, (title, *app.lines)
        for n, line in enumerate(lines):
            placed.append({"box": [24, 52 + 26 * n, 9 * len(line), 18], "start": start, "end": start + len(line)})
            start += len(line) + 1
        text = RedactedText("\n".join(lines))
        read_store.put_text(
            self._w, read_store.NewText(frame_id, text, dump_json(placed), "made", len(lines), 0, 400, at)
        )


@lru_cache(maxsize=256)
def screen(app: App, title: str, page: int) -> tuple[bytes, bytes]:
    """A drawn window and its thumbnail, JPEG."""
    picture = Image.new("RGB", SIZE, (247, 246, 243))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, SIZE[0], 32), fill=app.ink)
    draw.text((16, 8), title, fill=(255, 255, 255), font=_font(15))
    for n, line in enumerate(_lines(app, page)):
        draw.text((24, 52 + 26 * n), line, fill=(40, 44, 52), font=_font(15))
        draw.line((24, 74 + 26 * n, 600, 74 + 26 * n), fill=(228, 226, 220))
    return _jpeg(picture, 80), _jpeg(picture.resize((160, 90)), 80)


def _lines(app: App, page: int) -> Iterator[str]:
    for n in range(10):
        yield app.lines[(n + page) % len(app.lines)]


@lru_cache(maxsize=4)
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    try:
        return ImageFont.truetype("NotoSansCJK-Regular.ttc", size)
    except OSError:
        return ImageFont.load_default(size)


def _jpeg(picture: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality)
    return out.getvalue()
