"""A product whose rows are computed, for the pages: any number of frames at no cost, and a log of who asked what."""

import threading
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

from biny_desktop.activity.model import (
    Counts,
    DeletePreview,
    DeleteReceipt,
    Frame,
    FrameDetail,
    FramePage,
    Gap,
    Hit,
    HitPage,
    NonFrame,
    ReasonCount,
    TextLine,
    Totals,
)
from biny_desktop.activity.segments.model import AppTime, Segment
from biny_desktop.conversation.project_store import Project
from biny_desktop.conversation.search.model import MessageFilters, MessageHit, MessagePage
from biny_desktop.core.days import DayRange, activity_day, activity_range
from biny_desktop.core.errors import NotFoundError
from biny_desktop.core.events import ActivityDeleted, EventBus, FrameKept, FrameRead, PinChanged, SegmentsChanged
from biny_desktop.core.geometry import Rect
from biny_desktop.core.settings import Settings
from biny_desktop.core.tiles import TileMask
from biny_desktop.service.status import Status
from tests.fakes.clock import START_MS, FakeClock
from tests.fakes.found import FakeMeaning, FakeModels, FakeSegmentSearch
from tests.fakes.made_reports import FakeReports
from tests.fakes.segment_days import FakeAnalysis, FakeKeeper, FakeSegmentEdits, FakeSegments, a_segment

APPS = (("code", "Code"), ("org.gnome.terminal", "Terminal"), ("firefox", "Firefox"))
LINES = (
    "Packing list for the workshop day",
    "twelve sheets, 600 x 400 mm, <b>old</b> blue",
    "今天中午一起吃饭讨论预算",
)
STEP_MS = 30_000
SIZE = (1920, 1080)


def picture(number: int, size: tuple[int, int] = SIZE) -> bytes:
    """A JPEG of one colour that depends on the number."""
    from PIL import Image

    out = BytesIO()
    Image.new("RGB", size, (40 + number * 37 % 180, 60 + number * 53 % 160, 90 + number * 71 % 140)).save(out, "JPEG")
    return out.getvalue()


def lines_of(texts: tuple[str, ...]) -> tuple[TextLine, ...]:
    """Boxes one below the other, offsets into the texts joined by line feeds."""
    found, start = [], 0
    for row, text in enumerate(texts):
        found.append(TextLine(Rect(200, 120 + 60 * row, 24 * len(text), 40), start, start + len(text)))
        start += len(text) + 1
    return tuple(found)


class FakeTimeline:
    """`Timeline` over `count` frames, one each `step_ms`, ids 1…count; `gap_after` ids are followed by a gap."""

    def __init__(self, count: int, *, step_ms: int = STEP_MS, start_ms: int = START_MS) -> None:
        self.start_ms, self.step_ms, self.count = start_ms, step_ms, count
        self.deleted: set[int] = set()
        self.pinned: set[int] = set()
        self.read_state: dict[int, str] = {}
        self.gap_list: list[Gap] = []
        self.why_list = [
            ReasonCount("skip", "same_caret", 214, start_ms + 9 * step_ms),
            ReasonCount("private", "private_app", 3, start_ms + 4 * step_ms),
            ReasonCount("skip", "same_pointer", 41, start_ms + 8 * step_ms),
        ]
        self.pictures: Callable[[int], bytes] = picture
        self.texts: Callable[[int], tuple[str, ...]] = lambda number: LINES
        self.threads: set[int] = set()
        self.calls: list[str] = []

    def _note(self, what: str) -> None:
        self.threads.add(threading.get_ident())
        self.calls.append(what)

    def _make(self, number: int) -> Frame:
        app_id, app_name = APPS[number // 4 % len(APPS)]
        state = self.read_state.get(number, "done" if number % 3 else "not_due")
        return Frame(
            id=number, at_ms=self.start_ms + number * self.step_ms, zone="UTC", trigger="click", app_id=app_id,
            app_name=app_name, title=f"Window {number} – {app_name}", monitor_key="m", picture_state="live",
            read_state=state, seen_again_of=None, redactions=number % 2, pinned=number in self.pinned, flags=(),
        )  # fmt: skip

    def frames(
        self, before: int | None = None, limit: int = 100, start_ms: int | None = None, end_ms: int | None = None,
        app: str | None = None,
    ) -> FramePage:  # fmt: skip
        self._note("frames")
        highest = self.count if before is None else min(self.count, before - 1)
        if end_ms is not None:
            highest = min(highest, -(-(end_ms - self.start_ms) // self.step_ms) - 1)
        found: list[Frame] = []
        for number in range(highest, 0, -1):
            frame = self._make(number)
            if start_ms is not None and frame.at_ms < start_ms:
                break
            if number in self.deleted or (app is not None and frame.app_id != app):
                continue
            if len(found) == limit:
                return FramePage(tuple(found), found[-1].id)
            found.append(frame)
        return FramePage(tuple(found), None)

    def frame(self, frame_id: int) -> FrameDetail:
        self._note("frame")
        if not 1 <= frame_id <= self.count or frame_id in self.deleted:
            raise NotFoundError("No such frame", f"Frame {frame_id} does not exist or was deleted.")
        frame = self._make(frame_id)
        texts = self.texts(frame_id) if frame.read_state == "done" else ()
        tiles = TileMask.for_picture(*SIZE, 60).touching([Rect(180, 100, 400, 200)])
        return FrameDetail(
            frame=frame, url=None, idle_ms=1200, keys=12, clicks=1, scale=1.0, change_reason="parts",
            why={"trigger": "click", "merged": {"typing_pause": 2}, "compare_ms": 3.4, "grab_ms": 18.0, "parts": 3},
            picture_id=frame_id, picture_path=f"2026-01-05/{frame_id}.jpg", picture_bytes=182_344, picture_size=SIZE,
            picture_tier="original", sealed=True, grab_size=SIZE, tiles=tiles,
            text="\n".join(texts) if texts else None, lines=lines_of(texts), engine="rapidocr" if texts else None,
            lines_read=2, lines_reused=1, read_ms=840, read_at_ms=frame.at_ms + 900,
            redactions_by_type={"email": 1} if frame.redactions else {}, revision=3,
        )  # fmt: skip

    def picture(self, frame_id: int) -> bytes:
        self._note("picture")
        return self.pictures(frame_id)

    def thumbs(self, ids: list[int]) -> dict[int, bytes]:
        self._note("thumbs")
        return {number: picture(number, (160, 90)) for number in ids if number not in self.deleted}

    def events(self, start_ms: int, end_ms: int, limit: int = 200) -> list[NonFrame]:
        self._note("events")
        return []

    def why(self, start_ms: int, end_ms: int) -> list[ReasonCount]:
        self._note("why")
        return self.why_list

    def gaps(self, start_ms: int, end_ms: int, min_ms: int = 300_000) -> list[Gap]:
        self._note("gaps")
        return [gap for gap in self.gap_list if gap.start_ms < end_ms and gap.end_ms > start_ms]

    def neighbours(self, frame_id: int) -> tuple[int | None, int | None]:
        self._note("neighbours")
        older = next((n for n in range(frame_id - 1, 0, -1) if n not in self.deleted), None)
        newer = next((n for n in range(frame_id + 1, self.count + 1) if n not in self.deleted), None)
        return older, newer

    def days(self, limit: int = 60) -> list[tuple[str, int]]:
        self._note("days")
        counts: dict[str, int] = {}
        for number in range(self.count, 0, -1):
            if number not in self.deleted:
                day = activity_day(self.start_ms + number * self.step_ms, "UTC")
                counts[day] = counts.get(day, 0) + 1
        return list(counts.items())[:limit]

    def day_bounds(self, day: str) -> DayRange:
        return activity_range(day, "UTC")

    def apps(self, start_ms: int | None = None, end_ms: int | None = None) -> list[tuple[str, str, int]]:
        self._note("apps")
        return [(app_id, name, self.count // 3) for app_id, name in APPS]

    def totals(self) -> Totals:
        self._note("totals")
        last = self.start_ms + self.count * self.step_ms if self.count else None
        return Totals(Counts(self.count, 0, 0, 0, 9, last, last), 7, self.count, self.count, self.count, 1, 0)


class FakeSearch:
    """`KeywordSearch`: as many hits as asked for, marks on the first word."""

    def __init__(self, timeline: FakeTimeline, hits: int) -> None:
        self._timeline, self.hits = timeline, hits
        self.asked: list[tuple[str, str | None, int | None]] = []

    def search(self, text: str, limit: int = 20, cursor: int | None = None, order: str | None = None) -> HitPage:
        self._timeline._note("search")
        self.asked.append((text, order, cursor))
        if not text.strip():
            return HitPage((), 0, more=False, cursor=None, notice="Type something to look for.")
        if "nothing" in text:
            return HitPage((), 0, more=False, cursor=None)
        first = self.hits if cursor is None else cursor - 1
        found = [self._hit(number) for number in range(first, max(0, first - limit), -1)]
        end = found[-1].frame.id if found and found[-1].frame.id > 1 else None
        return HitPage(tuple(found), min(self.hits, 1000), more=self.hits > 1000, cursor=end)

    def _hit(self, number: int) -> Hit:
        snippet = f"… {LINES[1]} and packing {number} …"
        at = snippet.index("packing")
        return Hit(self._timeline._make(number), snippet, ((at, at + 7),), (Rect(200, 180, 400, 40),), "original")


class FakeDeletes:
    """`Deletes` of single frames, ranges, apps and days by counting; runs take effect on the timeline."""

    def __init__(self, timeline: FakeTimeline, events: EventBus) -> None:
        self._timeline, self._events = timeline, events
        self.previewed: list[object] = []
        self.ran: list[object] = []
        self.error: Exception | None = None

    def _ids(self, selection: object) -> list[int]:
        ids = getattr(selection, "frame_ids", ()) or ()
        return list(ids) if ids else [1, 2, 3]

    def preview(self, selection: object) -> DeletePreview:
        self._timeline._note("preview")
        self.previewed.append(selection)
        number = len(self._ids(selection))
        at = self._timeline.start_ms
        return DeletePreview("frame", number, 2, number, number, number * 182_344, 0, at, at + number * STEP_MS)

    def run(self, selection: object) -> DeleteReceipt:
        self._timeline._note("run")
        self.ran.append(selection)
        if self.error is not None:
            raise self.error
        ids = self._ids(selection)
        self._timeline.deleted.update(ids)
        self._events.publish(ActivityDeleted(tuple(ids), ("2026-01-05",)))
        return DeleteReceipt("frame", len(ids), 2, len(ids), len(ids), len(ids), 182_344, 0, verified=True)


class FakeSettings:
    """`SettingsStore` with the defaults."""

    def current(self) -> Settings:
        return Settings()


class FakePins:
    """`Pins` on the computed rows."""

    def __init__(self, timeline: FakeTimeline, events: EventBus) -> None:
        self._timeline, self._events = timeline, events

    def pin(self, frame_id: int, note: str = "") -> None:
        self._timeline._note("pin")
        self._timeline.pinned.add(frame_id)
        self._events.publish(PinChanged((frame_id,), pinned=True))

    def unpin(self, frame_id: int) -> None:
        self._timeline._note("unpin")
        self._timeline.pinned.discard(frame_id)
        self._events.publish(PinChanged((frame_id,), pinned=False))


def segments_over(timeline: FakeTimeline, count: int, frames: int = 20) -> list[Segment]:
    """Segments of 20 frames each, a pause of five frames after every one."""
    found = []
    for number, first in enumerate(range(1, count + 1, frames + 5), 1):
        start, last = timeline.start_ms + first * timeline.step_ms, min(count, first + frames - 1)
        minutes = max(1, last - first) * timeline.step_ms / 60_000
        app_id, app_name = APPS[number % len(APPS)]
        apps = (AppTime(app_id, app_name, round(minutes * 60_000)),)
        day = activity_day(start, "UTC")
        found.append(a_segment(number, start, minutes, title=f"Work {number}", apps=apps, day=day, frame_count=frames))
    return found


def a_status(**changes: object) -> Status:
    """A recording in good order, with changes."""
    status = Status(
        state="capturing", reason="", since_ms=None, running=True, enabled=True, paused_until_ms=None,
        frames_today=123, frames=4_567, last_frame_ms=None, queued_to_read=0, dropped=0, encrypted=True,
        key_place="keyring", input_source="xcffib", reduced_input=False, advice="",
    )  # fmt: skip
    return replace(status, **changes)  # type: ignore[arg-type]


class FakeProjects:
    """`Projects` of a home with one."""

    def all(self) -> tuple[Project, ...]:
        return (Project("p1", "My boat", None, 1, 0),)


class FakeMessageSearch:
    """One message is found by everything but `nothing`; `asked` holds text, mode and filters."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, MessageFilters]] = []

    def search(self, text: str, mode: str, filters: MessageFilters, limit: int = 20) -> MessagePage:
        self.asked.append((text, mode, filters))
        hit = MessageHit("m1", "s1", "Ferries", "user", 1_767_571_200_000, "UTC", "the ferry", ((4, 9),), True, 1)
        notice = None if mode == "keyword" else "by words only: there is no embedder"
        if not text:
            return MessagePage((), "keyword", notice or "type something to find")
        return MessagePage(() if text == "nothing" else (hit,), "keyword", notice)


class FakeProduct:
    """What the pages use of `Product`."""

    def __init__(self, count: int = 200, *, hits: int = 57, step_ms: int = STEP_MS) -> None:
        self.events = EventBus()
        self.timeline = FakeTimeline(count, step_ms=step_ms)
        self.search = FakeSearch(self.timeline, hits)
        self.deletes = FakeDeletes(self.timeline, self.events)
        self.pins = FakePins(self.timeline, self.events)
        self.settings = FakeSettings()
        self.clock = FakeClock(self.timeline.start_ms + (count + 1) * step_ms)
        self.read_again: list[int] = []
        self.segments = FakeSegments(segments_over(self.timeline, count))
        self.segment_edits = FakeSegmentEdits(self.segments, lambda days: self.events.publish(SegmentsChanged(days)))
        self.reports = FakeReports(self.clock.now_ms)
        self.keeper = FakeKeeper()
        self.meaning = FakeMeaning(self.timeline._make, lambda: segments_over(self.timeline, count))
        self.segment_search = FakeSegmentSearch(lambda: segments_over(self.timeline, count))
        self.models = FakeModels(self.meaning)
        self.analysis = FakeAnalysis()
        self.message_search = FakeMessageSearch()
        self.projects = FakeProjects()
        self.state = a_status(enabled=False, running=False, state="paused", reason="off")

    def status(self) -> Status:
        return self.state

    def read_now(self, frame_id: int) -> None:
        self.timeline._note("read_now")
        self.read_again.append(frame_id)

    def keep_frame(self) -> int:
        """One more frame, as the recorder would: row first, then the event."""
        self.timeline.count += 1
        self.clock.advance(self.timeline.step_ms)
        self.events.publish(FrameKept(self.timeline.count))
        return self.timeline.count

    def read_frame(self, frame_id: int) -> None:
        """The text of a frame is there now."""
        self.timeline.read_state[frame_id] = "done"
        self.events.publish(FrameRead(frame_id))


def renamed(frame: Frame, title: str) -> Frame:
    """The same frame with another title."""
    return replace(frame, title=title)
