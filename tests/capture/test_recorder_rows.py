"""Rows between attempts: focus, titles, input, private time, lock; and many triggers at once (spec 02 §1, §3, §11)."""

from itertools import pairwise

import pytest

from biny_desktop.capture.ports import SkipReason
from biny_desktop.capture.rules import RuleBook
from biny_desktop.capture.user_rules import UserRule
from biny_desktop.core.settings import build
from tests.capture.rig import Rig
from tests.fakes.capture import make_window

VAULT = make_window("keepassxc", "My passwords")


def seen(rig: Rig) -> str:
    """All that was written, as text."""
    return repr([(frame.window, frame.why) for frame in rig.sink.frames]) + repr(rig.sink.notes) + repr(rig.sink.states)


def test_every_focus_change_is_a_row_and_only_the_last_makes_a_frame() -> None:
    rig = Rig().begin()
    for number in range(12):
        rig.windows.focus(make_window(f"app{number}", "t"))
        rig.change()
        rig.run(250, 50)
    rig.run(6_000)
    assert len(rig.sink.of_kind("focus")) == 13
    assert rig.triggers() == ["start", "app_switch"]
    assert rig.sink.frames[-1].window.app_id == "app11"


def test_a_title_change_is_a_row_and_no_trigger_and_ticking_titles_are_thinned() -> None:
    rig = Rig().begin()
    for number in range(60):
        rig.windows.focus(make_window("editor", f"timer {number}", window_id=rig.windows.now.window_id))  # type: ignore[union-attr]
        rig.run(1_000)
    assert len(rig.sink.frames) == 1
    titles = [note.title for note in rig.sink.of_kind("title")]
    assert titles[0] == "timer 0"
    assert 10 <= len(titles) <= 14
    rig.run(6_000)
    assert rig.sink.of_kind("title")[-1].title == "timer 59"


def test_twenty_clicks_in_a_second_and_three_minutes_of_key_repeat() -> None:
    rig = Rig().begin()
    for _ in range(20):
        rig.change()
        rig.input.click(9, 9)
        rig.run(50, 50)
    rig.run(6_000)
    assert rig.triggers() == ["start", "click"]
    for _ in range(1_800):
        rig.input.key()
        rig.clock.advance(100)
        rig.recorder.step()
    assert rig.triggers() == ["start", "click"]
    rig.change()
    rig.run(6_000)
    assert rig.triggers() == ["start", "click", "typing_pause"]
    assert rig.sink.frames[-1].keys == 1_800


def test_the_wheel_for_half_a_minute_makes_no_frame() -> None:
    rig = Rig().begin()
    for _ in range(300):
        rig.input.scroll()
        rig.change()
        rig.run(100)
    rig.run(6_000)
    assert rig.triggers() == ["start"]
    assert sum(int(str(note.detail["scrolls"])) for note in rig.sink.of_kind("input")) == 300


def test_input_is_counted_in_rows_of_ten_seconds_closed_before_a_frame() -> None:
    rig = Rig().begin()
    for _ in range(25):
        rig.input.key()
        rig.run(1_000)
    rows = rig.sink.of_kind("input")
    assert len(rows) == 2
    rig.run(6_000)
    rows = rig.sink.of_kind("input")
    assert sum(int(str(note.detail["keys"])) for note in rows) == 25
    assert set(rows[0].detail) == {"keys", "clicks", "scrolls", "first", "last"}
    assert rows[-1].until_ms is not None
    assert rig.sink.notes.index(rows[-1]) < len(rig.sink.notes)


@pytest.mark.parametrize(("watching", "low", "high"), [(True, 18, 31), (False, 1, 1)])
def test_a_film_is_seen_only_in_watching_mode(watching: bool, low: int, high: int) -> None:
    rig = Rig(settings={"watch": {"enabled": watching}}).begin()
    rig.presence.idle = None
    for _ in range(30):
        rig.change()
        rig.run(20_000, 500)
    assert low <= len(rig.sink.frames) <= high + 1


def test_watched_frames_stop_at_the_limit() -> None:
    rig = Rig(settings={"watch": {"enabled": True, "max_per_hour": 10}}).begin()
    rig.presence.idle = None
    for _ in range(15):
        rig.change()
        rig.run(13_000, 500)
        rig.input.touch()
    assert "watch_limit" in rig.skips()
    assert rig.triggers().count("visual_change") == 10


def test_a_minute_in_a_password_manager_leaves_its_length_and_nothing_else() -> None:
    rig = Rig().begin()
    rig.windows.focus(VAULT)
    for _ in range(200):
        rig.change()
        rig.input.click(3, 3)
        rig.input.key()
        rig.run(300)
    rig.windows.focus(make_window("editor", "notes.txt"))
    rig.run(6_000)
    rows = rig.sink.of_kind("private")
    assert 1 <= len(rows) <= 13
    assert sum((note.until_ms or 0) - note.stamp.at_ms for note in rows) >= 60_000
    assert sum(note.count for note in rows) >= 190
    assert all((note.title, note.app_id, note.app_name, dict(note.detail)) == (None, None, None, {}) for note in rows)
    assert rig.triggers() == ["start", "app_switch"]
    assert "keepass" not in seen(rig)
    assert "passwords" not in seen(rig).lower()
    assert rig.sink.of_kind("input") == [], "a count of keys would tell how long a password is"
    assert rig.sink.frames[-1].keys == 0


def test_rows_of_private_time_come_at_most_each_five_seconds_even_if_the_sink_joins_none() -> None:
    rig = Rig().begin()
    rows = []
    note = rig.sink.note
    rig.sink.note = lambda each: (rows.append(each) if each.kind == "private" else None, note(each))[1]  # type: ignore[method-assign,func-returns-value]
    rig.windows.focus(VAULT)
    for _ in range(200):
        rig.input.click(3, 3)
        rig.run(300)
    rig.windows.focus(make_window())
    rig.run(100)
    assert len(rows) <= 14
    assert all(earlier.until_ms in (None, later.stamp.at_ms) for earlier, later in pairwise(rows))


def test_private_time_may_be_named_or_left_without_a_trace() -> None:
    named = Rig(settings={"privacy": {"name_private_apps": True}}).begin()
    named.windows.focus(VAULT)
    named.run(3_000)
    row = named.sink.of_kind("private")[0]
    assert (row.app_id, row.title, row.detail["rule"]) == ("keepassxc", None, "product:keepass")
    silent = Rig(settings={"privacy": {"trace": "no_trace"}}).begin()
    rule = UserRule(1, "diary", "app", "exact", "diary", "no_trace")
    ruled = Rig(book=RuleBook([rule])).begin()
    for rig, window in ((silent, VAULT), (ruled, make_window("diary", "secret"))):
        before = list(rig.sink.notes)
        rig.windows.focus(window)
        rig.input.click(3, 3)
        rig.run(30_000)
        assert rig.sink.notes == before


def test_a_private_window_cancels_the_pending_trigger() -> None:
    rig = Rig().begin()
    rig.change()
    rig.input.click(3, 3)
    rig.run(100)
    rig.windows.focus(VAULT)
    rig.run(10_000)
    assert rig.screen.grabs == 1
    assert rig.sink.of_kind("private")[0].count == 1
    assert rig.recorder.health().front == "private"
    assert rig.recorder.health().oldest_ms is None


def test_a_tab_that_turns_private_and_back() -> None:
    rig = Rig()
    rig.windows.now = make_window("firefox", "News — Mozilla Firefox", window_id="w")
    rig.begin()
    rig.windows.focus(make_window("firefox", "My LastPass Vault — Mozilla Firefox", window_id="w"))
    rig.run(20_000)
    rig.change()
    rig.windows.focus(make_window("firefox", "News — Mozilla Firefox", window_id="w"))
    rig.run(6_000)
    assert [note.reason for note in rig.sink.of_kind("private")] == ["private_app"]
    assert rig.triggers() == ["start", "app_switch"]
    assert "LastPass" not in seen(rig)


def test_hits_of_rules_are_told_once_a_visit() -> None:
    rig = Rig().begin()
    hits: list[str] = []
    rig.recorder._watching._hit = hits.append
    for _ in range(2):
        rig.windows.focus(VAULT)
        rig.input.click(3, 3)
        rig.run(5_000)
        rig.windows.focus(make_window())
        rig.run(5_000)
    assert hits == ["product:keepass", "product:keepass"]


def test_a_lock_with_a_pending_trigger_leaves_nothing_between_lock_and_unlock() -> None:
    rig = Rig().begin()
    rig.change()
    rig.input.click(3, 3)
    rig.run(100)
    rig.presence.tell("lock")
    rig.input.click(3, 3)
    rig.run(30_000)
    rig.presence.tell("unlock")
    rig.run(6_000)
    kinds = [note.kind for note in rig.sink.notes]
    lock = kinds.index("lock")
    assert kinds[lock : lock + 2] == ["lock", "unlock"]
    assert kinds[lock - 1] == "input"
    assert rig.sink.notes[lock].detail["trigger"] == "click"
    assert rig.triggers() == ["start", "start"]
    assert ("blocked", "screen_locked") in [state[1:3] for state in rig.sink.states]


def test_a_start_while_locked_waits_for_the_unlock() -> None:
    rig = Rig()
    rig.presence.lock_state = True
    rig.begin(20_000)
    assert [note.kind for note in rig.sink.notes] == ["lock"]
    assert rig.recorder.health().locked
    rig.presence.tell("unlock")
    rig.run(6_000)
    assert rig.triggers() == ["start"]
    assert [note.kind for note in rig.sink.notes[:2]] == ["lock", "unlock"]


def test_a_lock_program_in_front_is_a_lock() -> None:
    rig = Rig().begin()
    rig.presence.lock_state = None
    rig.windows.focus(make_window("swaylock", ""))
    rig.run(10_000)
    assert rig.sink.states[-1][1:3] == ("blocked", "screen_locked")
    rig.windows.focus(make_window())
    rig.change()
    rig.run(6_000)
    assert [note.kind for note in rig.sink.notes if note.kind in ("lock", "unlock")] == ["lock", "unlock"]
    assert rig.triggers() == ["start", "start"]


def test_sleep_and_wake() -> None:
    rig = Rig().begin()
    rig.presence.tell("sleep")
    rig.run(1_000)
    rig.clock.suspend(3_600_000)
    rig.presence.tell("wake")
    rig.change()
    rig.run(6_000)
    assert [note.kind for note in rig.sink.notes if note.kind in ("sleep", "wake", "clock_step")] == ["sleep", "wake"]
    assert rig.triggers() == ["start", "start"]


def test_our_own_windows_count_as_time_and_are_never_recorded() -> None:
    rig = Rig().begin()
    rig.windows.focus(make_window("biny-desktop", "Yesterday's secrets", own=True))
    rig.change()
    rig.run(6_000)
    focus = rig.sink.of_kind("focus")[-1]
    assert (focus.app_name, focus.title) == ("Biny Desktop", None)
    assert rig.skips() == ["own_window"]
    assert "secrets" not in seen(rig)


def test_settings_and_rules_take_effect_at_once() -> None:
    rig = Rig().begin()
    epoch = rig.recorder.health().epoch
    rig.settings = build({"capture": {"merge_ms": 3_000}})
    rig.recorder.step()
    rig.book = RuleBook([UserRule(1, "x", "app", "exact", "editor", "placeholder")])
    rig.run(1_000)
    assert rig.recorder.health().epoch >= epoch + 2
    assert [note.reason for note in rig.sink.of_kind("private")] == ["user_rule"]


@pytest.mark.logs_warning("cannot be listened to")
def test_without_a_listener_polling_makes_the_triggers() -> None:
    from biny_desktop.core.errors import UnavailableError

    rig = Rig()
    rig.input.start_error = UnavailableError("No XInput")
    rig.presence.idle = 60_000
    rig.begin()
    assert rig.recorder.health().input == "poll"
    rig.change()
    rig.presence.idle = 100
    rig.run(2_000)
    rig.presence.idle = 5_000
    rig.run(6_000)
    assert rig.triggers() == ["start", "typing_pause"]
    assert rig.sink.frames[-1].why["input"] == "poll"


def test_every_reason_written_is_on_the_list() -> None:
    from typing import get_args

    rig = Rig().begin()
    rig.windows.focus(VAULT)
    rig.run(1_000)
    rig.windows.focus(make_window())
    rig.input.click(3, 3)
    rig.run(6_000)
    for note in rig.sink.notes:
        if note.kind in ("skip", "private"):
            assert note.reason in get_args(SkipReason)
