"""The user's own privacy rules, and the patterns that are hidden in text, as tables."""

from collections.abc import Sequence
from dataclasses import replace

from biny_desktop.activity.redaction_store import Pattern
from biny_desktop.capture.rules_store import StoredRule
from biny_desktop.core.i18n import _
from biny_desktop.service.privacy import PrivacyCare
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import full_moment, number
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.pages.privacy.rule_dialog import PatternDialog, RuleDialog
from biny_desktop.ui.privacy_words import MATCHES, SHORT_ACTIONS, TARGETS
from biny_desktop.ui.widgets.table_section import TableSection


class UserRules(TableSection):
    """`fill` shows the rules as they were read."""

    def __init__(self, care: PrivacyCare, calls: Calls) -> None:
        headings = (_("Name"), _("Applies when"), _("Then"), _("State"), _("Matches"))
        super().__init__(
            _("Your rules"),
            _("Looked at after the built-in lists, in this order. A rule that takes too long counts as a hit."),
            TableModel(headings, right=(4,)),
            _("No rules of your own yet. Add one to leave out an app, a title, a site or a word on the screen."),
            stretch=1,
            calls=calls,
        )
        self._care = care
        self._rules: tuple[StoredRule, ...] = ()
        self.add_wanted.connect(lambda: self.open(RuleDialog(care, calls, parent=self)))
        self.edit_wanted.connect(self._on_edit)
        self.toggle_wanted.connect(self._on_toggle)
        self.delete_wanted.connect(self._on_delete)

    def fill(self, rules: Sequence[StoredRule], zone: str) -> None:
        """Show these; the chosen one stays chosen."""
        chosen = self.table.row()
        self._rules = tuple(rules)
        self.model.fill([_rule_row(each, zone) for each in rules])
        self.table.choose(min(chosen, len(rules) - 1))

    def _on_edit(self, row: int) -> None:
        if 0 <= row < len(self._rules):
            stored = self._rules[row]
            self.open(RuleDialog(self._care, self._calls, stored.rule, stored.revision, self))

    def _on_toggle(self, row: int) -> None:
        if 0 <= row < len(self._rules):
            stored = self._rules[row]
            self.do(
                lambda: self._care.edit_rule(replace(stored.rule, enabled=not stored.rule.enabled), stored.revision)
            )

    def _on_delete(self, row: int) -> None:
        if 0 <= row < len(self._rules):
            stored = self._rules[row]
            self.do(lambda: self._care.remove(f"user:{stored.rule.id}", stored.revision))


class UserPatterns(TableSection):
    """`fill` shows the patterns as they were read."""

    def __init__(self, care: PrivacyCare, calls: Calls) -> None:
        super().__init__(
            _("Your patterns"),
            _("Regular expressions; what they match is hidden in every text before it is stored."),
            TableModel((_("Name"), _("Regular expression"), _("State"))),
            _("No patterns of your own yet. Add one for numbers or codes that only you know are secret."),
            stretch=1,
            calls=calls,
        )
        self._care = care
        self._patterns: tuple[Pattern, ...] = ()
        self.add_wanted.connect(lambda: self.open(PatternDialog(care, calls, parent=self)))
        self.edit_wanted.connect(self._on_edit)
        self.toggle_wanted.connect(self._on_toggle)
        self.delete_wanted.connect(self._on_delete)

    def fill(self, patterns: Sequence[Pattern]) -> None:
        """Show these; the chosen one stays chosen."""
        chosen = self.table.row()
        self._patterns = tuple(patterns)
        self.model.fill([Row((each.name, each.pattern, _state(on=each.enabled))) for each in patterns])
        self.table.choose(min(chosen, len(patterns) - 1))

    def _on_edit(self, row: int) -> None:
        if 0 <= row < len(self._patterns):
            self.open(PatternDialog(self._care, self._calls, self._patterns[row], self))

    def _on_toggle(self, row: int) -> None:
        if 0 <= row < len(self._patterns):
            seen = self._patterns[row]
            self.do(lambda: self._care.edit_pattern(replace(seen, enabled=not seen.enabled)))

    def _on_delete(self, row: int) -> None:
        if 0 <= row < len(self._patterns):
            seen = self._patterns[row]
            self.do(lambda: self._care.remove(f"pattern:{seen.id}", seen.revision))


def _rule_row(stored: StoredRule, zone: str) -> Row:
    rule = stored.rule
    when = _("{target} {match}: {pattern}").format(
        target=_(TARGETS[rule.target]), match=_(MATCHES[rule.match]), pattern=rule.pattern
    )
    tip = (
        when
        if stored.last_hit_ms is None
        else f"{when}\n" + _("Last hit: {time}").format(time=full_moment(stored.last_hit_ms, zone))
    )
    cells = (rule.name, when, _(SHORT_ACTIONS[rule.action]), _state(on=rule.enabled), number(stored.hits))
    return Row(cells, tip=tip)


def _state(*, on: bool) -> str:
    return _("On") if on else _("Off")
