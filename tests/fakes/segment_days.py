"""Made-up days of segments for windows: readers and editors over plain values, of the shapes of `activity.segments`."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from biny_desktop.activity.model import Frame, Gap, GapCause
from biny_desktop.activity.segments.model import (
    Analysis,
    AppTime,
    DayTotals,
    DayView,
    HeatDay,
    Highlight,
    HourBar,
    RangeView,
    Segment,
    SegmentDetail,
    SegmentEdit,
    Span,
    TitleTime,
)
from biny_desktop.core.days import activity_range
from biny_desktop.core.errors import NotFoundError, StaleRevisionError

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
CODE, TERMINAL, FIREFOX, MAIL, VIDEO = (
    ("code", "Visual Studio Code"),
    ("org.gnome.terminal", "Terminal"),
    ("firefox", "Firefox"),
    ("thunderbird", "Thunderbird"),
    ("vlc", "VLC"),
)
PLAN: tuple[tuple[int, int, str, tuple[tuple[str, str], ...], str], ...] = (
    (550, 52, "harbour – storage.py", (CODE, TERMINAL), "harbour"),
    (604, 21, "Inbox – mara@harbour.example", (MAIL,), ""),
    (626, 96, "harbour – timetable.py", (CODE, TERMINAL, FIREFOX), "harbour"),
    (760, 4, "Terminal", (TERMINAL,), ""),
    (782, 38, "Council minutes — Mozilla Firefox", (FIREFOX,), "north quay"),
    (822, 47, "码头维修报价 – 表格", (("et", "表格"), FIREFOX), "north quay"),
    (900, 12, "private", (), ""),
    (914, 66, "harbour – tests/test_timetable.py", (CODE, TERMINAL), "harbour"),
    (984, 18, "watching", (VIDEO,), ""),
    (1_010, 74, "harbour – README.md and the long story of how the ferry got its new timetable", (CODE, FIREFOX), ""),
)
"""Minute of the day, length, title, apps, project."""


def a_segment(number: int = 1, start_ms: int = 0, minutes: float = 52, **changes: object) -> Segment:
    """An analysed segment of an editor and a terminal."""
    length = round(minutes * MINUTE_MS)
    apps = changes.pop("apps", None) or (AppTime(*CODE, length * 2 // 3), AppTime(*TERMINAL, length // 3))
    made = Segment(
        id=number, start_ms=start_ms, end_ms=start_ms + length, zone="UTC", day="2026-01-05", kind="active", open=False,
        active_ms=length, idle_ms=0, private_ms=0, spans=(), apps=apps,
        titles=(TitleTime("storage.py – harbour", "code", length // 2),), keys=840, clicks=61, frame_count=31,
        read_count=28, event_count=210, picture_bytes=4_812_000, close_reason="app_change", continues_id=None,
        clock_adjusted=False, user_locked=False, edited=(), note=None, hidden=False, trivial=False,
        title="Visual Studio Code – storage.py", title_by="rule", project="harbour", status="analysed", reason="",
        stale=False, tries=1, next_try_at_ms=None,
        analysis=Analysis(
            description="Works on how pages of the store are read.", summary="Read pages of the write-ahead log.",
            topics=("storage",), highlights=(Highlight("the page cache was too small", (4, 5)),),
            entities={"issues": ("#812",), "versions": ("3.46",)}, worth=True, model="small-model",
            analysed_at_ms=start_ms + length + HOUR_MS,
        ),
        revision=1,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def plain_day(start_ms: int, day: str = "2026-01-05", zone: str = "UTC") -> list[Segment]:
    """The segments of `PLAN` on a day that begins at `start_ms` (04:00)."""
    found = []
    for n, (minute, length, title, apps, project) in enumerate(PLAN, 1):
        at = start_ms + (minute - 240) * MINUTE_MS
        kind = title if title in ("private", "watching") else "active"
        active = length * MINUTE_MS if kind != "private" else 0
        shown = {"private": "", "watching": "VLC – harbour.mkv"}.get(title, title)
        shares = tuple(AppTime(*app, active // (place + 2)) for place, app in enumerate(apps))
        found.append(
            a_segment(
                n, at, length, apps=shares, title=shown,
                kind=kind, project=project or None, zone=zone, day=day, active_ms=active,
                private_ms=length * MINUTE_MS - active, trivial=length < 5, title_by="rule" if n % 3 else "model",
                status=("pending", "analysed", "failed", "analysed")[n % 4], reason="timeout" if n % 4 == 2 else "",
                spans=(Span("idle", at + 20 * MINUTE_MS, at + 24 * MINUTE_MS),) if length > 60 else (),
            )
        )  # fmt: skip
    return [replace(each, apps=()) if each.kind == "private" else each for each in found]


class FakeSegments:
    """`Segments` over a list; `all` may be changed by tests."""

    def __init__(self, segments: Sequence[Segment] = (), *, zone: str = "UTC", now_ms: int = 2**53) -> None:
        self.all = list(segments)
        self.zone, self.now_ms = zone, now_ms
        self.edits: list[SegmentEdit] = []
        self.frames: tuple[Frame, ...] = ()
        self.threads: set[int] = set()
        self.calls: list[str] = []

    def _note(self, what: str) -> None:
        self.threads.add(threading.get_ident())
        self.calls.append(what)

    def items(self, start_ms: int, end_ms: int) -> list[Segment | Gap]:
        """Segments and the gaps between them."""
        found: list[Segment | Gap] = []
        at = None
        causes: tuple[GapCause, ...] = ("away", "locked", "asleep")
        for segment in sorted(self.all, key=lambda each: each.start_ms):
            if segment.end_ms <= start_ms or segment.start_ms >= end_ms:
                continue
            if at is not None and segment.start_ms > at:
                found.append(Gap(at, segment.start_ms, causes[len(found) % 3]))
            found.append(segment)
            at = segment.end_ms
        return found

    def day(self, day: str) -> DayView:
        self._note(f"day {day}")
        bounds = activity_range(day, self.zone)
        items = self.items(bounds.start_ms, bounds.end_ms)
        return DayView(
            day, self.zone, bounds.start_ms, bounds.end_ms, tuple(items), hours_of(items, bounds.start_ms, 24),
            totals_of(items),
        )  # fmt: skip

    def range(self, start_ms: int, end_ms: int, thumbs: int = 200) -> RangeView:
        self._note("range")
        return RangeView(start_ms, end_ms, tuple(self.items(start_ms, end_ms)), (), 0)

    def segment(self, segment_id: int) -> Segment:
        self._note(f"segment {segment_id}")
        found = next((each for each in self.all if each.id == segment_id), None)
        if found is None:
            raise NotFoundError("No such segment", f"Segment {segment_id} does not exist or was deleted.")
        return found

    def detail(self, segment_id: int) -> SegmentDetail:
        segment = self.segment(segment_id)
        edits = tuple(each for each in self.edits if each.before.get("id", segment_id) == segment_id)
        return SegmentDetail(segment, self.frames, segment.event_count, edits)

    def heat(self, first_day: str, last_day: str) -> tuple[HeatDay, ...]:
        self._note("heat")
        found, day = [], date.fromisoformat(first_day)
        while day <= date.fromisoformat(last_day):
            bounds = activity_range(day.isoformat(), self.zone)
            items = self.items(bounds.start_ms, bounds.end_ms)
            hours = tuple(bar.active_ms for bar in hours_of(items, bounds.start_ms, 24))
            count = sum(isinstance(item, Segment) for item in items)
            found.append(HeatDay(day.isoformat(), hours, sum(hours), count))
            day += timedelta(1)
        return tuple(found)

    def of_frame(self, frame_id: int) -> Segment | None:
        self._note(f"of_frame {frame_id}")
        return self.all[0] if self.all else None


class FakeKeeper:
    """`SegmentKeeper` that has nothing to do."""

    def __init__(self) -> None:
        self.calls = 0

    def catch_up(self, go_on: object = None) -> int:
        self.calls += 1
        return 0


class FakeAnalysis:
    """`Analysis` that notes what is to be tried again."""

    def __init__(self) -> None:
        self.retried: list[int] = []

    def retry(self, segment_id: int) -> None:
        self.retried.append(segment_id)


class FakeSegmentEdits:
    """`SegmentEdits` on the same list, with revisions."""

    def __init__(self, segments: FakeSegments, tell: object = lambda days: None) -> None:
        self._segments, self._tell = segments, tell
        self.done: list[tuple[object, ...]] = []

    def _change(self, what: str, segment_id: int, revision: int, **changes: object) -> Segment:
        old = self._segments.segment(segment_id)
        if old.revision != revision:
            raise StaleRevisionError("The segment was changed meanwhile", "Nothing was saved.")
        self.done.append((what, segment_id, *changes.values()))
        new = replace(old, **changes, revision=revision + 1, user_locked=True)  # type: ignore[arg-type]
        self._segments.all[self._segments.all.index(old)] = new
        before = {key: getattr(old, key) for key in changes}
        edit = SegmentEdit(len(self._segments.edits) + 1, old.end_ms, what, before, dict(changes), "user")
        self._segments.edits.append(edit)
        self._tell((old.day,))  # type: ignore[operator]
        return new

    def rename(self, segment_id: int, title: str, revision: int) -> Segment:
        return self._change("title", segment_id, revision, title=title, title_by="user")

    def annotate(self, segment_id: int, note: str, revision: int) -> Segment:
        return self._change("note", segment_id, revision, note=note or None)

    def set_project(self, segment_id: int, project: str, revision: int) -> Segment:
        return self._change("project", segment_id, revision, project=project or None)

    def hide(self, segment_id: int, hidden: bool, revision: int) -> Segment:
        return self._change("hidden", segment_id, revision, hidden=hidden)

    def split(self, segment_id: int, at_ms: int, revision: int) -> Segment:
        old = self._segments.segment(segment_id)
        new = self._change("borders", segment_id, revision, end_ms=at_ms)
        number = max(each.id for each in self._segments.all) + 1
        self._segments.all.append(replace(old, id=number, start_ms=at_ms, revision=1))
        self._tell((old.day,))  # type: ignore[operator]
        return new

    def merge(self, segment_id: int, other_id: int, revision: int) -> Segment:
        other = self._segments.segment(other_id)
        new = self._change("borders", segment_id, revision, end_ms=other.end_ms)
        self._segments.all.remove(other)
        self._tell((other.day,))  # type: ignore[operator]
        return new

    def history(self, segment_id: int) -> tuple[SegmentEdit, ...]:
        return tuple(self._segments.edits)


def hours_of(items: Sequence[Segment | Gap], start_ms: int, hours: int) -> tuple[HourBar, ...]:
    """Bars of a day, active time spread evenly over each segment."""
    found = []
    for n in range(hours):
        low, high = start_ms + n * HOUR_MS, start_ms + (n + 1) * HOUR_MS
        apps: dict[tuple[str, str], int] = {}
        watching = private = 0
        for item in items:
            if isinstance(item, Gap):
                continue
            part = min(item.end_ms, high) - max(item.start_ms, low)
            if part <= 0:
                continue
            watching += part if item.kind == "watching" else 0
            private += part if item.kind == "private" else 0
            total = sum(app.ms for app in item.apps) or 1
            for app in item.apps if item.kind == "active" else ():
                key = (app.app_id, app.app_name)
                apps[key] = apps.get(key, 0) + part * app.ms // total
        most = sorted(apps.items(), key=lambda each: -each[1])
        bars = tuple(AppTime(*key, ms) for key, ms in most)
        found.append(
            HourBar(f"{(4 + n) % 24:02d}", low, high, sum(bar.ms for bar in bars), watching, private, bars)
        )  # fmt: skip
    return tuple(found)


def totals_of(items: Sequence[Segment | Gap]) -> DayTotals:
    """Sums of a day."""
    segments = [item for item in items if isinstance(item, Segment)]
    gaps: dict[GapCause, int] = {}
    for item in items:
        if isinstance(item, Gap):
            gaps[item.cause] = gaps.get(item.cause, 0) + item.end_ms - item.start_ms
    shown = [each for each in segments if not each.trivial and not each.hidden]
    return DayTotals(
        sum(each.active_ms for each in segments if each.kind == "active"), sum(each.idle_ms for each in segments),
        sum(each.private_ms for each in segments), sum(each.active_ms for each in segments if each.kind == "watching"),
        gaps, len(shown), sum(each.trivial for each in segments), sum(each.hidden for each in segments),
        len({app.app_id for each in segments for app in each.apps}), sum(each.frame_count for each in segments), (),
    )  # fmt: skip
