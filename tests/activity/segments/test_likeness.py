"""Words of titles and names of projects."""

import pytest

from biny_desktop.activity.segments.likeness import alike, project_words, title_words


@pytest.mark.parametrize(
    ("title", "url", "found"),
    [
        ("storage.py - biny - Visual Code", "", {"storage.py", "biny"}),
        ("me@host: ~/work/biny/docs", "", {"work", "biny", "docs"}),
        ("Pull request 12", "https://code.example/owner/biny/pull/12", {"owner", "biny", "pull"}),
        ("Inbox - Mail", "", set()), ("", "", set()), ("2026", "", set()),
    ],
)  # fmt: skip
def test_names_that_tell_a_project(title: str, url: str, found: set[str]) -> None:
    names = project_words(title, url, "Visual Code")
    assert found <= names
    assert not names & {"inbox", "2026", "visual", "code"}


def test_title_words_leave_the_app_out_and_cut_cjk_in_pairs() -> None:
    assert title_words("Notes – Editor", "Editor") == {"notes"}
    assert title_words("预算草稿", "") == {"预算", "算草", "草稿", "稿"}


def test_alike_is_a_quarter_in_common() -> None:
    assert alike(frozenset("abcd"), frozenset("d"))
    assert not alike(frozenset("abcde"), frozenset("e"))
    assert not alike(frozenset(), frozenset("a"))
