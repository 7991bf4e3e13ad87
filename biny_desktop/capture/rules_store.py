"""The table `privacy_rules`: the user's rules, and which built-in ones are off (spec 02 §3.8, §9)."""

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from biny_desktop.capture.ports import TextVerdict
from biny_desktop.capture.rules import RuleBook, builtins
from biny_desktop.capture.user_rules import Action, Match, Target, UserRule, checked
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError, StorageError
from biny_desktop.storage.database import Database, Writer
from biny_desktop.storage.rows import Params, Row

FRESH_MS = 1_000
"""Rules are read again after this long; another process may have changed them (monotonic ms)."""

_COLUMNS = "id, name, target, match, pattern, action, enabled, hits, last_hit_at, revision"


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A user's rule with its counters; `last_hit_ms` UTC, None = never; `revision` to change or delete it."""

    rule: UserRule
    hits: int
    last_hit_ms: int | None
    revision: int


def user_rules(db: Database) -> list[StoredRule]:
    """The user's rules, in their order."""
    with db.read() as r:
        rows = r.query(f"SELECT {_COLUMNS} FROM privacy_rules WHERE builtin IS NULL ORDER BY id")
    return [_stored(row) for row in rows]


def add_rule(db: Database, rule: UserRule, now_ms: int) -> StoredRule:
    """Store a new rule; its `id` is given here.

    Raises:
        InvalidInputError: the rule cannot be used (a bad regex is refused here, not when it matters).
    """
    good = checked(rule)
    with db.write() as w:
        rule_id = w.insert(
            "INSERT INTO privacy_rules(name, target, match, pattern, action, enabled, created_at, updated_at) "
            "VALUES(:name, :target, :match, :pattern, :action, :enabled, :now, :now)",
            {**_values(good), "now": now_ms},
        )
    return StoredRule(replace(good, id=rule_id), 0, None, 1)


def change_rule(db: Database, rule: UserRule, revision: int, now_ms: int) -> None:
    """Change a rule that was seen at `revision`; one that is the same already is left alone.

    Raises:
        InvalidInputError, StaleRevisionError, NotFoundError: nothing was changed.
    """
    good = checked(rule)
    with db.write() as w:
        if _seen(w, rule.id, revision).rule == good:
            return
        w.run(
            "UPDATE privacy_rules SET name = :name, target = :target, match = :match, pattern = :pattern, "
            "action = :action, enabled = :enabled, revision = revision + 1, updated_at = :now WHERE id = :id",
            {**_values(good), "now": now_ms, "id": rule.id},
        )


def delete_rule(db: Database, rule_id: int, revision: int) -> None:
    """Delete a rule that was seen at `revision`.

    Raises:
        StaleRevisionError, NotFoundError: nothing was deleted.
    """
    with db.write() as w:
        _seen(w, rule_id, revision)
        w.run("DELETE FROM privacy_rules WHERE id = :id", {"id": rule_id})


def disabled_builtins(db: Database) -> frozenset[str]:
    """The ids of the built-in rules that the user switched off."""
    with db.read() as r:
        rows = r.query("SELECT builtin FROM privacy_rules WHERE builtin IS NOT NULL AND enabled = 0")
    return frozenset(row.text("builtin") for row in rows)


def set_builtin(db: Database, builtin_id: str, now_ms: int, *, enabled: bool) -> None:
    """Switch a built-in rule on or off.

    Raises:
        InvalidInputError: there is no such rule.
    """
    names = {each.id: each.name for each in builtins()}
    if builtin_id not in names:
        raise InvalidInputError("No such rule", f"There is no built-in privacy rule {builtin_id!r}.")
    with db.write() as w:
        w.run(
            "INSERT INTO privacy_rules(name, target, match, pattern, action, enabled, builtin, created_at, updated_at) "
            "VALUES(:name, 'app', 'exact', '', 'placeholder', :enabled, :builtin, :now, :now) "
            "ON CONFLICT(builtin) WHERE builtin IS NOT NULL DO UPDATE SET enabled = :enabled, "
            "revision = revision + 1, updated_at = :now WHERE enabled <> :enabled",
            {"name": names[builtin_id], "enabled": int(enabled), "builtin": builtin_id, "now": now_ms},
        )


class StoredRules:
    """The rules of the database, kept for a second; for one thread (the recorder's)."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._book: RuleBook | None = None
        self._read_ms = 0

    def book(self) -> RuleBook:
        """The rules of this moment. When they cannot be read, those of before go on.

        Raises:
            StorageError: they could not be read even once.
        """
        now_ms = self._clock.mono_ms()
        if self._book is not None and now_ms - self._read_ms < FRESH_MS:
            return self._book
        self._read_ms = now_ms
        try:
            fresh = RuleBook([each.rule for each in user_rules(self._db)], disabled_builtins(self._db))
        except StorageError:
            if self._book is None:
                raise
            return self._book
        if self._book is None or fresh.revision != self._book.revision:
            self._book = fresh
        return self._book

    def hit(self, rule_id: str) -> None:
        """Count a hit of a user's rule (`user:7`); others have no counter. A full disk loses the count, no more."""
        kind, _, number = rule_id.partition(":")
        if kind != "user":
            return
        with contextlib.suppress(StorageError), self._db.write() as w:
            w.run(
                "UPDATE privacy_rules SET hits = hits + 1, last_hit_at = :now WHERE id = :id",
                {"now": self._clock.now_ms(), "id": int(number)},
            )


class StoredTextRules:
    """`TextScreen` over the rules of the database; from any thread."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._rules = StoredRules(db, clock)
        self._lock = threading.Lock()

    def wants_text(self) -> bool:
        """Whether a text rule is on. Raises StorageError when the rules could never be read."""
        with self._lock:
            return self._rules.book().wants_text()

    def wants_paint(self) -> bool:
        """Whether a text rule masks lines. Raises StorageError when the rules could never be read."""
        with self._lock:
            return self._rules.book().wants_paint()

    def judge_text(self, lines: Sequence[str]) -> TextVerdict:
        """What the rules say about these raw lines; hits are counted."""
        with self._lock:
            verdict = self._rules.book().judge_text(lines)
            for rule in (*([verdict.rule] if verdict.rule else ()), *verdict.masks):
                self._rules.hit(rule)
            return verdict


def _seen(w: Writer, rule_id: int, revision: int) -> StoredRule:
    row = w.one(f"SELECT {_COLUMNS} FROM privacy_rules WHERE id = :id AND builtin IS NULL", {"id": rule_id})
    if row is None:
        raise NotFoundError("The rule is gone", "It was deleted meanwhile.")
    stored = _stored(row)
    if stored.revision != revision:
        raise StaleRevisionError("The rule was changed meanwhile", "Nothing was saved.", "Look at it and try again.")
    return stored


def _stored(row: Row) -> StoredRule:
    target, match, action = row.text("target"), row.text("match"), row.text("action")
    assert target in get_args(Target)
    assert match in get_args(Match)
    assert action in get_args(Action)
    rule = UserRule(
        id=row.int("id"),
        name=row.text("name"),
        target=cast(Target, target),
        match=cast(Match, match),
        pattern=row.text("pattern"),
        action=cast(Action, action),
        enabled=row.flag("enabled"),
    )
    return StoredRule(rule, row.int("hits"), row.maybe_int("last_hit_at"), row.int("revision"))


def _values(rule: UserRule) -> Params:
    return {
        "name": rule.name, "target": rule.target, "match": rule.match, "pattern": rule.pattern, "action": rule.action,
        "enabled": int(rule.enabled),
    }  # fmt: skip
