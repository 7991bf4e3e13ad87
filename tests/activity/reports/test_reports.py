"""Reports are made when they are due, say what is missing, and are in step with what they tell of (cases 6, 15, 17)."""

import json

import pytest

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.event_store import bump_day, set_generation
from biny_desktop.activity.reports import report_store
from biny_desktop.activity.reports.model import NOTHING, ReportKind
from biny_desktop.core.days import activity_range
from biny_desktop.core.errors import InvalidInputError, StorageError, UnavailableError
from biny_desktop.core.events import ActivityDeleted, DayDeleted
from biny_desktop.core.text import RedactedText
from tests.activity.reports.conftest import TRUE, Rig, answer
from tests.fakes.report_days import DAY, analysed, full_day, segment

INVENTED = [
    ("You reviewed pull request #99 with Alice at 23:15.", None),
    ("Then you flew to Lisbon for 3 h 10 min.", None),
]


def test_without_a_model_the_report_is_whole_and_says_so(rig: Rig) -> None:
    rig.full()
    assert rig.check() == "1 report written"
    report = rig.reports.get("day", DAY)
    assert report is not None
    assert (report.state, report.reason, report.narrative, report.model) == ("done_no_model", "", None, None)
    assert "Storage module (2 h 41 min)" in report.markdown
    assert report.markdown.strip() in rig.text()
    assert rig.sink.files[DAY] == report.markdown
    assert "- [Storage module](biny://segment/802) (2 h 41 min)" in rig.sink.sections[DAY]
    assert [(event.kind, event.key, event.state, event.asked) for event in rig.made] == [
        ("day", DAY, "done_no_model", False)
    ]
    assert rig.check() == "up to date"


def test_a_plain_day_says_in_its_second_line_that_no_model_made_it(rig: Rig) -> None:
    rig.book.put(segment(1, "09:00", 61, "letter.txt"))
    report = rig.reports.make("day", DAY)
    assert report.markdown.splitlines()[2].endswith("· made without a model")
    assert report.markdown.splitlines()[2].startswith("Active 1 h 01 min, [09:00](biny://segment/1)–[10:01](biny://")


def test_nothing_is_made_before_the_day_ends(rig: Rig) -> None:
    rig.full()
    rig.clock.set_wall(activity_range("2026-03-13", "Europe/Berlin").start_ms - 4 * 3_600_000 + 1_000)  # 00:00:01
    assert rig.check() == "up to date"
    assert rig.reports.get("day", DAY) is None
    rig.clock.set_wall(activity_range("2026-03-13", "Europe/Berlin").start_ms + 1_000)  # 04:00:01
    assert rig.check() == "1 report written"
    assert rig.reports.get("day", DAY) is not None


@pytest.mark.parametrize("day", ["2026-01-31", "2028-02-28", "2028-02-29", "2026-12-31"])
def test_days_at_the_end_of_months_have_their_own_key(rig: Rig, day: str) -> None:
    rig.book.put(segment(1, "23:30", 20, "late", day=day), segment(2, "02:00", 20, "later", day=day))
    rig.clock.set_wall(activity_range(day, "Europe/Berlin").end_ms + 1_000)
    rig.check()
    report = rig.reports.get("day", day)
    assert report is not None
    assert report.statistics.segments == 2
    assert report.markdown.startswith(f"# {day} ")


def test_a_week_is_made_at_the_first_check_after_it_ended_also_w53(rig: Rig) -> None:
    rig.book.put(segment(1, "09:00", 60, "Old year", day="2026-12-31"))
    rig.book.put(segment(2, "09:00", 30, "New year", day="2027-01-01"))
    rig.now("05:00", "2027-01-03")
    rig.check()
    assert rig.reports.get("week", "2026-W53") is None
    rig.now("05:00", "2027-01-04")
    rig.check()
    week = rig.reports.get("week", "2026-W53")
    assert week is not None
    assert len(week.statistics.days) == 7
    worked = [day for day in week.statistics.days if day[1]]
    assert worked == [("2026-12-31", 3_600_000, 1), ("2027-01-01", 1_800_000, 1)]
    day = "[Thursday 2026-12-31](biny://report/2026-12-31) · 1 h 00 min · 1 activity, most of it [Old year]"
    assert day in week.markdown
    assert "# 2026-W53 (2026-12-28 to 2027-01-03)" in rig.text("2026-W53")
    rig.home.events.publish(ActivityDeleted((1,), ("2027-01-01",)))
    assert not rig.reports.get("week", "2026-W53").stale  # type: ignore[union-attr]


def test_weeks_are_made_only_on_demand_when_they_are_switched_off(rig: Rig) -> None:
    rig.full()
    rig.set(reports={"weekly": False})
    rig.now("05:00", "2026-03-16")
    rig.check()
    assert rig.reports.get("week", "2026-W11") is None
    assert rig.reports.make("week", "2026-W11").state == "done_no_model"


def test_an_empty_day_is_told_and_leaves_no_file(rig: Rig) -> None:
    report = rig.reports.make("day", DAY)
    assert report.state == "empty_day"
    assert report.markdown == f"# {DAY} Thursday\n\nNothing was recorded on this day.\n"
    assert not rig.folder.exists()
    assert rig.check() == "up to date"


def test_before_anything_was_recorded_nothing_is_made(rig: Rig) -> None:
    assert rig.check() == "up to date"
    assert rig.made == []
    rig.book.put(segment(1, "09:00", 10, "first", day="2026-03-13"))
    assert rig.check() == "up to date"


def test_a_checked_narrative_has_links_and_is_in_file_and_row(rig: Rig) -> None:
    rig.full()
    rig.with_model()
    rig.server.answer(answer(*TRUE))
    rig.check()
    report = rig.reports.get("day", DAY)
    assert report is not None
    assert (report.state, report.model) == ("done", "tiny")
    assert report.narrative is not None
    assert "went into the Storage module ([09:10](biny://segment/802))." in report.narrative
    assert report.narrative in report.markdown
    assert "· account by tiny" in report.markdown
    assert report.markdown.strip() in rig.text()
    asked = rig.server.said()
    assert "L2: Storage module (2 h 41 min)" in asked
    assert "made without a model" not in asked
    assert rig.server.requests[0]["max_tokens"] == 2_400


def test_an_invented_number_and_name_go_and_the_rest_stays(rig: Rig) -> None:
    rig.full()
    rig.with_model()
    rig.server.answer(answer(*TRUE, *INVENTED))
    report = rig.reports.make("day", DAY)
    assert report.state == "done"
    assert "Alice" not in report.markdown
    assert "Lisbon" not in report.markdown


def test_a_narrative_of_which_too_little_stands_is_refused_and_recorded(rig: Rig) -> None:
    rig.full()
    rig.with_model()
    rig.server.answer(answer(TRUE[0], *INVENTED))
    report = rig.reports.make("day", DAY)
    assert (report.state, report.reason, report.narrative) == ("narrative_failed", "unsupported", None)
    line = "*The account by a model is missing: it said too much that is not in the records (unsupported).*"
    assert line in report.markdown
    assert line in rig.text()
    assert "Storage module (2 h 41 min)" in report.markdown


@pytest.mark.parametrize(
    ("script", "reason"),
    [({"status": 500}, "http"), ({"text": ""}, "empty"), ({"text": "prose"}, "invalid_json"),
     ({"text": "{}"}, "invalid_shape"), ({"text": '{"sentences": []}'}, "too_short"),
     ({"text": json.dumps({"sentences": [{"text": "So it went on.", "lines": [1]}]})}, "too_short"),
     ({"text": json.dumps({"sentences": [{"text": "so it went on " * 1_500, "lines": ["L1"]}]})}, "too_long")],
)  # fmt: skip
def test_every_fault_of_the_model_is_one_line(rig: Rig, script: dict, reason: str) -> None:
    rig.full()
    rig.with_model()
    rig.server.always(**script)
    report = rig.reports.make("day", DAY)
    assert (report.state, report.reason) == ("narrative_failed", reason)
    assert f"({reason}).*" in report.markdown


def test_a_failed_narrative_is_tried_again_after_15_30_60_minutes_and_four_times_a_day(rig: Rig) -> None:
    rig.full()
    rig.with_model()
    rig.server.always(status=503)
    times = []
    for minute in range(0, 600, 5):
        before = len(rig.server.requests)
        rig.check()
        times += [minute] if len(rig.server.requests) > before else []
        rig.clock.advance(5 * 60_000)
    assert times == [0, 15, 45, 105]
    report = rig.reports.get("day", DAY)
    assert report is not None
    assert (report.state, report.tries, report.next_try_at_ms) == ("narrative_failed", 4, None)
    rig.server.always(answer(*TRUE))
    assert rig.reports.make("day", DAY).state == "done"  # a person asks: tried at once
    assert rig.check() == "up to date"


def test_a_model_set_later_gives_yesterday_a_narrative_and_no_other_day(rig: Rig) -> None:
    rig.full()
    rig.book.put(segment(900, "09:00", 60, "Earlier", day="2026-03-11"))
    rig.reports.make("day", "2026-03-11")
    rig.check()
    rig.with_model()
    rig.server.always(answer(*TRUE))
    assert rig.check() == "1 report written"
    assert rig.reports.get("day", DAY).state == "done"  # type: ignore[union-attr]
    assert rig.reports.get("day", "2026-03-11").state == "done_no_model"  # type: ignore[union-attr]
    assert len(rig.server.requests) == 1


def test_a_changed_day_is_made_anew_and_keeps_its_narrative_only_if_the_facts_are_the_same(rig: Rig) -> None:
    rig.full()
    rig.with_model()
    rig.server.answer(answer(*TRUE))
    rig.check()
    with rig.home.db.write() as w:
        bump_day(w, DAY)  # a late text: nothing that the narrative tells of
    assert rig.reports.get("day", DAY).stale  # type: ignore[union-attr]
    assert rig.check() == "1 report written"
    report = rig.reports.get("day", DAY)
    assert report is not None
    assert (report.state, report.stale, report.model, len(rig.server.requests)) == ("done", False, "tiny", 1)
    assert report.narrative
    assert "account by tiny" in report.markdown
    assert [event.asked for event in rig.made] == [False, True]  # it is news once
    rig.book.put(analysed(full_day()[3], "Tests of another thing", "Other module"))
    rig.server.always(status=500)
    rig.check()
    report = rig.reports.get("day", DAY)
    assert report is not None
    assert (report.state, report.narrative, report.model) == ("narrative_failed", None, "tiny")
    assert "Tests of another thing" in rig.text()


def test_an_older_day_that_changed_is_made_anew_without_being_asked(rig: Rig) -> None:
    rig.book.put(segment(900, "09:00", 60, "Earlier", day="2026-03-02"))
    rig.reports.make("day", "2026-03-02")
    rig.check()
    rig.book.put(segment(901, "12:00", 60, "Found later", day="2026-03-02"))
    rig.check()
    assert "Found later" in rig.text("2026-03-02")
    assert rig.reports.get("day", "2026-03-01") is None


def test_today_is_valid_for_ten_minutes_and_finished_the_next_day(rig: Rig) -> None:
    rig.now("10:00", DAY)
    rig.book.put(full_day()[1])
    rig.book.frames(20311)
    first = rig.reports.today()
    rig.clock.advance(9 * 60_000)
    rig.book.put(full_day()[3])
    assert rig.reports.today().markdown == first.markdown
    assert rig.check() == "up to date"
    rig.clock.advance(2 * 60_000)
    assert "Storage tests" in rig.reports.today().markdown
    rig.now("04:01")
    made = len(rig.made)
    rig.check()
    assert len(rig.made) == made + 1
    assert rig.check() == "up to date"


def test_a_day_to_come_and_words_that_are_no_day_are_refused(rig: Rig) -> None:
    for kind, key in (("day", "2026-03-14"), ("day", "soon"), ("week", "2026-W12"), ("week", "2026-W60")):
        with pytest.raises(InvalidInputError):
            rig.reports.make(kind, key)  # type: ignore[arg-type]
    assert rig.reports.make("week", "2026-W11").state == "empty_day"


def test_reports_switched_off_are_made_only_on_demand(rig: Rig) -> None:
    rig.full()
    rig.set(reports={"enabled": False})
    assert rig.check() == "off"
    rig.set(reports={"to_vault": False, "narrative": False})
    assert rig.check() == "1 report written"
    assert not rig.folder.exists()
    rig.with_model(narrative=False)
    assert rig.check() == "up to date"
    assert rig.server.requests == []
    rig.server.answer(answer(*TRUE))
    assert rig.reports.make("day", DAY, narrative=True).narrative


@pytest.mark.logs_warning("a report could not be passed on", "a sink of reports failed")
def test_a_file_that_cannot_be_written_does_not_lose_the_report(rig: Rig) -> None:
    rig.full()
    rig.sink.fault = RuntimeError("bug")
    report = rig.reports.make("day", DAY)
    assert report.file_error == "RuntimeError"
    assert report.markdown.strip() in rig.text()  # the other sink has it
    rig.sink.fault = StorageError("no", "space")
    assert rig.reports.make("day", DAY).file_error == "storage"
    rig.sink.fault = None
    assert rig.check() == "1 report written"
    assert rig.reports.get("day", DAY).file_error == ""  # type: ignore[union-attr]
    assert rig.sink.files[DAY]


def test_words_taken_out_of_a_report_while_its_file_is_written_are_not_in_the_file(rig: Rig) -> None:
    rig.full()
    put, blanked = rig.sink.put_report, []

    def put_report(kind: ReportKind, key: str, markdown: RedactedText) -> None:
        put(kind, key, markdown)
        if not blanked:
            with rig.home.db.write() as w:
                blanked.append(report_store.blank(w, "day", DAY, DAY))

    rig.sink.put_report = put_report  # type: ignore[method-assign]
    rig.reports.make("day", DAY)
    assert rig.sink.files[DAY].strip() == f"# {DAY}"
    assert rig.text().splitlines()[1:-1] == [f"# {DAY}"]


def test_figures_that_cannot_be_read_make_a_report_stale(rig: Rig) -> None:
    rig.full()
    made = rig.reports.make("day", DAY)
    with rig.home.db.write() as w:
        w.run("UPDATE reports SET statistics = :s", {"s": '{"start_ms": 1}'})
    kept = rig.reports.get("day", DAY)
    assert kept is not None
    assert (kept.stale, kept.statistics, kept.markdown) == (True, NOTHING, made.markdown)
    assert rig.reports.marks(DAY, DAY)[0].active_ms == 0
    assert rig.check() == "1 report written"
    assert rig.reports.get("day", DAY).statistics == made.statistics  # type: ignore[union-attr]


@pytest.mark.logs_warning("a report could not be made")
def test_a_day_that_cannot_be_told_is_a_report_that_failed_and_is_tried_again(rig: Rig) -> None:
    rig.full()

    def broken(day: str) -> None:
        raise ZeroDivisionError(day)

    rig.book.on_day = broken
    rig.check()
    report = rig.reports.get("day", DAY)
    assert report is not None
    assert (report.state, report.reason, report.tries) == ("failed", "ZeroDivisionError", 1)
    assert "*The report could not be made (ZeroDivisionError). It is tried again.*" in rig.text()
    rig.book.on_day = lambda _day: None
    assert rig.check() == "up to date"
    rig.clock.advance(15 * 60_000)
    assert rig.check() == "1 report written"
    assert rig.reports.get("day", DAY).state == "done_no_model"  # type: ignore[union-attr]


def test_a_delete_while_it_is_made_has_it_begun_anew(rig: Rig) -> None:
    rig.full()
    days: list[str] = []

    def deleted_meanwhile(day: str) -> None:
        days.append(day)
        if len(days) == 1:
            with rig.home.db.write() as w:
                set_generation(w, "other")

    rig.book.on_day = deleted_meanwhile
    assert rig.reports.make("day", DAY).state == "done_no_model"
    assert len(days) == 2

    def always(day: str) -> None:
        with rig.home.db.write() as w:
            set_generation(w, f"again {len(days)}")
        days.append(day)

    rig.book.on_day = always
    with pytest.raises(UnavailableError):
        rig.reports.make("day", DAY)


def test_a_delete_while_the_model_writes_does_not_ask_it_twice_for_the_same(rig: Rig) -> None:
    rig.full()
    rig.with_model()

    def slow(request: dict) -> str:
        with rig.home.db.write() as w:
            set_generation(w, f"during {len(rig.server.requests)}")
        return answer(*TRUE)(request)

    rig.server.answer(slow)
    assert rig.reports.make("day", DAY).state == "done"
    assert len(rig.server.requests) == 1


def test_deleted_words_leave_row_file_and_bytes_at_once(rig: Rig) -> None:
    rig.full()
    rig.book.put(segment(850, "19:00", 30, "unmistakable walrus"))
    path = rig.folder / f"{DAY}.md"
    rig.reports.make("day", DAY)
    path.write_text("my own walrus note\n\n" + rig.text(), encoding="utf-8")
    rig.reports.make("week", "2026-W11")
    assert rig.home.bytes_holding("unmistakable walrus")
    rig.book.remove(850)
    rig.home.events.publish(ActivityDeleted((1,), (DAY,)))
    for kind, key in (("day", DAY), ("week", "2026-W11")):
        report = rig.reports.get(kind, key)  # type: ignore[arg-type]
        assert report is not None
        assert report.markdown
        assert "unmistakable" not in report.markdown + str(report.statistics)
        assert not report.stale
    assert "unmistakable" not in rig.text()
    assert rig.text().startswith("my own walrus note\n")
    assert rig.home.db.truncate_wal()
    assert not rig.home.bytes_holding("unmistakable walrus")


def test_a_deleted_day_becomes_an_empty_one_and_its_file_keeps_only_the_users_text(rig: Rig) -> None:
    rig.full()
    rig.reports.make("day", DAY)
    path = rig.folder / f"{DAY}.md"
    path.write_text("mine\n" + rig.text(), encoding="utf-8")
    rig.book.remove(*[each.id for each in full_day()])
    bounds = activity_range(DAY, "Europe/Berlin")
    rig.home.events.publish(DayDeleted(DAY, bounds.start_ms, bounds.end_ms))
    report = rig.reports.get("day", DAY)
    assert report is not None
    assert report.state == "empty_day"
    assert rig.text() == "mine\n"
    assert rig.check() == "up to date"


def test_the_words_go_also_while_another_report_is_being_made(rig: Rig) -> None:
    rig.full()
    rig.reports.make("day", DAY)
    rig.with_model()

    def deletes(request: dict) -> str:
        rig.home.events.publish(ActivityDeleted((1,), (DAY,)))  # the lock is taken: blanked now, made by the next check
        return answer(*TRUE)(request)

    rig.server.answer(deletes)
    title = "Storage module (2 h 41 min) #57 09:10 11:21 The ferry – part 2 48 min"
    rig.book.put(segment(900, "09:00", 60, title, day="2026-03-11"))
    rig.reports.make("day", "2026-03-11")
    report = rig.reports.get("day", DAY)
    assert report is not None
    assert (report.stale, report.markdown) == (True, f"# {DAY} Thursday\n")
    assert not (rig.folder / f"{DAY}.md").exists()
    rig.server.always(answer(*TRUE))
    rig.check()
    assert "Storage module" in rig.text()


def test_a_real_delete_of_frames_reaches_the_report(rig: Rig) -> None:
    rig.full()
    rig.reports.make("day", DAY)
    rig.home.deletes.run(Selection.of_frames(20311))
    report = rig.reports.get("day", DAY)
    assert report is not None
    assert "biny://frame/20311" not in report.markdown


def test_every_link_leads_somewhere_and_dead_ones_are_the_word_deleted(rig: Rig) -> None:
    from biny_desktop.activity.reports.markdown import linked_ids

    rig.full()
    report = rig.reports.make("day", DAY)
    ids = linked_ids(report.markdown)
    assert ids["frame"] >= {20311, 20340, 20341}
    assert ids["segment"] <= set(rig.book.segments)
    assert {each.id for each in full_day() if not each.trivial and each.kind != "private"} <= ids["segment"]
    with rig.home.db.write() as w:
        w.run("DELETE FROM frame_text WHERE frame_id = 20340")
        w.run("DELETE FROM frames WHERE id = 20340")
    shown = rig.reports.get("day", DAY)
    assert shown is not None
    assert "A page of the write-ahead log was read twice [f20311](biny://frame/20311)" in shown.markdown
    assert "Mara asked for a test of the second read deleted, [f20341](biny://frame/20341)" in shown.markdown
    assert "biny://frame/20340" not in rig.reports.make("day", DAY).markdown


def test_a_calendar_and_an_export(rig: Rig) -> None:
    rig.full()
    rig.book.put(segment(900, "09:00", 60, "Earlier", day="2026-03-11"))
    rig.reports.make("week", "2026-W11")
    rig.reports.make("day", DAY)
    marks = rig.reports.marks("2026-03-09", "2026-03-31")
    assert [(mark.kind, mark.key, mark.state, mark.stale) for mark in marks] == [
        ("day", DAY, "done_no_model", False), ("week", "2026-W11", "done_no_model", False),
    ]  # fmt: skip
    assert marks[0].active_ms > 5 * 3_600_000
    assert rig.reports.marks("2026-03-10", "2026-03-11") == ()
    text = rig.reports.export("2026-03-01", "2026-03-31", "md")
    assert text.index("# 2026-03-11 ") < text.index("# 2026-03-12 ") < text.index("# 2026-W11 ")
    told = json.loads(rig.reports.export("2026-03-09", "2026-03-12", "json"))["reports"]
    assert [(each["kind"], each["key"]) for each in told] == [("day", "2026-03-11"), ("day", DAY), ("week", "2026-W11")]
    assert told[1]["statistics"]["segments"] == 14
    with pytest.raises(InvalidInputError):
        rig.reports.export("2026-03-12", "2026-03-11", "md")


def test_a_check_that_may_not_go_on_stops(rig: Rig) -> None:
    rig.full()
    assert rig.reports.check(lambda: False) == ""
    assert rig.made == []
