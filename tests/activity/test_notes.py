"""Event rows: extending, private placeholders, details."""

import pytest

from biny_desktop.core import settings as settings_module
from biny_desktop.core.clock import Stamp
from biny_desktop.core.events import NonFrameNoted, RecorderStateChanged
from tests.fakes.activity import ActivityHome


def rows(home: ActivityHome) -> list[tuple[str, str, int]]:
    return [(event.kind, event.reason, event.count) for event in home.timeline.events(0, 2**60)]


def test_equal_skips_of_an_app_extend_one_row_within_five_seconds(home: ActivityHome) -> None:
    first = home.note(app_id="editor")
    home.clock.advance(4_000)
    assert home.note(app_id="editor") == first
    home.note(app_id="mail")
    home.clock.advance(4_000)
    assert home.note(app_id="editor") == first
    home.clock.advance(5_001)
    assert home.note(app_id="editor") != first
    assert rows(home) == [("skip", "same_exact", 3), ("skip", "same_exact", 1), ("skip", "same_exact", 1)]
    event = home.timeline.events(0, 2**60)[0]
    assert event.until_ms == event.at_ms + 8_000


def test_a_row_is_extended_over_a_clock_step_but_not_over_a_boot(home: ActivityHome) -> None:
    first = home.note()
    home.clock.set_wall(1_000)
    assert home.note() == first
    home.clock.reboot("boot-2", mono_ms=home.clock.mono_ms())
    assert home.note() != first


def test_a_deleted_row_is_not_extended(home: ActivityHome) -> None:
    first = home.note()
    with home.db.write() as w:
        w.run("DELETE FROM frame_events")
    assert home.note() != first
    assert home.count("frame_events") == 1


def test_focus_rows_are_never_joined(home: ActivityHome) -> None:
    for _ in range(12):
        home.note("focus", "", app_id="editor", title="a")
    assert home.count("frame_events") == 12


def test_private_time_says_nothing_but_its_length(home: ActivityHome) -> None:
    home.note(
        "private", "private_app", app_id="com.1password.x", app_name="OnePass", title="Vault – Mother",
        detail={"trigger": "click", "rule": "builtin:1password", "epoch": 4, "note": "Vault", "app": "OnePass"},
    )  # fmt: skip
    home.note("skip", "password_prompt", app_id="pinentry-x", title="unlock the Mother key")
    event = home.timeline.events(0, 2**60)[0]
    assert (event.app_id, event.app_name, event.title, event.detail) == (
        None, None, None, {"trigger": "click", "epoch": 4},
    )  # fmt: skip
    for word in ("1password", "OnePass", "Mother", "pinentry"):
        assert home.bytes_holding(word) == []


def test_private_apps_are_named_by_id_alone_when_asked(home: ActivityHome) -> None:
    home.settings = settings_module.build({"privacy": {"name_private_apps": True}})
    home.note("private", "private_app", app_id="keepassxc", app_name="KeePassXC", title="Vault")
    event = home.timeline.events(0, 2**60)[0]
    assert (event.app_id, event.app_name, event.title) == ("keepassxc", None, None)


def test_a_minute_in_front_of_a_password_manager_leaves_few_placeholders(home: ActivityHome) -> None:
    for n in range(200):
        home.note("private", "private_app" if n % 2 else "private_window")
        home.clock.advance(300)
    events = home.timeline.events(0, 2**60)
    assert len(events) <= 13
    assert sum(event.count for event in events) == 200


def test_details_are_redacted_and_counted(home: ActivityHome) -> None:
    event_id = home.note("title", "", title="password: Zx9kqPlm31", detail={"from": "password: Zx9kqPlm31"})
    assert home.bytes_holding("Zx9kqPlm31") == []
    assert home.count("redactions", f"ref_kind = 'event' AND ref_id = {event_id}") == 2


def test_notes_and_states_are_told_after_the_commit(home: ActivityHome) -> None:
    told: list[object] = []
    home.events.subscribe(NonFrameNoted, told.append)
    home.events.subscribe(RecorderStateChanged, told.append)
    event_id = home.note("lock", "")
    home.writer.state(home.clock.stamp(), "blocked", "screen_locked", {"ms": float("inf")})
    assert told == [NonFrameNoted(event_id, "lock"), RecorderStateChanged("blocked", "screen_locked")]
    assert home.count("recorder_states", "detail = '{\"ms\":null}'") == 1


@pytest.mark.parametrize("at_ms", [0, -(10**12), 32_503_680_000_000])
def test_any_wall_clock_can_be_written(home: ActivityHome, at_ms: int) -> None:
    home.clock.set_wall(at_ms)
    home.note()
    home.keep()
    assert home.clock.stamp() == Stamp(at_ms, "UTC", home.clock.mono_ms(), "boot-1")
    assert home.count("frames") == 1


def test_the_day_of_a_row_gets_a_new_revision(home: ActivityHome) -> None:
    home.keep()
    home.note()
    with home.db.read() as r:
        row = r.one("SELECT day, n FROM day_revisions")
    assert row is not None
    assert (row.text("day"), row.int("n")) == ("2026-01-04", 2)
