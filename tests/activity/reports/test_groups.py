"""Segments of one subject come together; order and names are the same each time."""

import random

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.activity.reports.groups import grouped, plain_title, shown
from tests.fakes.report_days import CODE, MAIL, TERM, WEB, analysed, full_day, private, segment


def names(segments) -> list[tuple[str, list[int]]]:
    return [(group.name, [each.id for each in group.segments]) for group in grouped(shown(segments))]


def test_groups_of_a_day() -> None:
    assert names(full_day()) == [
        ("Storage module", [802, 804, 805, 812]),
        ("Timetable", [811]),
        ("The ferry – part 2", [814]),
        ("码头维修报价", [809]),
        ("Council minutes – north quay", [808]),
        ("Inbox – mara@harbour.example", [801, 815]),
        ("Team chat", [806]),
        ("", [803, 810]),
    ]


def test_projects_that_differ_in_case_are_one_and_spelled_as_most() -> None:
    one = analysed(segment(1, "09:00", 10, "a"), "One", "biny desktop")
    two = analysed(segment(2, "10:00", 30, "b"), "Two", "Biny Desktop ")
    assert names([one, two]) == [("Biny Desktop", [1, 2])]


def test_the_app_is_no_common_subject() -> None:
    assert len(names([segment(1, "09:00", 10, "vim", TERM), segment(2, "10:00", 10, "make", TERM)])) == 2
    assert plain_title(segment(1, "09:00", 5, "storage.py - biny - Visual Studio Code", CODE)) == "storage.py - biny"
    assert plain_title(segment(1, "09:00", 5, "News — Mozilla Firefox", WEB)) == "News"
    assert plain_title(segment(1, "09:00", 5, "Firefox", WEB)) == "Firefox"


def test_numbers_come_first_and_keep_a_short_one_out_of_other() -> None:
    short = segment(2, "11:00", 1, "Crash on start · Issue #41", WEB)
    found = grouped([segment(1, "09:00", 90, "Timetable", CODE), short])
    assert [(group.name, group.numbers) for group in found] == [
        ("Crash on start · Issue #41", ("#41",)), ("Timetable", ()),
    ]  # fmt: skip


def test_chinese_titles_are_compared_by_pairs_of_characters() -> None:
    one, two = segment(1, "09:00", 10, "码头维修报价单", MAIL), segment(2, "10:00", 9, "码头维修合同", MAIL)
    assert names([one, two, segment(3, "11:00", 9, "今天的天气", MAIL)]) == [
        ("码头维修报价单", [1, 2]), ("今天的天气", [3]),
    ]  # fmt: skip


def test_private_hidden_and_trivial_time_is_in_no_group() -> None:
    hidden, trivial = segment(2, "10:00", 9, "x", hidden=True), segment(3, "11:00", 9, "y", trivial=True)
    assert names([private(1, "09:00", 30), hidden, trivial]) == []


@given(st.randoms(use_true_random=False))
def test_the_order_in_which_they_come_does_not_matter(chance: random.Random) -> None:
    day = full_day()
    mixed = list(day)
    chance.shuffle(mixed)
    assert names(mixed) == names(day)


def test_a_thousand_segments_are_all_told_once() -> None:
    chance = random.Random(1)
    words = [f"word{n}" for n in range(300)]
    titles = ["shared " + " ".join(chance.sample(words, 5)) for _ in range(1_000)]
    many = [
        segment(n + 1, f"{4 + n // 60 % 20:02d}:{n % 60:02d}", 1 + n % 7, title, WEB) for n, title in enumerate(titles)
    ]
    groups = grouped(many)
    assert sum(len(group.segments) for group in groups) == 1_000
    assert names(many) == names(list(reversed(many)))


def test_a_project_that_stands_in_a_title_takes_it_in() -> None:
    work = analysed(segment(1, "09:00", 30, "x"), "Page cache", "Harbour")
    found = names([work, segment(2, "10:00", 20, "storage.py – harbour"), segment(3, "11:00", 20, "harbour walk")])
    assert found == [("Harbour", [1, 2]), ("harbour walk", [3])]


def test_a_group_without_a_project_is_called_what_most_of_its_titles_say() -> None:
    one, two = segment(1, "09:00", 30, "storage.py – harbour"), segment(2, "10:00", 29, "timetable.py – harbour")
    assert names([one, two]) == [("harbour", [1, 2])]
    assert names([one, segment(2, "10:00", 10, "timetable.py – harbour")]) == [("storage.py – harbour", [1, 2])]
