"""Over-exposed pictures are told apart by what can be read on them."""

import json

from tests.fakes.activity import ActivityHome


def flags(home: ActivityHome, frame_id: int) -> tuple[str, ...]:
    return home.timeline.frame(frame_id).frame.flags


def bright(home: ActivityHome, *lines: str) -> int:
    return home.seen("blank page", *lines, why={"trigger": "click", "bright": True})


def advice(home: ActivityHome) -> list[dict[str, object]]:
    with home.db.read() as r:
        rows = r.query("SELECT detail FROM frame_events WHERE kind = 'source' AND reason = 'over_exposed'")
    return [json.loads(row.text("detail")) for row in rows]


def test_nearly_white_and_nothing_to_read_is_over_exposed(home: ActivityHome) -> None:
    assert flags(home, bright(home)) == ("over_exposed",)
    assert flags(home, bright(home, "ab", " c d ")) == ("over_exposed",)
    assert flags(home, bright(home, "hello")) == ()
    assert flags(home, home.seen("dark")) == ()


def test_reading_again_keeps_one_flag(home: ActivityHome) -> None:
    frame_id = bright(home)
    home.read(frame_id)
    assert flags(home, frame_id) == ("over_exposed",)


def test_ten_in_a_row_give_one_advice(home: ActivityHome) -> None:
    for _ in range(9):
        bright(home)
    bright(home, "a page with words")
    for _ in range(9):
        bright(home)
    assert advice(home) == []
    for _ in range(12):
        bright(home)
    assert advice(home) == [{"advice": "hdr_desktop"}]


def test_a_bright_frame_is_read_whatever_its_turn(home: ActivityHome) -> None:
    home.settings = home.settings.model_copy(update={"read": home.settings.read.model_copy(update={"every": 20})})
    home.keep()
    plain = home.keep()
    light = home.keep(why={"bright": True})
    assert home.timeline.frame(plain).frame.read_state == "not_due"
    assert home.timeline.frame(light).frame.read_state == "queued"
