"""Which texts are to be embedded, which are short, and which say what their window said within half an hour."""

from pathlib import Path

import pytest

from biny_desktop.activity import read_store
from biny_desktop.activity.meaning import passage_store
from biny_desktop.activity.meaning.decide import Decisions, decide
from biny_desktop.models.passage_tokens import estimate_tokens
from biny_desktop.storage.database import open_database
from biny_desktop.storage.migrate import migrate
from tests.fakes.activity import ActivityHome

MINUTE = 60_000
TEXT = "the budget of the next quarter was discussed in the meeting this morning and moved to thursday"
HAN = "今天上午的会议讨论了下一季度的预算并决定在星期四之前提交新的方案给财务部门审批"


def decided(home: ActivityHome) -> Decisions:
    """Decide all that is due and write it, as the sweep does but without vectors."""
    with home.db.read() as r:
        found = decide(r, passage_store.due(r, 32), estimate_tokens)
    with home.db.write() as w:
        passage_store.set_embedded(w, {row.id: len(row.passages) for row in found.rows}, home.clock.now_ms())
        for text in found.short:
            assert passage_store.set_short(w, text.frame_id, text.revision, home.clock.now_ms())
        for text, other in found.same:
            assert passage_store.set_same(w, text.frame_id, text.revision, other, home.clock.now_ms())
    return found


def states(home: ActivityHome) -> dict[int, tuple[str, int | None]]:
    with home.db.read() as r:
        rows = r.query("SELECT frame_id, state, same_as FROM frame_passages ORDER BY frame_id")
    return {row.int("frame_id"): (row.text("state"), row.maybe_int("same_as")) for row in rows}


def test_short_texts_are_left_out(home: ActivityHome) -> None:
    home.seen("a title of some length", "too short")
    home.seen("a", "-- -- -- -- -- -- -- --")
    long = home.seen("b", "long enough to say something")
    assert [row.id for row in decided(home).rows] == [long]
    assert states(home) == {1: ("short", None), 2: ("short", None), 3: ("embedded", None)}


@pytest.mark.parametrize("text", [TEXT, HAN])
def test_a_text_as_before_in_its_window_is_the_same_as_the_newest(home: ActivityHome, text: str) -> None:
    for _ in range(3):
        home.seen("plan", text)
        home.clock.advance(10 * MINUTE)
    decided(home)
    assert states(home) == {1: ("same", 3), 2: ("same", 3), 3: ("embedded", None)}


@pytest.mark.parametrize("text", [TEXT, HAN])
def test_a_later_text_is_the_same_as_one_embedded_before(home: ActivityHome, text: str) -> None:
    first = home.seen("plan", text)
    decided(home)
    home.clock.advance(29 * MINUTE)
    later = home.seen("plan", text)
    decided(home)
    assert states(home)[later] == ("same", first)


def test_other_windows_other_words_and_half_an_hour_are_not_the_same(home: ActivityHome) -> None:
    home.seen("plan", TEXT)
    home.seen("other title", TEXT)
    home.seen("plan", TEXT, app="browser")
    home.seen("plan", "nothing of what was said before is said again in this one")
    home.clock.advance(31 * MINUTE)
    home.seen("plan", TEXT)
    decided(home)
    assert {state for state, _ in states(home).values()} == {"embedded"}


def test_newest_texts_come_first_and_failed_ones_last(home: ActivityHome) -> None:
    ids = [home.seen(f"title {n}", f"{n} {TEXT}") for n in range(3)]
    with home.db.write() as w:
        passage_store.count_try(w, ids[2], 1, 3, 0)
    with home.db.read() as r:
        assert [text.frame_id for text in passage_store.due(r, 32)] == [ids[1], ids[0], ids[2]]
        assert [text.frame_id for text in passage_store.due(r, 2)] == [ids[1], ids[0]]


def test_a_text_is_parked_after_three_tries_until_it_is_read_again(home: ActivityHome) -> None:
    frame = home.seen("plan", TEXT)
    for _ in range(3):
        with home.db.write() as w:
            passage_store.count_try(w, frame, 1, 3, 0)
    assert states(home)[frame] == ("parked", None)
    home.read(frame, TEXT)
    assert states(home)[frame] == ("pending", None)


def test_a_text_read_again_is_decided_anew_and_so_are_its_copies(home: ActivityHome) -> None:
    copy = home.seen("plan", TEXT)
    frame = home.seen("plan", TEXT)
    decided(home)
    assert states(home)[copy] == ("same", frame)
    home.read(frame, "now the screen shows something else entirely, say the weather")
    assert states(home) == {copy: ("pending", None), frame: ("pending", None)}
    with home.db.read() as r:
        assert passage_store.revisions(r, [copy, frame]) == {copy: 1, frame: 2}
    decided(home)
    assert states(home) == {copy: ("embedded", None), frame: ("embedded", None)}


def test_a_text_that_is_gone_leaves_nothing_to_find_and_its_revision_never_comes_back(home: ActivityHome) -> None:
    frame = home.seen("plan", TEXT)
    decided(home)
    with home.db.write() as w:
        read_store.drop_text(w, frame)
    assert states(home)[frame] == ("short", None)
    with home.db.read() as r:
        assert passage_store.revisions(r, [frame]) == {}
        assert passage_store.embedded_after(r, 0, 10) == []
    home.read(frame, TEXT)
    with home.db.read() as r:
        assert passage_store.revisions(r, [frame]) == {frame: 3}


def test_a_decision_about_words_that_changed_meanwhile_is_not_written(home: ActivityHome) -> None:
    frame = home.seen("plan", TEXT)
    home.read(frame, TEXT)
    with home.db.write() as w:
        assert not passage_store.set_short(w, frame, 1, 0)
        assert not passage_store.set_same(w, frame, 2, 99, 0)
        passage_store.count_try(w, frame, 1, 1, 0)
    assert states(home)[frame] == ("pending", None)


def test_homes_from_before_get_a_row_for_each_text(tmp_path: Path) -> None:
    db = open_database(tmp_path / "biny.db", None)
    migrate(db, upto=5)
    with db.write(free=True) as w:
        w.run(
            "INSERT INTO frame_text(frame_id, text, lines, char_count, engine, lines_read, lines_reused, ms, read_at) "
            "VALUES(7, 'words', '[]', 5, 'fake', 1, 0, 5, 1)"
        )
    migrate(db)
    with db.read() as r:
        assert [(text.frame_id, text.revision) for text in passage_store.due(r, 32)] == [(7, 1)]
    db.close()
