"""Privacy as a person sees it: lists and rules with their state, a box to try them, and what they did (spec 02 §3, §8).

Every rule has one id: of a built-in list (`product:bitwarden`), of a user's rule (`user:7`), or of a pattern whose
matches are hidden in text (`pattern:3`). The recorder and the redactor notice a change within a second.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from biny_desktop.activity import redaction_store as store
from biny_desktop.activity.redaction_store import Pattern, PrivateTime
from biny_desktop.capture import rules_store
from biny_desktop.capture.ports import SkipReason, WindowInfo
from biny_desktop.capture.rules import Outcome, RuleBook, builtins
from biny_desktop.capture.rules_store import StoredRule
from biny_desktop.capture.user_rules import Action, Matcher, UserRule, checked
from biny_desktop.core.clock import Clock
from biny_desktop.core.days import activity_day
from biny_desktop.core.errors import InvalidInputError, NotFoundError
from biny_desktop.core.events import EventBus, PrivacyChanged
from biny_desktop.core.geometry import Rect
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import Redaction
from biny_desktop.service.redactors import CurrentRedactor
from biny_desktop.service.settings_store import SettingsStore
from biny_desktop.storage.database import Database

WINDOW_PX = (1_200, 800)
"""Size of a tried window when none is told: neither a pop-up nor a dialog."""
DAY_MS = 86_400_000
Kind = Literal["builtin", "user", "pattern"]


@dataclass(frozen=True, slots=True)
class BuiltinRule:
    """A built-in rule: its list (`product`, `popup`, `vault`, `private`, `prompt`, `lock`), name, and whether it is on.

    One that is off is the user's choice; front ends say so beside it.
    """

    id: str
    group: str
    name: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class WindowTrial:
    """What would happen to a window: `rule_id`, `rule_name` what decides it; both empty when nothing applies.

    `masked`: it would be recorded, painted over and without its title.
    """

    outcome: Outcome
    reason: SkipReason | None
    rule_id: str
    rule_name: str
    action: Action | None
    masked: bool


@dataclass(frozen=True, slots=True)
class TextTrial:
    """What would happen to the text of a screen: the rule that hides all of it, or the lines that are masked (numbers
    from 0) and by which rules; then what would be stored, and how much of each type is hidden in it."""

    rule_id: str
    rule_name: str
    traced: bool
    masked: tuple[int, ...]
    mask_names: tuple[str, ...]
    stored: RedactedText
    hidden: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Hidden:
    """Secrets hidden in a stretch: by type, most frequent first, and by activity day (ISO), oldest first."""

    by_type: tuple[tuple[str, int], ...]
    by_day: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum(count for _type, count in self.by_type)


class PrivacyCare:
    """Rules, patterns and counts of one home; thread-safe, all methods block on the database."""

    def __init__(
        self, database: Database, clock: Clock, settings: SettingsStore, events: EventBus, redactor: CurrentRedactor
    ) -> None:
        self._db, self._clock, self._settings = database, clock, settings
        self._events, self._redactor = events, redactor

    def builtins(self) -> tuple[BuiltinRule, ...]:
        """Every built-in rule with its state."""
        off = rules_store.disabled_builtins(self._db)
        return tuple(BuiltinRule(each.id, each.id.split(":")[0], each.name, each.id not in off) for each in builtins())

    def user_rules(self) -> tuple[StoredRule, ...]:
        """The user's rules in their order, with hits and revisions."""
        return tuple(rules_store.user_rules(self._db))

    def patterns(self) -> tuple[Pattern, ...]:
        """The user's patterns of what is hidden in text."""
        return tuple(store.patterns(self._db))

    def set_builtin(self, rule_id: str, *, on: bool) -> None:
        """Switch a built-in rule. Raises InvalidInputError: there is none of that id."""
        rules_store.set_builtin(self._db, rule_id, self._clock.now_ms(), enabled=on)
        self._changed()

    def add_rule(self, rule: UserRule) -> StoredRule:
        """Store a rule, checked; its id is given here. Raises InvalidInputError."""
        made = rules_store.add_rule(self._db, rule, self._clock.now_ms())
        self._changed()
        return made

    def edit_rule(self, rule: UserRule, revision: int) -> StoredRule:
        """Change a rule that was seen at `revision`; returns it as it is now.

        Raises:
            InvalidInputError, StaleRevisionError, NotFoundError: nothing was changed.
        """
        rules_store.change_rule(self._db, rule, revision, self._clock.now_ms())
        self._changed()
        return self.rule(rule.id)

    def rule(self, number: int) -> StoredRule:
        """One user rule. Raises NotFoundError."""
        for each in self.user_rules():
            if each.rule.id == number:
                return each
        raise NotFoundError("No such rule", f"There is no privacy rule user:{number}.", "`biny privacy list`")

    def add_pattern(self, name: str, pattern: str) -> Pattern:
        """Store a pattern, checked. Raises InvalidInputError."""
        made = store.add_pattern(self._db, name, pattern, self._clock.now_ms())
        self._changed()
        return made

    def edit_pattern(self, wanted: Pattern) -> Pattern:
        """Change a pattern that was seen at `wanted.revision`; returns it as it is now. Raises as `edit_rule`."""
        store.change_pattern(self._db, wanted, self._clock.now_ms())
        self._changed()
        return self.pattern(wanted.id)

    def pattern(self, number: int) -> Pattern:
        """One pattern. Raises NotFoundError."""
        for each in self.patterns():
            if each.id == number:
                return each
        raise NotFoundError("No such pattern", f"There is no pattern:{number}.", "`biny privacy list`")

    def set_enabled(self, rule_id: str, revision: int | None = None, *, on: bool) -> None:
        """Switch any rule by its id; `revision`: as it was seen (None: whatever it is now).

        Raises:
            InvalidInputError, StaleRevisionError, NotFoundError: nothing was changed.
        """
        kind, number = kind_of(rule_id)
        if kind == "user":
            seen = self.rule(number)
            self.edit_rule(replace(seen.rule, enabled=on), seen.revision if revision is None else revision)
        elif kind == "pattern":
            found = self.pattern(number)
            self.edit_pattern(replace(found, enabled=on, revision=found.revision if revision is None else revision))
        else:
            self.set_builtin(rule_id, on=on)

    def remove(self, rule_id: str, revision: int | None = None) -> None:
        """Delete a rule or pattern of the user; a built-in one can only be switched off. Raises as `set_enabled`."""
        kind, number = kind_of(rule_id)
        if kind == "builtin":
            raise InvalidInputError("It cannot be removed", "This rule is built in.", "Switch it off instead.")
        if kind == "user":
            seen = self.rule(number).revision
            rules_store.delete_rule(self._db, number, seen if revision is None else revision)
        else:
            seen = self.pattern(number).revision
            store.delete_pattern(self._db, number, seen if revision is None else revision)
        self._changed()

    def unknown_windows(self) -> str:
        """What happens to a window that cannot be told: `skip` or `keep`."""
        return self._settings.current().privacy.unknown

    def set_unknown_windows(self, choice: str) -> None:
        """Choose it. Raises InvalidSettingError."""
        self._settings.set("privacy.unknown", choice)
        self._changed()

    def try_window(
        self, app: str, title: str = "", url: str | None = None, size: tuple[int, int] = WINDOW_PX, *,
        dialog: bool = False,
    ) -> WindowTrial:  # fmt: skip
        """What the rules would say about such a window; nothing is counted. `size` in logical px."""
        window = WindowInfo("tried", app, app, None, title, Rect(0, 0, *size), dialog=dialog, url=url)
        verdict = self._book().judge(window)
        rule_id = verdict.rule or ""
        action = verdict.action if verdict.outcome == "private" or verdict.mask else None
        return WindowTrial(
            verdict.outcome, verdict.reason, rule_id, self._names().get(rule_id, ""), action, verdict.mask
        )

    def try_text(self, text: str) -> TextTrial:
        """What the text rules and the redaction would do to the text of a screen; nothing is counted."""
        lines, names = text.splitlines(), self._names()
        verdict = self._book().judge_text(lines)
        masked = frozenset(verdict.masked)
        kept = ["" if number in masked else line for number, line in enumerate(lines)]
        redaction = self.try_redaction("\n".join(kept if verdict.rule is None else []))
        return TextTrial(
            verdict.rule or "", names.get(verdict.rule or "", ""), verdict.traced, verdict.masked,
            tuple(names.get(rule, rule) for rule in verdict.masks), redaction.text, dict(redaction.counts),
        )  # fmt: skip

    def try_redaction(self, text: str) -> Redaction:
        """What the redaction would hide in a text."""
        return self._redactor().redact(text.splitlines())

    def try_rule(self, rule: UserRule, sample: str) -> bool:
        """Whether a rule, saved or not, hits this app id, title, URL or text. Raises InvalidInputError."""
        matcher = Matcher(checked(rule))
        if rule.target == "text":
            return bool(matcher.lines_hit(sample.splitlines()))
        return bool(sample) and matcher.hits(sample)

    def hidden(self, days: int = 30) -> Hidden:
        """How much was hidden in the last so many days."""
        stamp = self._clock.stamp()
        with self._db.read() as r:
            rows = store.hidden_by_quarter(r, stamp.at_ms - days * DAY_MS, stamp.at_ms + 1)
        start = self._settings.current().day.start
        by_type: Counter[str] = Counter()
        by_day: Counter[str] = Counter()
        for row in rows:
            by_type[row.type] += row.count
            by_day[activity_day(row.at_ms, stamp.zone, start)] += row.count
        return Hidden(tuple(by_type.most_common()), tuple(sorted(by_day.items())))

    def private_time(self, days: int = 30) -> tuple[PrivateTime, ...]:
        """How long private windows were in front in the last so many days, by reason; not what left no trace."""
        now = self._clock.now_ms()
        with self._db.read() as r:
            return tuple(store.private_time(r, now - days * DAY_MS, now + 1))

    def _book(self) -> RuleBook:
        return RuleBook([each.rule for each in self.user_rules()], rules_store.disabled_builtins(self._db))

    def _names(self) -> dict[str, str]:
        built_in = {each.id: each.name for each in builtins()}
        return built_in | {f"user:{each.rule.id}": each.rule.name for each in self.user_rules()}

    def _changed(self) -> None:
        self._redactor.look_again()
        self._events.publish(PrivacyChanged())


def kind_of(rule_id: str) -> tuple[Kind, int]:
    """What an id names, and the number of a user's rule or pattern (0 for a built-in one).

    Raises:
        InvalidInputError: a user's rule or pattern without a number.
    """
    kind, _, number = rule_id.partition(":")
    if kind not in ("user", "pattern"):
        return "builtin", 0
    if not (number.isascii() and number.isdigit() and len(number) < 16):
        raise InvalidInputError("Which rule?", f"{rule_id!r} is no id of a rule.", "For example user:7 or pattern:3.")
    return ("user" if kind == "user" else "pattern"), int(number)
