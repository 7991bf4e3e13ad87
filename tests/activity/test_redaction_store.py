"""The user's patterns, and counts of what was hidden and of private time."""

from dataclasses import replace

import pytest

from biny_desktop.activity import redaction_store as store
from biny_desktop.activity.redaction_store import Pattern, PrivateTime
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from tests.fakes.activity import ActivityHome


def test_patterns_are_added_changed_and_deleted_by_revision(home: ActivityHome) -> None:
    made = store.add_pattern(home.db, " Order numbers ", r"AB-\d{5}", 1)
    assert made == Pattern(1, "Order numbers", r"AB-\d{5}", True, 1)
    store.change_pattern(home.db, replace(made, enabled=False), 2)
    store.change_pattern(home.db, replace(made, enabled=False, revision=2), 3)
    assert store.patterns(home.db) == [replace(made, enabled=False, revision=2)]
    with pytest.raises(StaleRevisionError):
        store.change_pattern(home.db, replace(made, name="other"), 4)
    with pytest.raises(StaleRevisionError):
        store.delete_pattern(home.db, made.id, 1)
    store.delete_pattern(home.db, made.id, 2)
    assert store.patterns(home.db) == []
    with pytest.raises(NotFoundError):
        store.delete_pattern(home.db, made.id, 2)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [("", "x"), ("n" * 101, "x"), ("n", ""), ("n", "x" * 201), ("n", "(a+)+"), ("n", "("), ("n", "a*")],
)
def test_what_cannot_be_used_is_refused(home: ActivityHome, name: str, pattern: str) -> None:
    with pytest.raises(InvalidInputError):
        store.add_pattern(home.db, name, pattern, 1)
    assert store.patterns(home.db) == []


def test_hidden_secrets_are_counted_by_time_and_type(home: ActivityHome) -> None:
    start = home.clock.now_ms()
    home.seen("t", "card 4111 1111 1111 1111", "mail me@example.org")
    home.clock.advance(3_600_000)
    home.seen("me@example.org", "nothing")
    with home.db.read() as r:
        rows = store.hidden_by_quarter(r, start, home.clock.now_ms() + 1)
        assert store.hidden_by_quarter(r, 0, start) == []
    assert [(row.at_ms - start, row.type, row.count) for row in rows] == [
        (0, "card", 1), (0, "email", 1), (3_600_000, "email", 1),
    ]  # fmt: skip


def test_private_time_is_summed_by_reason(home: ActivityHome) -> None:
    start = home.clock.now_ms()
    for reason, length in (("private_app", 4_000), ("user_rule", 60_000), ("private_app", 3_000)):
        home.note("private", reason, count=2, until_ms=home.clock.now_ms() + length)
        home.clock.advance(120_000)
    with home.db.read() as r:
        found = store.private_time(r, start, home.clock.now_ms())
    assert found == [PrivateTime("user_rule", 1, 2, 60_000), PrivateTime("private_app", 2, 4, 7_000)]
