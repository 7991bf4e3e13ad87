"""What tests of stored segments share: a model's account of one, and what has to hold of any day."""

from dataclasses import replace

from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments import index, store
from biny_desktop.activity.segments.model import Analysis, Highlight, Segment
from tests.fakes.activity import ActivityHome

MORNING_MS = 1_767_600_000_000
"""2026-01-05T08:00:00Z, a Monday."""


def analysed(home: ActivityHome, segment_id: int, title: str = "Ferry timetable", **said: object) -> Segment:
    """Write an account of a model on a segment, as analysis does; `frames` are the sources of its highlight."""
    frames = said.pop("frames", ())
    with home.db.write() as w:
        old = store.get(w, segment_id)
        assert old is not None
        account = Analysis(
            summary="Moved the northern quay.", model="small", input_hash="h1", analysed_at_ms=home.clock.now_ms(),
            highlights=(Highlight("the quay moved", tuple(frames)),) if frames else (),  # type: ignore[arg-type]
        )  # fmt: skip
        new = replace(
            old, title=title, title_by="model", status="analysed", revision=old.revision + 1,
            analysis=replace(account, **said),  # type: ignore[arg-type]
        )  # fmt: skip
        with index.reindexed(w, [segment_id]):
            store.update(w, new, home.clock.now_ms())
    return home.segments.segment(segment_id)


def all_segments(home: ActivityHome) -> list[Segment]:
    """Every segment, oldest first."""
    return list(reversed(home.segments.list(-(2**60), 2**60, limit=500, hidden=True)))


def check_day(home: ActivityHome, day: str) -> None:
    """Segments and gaps are the day up to now, exactly; sums agree; frames belong to what is around them."""
    view = home.segments.day(day)
    for before, after in zip(view.items, view.items[1:], strict=False):
        assert before.end_ms == after.start_ms, (before, after)
        assert not (isinstance(before, Gap) and isinstance(after, Gap) and before.cause == after.cause)
    assert all(item.end_ms > item.start_ms for item in view.items)
    if view.items:
        assert view.items[0].start_ms >= view.start_ms
        assert view.items[-1].end_ms == min(view.end_ms, home.clock.now_ms())
    segments = [item for item in view.items if isinstance(item, Segment)]
    assert sum(bar.active_ms for bar in view.hours) == view.totals.active_ms
    assert sum(bar.watching_ms for bar in view.hours) == view.totals.watching_ms
    assert sum(bar.private_ms for bar in view.hours) == view.totals.private_ms
    assert sum(bar.end_ms - bar.start_ms for bar in view.hours) == view.end_ms - view.start_ms
    for segment in segments:
        with home.db.read() as r:
            assert store.recounted(r, segment) == segment
            outside = r.one(
                "SELECT count(*) AS n FROM frames WHERE segment_id = :id AND NOT captured_at BETWEEN :low AND :high",
                {"id": segment.id, "low": segment.start_ms, "high": segment.end_ms},
            )
        assert outside is not None
        assert outside.int("n") == 0
        if not segment.clock_adjusted:
            assert segment.length_ms == segment.end_ms - segment.start_ms
