"""Reports over segments that the rules cut from real rows: the whole way from a recorded day to its file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.reports.files import MarkdownFiles
from biny_desktop.activity.reports.markdown import linked_ids
from biny_desktop.activity.reports.reports import Reports
from biny_desktop.core.errors import NotFoundError
from biny_desktop.models.client import ModelClient
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock
from tests.fakes.homes import MemoryKeyring
from tests.fakes.report_days import at

DAY = "2026-03-12"


class Recorded:
    """A home with a morning of work, a pause for lunch and some mail."""

    def __init__(self, root: Path) -> None:
        self.clock = FakeClock(at("09:00"), "Europe/Berlin")
        self.home = home = ActivityHome(root / "data", self.clock)
        folders = prepare(resolve(root / "home"))
        self.file = folders.config / "memory" / "reports" / f"{DAY}.md"
        client = ModelClient(home.db, lambda: home.settings, ModelKeys(folders, MemoryKeyring()), self.clock)
        self.reports = Reports(
            home.db, home.segments, home.keeper, client, lambda: home.redactor, lambda: home.settings, self.clock,
            home.events, [MarkdownFiles(self.file.parent)],
        )  # fmt: skip
        self.code = home.work(40, "storage.py – harbour", "editor")
        self.clock.advance(45 * 60_000)
        self.mail = home.work(12, "Letter to the walrus – Mail", "mail", "a telling line")
        self.clock.set_wall(at("05:00", "2026-03-13"))


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Recorded]:
    made = Recorded(tmp_path)
    yield made
    made.home.close()


def test_from_rows_to_a_report_whose_links_all_lead_somewhere(recorded: Recorded) -> None:
    assert recorded.reports.check(lambda: True) == "1 report written"
    report = recorded.reports.get("day", DAY)
    assert report is not None
    assert report.markdown.strip() in recorded.file.read_text(encoding="utf-8")
    assert "[storage.py – harbour](biny://segment/" in report.markdown
    assert "[Letter to the walrus](biny://segment/" in report.markdown  # not the app's name again
    assert 50 <= report.statistics.active_ms / 60_000 <= 53
    assert report.statistics.frames_kept == len(recorded.code) + len(recorded.mail)
    assert report.statistics.frames_read == recorded.home.count("frames", "read_state = 'done'") > 0
    assert len(report.statistics.hours) == 24
    ids = linked_ids(report.markdown)
    assert len(ids["segment"]) == 2
    for segment_id in ids["segment"]:
        recorded.home.segments.segment(segment_id)
    for frame_id in ids["frame"]:
        recorded.home.timeline.frame(frame_id)
    assert recorded.reports.check(lambda: True) == "up to date"


def test_a_persons_new_title_is_in_the_next_report(recorded: Recorded) -> None:
    recorded.reports.check(lambda: True)
    segment = next(item for item in recorded.home.segments.day(DAY).items if hasattr(item, "title"))
    recorded.home.segment_edits.rename(segment.id, "Harbour store", segment.revision)
    assert recorded.reports.check(lambda: True) == "1 report written"
    assert "[Harbour store](biny://segment/" in recorded.file.read_text(encoding="utf-8")


@pytest.mark.parametrize("what", ["app", "range", "frames", "day"])
def test_deleted_words_are_in_no_row_no_file_and_no_byte(recorded: Recorded, what: str) -> None:
    recorded.reports.check(lambda: True)
    assert "walrus" in recorded.file.read_text(encoding="utf-8")
    begin, end = at("10:20"), at("11:00")
    selection = {
        "app": Selection.of_app("mail"),
        "range": Selection.of_range(begin, end),
        "frames": Selection.of_frames(*recorded.mail),
        "day": Selection.of_day(recorded.home.timeline.day_bounds(DAY)),
    }[what]
    recorded.home.deletes.run(selection)
    if what == "frames":  # the rows of focus changes hold the title still
        recorded.home.deletes.run(Selection.of_range(begin, end))
    report = recorded.reports.get("day", DAY)
    assert report is not None
    assert not report.stale
    assert report.state == ("empty_day" if what == "day" else "done_no_model")
    assert "walrus" not in report.markdown + str(report.statistics)
    assert recorded.file.exists() == (what != "day")
    if what != "day":
        assert "walrus" not in recorded.file.read_text(encoding="utf-8")
        assert "storage.py" in recorded.file.read_text(encoding="utf-8")
    assert recorded.home.db.truncate_wal()
    assert recorded.home.bytes_holding("walrus") == []
    for segment_id in linked_ids(report.markdown)["segment"]:
        recorded.home.segments.segment(segment_id)
    with pytest.raises(NotFoundError):
        recorded.home.timeline.frame(recorded.mail[0])
