"""Days for reports: a reader over made-up segments whose rows are in the home, so that links lead somewhere."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from biny_desktop.activity.event_store import bump_day
from biny_desktop.activity.model import Gap, GapCause
from biny_desktop.activity.segments.model import (
    RULES_VERSION,
    Analysis,
    AppTime,
    DayTotals,
    DayView,
    Highlight,
    Segment,
    TitleTime,
)
from biny_desktop.core.clock import to_local
from biny_desktop.core.days import activity_range
from tests.fakes.activity import ActivityHome

MINUTE_MS = 60_000
DAY = "2026-03-12"
CODE, TERM, WEB, MAIL, PLAYER = (
    ("code", "Visual Studio Code"), ("terminal", "Terminal"), ("firefox", "Firefox"), ("mail", "Thunderbird"),
    ("vlc", "VLC"),
)  # fmt: skip


def at(clock: str, day: str = DAY, zone: str = "Europe/Berlin") -> int:
    """UTC ms of "09:10" on that activity day."""
    hours, minutes = (int(part) for part in clock.split(":"))
    start = activity_range(day, zone).start_ms
    local = to_local(start, zone)
    ahead = (hours - local.hour) % 24 * 60 + minutes - local.minute
    return start + ahead * MINUTE_MS


def segment(
    number: int, start: str, minutes: float, title: str, *apps: tuple[str, str], day: str = DAY,
    zone: str = "Europe/Berlin", **changes: object,
) -> Segment:  # fmt: skip
    """A closed segment of that many active minutes; its first app was in front most of it."""
    begin, length = at(start, day, zone), round(minutes * MINUTE_MS)
    used = apps or (CODE,)
    shares = [length] if len(used) == 1 else [length * 2 // 3, *[length // 3 // (len(used) - 1)] * (len(used) - 1)]
    made = Segment(
        id=number, start_ms=begin, end_ms=begin + length, zone=zone, day=day, kind="active", open=False,
        active_ms=length, idle_ms=0, private_ms=0, spans=(),
        apps=tuple(AppTime(*app, ms) for app, ms in zip(used, shares, strict=True)),
        titles=(TitleTime(title, used[0][0], length),), keys=100, clicks=10, frame_count=10, read_count=5,
        event_count=100, picture_bytes=100_000, close_reason="app_change", continues_id=None, clock_adjusted=False,
        user_locked=False, edited=(), note=None, hidden=False, trivial=False, title=f"{used[0][1]} – {title}",
        title_by="rule", project=None, status="skipped_no_model", reason="", stale=False, tries=0, next_try_at_ms=None,
        analysis=Analysis(), revision=1,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def watching(number: int, start: str, minutes: float, title: str, **changes: object) -> Segment:
    """A segment without input."""
    made = segment(number, start, minutes, title, PLAYER, **changes)  # type: ignore[arg-type]
    return replace(made, kind="watching", active_ms=0, idle_ms=made.active_ms)


def private(number: int, start: str, minutes: float, **changes: object) -> Segment:
    """Private time."""
    made = segment(number, start, minutes, "", **changes)  # type: ignore[arg-type]
    return replace(made, kind="private", active_ms=0, private_ms=made.active_ms, apps=(), titles=(), title="")


def analysed(made: Segment, title: str, project: str | None = None, **said: object) -> Segment:
    """That segment after a model looked at it."""
    return replace(
        made, title=title, title_by="model", project=project, status="analysed",
        analysis=Analysis(**{"model": "small-model", **said}),  # type: ignore[arg-type]
    )  # fmt: skip


def highlight(text: str, *frames: int) -> Highlight:
    """A highlight with its frames."""
    return Highlight(text, frames)


@dataclass
class DayBook:
    """`DayReader` and `Keeper` over segments in memory, whose ids are rows of the home's table too."""

    home: ActivityHome
    zone: str = "Europe/Berlin"
    segments: dict[int, Segment] = field(default_factory=dict)
    causes: dict[int, GapCause] = field(default_factory=dict)
    """Cause of the gap that begins at this time; else `away`."""
    on_day: Callable[[str], None] = field(default=lambda _day: None)
    caught_up: int = 0

    def put(self, *segments: Segment) -> None:
        """Write segments, their rows too; their days have changed."""
        with self.home.db.write() as w:
            for each in segments:
                self.segments[each.id] = each
                w.run(
                    "INSERT INTO segments(id, started_at, ended_at, time_zone, day, kind, active_ms, idle_ms, "
                    "private_ms, apps, rules_version, title, created_at, updated_at) VALUES(:id, :start, :end, :zone, "
                    ":day, :kind, :active, :idle, :private, :apps, :rules, :title, 0, 0) ON CONFLICT(id) DO UPDATE "
                    "SET title = excluded.title",
                    {
                        "id": each.id, "start": each.start_ms, "end": each.end_ms, "zone": each.zone, "day": each.day,
                        "kind": each.kind, "active": each.active_ms, "idle": each.idle_ms,
                        "private": each.private_ms, "apps": json.dumps([]), "rules": RULES_VERSION,
                        "title": each.title,
                    },
                )  # fmt: skip
            for day in {each.day for each in segments}:
                bump_day(w, day)

    def remove(self, *ids: int) -> None:
        """Take segments out, as a delete does."""
        with self.home.db.write() as w:
            for each in ids:
                bump_day(w, self.segments.pop(each).day)
                w.run("DELETE FROM segments WHERE id = :id", {"id": each})

    def frames(self, *ids: int) -> None:
        """Rows of frames with these ids."""
        for number in ids:
            kept = self.home.keep(f"frame {number}", seed=number)
            with self.home.db.write() as w:
                w.run("UPDATE frames SET id = :new WHERE id = :old", {"new": number, "old": kept})

    def catch_up(self, go_on: Callable[[], bool]) -> int:
        del go_on
        self.caught_up += 1
        return 0

    def day(self, day: str) -> DayView:
        self.on_day(day)
        bounds = activity_range(day, self.zone, self.home.settings.day.start)
        found = sorted((each for each in self.segments.values() if each.day == day), key=lambda each: each.start_ms)
        items: list[Segment | Gap] = []
        place = bounds.start_ms
        for each in found:
            if each.start_ms > place:
                items.append(Gap(place, each.start_ms, self.causes.get(place, "away")))
            items.append(each)
            place = each.end_ms
        if found and place < bounds.end_ms:
            items.append(Gap(place, bounds.end_ms, self.causes.get(place, "off")))
        return DayView(day, self.zone, bounds.start_ms, bounds.end_ms, tuple(items), (), _totals(items))


def _totals(items: list[Segment | Gap]) -> DayTotals:
    segments = [item for item in items if isinstance(item, Segment)]
    shown = [each for each in segments if not each.trivial and not each.hidden]
    gaps: Counter[GapCause] = Counter()
    for item in items:
        if isinstance(item, Gap):
            gaps[item.cause] += item.end_ms - item.start_ms
    gap_ms: Mapping[GapCause, int] = gaps
    return DayTotals(
        active_ms=sum(each.active_ms for each in segments), idle_ms=0,
        private_ms=sum(each.private_ms for each in segments),
        watching_ms=sum(each.length_ms for each in segments if each.kind == "watching"), gap_ms=gap_ms,
        segments=len(shown), trivial=sum(each.trivial for each in segments),
        hidden=sum(each.hidden for each in segments), apps=len({app.app_id for each in shown for app in each.apps}),
        frames=0, projects=(),
    )  # fmt: skip


def full_day() -> list[Segment]:
    """A day as people have it: work with a project, mail, reading, lunch, a film; analysed by a model."""
    return [
        segment(801, "09:04", 6, "Inbox – mara@harbour.example", MAIL, WEB),
        analysed(segment(802, "09:10", 52, "storage.py", CODE, TERM), "Page cache of the storage module",
                 "Storage module", highlights=(highlight("A page of the write-ahead log was read twice", 20311),),
                 entities={"issues": ("#812",), "identifiers": ("WAL",)}),
        segment(803, "10:02", 2, "Weather in Lübeck", WEB),
        analysed(segment(804, "10:05", 44, "storage.py", CODE, TERM), "Storage tests", "Storage module",
                 description="Runs the tests of the storage module until all 48 pass. Then tidies up."),
        analysed(segment(805, "10:50", 31, "Fix page cache by mara · Pull Request #57", WEB),
                 "Review of pull request #57", "Storage module", entities={"prs": ("#57",)},
                 highlights=(highlight("Mara asked for a test of the second read", 20340, 20341),)),
        segment(806, "11:21", 9, "Team chat", WEB),
        private(807, "11:31", 12),
        segment(808, "11:44", 38, "Council minutes – north quay", WEB, ("et", "表格"),
                note="Ask Jonas about the crane"),
        segment(809, "13:09", 47, "码头维修报价", ("et", "表格"), WEB),
        segment(810, "13:58", 1.4, "Downloads", ("files", "Files")),
        segment(811, "14:00", 63, "Timetable", ("calc", "Calc"), WEB, status="pending"),
        replace(segment(812, "15:30", 34, "storage.py", CODE, TERM), project="Storage module", status="failed",
                reason="timeout"),
        segment(813, "16:05", 0.3, "Clock", WEB, trivial=True),
        watching(814, "17:30", 48, "The ferry – part 2"),
        segment(815, "18:20", 17, "Inbox – mara@harbour.example", MAIL),
    ]  # fmt: skip
