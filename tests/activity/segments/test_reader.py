"""Readers of segments: days that add up, hours under clock changes, stretches, lists by keyset, heat, digest."""

import itertools

import pytest

from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments.days import DaySpan, day_span, hours_of
from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.errors import InvalidInputError, NotFoundError
from tests.activity.segments.saying import MORNING_MS, all_segments, check_day
from tests.fakes.activity import ActivityHome

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY = "2026-01-05"


@pytest.fixture
def home(home: ActivityHome) -> ActivityHome:
    """A morning: an hour in the editor, away, half an hour of mail; now it is eleven."""
    home.clock.set_wall(MORNING_MS)
    home.work(60, "report.md", "editor", "report words")
    home.clock.advance(20 * MINUTE_MS)
    home.work(30, "Inbox", "mail", "letter words")
    home.clock.set_wall(MORNING_MS + 3 * HOUR_MS)
    home.keeper.catch_up()
    return home


def test_a_day_is_its_segments_and_gaps_up_to_now(home: ActivityHome) -> None:
    view = home.segments.day(DAY)
    kinds = [item.kind if isinstance(item, Segment) else item.cause for item in view.items]
    assert kinds == ["active", "no_input", "active", "no_input"]
    assert view.totals.segments == 2
    assert view.totals.apps == 2
    assert view.totals.frames == 270
    assert view.totals.active_ms + view.totals.idle_ms + sum(view.totals.gap_ms.values()) == 3 * HOUR_MS
    check_day(home, DAY)


def test_hours_hold_active_time_by_app(home: ActivityHome) -> None:
    view = home.segments.day(DAY)
    bars = {bar.label: bar for bar in view.hours if bar.active_ms}
    assert list(bars) == ["08", "09"]
    assert [app.app_id for app in bars["08"].apps] == ["editor"]
    assert [app.app_id for app in bars["09"].apps] == ["mail"]
    assert all(sum(app.ms for app in bar.apps) == bar.active_ms for bar in view.hours)


def test_a_day_without_rows_is_empty(home: ActivityHome) -> None:
    for day in ("2026-01-02", "2026-02-01"):
        view = home.segments.day(day)
        assert (view.items, view.totals.frames, view.totals.active_ms) == ((), 0, 0)
        assert len(view.hours) == 24
    with pytest.raises(InvalidInputError):
        home.segments.day("never")


def test_what_the_keeper_did_not_see_yet_is_a_gap(home: ActivityHome) -> None:
    home.work(10, "late", "editor")
    view = home.segments.day(DAY)
    assert isinstance(view.items[-1], Gap)
    assert view.items[-1].end_ms == home.clock.now_ms()
    check_day(home, DAY)


@pytest.mark.parametrize(
    ("zone", "day", "start", "hours", "repeated"),
    [
        ("Europe/Berlin", "2026-03-28", "04:00", 23, None),
        ("Europe/Berlin", "2026-03-29", "04:00", 24, None),
        ("Europe/Berlin", "2026-10-24", "04:00", 25, "02b"),
        ("Europe/Berlin", "2026-10-25", "04:00", 24, None),
        ("America/New_York", "2026-10-31", "04:00", 25, "01b"),
        ("America/New_York", "2026-11-01", "04:00", 24, None),
        ("Africa/Cairo", "2026-04-24", "00:00", 23, None),
        ("America/Santiago", "2026-09-06", "00:00", 23, None),
        ("Asia/Kolkata", "2026-03-01", "04:30", 24, None),
        ("Australia/Lord_Howe", "2026-04-04", "04:00", 25, "01b"),
        ("Pacific/Kiritimati", "2026-01-01", "00:00", 24, None),
    ],
)  # fmt: skip
def test_hours_are_the_day_under_clock_changes(
    zone: str, day: str, start: str, hours: int, repeated: str | None
) -> None:
    span = day_span(day, lambda _at: zone, start)
    found = hours_of(span, lambda _at: zone, start)
    assert len(found) == hours
    assert (found[0].start_ms, found[-1].end_ms) == (span.start_ms, span.end_ms)
    assert all(a.end_ms == b.start_ms for a, b in itertools.pairwise(found))
    labels = [hour.label for hour in found]
    assert len(labels) == len(set(labels))
    assert [label for label in labels if label.endswith("b")] == ([repeated] if repeated else [])


def test_a_journey_west_makes_a_long_day() -> None:
    noon = 1_767_610_800_000  # 2026-01-05T11:00Z, noon in Berlin

    def zone_at(at_ms: int) -> str:
        return "Europe/Berlin" if at_ms < noon else "America/New_York"

    span = day_span(DAY, zone_at)
    assert span == DaySpan(DAY, span.start_ms, span.start_ms + 30 * HOUR_MS, "America/New_York")
    assert day_span("2026-01-06", zone_at).start_ms == span.end_ms
    labels = [hour.label for hour in hours_of(span, zone_at)]
    assert labels[:9] == ["04", "05", "06", "07", "08", "09", "10", "11", "06b"]


def test_over_the_date_line_days_neither_overlap_nor_leave_a_hole() -> None:
    switch = 1_767_610_800_000

    def zone_at(at_ms: int) -> str:
        return "Pacific/Kiritimati" if at_ms < switch else "Pacific/Honolulu"

    days = [day_span(f"2026-01-{n:02d}", zone_at) for n in range(3, 10)]
    assert all(a.end_ms == b.start_ms for a, b in itertools.pairwise(days))


def test_a_stretch_has_thumbnails_spread_over_it(home: ActivityHome) -> None:
    view = home.segments.range(MORNING_MS, MORNING_MS + 2 * HOUR_MS, thumbs=12)
    assert view.frames == 270
    assert 6 <= len(view.thumbs) <= 12
    assert all(thumb.jpeg for thumb in view.thumbs)
    times = [thumb.at_ms for thumb in view.thumbs]
    assert times == sorted(times)
    assert [type(item).__name__ for item in view.items] == ["Segment", "Gap", "Segment", "Gap"]
    assert home.segments.range(MORNING_MS, MORNING_MS + HOUR_MS, thumbs=0).thumbs == ()
    with pytest.raises(InvalidInputError):
        home.segments.range(5, 5)


def test_a_wide_stretch_leaves_out_what_nobody_could_see(home: ActivityHome) -> None:
    wide = home.segments.range(MORNING_MS - 400 * 24 * HOUR_MS, MORNING_MS + 24 * HOUR_MS)
    assert wide.frames == 270
    assert wide.items == ()


def test_lists_are_newest_first_in_pages(home: ActivityHome) -> None:
    newest, oldest = home.segments.list(0, 2**60)
    assert newest.start_ms > oldest.start_ms
    assert home.segments.list(0, 2**60, limit=1) == (newest,)
    assert home.segments.list(0, 2**60, limit=1, before=newest.start_ms) == (oldest,)
    assert home.segments.list(0, 2**60, kind="watching") == ()
    assert home.segments.list(oldest.end_ms - 1, oldest.end_ms) == (oldest,)


def test_a_segment_in_detail(home: ActivityHome) -> None:
    segment = all_segments(home)[1]
    detail = home.segments.detail(segment.id)
    assert detail.segment == segment
    assert len(detail.frames) == 90
    assert detail.frames[0].at_ms > detail.frames[-1].at_ms
    assert (detail.events, detail.edits) == (91, ())
    for call in (home.segments.detail, home.segments.segment):
        with pytest.raises(NotFoundError):
            call(99)
    assert home.segments.of_frame(99_999) is None


def test_heat_is_active_time_by_hour_from_the_start_of_the_day(home: ActivityHome) -> None:
    days = home.segments.heat("2026-01-04", "2026-01-06")
    assert [day.day for day in days] == ["2026-01-04", DAY, "2026-01-06"]
    assert [day.active_ms for day in days] == [0, home.segments.day(DAY).totals.active_ms, 0]
    assert [place for place, ms in enumerate(days[1].hours_ms) if ms] == [4, 5]
    assert days[1].segments == 2
    for bad in (("x", DAY), (DAY, "2026-01-04")):
        with pytest.raises(InvalidInputError):
            home.segments.heat(*bad)


def test_a_digest_tells_the_last_hours_in_few_words(home: ActivityHome) -> None:
    home.work(4, "chapter", "editor", "the newest words")
    home.keeper.catch_up()
    digest = home.segments.digest(240)
    assert digest.now is not None
    assert digest.now.title == "Editor – chapter"
    assert [line.title for line in digest.segments] == ["Mail – Inbox", "Editor – report.md"]
    assert [text.text for text in digest.texts] == ["the newest words", "letter words", "report words"]
    assert digest.today.segments == 3
    assert home.segments.digest(1).segments == ()
