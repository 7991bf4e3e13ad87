"""Titles by rule."""

import pytest

from biny_desktop.activity.segments.titles import without_app


@pytest.mark.parametrize(
    ("title", "app", "left"),
    [
        ("notes.txt – Editor", "Editor", "notes.txt"),
        ("Fix the timetable · Pull request #57 — Mozilla Firefox", "Firefox", "Fix the timetable · Pull request #57"),
        ("码头维修报价.ods – 表格", "表格", "码头维修报价.ods"),
        ("Mail", "Mail", ""),
        ("Editor – notes.txt", "Editor", "Editor – notes.txt"),
        ("plain", "", "plain"),
        ("", "Editor", ""),
    ],
)
def test_the_app_is_not_named_twice(title: str, app: str, left: str) -> None:
    assert without_app(title, app) == left
