"""Pinning: found by it, kept with every frame of the picture, noted without secrets, told once over the quota."""

import pytest

from biny_desktop.activity.ageing_plan import DAY_MS, MB
from biny_desktop.core import settings as settings_module
from biny_desktop.core.errors import NotFoundError
from biny_desktop.core.events import PinChanged, PinsOverQuota
from tests.fakes.activity import ActivityHome


def test_a_pin_is_found_shown_and_taken_back(home: ActivityHome) -> None:
    seen: list[PinChanged] = []
    home.events.subscribe(PinChanged, seen.append)
    first = home.keep("plan")
    again = home.keep("plan again", picture=None, seen_again_of=first)
    home.pins.pin(again, "the plan of the harbour")
    assert sorted(home.found("plan has:pinned")) == [first, again]
    detail = home.timeline.frame(first)
    assert (detail.frame.pinned, detail.pin_note) == (True, "the plan of the harbour")
    home.pins.pin(first)
    assert home.timeline.frame(first).pin_note is None
    home.pins.unpin(first)
    home.pins.unpin(first)
    assert home.found("plan has:pinned") == []
    assert [event.pinned for event in seen] == [True, True, False, False]
    assert seen[0] == PinChanged((first, again), pinned=True)
    assert home.index_is_whole()


def test_a_note_holds_no_secret_and_no_endless_text(home: ActivityHome) -> None:
    frame_id = home.keep()
    home.pins.pin(frame_id, "password: hunter2hunter2 " + "x" * 5_000)
    note = home.timeline.frame(frame_id).pin_note or ""
    assert "[hidden: password]" in note
    assert len(note) <= 256
    assert home.bytes_holding("hunter2hunter2") == []


def test_what_is_not_there_cannot_be_pinned(home: ActivityHome) -> None:
    frame_id = home.keep()
    home.clock.advance(40 * DAY_MS)
    home.retention.run()
    home.retention.agree_now()
    home.retention.run()
    with pytest.raises(NotFoundError):
        home.pins.pin(frame_id)
    with pytest.raises(NotFoundError):
        home.pins.pin(99)
    with pytest.raises(NotFoundError):
        home.pins.unpin(99)
    home.pins.unpin(frame_id)


def test_pins_that_alone_pass_the_quota_are_told_once_and_nothing_is_deleted(home: ActivityHome) -> None:
    seen: list[PinsOverQuota] = []
    home.events.subscribe(PinsOverQuota, seen.append)
    home.settings = settings_module.build({"pictures": {"quota_mb": 100}})
    pinned, free = home.keep("pinned"), home.keep("free")
    home.pins.pin(pinned)
    with home.db.write() as w:
        w.run("UPDATE pictures SET bytes = :bytes", {"bytes": 101 * MB})
    for _ in range(2):
        home.retention.run()
    assert seen == [PinsOverQuota(101 * MB, 100 * MB)]
    assert home.retention.state().pinned_over_quota
    assert home.retention.state().phase == "none"
    assert home.timeline.picture(free)
    home.pins.unpin(pinned)
    home.retention.run()
    assert not home.retention.state().pinned_over_quota
