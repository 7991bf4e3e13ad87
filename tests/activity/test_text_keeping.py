"""Texts that go by age: words, vectors and passages with them; frames and segments stay."""

from biny_desktop.activity.text_keeping import TextKeeping
from biny_desktop.core import settings as settings_module
from tests.activity.segments.saying import MORNING_MS, all_segments
from tests.fakes.activity import ActivityHome

DAY_MS = 86_400_000
WORD = "unmistakable"


def keeping(home: ActivityHome, days: int | str) -> TextKeeping:
    settings = settings_module.build({"activity": {"text_keep_days": days}})
    return TextKeeping(home.db, lambda: settings, home.clock)


def filled(home: ActivityHome) -> tuple[int, int]:
    """A frame of forty days ago in a segment, and one of today; their ids."""
    home.clock.set_wall(MORNING_MS)
    old = home.work(5, "report.md", "editor", f"{WORD}0 words")[0]
    home.clock.advance(40 * DAY_MS)
    new = home.seen("report.md", f"{WORD}1 words")
    home.keeper.catch_up()
    return old, new


def test_old_text_goes_with_every_word_and_the_rest_stays(home: ActivityHome) -> None:
    old, new = filled(home)
    segments = all_segments(home)
    assert keeping(home, 30).run(lambda: True) == 1
    assert home.found(f"{WORD}0") == []
    assert home.found(f"{WORD}1") == [new]
    assert home.found("title:report.md")[-1:] == [old]
    assert home.found("has:text") == [new]
    assert home.bytes_holding(f"{WORD}0") == []
    detail = home.timeline.frame(old)
    assert (detail.text, detail.frame.flags, detail.frame.read_state) == (None, ("text_gone",), "done")
    assert home.count("frame_passages", f"frame_id = {old}") == 0
    assert home.index_is_whole()
    assert home.keeper.catch_up() == 0
    assert all_segments(home) == segments


def test_keep_means_for_ever(home: ActivityHome) -> None:
    filled(home)
    home.clock.advance(4_000 * DAY_MS)
    assert keeping(home, "keep").run(lambda: True) == 0
    assert home.count("frame_text") == 2


def test_it_stops_when_somebody_needs_the_machine_and_goes_on_later(home: ActivityHome) -> None:
    filled(home)
    assert keeping(home, 30).run(lambda: False) == 0
    assert home.count("frame_text") == 2
    assert keeping(home, 30).run(lambda: True) == 1
    assert keeping(home, 30).run(lambda: True) == 0
