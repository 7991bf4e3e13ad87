"""Filters of a search of messages as they are written."""

import pytest

from biny_desktop.conversation.project_store import Project
from biny_desktop.conversation.search.model import MessageFilters
from biny_desktop.core.clock import Stamp
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.service.message_filters import message_filters

NOW = Stamp(1_767_614_400_000, "UTC", 0, "boot")  # 2026-01-05 12:00
DAY_MS = 86_400_000
FIFTH_MS = 1_767_571_200_000
FOUR_H_MS = 4 * 3_600_000


def read(*pairs: tuple[str, str]) -> MessageFilters:
    projects = [Project("p1", "My boat", None, 1, 0)]
    return message_filters(pairs, NOW, "04:00", projects)


def test_days_are_activity_days_and_ranges_narrow_each_other() -> None:
    assert read(("on", "today")) == MessageFilters(from_ms=FIFTH_MS + FOUR_H_MS, to_ms=FIFTH_MS + FOUR_H_MS + DAY_MS)
    both = read(("after", "2026-01-01"), ("after", "2026-01-03"), ("before", "2026-01-04"))
    assert both.from_ms == FIFTH_MS - 2 * DAY_MS + FOUR_H_MS
    assert both.to_ms == FIFTH_MS - DAY_MS + FOUR_H_MS


def test_role_source_chat_and_project() -> None:
    found = read(("role", "User"), ("source", "import"), ("chat", "s1"), ("project", "my BOAT"))
    assert found == MessageFilters("s1", "p1", "user", "import")
    assert read(("project", "p1")).project_id == "p1"
    assert read(("project", "unknown")).project_id == "unknown"


def test_what_holds_beside_stays() -> None:
    assert message_filters([("role", "assistant")], NOW, "04:00", (), MessageFilters(all_versions=True)) == (
        MessageFilters(role="assistant", all_versions=True)
    )


@pytest.mark.parametrize("pair", [("on", "soon"), ("after", "99999999d"), ("role", "tool"), ("app", "code")])
def test_a_filter_that_means_nothing_is_said_so(pair: tuple[str, str]) -> None:
    with pytest.raises(InvalidInputError):
        read(pair)
