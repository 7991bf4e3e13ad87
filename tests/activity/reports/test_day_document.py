"""The Markdown of a day and a week: what is told, in which order, and how it reads."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.activity.reports.draft import draft, markdown_of
from biny_desktop.activity.reports.markdown import linked_ids
from biny_desktop.activity.reports.skeleton import CHARS_MAX, LINES_MAX
from biny_desktop.core.i18n import use_language
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock
from tests.fakes.report_days import (
    CODE,
    DAY,
    WEB,
    DayBook,
    analysed,
    at,
    full_day,
    highlight,
    private,
    segment,
    watching,
)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[DayBook]:
    home = ActivityHome(tmp_path / "data", FakeClock(at("10:00"), "Europe/Berlin"))
    yield DayBook(home)
    home.close()


def told(book: DayBook, key: str = DAY) -> str:
    return markdown_of(draft(book.home.db, book, "week" if "W" in key else "day", key), key)


def test_the_whole_day(book: DayBook) -> None:
    book.put(*full_day())
    text = told(book)
    assert text.startswith(
        "# 2026-03-12 Thursday\n\nActive 5 h 45 min, [09:04](biny://segment/801)–[18:37](biny://segment/815) · "
        "14 activities · 8 apps · 48 min watching · 2 h 48 min away · 12 min private · no account by a model\n\n"
        "## Storage module (2 h 41 min)\n\n"
        "- 09:10–10:02 [Page cache of the storage module](biny://segment/802) · 52 min · Visual Studio Code, Terminal\n"
        "  - A page of the write-ahead log was read twice [f20311](biny://frame/20311)\n"
    )
    assert "  - Runs the tests of the storage module until all 48 pass. [↗](biny://segment/804)\n" in text
    assert "- Mentioned: [#812](biny://segment/802)\n" in text
    assert "  - Note: [Ask Jonas about the crane](biny://segment/808)\n" in text
    assert "## Other (1 h 47 min)\n\n- 10:02–10:04 [Weather in Lübeck](biny://segment/803) · 2 min · Firefox\n" in text
    assert "| App | Time |\n| --- | ---: |\n| [Firefox](biny://segment/805) | 1 h 46 min |\n" in text
    assert "- [12:22](biny://segment/808)–[13:09](biny://segment/809) · 47 min away\n" in text
    assert "## Not analysed: 2 (pending 1, failed 1: it took too long)\n\n- pending 1: [14:00](biny://seg" in text
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Storage module (2 h 41 min)", "## Timetable (1 h 03 min)", "## Council minutes – north quay (38 min)",
        "## Inbox – mara\\@harbour.example (23 min)", "## Other (1 h 47 min)", "## Apps", "## Gaps",
        "## Not analysed: 2 (pending 1, failed 1: it took too long)",
    ]  # fmt: skip


def test_every_line_that_states_something_holds_a_link(book: DayBook) -> None:
    book.put(*full_day())
    book.frames(20311)
    for key in (DAY, "2026-W11"):
        for line in told(book, key).splitlines():
            if line.startswith(("- ", "  - ", "Active", "| [")) or (line.startswith("|") and "min" in line):
                assert "](biny://" in line, line


def test_private_time_is_a_sum_and_nothing_else(book: DayBook) -> None:
    book.put(segment(1, "09:00", 30, "Letter"), replace(private(2, "09:40", 12), title="my bank", note="secret"))
    text = told(book)
    assert "12 min private" in text
    assert "my bank" not in text
    assert "secret" not in text
    book.put(replace(segment(1, "09:00", 30, "Letter"), kind="private", private_ms=1_800_000, active_ms=0, apps=()))
    assert told(book).startswith("# 2026-03-12 Thursday\n\n[09:00](biny://segment/1)–[09:52](biny://segment/2) · 2 act")


def test_a_short_day_reads_well(book: DayBook) -> None:
    book.put(segment(1, "09:00", 20, "Letter", CODE))
    assert told(book).split("## Apps")[0] == (
        "# 2026-03-12 Thursday\n\nActive 20 min, [09:00](biny://segment/1)–[09:20](biny://segment/1) · 1 activity "
        "· 1 app · made without a model\n\n## Activities (20 min)\n\n"
        "- 09:00–09:20 [Letter](biny://segment/1) · 20 min · Visual Studio Code\n\n"
    )


def test_a_long_group_is_told_by_its_longest_and_a_tail_with_links(book: DayBook) -> None:
    for n in range(1, 41):
        made = segment(n, f"{8 + n // 4:02d}:{n % 4 * 15:02d}", 1 + n % 10, f"t{n}")
        book.put(analysed(made, f"Step {n}", "Big"))
    text = told(book)
    section = text.split("## Big")[1].split("## Apps")[0]
    assert section.count("\n- ") == 9
    assert re.search(r"\n- and 32 shorter ones \(2 h 24 min\): \[08:15\]\(biny://segment/1\), .* …\n", section)
    starts = re.findall(r"\n- (\d\d:\d\d)–", section)
    assert starts == sorted(starts)
    assert len(text) < 6_000


def test_a_thousand_segments_make_a_report_of_a_readable_length(book: DayBook) -> None:
    subjects = ["alpha", "beta", "gamma", "delta", "epsilon"]
    titles = [f"{subjects[n % 5]} {n} {chr(97 + n % 26) * 5}" for n in range(1_000)]
    book.put(
        *(segment(n + 1, f"{(4 + n // 60) % 24:02d}:{n % 60:02d}", 0.9, title, WEB) for n, title in enumerate(titles))
    )
    found = draft(book.home.db, book, "day", DAY)
    assert found.statistics.segments == 1_000
    assert len(markdown_of(found, DAY)) < 30_000
    assert len(found.skeleton.facts) <= LINES_MAX
    assert len(found.skeleton.text) <= CHARS_MAX


def test_times_are_those_of_each_segments_zone(book: DayBook) -> None:
    book.put(
        segment(1, "09:00", 30, "Berlin"),
        replace(segment(2, "20:00", 30, "Tokyo"), zone="Asia/Tokyo"),
    )
    text = told(book)
    assert "09:00–09:30 [Berlin]" in text
    assert "04:00–04:30 [Tokyo]" in text  # 20:00 in Berlin


def test_an_open_segment_ends_now_and_watching_is_said(book: DayBook) -> None:
    book.put(watching(1, "09:00", 30, "Film"), segment(2, "10:00", 5, "Mail", open=True))
    text = told(book)
    assert "09:00–09:30 [Film](biny://segment/1) · 30 min · VLC · watching" in text
    assert "10:00–now [Mail](biny://segment/2)" in text


def test_a_highlight_whose_sources_are_gone_says_so(book: DayBook) -> None:
    book.put(analysed(segment(1, "09:00", 30, "x"), "Work", highlights=(highlight("It was done"),)))
    assert "  - It was done [source deleted](biny://segment/1)" in told(book)


def test_poison_titles_make_no_line_of_their_own(book: DayBook) -> None:
    bad = "- x](biny://frame/9)\n# Big\n| a | <b> `c` [y](http://evil.example)"
    book.put(
        analysed(segment(1, "09:00", 70, bad), bad, bad, highlights=(highlight(bad, 3),), description=bad,
                 entities={"prs": ("#1 [x](http://a)",)}),
        replace(segment(2, "11:00", 70, bad, ("x", bad)), note=bad, status="failed", reason=bad),
    )  # fmt: skip
    for key in (DAY, "2026-W11"):
        text = told(book, key)
        assert linked_ids(text) == {"segment": {1, 2}, "frame": {3} if key == DAY else set()}
        assert "# Big" not in [line[:5] for line in text.splitlines()]
        assert not re.search(r"(?<!\\)<b>|(?<!\\)\[y|http://", text)


def test_what_the_recorder_did_is_one_line(book: DayBook) -> None:
    book.home.clock.set_wall(at("09:05"))
    book.put(segment(1, "09:00", 20, "Letter"))
    first = book.home.seen("mail", "card 4111 1111 1111 1111, mail mara@harbour.example")
    for _ in range(3):
        book.home.note("skip", "same_exact")
    book.home.note("private", "private_app")
    line = told(book).rstrip().splitlines()[-1]
    assert re.fullmatch(
        rf"- \[1 frame kept\]\(biny://frame/{first}\) · 1 read · 4 not kept \(3 unchanged\) · "
        r"2 secrets hidden \(card number 1, mail address 1\) · 1 picture, \d+ KB", line
    )  # fmt: skip


def test_a_week_tells_its_days_subjects_and_longest_stretches(book: DayBook) -> None:
    book.put(*full_day(), segment(900, "10:00", 100, "Timetable", CODE, day="2026-03-10"))
    text = told(book, "2026-W11")
    assert text.startswith(
        "# 2026-W11 (2026-03-09 to 2026-03-15)\n\nActive 7 h 25 min on 2 days, [2026-03-10](biny://segment/900)–"
        "[2026-03-12](biny://segment/815) · 15 activities · 8 apps"
    )
    assert (
        "- [Tuesday 2026-03-10](biny://report/2026-03-10) · 1 h 40 min · 1 activity, most of it [Timetable](biny://segment/900)\n"
        "- [Thursday 2026-03-12](biny://report/2026-03-12) · 5 h 45 min · 14 activities, most of it [Storage module]"
    ) in text
    assert "- Timetable · 2 h 43 min · [2026-03-10](biny://segment/900), [2026-03-12](biny://segment/811)\n" in text
    assert "- 2026-03-10 10:00–11:40 [Timetable](biny://segment/900) · 1 h 40 min · Visual Studio Code\n" in text


def test_the_language_changes_words_and_the_hash_but_no_date(book: DayBook) -> None:
    book.put(*full_day())
    english = draft(book.home.db, book, "day", DAY)
    use_language("zh_CN")
    try:
        chinese = draft(book.home.db, book, "day", DAY)
        text = markdown_of(chinese, DAY)
    finally:
        use_language("en")
    assert "星期四" in text
    assert text.startswith("# 2026-03-12 ")
    assert "活跃 5 小时 45 分钟，[09:04](biny://segment/801)–" in text
    assert "## Storage module（2 小时 41 分钟）" in text
    assert not [glue for glue in (", ", ": ", " (") if glue in text.replace("---: |", "")]
    assert chinese.skeleton.hash != english.skeleton.hash
    assert draft(book.home.db, book, "day", DAY).skeleton.hash == english.skeleton.hash


def test_two_drafts_of_the_same_rows_are_the_same(book: DayBook) -> None:
    book.put(*full_day())
    assert told(book) == told(book)
