"""When another app is another activity, and when it belongs to the same one (spec 03 §2 rules 5 to 8)."""

import pytest

from tests.activity.segments.cutting import made
from tests.fakes.rows import MINUTE, SECOND, Script


def morning() -> Script:
    return Script.at("2026-03-12 09:00").focus("editor", "storage.py - biny").work(30 * MINUTE)


def cuts(script: Script) -> int:
    return len(made(script.wait(10 * MINUTE)).drafts)


def test_an_unrelated_app_cuts_after_three_minutes_and_not_before() -> None:
    assert cuts(morning().focus("video", "Cats at play").work(2 * MINUTE + 55 * SECOND)) == 1
    assert cuts(morning().focus("video", "Cats at play").work(4 * MINUTE)) == 2


@pytest.mark.parametrize(
    ("app", "title"),
    [
        ("browser", "Pull request 12 at main · owner/biny"), ("terminal", "me@host: ~/work/biny"),
        ("files", "biny"), ("viewer", "storage.py"),
    ],
)  # fmt: skip
def test_the_same_project_goes_on_in_another_app(app: str, title: str) -> None:
    assert cuts(morning().focus(app, title).work(10 * MINUTE)) == 1


def test_titles_with_words_in_common_go_on() -> None:
    script = Script.at("2026-03-12 09:00").focus("editor", "Plan for the autumn concert").work(30 * MINUTE)
    assert cuts(script.focus("mail", "Re: autumn concert programme").work(10 * MINUTE)) == 1
    chinese = Script.at("2026-03-12 09:00").focus("editor", "讨论预算草稿").work(30 * MINUTE)
    assert cuts(chinese.focus("mail", "预算草稿").work(10 * MINUTE)) == 1


def test_words_of_the_app_s_own_name_connect_nothing() -> None:
    script = Script.at("2026-03-12 09:00").focus("office suite", "Letter - Office Suite").work(30 * MINUTE)
    assert cuts(script.focus("office suite two", "Sums - Office Suite Two").work(10 * MINUTE)) == 2


def test_an_app_with_a_fifth_of_the_time_belongs_to_it() -> None:
    script = morning()
    for _ in range(5):
        script.focus("chat").work(140 * SECOND).focus("editor", "storage.py - biny").work(150 * SECOND)
    assert cuts(script.focus("chat").work(10 * MINUTE)) == 1


def test_apps_that_alternate_stay_together_even_when_one_stays_longer() -> None:
    script = morning()
    for _ in range(2):
        script.focus("chat").work(SECOND * 30).focus("editor", "storage.py - biny").work(30 * SECOND)
    assert cuts(script.focus("chat").work(5 * MINUTE).focus("editor", "storage.py - biny").work(5 * MINUTE)) == 1


def test_a_pair_that_alternated_this_morning_belongs_together_in_the_afternoon_but_not_the_next_day() -> None:
    script = morning()
    for _ in range(3):
        script.focus("chat").work(30 * SECOND).focus("editor", "storage.py - biny").work(30 * SECOND)
    script.wait_until("2026-03-12 14:00").focus("editor", "storage.py - biny").work(30 * MINUTE)
    assert cuts(script.focus("chat").work(5 * MINUTE)) == 2
    script.wait_until("2026-03-13 09:00").focus("editor", "storage.py - biny").work(30 * MINUTE)
    assert cuts(script.focus("chat").work(5 * MINUTE)) == 4


def test_a_short_private_time_does_not_make_an_app_come_to_front_again() -> None:
    script = morning().focus("video", "Cats").work(2 * MINUTE).private(20 * SECOND).focus("video", "Cats")
    result = made(script.work(2 * MINUTE).wait(10 * MINUTE))
    assert [draft.close_reason for draft in result.drafts] == ["app_change", "no_input"]
    assert result.drafts[1].private_ms == 20 * SECOND


def test_the_cap_comes_before_a_change_that_is_decided_after_it() -> None:
    script = Script.at("2026-03-12 09:00").focus("editor").work(119 * MINUTE).focus("video").work(20 * MINUTE)
    result = made(script)
    assert [draft.close_reason for draft in result.drafts] == ["cap", ""]
