"""The user's privacy rules in the database."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.capture.rules_store import (
    StoredRules,
    add_rule,
    change_rule,
    delete_rule,
    disabled_builtins,
    set_builtin,
    user_rules,
)
from biny_desktop.capture.user_rules import UserRule
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.migrate import migrate
from tests.fakes.capture import make_window
from tests.fakes.clock import FakeClock

RULE = UserRule(0, "diary", "title", "contains", "diary", "placeholder")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    tmp_path.chmod(0o700)
    database = open_database(tmp_path / "biny.db", None)
    migrate(database)
    yield database
    database.close()


def test_rules_are_added_changed_and_deleted(db: Database) -> None:
    first = add_rule(db, RULE, 1)
    second = add_rule(db, replace(RULE, name="工资", match="regex", pattern="工资.*", action="no_trace"), 2)
    assert [each.rule.name for each in user_rules(db)] == ["diary", "工资"]
    change_rule(db, replace(first.rule, enabled=False), 1, 3)
    change_rule(db, replace(first.rule, enabled=False), 2, 4)
    stored = user_rules(db)[0]
    assert (stored.rule.enabled, stored.revision) == (False, 2), "the same again changes nothing"
    delete_rule(db, second.rule.id, 1)
    assert [each.rule.id for each in user_rules(db)] == [first.rule.id]


def test_a_stale_or_missing_rule_is_not_written_over(db: Database) -> None:
    stored = add_rule(db, RULE, 1)
    with pytest.raises(StaleRevisionError):
        change_rule(db, replace(stored.rule, name="x"), 9, 2)
    with pytest.raises(StaleRevisionError):
        delete_rule(db, stored.rule.id, 9)
    with pytest.raises(NotFoundError):
        delete_rule(db, 99, 1)
    assert user_rules(db) == [stored]


def test_a_bad_regex_is_refused_when_saved(db: Database) -> None:
    with pytest.raises(InvalidInputError):
        add_rule(db, replace(RULE, match="regex", pattern="(a+)+"), 1)
    stored = add_rule(db, RULE, 1)
    with pytest.raises(InvalidInputError):
        change_rule(db, replace(stored.rule, match="regex", pattern="("), 1, 2)
    assert user_rules(db) == [stored]


def test_built_in_rules_are_switched_off_and_on(db: Database) -> None:
    set_builtin(db, "product:keepass", 1, enabled=False)
    set_builtin(db, "product:keepass", 2, enabled=False)
    assert disabled_builtins(db) == {"product:keepass"}
    assert user_rules(db) == []
    set_builtin(db, "product:keepass", 3, enabled=True)
    assert disabled_builtins(db) == frozenset()
    with pytest.raises(InvalidInputError):
        set_builtin(db, "product:nothing", 4, enabled=False)


def test_the_book_follows_the_database_within_a_second(db: Database) -> None:
    clock = FakeClock()
    rules = StoredRules(db, clock)
    book = rules.book()
    assert book.judge(make_window("editor", "my diary")).outcome == "ok"
    stored = add_rule(db, RULE, 1)
    assert rules.book() is book
    clock.advance(1_000)
    fresh = rules.book()
    verdict = fresh.judge(make_window("editor", "my diary"))
    assert verdict.rule == f"user:{stored.rule.id}"
    clock.advance(1_000)
    assert rules.book() is fresh, "nothing changed, so the same book and the same epoch"
    rules.hit(str(verdict.rule))
    rules.hit("product:keepass")
    assert [(each.hits, each.last_hit_ms) for each in user_rules(db)] == [(1, clock.now_ms())]
    clock.advance(1_000)
    assert rules.book() is fresh, "a hit is no change of a rule"
