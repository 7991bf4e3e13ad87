"""Which apps alternate."""

import pytest

from biny_desktop.activity.segments.fronts import Alternations, Front, find_visits

BACK = 120


def alternations(*apps: tuple[str, int]) -> Alternations:
    """Apps in front one after the other, each with its length."""
    fronts, at = [], 0
    for app, length in apps:
        fronts.append(Front(at, at + length, app, app, "", ""))
        at += length
    return Alternations(find_visits(fronts), BACK)


@pytest.mark.parametrize(
    ("apps", "seen"),
    [
        ([("a", 40), ("b", 40), ("a", 40), ("b", 40)], True),
        ([("a", 40), ("b", 40), ("c", 40), ("a", 40), ("b", 40)], True),
        ([("a", 40), ("b", 40), ("a", 40)], False), ([("a", 40), ("b", 121), ("a", 40), ("b", 40)], False),
        ([("a", 40), ("b", 40), ("a", 121), ("b", 40)], False),
    ],
)  # fmt: skip
def test_a_pair_alternates_when_each_came_back_in_time(apps: list[tuple[str, int]], seen: bool) -> None:
    assert alternations(*apps).seen("a", "b", 0, 1_000) is seen
    assert alternations(*apps).seen("b", "a", 0, 1_000) is seen


def test_it_is_asked_for_a_time() -> None:
    pairs = alternations(("a", 40), ("b", 40), ("a", 40), ("b", 40))
    assert not pairs.seen("a", "b", 121, 1_000)
    assert not pairs.seen("a", "b", 0, 119)


def test_one_app_with_several_titles_is_one_visit_and_a_hole_does_not_end_it() -> None:
    fronts = [Front(0, 10, "a", "a", "x", ""), Front(10, 20, "a", "a", "y", ""), Front(30, 50, "a", "a", "y", "")]
    visits = find_visits([*fronts, Front(50, 60, "b", "b", "", "")])
    assert [(each.start, each.end, each.until, each.again) for each in visits] == [
        (0, 20, 50, False), (30, 50, 50, True), (50, 60, 60, False),
    ]  # fmt: skip
