"""The gates in their order, and that every trigger is answered by a row (spec 02 §2)."""

from collections.abc import Callable

import pytest

from biny_desktop.capture.ports import NoPermissionError, Unknown
from biny_desktop.capture.rules import RuleBook
from biny_desktop.capture.user_rules import UserRule
from biny_desktop.core.clock import Stamp
from biny_desktop.core.errors import DiskFullError, StorageError
from biny_desktop.core.events import ActivityDeleted
from biny_desktop.core.geometry import Rect
from biny_desktop.core.settings import build
from tests.capture.rig import Rig, black
from tests.fakes.capture import make_monitor, make_window
from tests.fakes.clock import FakeClock


def act(rig: Rig, ms: int = 6_000) -> None:
    if rig.screen.now:
        rig.change()
    rig.input.click(50, 50)
    rig.run(ms)


def test_a_click_makes_a_frame_with_its_why() -> None:
    rig = Rig().begin()
    act(rig)
    frame = rig.sink.frames[-1]
    assert rig.triggers() == ["start", "click"]
    assert (frame.keys, frame.clicks, frame.window.app_id) == (0, 1, "editor")
    assert frame.picture is not None
    assert {"trigger", "input", "merged", "epoch", "backend", "rule", "step", "numbers", "tiles", "grab_ms"} <= set(
        frame.why
    )
    assert {"compare_ms", "encode_ms"} <= set(frame.why)
    assert frame.why["backend"] == "fake"


def test_the_same_picture_is_a_row_and_no_frame() -> None:
    rig = Rig().begin()
    rig.input.click(50, 50)
    rig.run(6_000)
    assert rig.skips() == ["same_exact"]
    assert len(rig.sink.frames) == 1
    why = rig.sink.of_kind("skip")[0].detail
    assert (why["trigger"], why["step"]) == ("click", "same_exact")


def test_a_screen_seen_again_points_at_its_first_frame() -> None:
    rig = Rig().begin()
    rig.screen.show(rig.pixels(1))
    rig.input.click(50, 50)
    rig.run(6_000)
    rig.screen.show(rig.pixels(0))
    rig.input.click(50, 50)
    rig.run(6_000)
    assert [frame.seen_again_of for frame in rig.sink.frames] == [None, None, 1]
    rig.bus.publish(ActivityDeleted((2,), ()))
    rig.screen.show(rig.pixels(1))
    rig.input.click(50, 50)
    rig.run(6_000)
    assert rig.sink.frames[-1].picture is not None, "a deleted frame is never pointed at"


def disk(rig: Rig) -> None:
    rig.sink.trouble = "disk_low"


def no_monitor(rig: Rig) -> None:
    rig.screen.now = []


def unknown(rig: Rig) -> None:
    rig.windows.now = Unknown("timeout")


def own(rig: Rig) -> None:
    rig.windows.now = make_window("biny", "Activity of today", own=True)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [(disk, "disk_low"), (no_monitor, "no_monitor"), (unknown, "unknown_window"), (own, "own_window")],
)
def test_each_gate_gives_its_reason(spoil: Callable[[Rig], None], reason: str) -> None:
    rig = Rig().begin()
    grabs = rig.screen.grabs
    spoil(rig)
    act(rig)
    assert set(rig.skips()) == {reason}
    assert rig.screen.grabs == grabs


def test_the_first_gate_that_fails_gives_the_reason_and_names_no_private_app() -> None:
    rig = Rig().begin()
    rig.windows.now = make_window("keepassxc", "Passwords")
    rig.sink.trouble = "disk_low"
    act(rig)
    assert set(rig.skips()) == {"disk_low"}
    assert all(note.app_id is None for note in rig.sink.of_kind("skip"))
    assert "Passwords" not in repr(rig.sink.notes)


def test_not_enabled_means_nothing_is_listened_to_or_written() -> None:
    rig = Rig()
    rig.control.on = False
    rig.begin()
    act(rig)
    assert (rig.windows.started, rig.input.started, rig.screen.grabs) == (0, 0, 0)
    assert rig.sink.notes == []
    assert rig.sink.states[-1][1:3] == ("off", "not_enabled")
    rig.control.on = True
    rig.run(6_000)
    assert rig.triggers() == ["start"]
    rig.control.on = False
    rig.run(1_000)
    assert not rig.windows.running
    assert not rig.input.running


def test_a_pause_answers_the_pending_trigger_and_ends_by_itself() -> None:
    rig = Rig().begin()
    rig.change()
    rig.input.click(50, 50)
    rig.run(100)
    rig.control.until_ms = rig.clock.now_ms() + 60_000
    rig.run(50_000)
    assert rig.skips() == ["paused_by_user"]
    assert rig.sink.of_kind("input"), "the input row is closed before the pause"
    assert rig.sink.states[-1][1:3] == ("blocked", "paused_by_user")
    rig.run(15_000)
    assert rig.triggers() == ["start", "start"]


def test_permission_is_a_reason_of_its_own() -> None:
    rig = Rig().begin()
    rig.screen.error = NoPermissionError("Screen recording is not allowed")
    act(rig)
    assert set(rig.skips()) == {"no_permission"}
    assert rig.sink.states[-1][1:3] == ("blocked", "no_permission")


@pytest.mark.logs_warning("a frame was not saved")
def test_a_full_disk_backs_off_and_goes_on_afterwards() -> None:
    rig = Rig().begin()
    rig.sink.keep_error = DiskFullError("The disk is full")
    act(rig, 20_000)
    assert set(rig.skips()) == {"write_failed"}
    assert rig.sink.states[-1][1:3] == ("backing_off", "write_failed")
    rig.sink.keep_error = None
    rig.run(40_000)
    assert rig.triggers() == ["start", "click"]
    assert rig.sink.states[-1][1:3] == ("armed", "")


@pytest.mark.logs_warning("could not be written", "a frame was not saved")
def test_when_not_even_rows_can_be_written_the_loop_goes_on() -> None:
    rig = Rig().begin()
    rig.sink.keep_error = rig.sink.note_error = StorageError("The database is gone")
    act(rig, 90_000)
    assert rig.recorder.health().counters["rows_lost"] > 0
    rig.sink.keep_error = rig.sink.note_error = None
    act(rig, 40_000)
    assert rig.triggers()[-1] == "click"


@pytest.mark.logs_warning("a grab failed")
def test_a_failing_grab_backs_off_and_turns_to_the_next_back_end() -> None:
    rig = Rig().begin()
    rig.screen.error = OSError("no")
    rig.other.show(rig.pixels(9))
    act(rig, 300)
    assert rig.screen.grabs == 1
    rig.run(8_000)
    assert rig.screen.grabs == 4
    assert (rig.screen.closed, rig.other.grabs) == (1, 1)
    assert rig.sink.of_kind("skip")[-1].reason == "no_picture"
    assert rig.triggers() == ["start", "click"]
    assert rig.sink.frames[-1].why["backend"] == "other"
    assert ("backing_off", "no_picture") in [state[1:3] for state in rig.sink.states]
    assert rig.recorder.health().screen == "other"


@pytest.mark.logs_warning("a grab failed")
def test_a_grab_that_never_works_is_tried_ever_more_seldom() -> None:
    rig = Rig().begin()
    rig.platform.others.clear()
    rig.presence.idle = None
    rig.screen.error = OSError("no")
    before = rig.screen.grabs
    act(rig, 600_000)
    assert rig.screen.grabs - before <= 8, "one trigger is tried again for a minute, not for ever"
    for _ in range(100):
        act(rig, 6_000)
    assert rig.screen.grabs - before <= 40
    assert rig.sink.states[-1][1:3] == ("backing_off", "no_picture")


def test_black_twice_is_stalled_and_the_next_back_end_is_used() -> None:
    rig = Rig().begin()
    rig.screen.show(black())
    rig.input.click(5, 5)
    rig.run(700)
    assert rig.skips() == ["black_picture"]
    rig.run(300)
    assert rig.screen.grabs == 2
    rig.run(700)
    assert rig.screen.grabs == 3
    assert rig.sink.states[-1][1:3] == ("blocked", "black_picture")
    lit = black()
    lit[100:150, 100:200, :3] = 200
    rig.other.show(lit)
    rig.input.click(5, 5)
    rig.run(6_000)
    assert rig.triggers() == ["start", "click"]
    assert rig.sink.states[-1][1:3] == ("armed", "")


def test_twenty_equal_grabs_with_clicks_make_the_source_new() -> None:
    rig = Rig().begin()
    for _ in range(21):
        rig.input.click(5, 5)
        rig.run(4_500)
    assert rig.screen.renewed == 1
    assert rig.skips().count("frozen_source") == 1


def test_the_window_of_the_moment_is_recorded_when_the_user_has_left() -> None:
    rig = Rig().begin()
    rig.change()
    rig.input.click(50, 50)
    rig.run(200)
    rig.windows.focus(make_window("browser", "page"))
    rig.run(6_000)
    assert rig.triggers() == ["start", "app_switch"]
    assert rig.sink.frames[-1].window.app_id == "browser"
    assert rig.sink.frames[-1].why["merged"] == {"click": 1}


@pytest.mark.parametrize("private", [False, True])
def test_a_window_that_changes_during_the_grab_leaves_no_picture(private: bool) -> None:
    rig = Rig().begin()
    other = make_window("keepassxc", "Passwords") if private else make_window("browser", "page")

    def leave(_monitor: object) -> None:
        rig.windows.now = other

    rig.screen.on_grab = leave
    rig.change()
    rig.input.click(50, 50)
    rig.run(900)
    assert len(rig.sink.frames) == 1
    if private:
        assert [note.reason for note in rig.sink.of_kind("private")] == ["private_app"]
        assert rig.skips() == []
    else:
        assert rig.skips() == ["window_changed"]


def test_a_title_that_turns_private_during_the_grab_leaves_no_picture() -> None:
    rig = Rig()
    rig.windows.now = make_window("firefox", "News — Mozilla Firefox", window_id="w")
    rig.begin()

    def turn(_monitor: object) -> None:
        rig.windows.now = make_window("firefox", "News — Mozilla Firefox Private Browsing", window_id="w")

    rig.screen.on_grab = turn
    act(rig)
    assert len(rig.sink.frames) == 1
    assert [note.reason for note in rig.sink.of_kind("private")] == ["private_window"]


def test_a_pause_or_a_new_rule_during_the_grab_makes_it_stale() -> None:
    for spoil in ("pause", "rule", "lock"):
        rig = Rig().begin()

        def change(_monitor: object, rig: Rig = rig, spoil: str = spoil) -> None:
            if spoil == "pause":
                rig.control.until_ms = rig.clock.now_ms() + 10_000
            elif spoil == "rule":
                rig.book = RuleBook([UserRule(1, "x", "title", "contains", "zzz", "placeholder")])
            else:
                rig.presence.tell("lock")
            rig.screen.on_grab = lambda _monitor: None

        rig.screen.on_grab = change
        act(rig, 1_000)
        assert rig.skips() == ["stale_epoch"]
        assert len(rig.sink.frames) == 1


def test_browser_password_manager_browser_shows_no_pixel_of_the_manager() -> None:
    rig = Rig()
    rig.windows.now = make_window("firefox", "News", window_id="b")
    rig.begin()
    for wait_ms in (200, 400, 6_000):
        rig.windows.focus(
            make_window("keepassxc", "Passwords") if wait_ms == 400 else make_window("firefox", "News", window_id="b")
        )
        rig.change()
        rig.run(wait_ms, 50)
    assert {frame.window.app_id for frame in rig.sink.frames} == {"firefox"}
    assert "Passwords" not in repr(rig.sink.notes)


def test_every_monitor_when_all_are_wanted() -> None:
    rig = Rig(settings={"capture": {"monitors": "all"}})
    left, right = make_monitor(640, 360, -640, 0, "L"), make_monitor(320, 200, 0, 0, "R")
    rig.screen.now = [left, right]
    rig.begin()
    assert [frame.monitor_key for frame in rig.sink.frames] == [left.key, right.key]
    rig.input.click(-600, 5)
    rig.run(6_000)
    assert rig.skips() == ["same_exact"]
    assert rig.sink.of_kind("skip")[0].count == 2, "one row a monitor, joined by the sink"


def test_a_private_window_in_the_background_is_one_flat_colour() -> None:
    rig = Rig()
    front = make_window("editor", "notes", window_id="f", rect=Rect(0, 0, 200, 200))
    vault = make_window("keepassxc", "Passwords", window_id="v", rect=Rect(300, 100, 150, 120))
    rig.windows.now, rig.windows.listing = front, [vault, front]
    kept = []
    rig.sink.keep = lambda frame, keep=rig.sink.keep: (kept.append(frame.held), keep(frame))[1]  # type: ignore[method-assign,misc]
    rig.settings = build({"pictures": {"max_width": 1280}})
    rig.screen.now = [make_monitor(1600, 900)]
    rig.begin()
    pixels = kept[0]
    assert pixels is not None
    assert (pixels[92:228, 292:458, :3] == pixels[92, 292, :3]).all()
    assert not (pixels[:80, :200, :3] == pixels[92, 292, :3]).all()
    assert rig.sink.frames[0].why["painted"] == 1


def test_a_masked_front_window_gives_a_frame_without_its_title() -> None:
    rule = UserRule(3, "chat", "app", "exact", "editor", "mask")
    rig = Rig(book=RuleBook([rule])).begin()
    frame = rig.sink.frames[0]
    assert (frame.window.app_id, frame.window.title, frame.flags) == ("editor", "", ("masked",))
    assert frame.why["rule"] == "user:3"
    assert all(note.title is None for note in rig.sink.notes)


def test_a_list_of_windows_that_fails_is_not_a_yes() -> None:
    rig = Rig().begin()
    rig.windows.listing = None
    act(rig)
    assert rig.skips() == ["unknown_window"]
    never = Rig()
    never.windows.listing = None
    never.begin()
    assert never.triggers() == ["start"]
    assert not never.recorder.health().others_seen


def test_a_slow_answer_is_unknown() -> None:
    rig = Rig().begin()
    window = rig.windows.now

    def slow(_call: int) -> object:
        rig.clock.advance(250)
        return window

    rig.windows.script = slow  # type: ignore[assignment]
    act(rig, 3_000)
    assert set(rig.skips()) == {"unknown_window"}


@pytest.mark.logs_warning("cannot be told")
def test_an_unknown_window_stalls_after_a_minute_and_recovers() -> None:
    rig = Rig().begin()

    def broken(_call: int) -> object:
        raise RuntimeError("gone between two calls")

    rig.windows.script = broken  # type: ignore[assignment]
    act(rig, 50_000)
    assert set(rig.skips()) == {"unknown_window"}
    assert rig.sink.states[-1][1:3] == ("armed", "")
    rig.run(20_000)
    assert rig.sink.states[-1][1:3] == ("blocked", "unknown_window")
    assert rig.recorder.health().front == "unknown"
    rig.windows.script = None
    act(rig)
    assert rig.sink.states[-1][1:3] == ("armed", "")
    assert len(rig.sink.frames) == 2


def test_unknown_windows_are_kept_only_by_the_users_choice() -> None:
    rig = Rig(settings={"privacy": {"unknown": "keep"}})
    rig.windows.now = Unknown("wayland")
    rig.begin()
    assert rig.triggers() == ["start"]
    assert (rig.sink.frames[0].window.app_id, rig.sink.frames[0].window.app_name) == ("", "")


def test_monitors_that_come_and_go() -> None:
    rig = Rig()
    rig.screen.now = []
    rig.begin(30_000)
    assert rig.sink.states[-1][1:3] == ("blocked", "no_monitor")
    rig.screen.now = [make_monitor(640, 360)]
    rig.run(8_000)
    assert rig.triggers() == ["start"]
    rig.screen.now = [make_monitor(320, 200)]
    act(rig)
    rig.screen.now = [make_monitor(640, 360)]
    rig.run(8_000)
    assert len(rig.sink.frames) >= 3
    assert [note.detail["sizes"] for note in rig.sink.of_kind("monitors")] == [["640x360"], ["320x200"], ["640x360"]]


def test_room_on_the_disk_starts_capture_by_itself() -> None:
    rig = Rig()
    rig.sink.trouble = "disk_low"
    rig.begin()
    assert rig.sink.states[-1][1:3] == ("blocked", "disk_low")
    rig.sink.trouble = None
    rig.run(6_000)
    assert rig.triggers() == ["start"]
    assert rig.sink.states[-1][1:3] == ("armed", "")


def test_a_wall_clock_that_jumps_never_disturbs_the_order() -> None:
    rig = Rig().begin()
    stamps: list[Stamp] = []
    for wall in (rig.clock.now_ms() - 3_600_000, rig.clock.now_ms() + 86_400_000, 0):
        rig.clock.set_wall(wall)
        act(rig, 9_000)
    stamps = [frame.stamp for frame in rig.sink.frames]
    assert [stamp.mono_ms for stamp in stamps] == sorted(stamp.mono_ms for stamp in stamps)
    assert len(stamps) >= 4
    assert len(rig.sink.of_kind("clock_step")) == 3


def test_the_fake_clock_is_the_only_clock() -> None:
    rig = Rig().begin()
    assert isinstance(rig.clock, FakeClock)
    assert rig.recorder.health().step_ms == rig.clock.mono_ms()
