"""Dialogs for a privacy rule and for a pattern that is hidden in text: fields, a line to try it on, errors in place."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from biny_desktop.activity.redaction_store import Pattern
from biny_desktop.capture.user_rules import UserRule
from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _, sentences
from biny_desktop.service.privacy import PrivacyCare
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.privacy_words import ACTIONS, MATCHES, TARGETS
from biny_desktop.ui.widgets.labels import label

WIDTH_PX = 520
SETTLE_MS = 200
NEW_RULE = UserRule(0, "", "app", "contains", "", "placeholder")


class _EditDialog(QDialog):
    """Fields in two columns, a line that says what is wrong, Save and Cancel."""

    def __init__(self, title: str, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._calls = calls
        self.setWindowTitle(title)
        self.setMinimumWidth(WIDTH_PX)
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(16)
        self.form.setVerticalSpacing(10)
        self.said = label("", "muted", wrap=True)
        self.save = QPushButton(_("Save"))
        self.save.setProperty("role", "primary")
        self.save.setDefault(True)
        self.save.setToolTip(_("Save (Enter)"))
        self.cancel = QPushButton(_("Cancel"))
        self.cancel.setToolTip(_("Change nothing (Esc)"))
        for button in (self.save, self.cancel):
            button.setAccessibleName(button.text())
        self.cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addWidget(label(title, "title"))
        column.addLayout(self.form)
        column.addWidget(self.said)
        column.addLayout(row)
        self._soon = QTimer(self, singleShot=True, interval=SETTLE_MS)

    def add_line(self, name: str, text: str, hint: str = "") -> QLineEdit:
        """A field of text."""
        field = QLineEdit(text)
        field.setPlaceholderText(hint)
        field.setAccessibleName(name)
        field.setToolTip(hint or name)
        field.textChanged.connect(lambda _text: self._soon.start())
        self.form.addRow(label(name, "muted"), field)
        return field

    def add_list(self, name: str, choices: dict[str, str], chosen: str) -> QComboBox:
        """A closed list."""
        field = QComboBox()
        for value, words in choices.items():
            field.addItem(_(words), value)
        field.setCurrentIndex(field.findData(chosen))
        field.setAccessibleName(name)
        field.setToolTip(name)
        field.currentIndexChanged.connect(lambda _index: self._soon.start())
        self.form.addRow(label(name, "muted"), field)
        return field

    def say(self, text: str, role: str = "muted") -> None:
        """A line below the fields."""
        self.said.setText(text)
        self.said.setProperty("role", role)
        self.said.style().polish(self.said)

    def store(self, work: Callable[[], object]) -> None:
        """Save on a pool thread; an error keeps the dialog open."""
        self.save.setEnabled(False)
        self._calls.run(work, lambda _done: self.accept(), self._on_error, self)

    def _on_error(self, error: BinyError) -> None:
        self.save.setEnabled(True)
        self.say(sentences(*said(error)[1:]), "bad")


class RuleDialog(_EditDialog):
    """A new rule, or one that was seen at `revision`."""

    def __init__(
        self, care: PrivacyCare, calls: Calls, rule: UserRule | None = None, revision: int = 0,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(_("Edit the rule") if rule else _("Add a rule"), calls, parent)
        self._care, self._rule, self._revision, self._new = care, rule or NEW_RULE, revision, rule is None
        self.name = self.add_line(_("Name"), self._rule.name, _("What you call it"))
        self.target = self.add_list(_("Looks at"), dict(TARGETS), self._rule.target)
        self.match = self.add_list(_("Applies when it"), dict(MATCHES), self._rule.match)
        self.pattern = self.add_line(_("Pattern"), self._rule.pattern, _("Upper and lower case do not matter"))
        self.action = self.add_list(_("Then"), dict(ACTIONS), self._rule.action)
        self.sample = self.add_line(_("Try it on"), "", _("An app id, title, address or text"))
        self._soon.timeout.connect(self._try)
        self.save.clicked.connect(self._save)
        self.name.setFocus()

    def rule(self) -> UserRule:
        """The rule as the fields say."""
        return replace(
            self._rule,
            name=self.name.text(),
            target=self.target.currentData(),
            match=self.match.currentData(),
            pattern=self.pattern.text(),
            action=self.action.currentData(),
        )

    def _try(self) -> None:
        rule, sample = self.rule(), self.sample.text()
        if not sample or not rule.pattern.strip():
            self.say("")
            return
        tried = replace(rule, name=rule.name.strip() or "-")
        self._calls.run(
            lambda: self._care.try_rule(tried, sample), self._on_tried, self._on_bad_pattern, self, latest="try"
        )

    def _on_tried(self, hit: bool) -> None:
        self.say(_("The rule applies.") if hit else _("The rule does not apply."), "private" if hit else "muted")

    def _on_bad_pattern(self, error: BinyError) -> None:
        self.say(said(error)[1], "bad")

    def _save(self) -> None:
        rule = self.rule()
        if self._new:
            self.store(lambda: self._care.add_rule(rule))
        else:
            self.store(lambda: self._care.edit_rule(rule, self._revision))


class PatternDialog(_EditDialog):
    """A new pattern of what is hidden in text, or a stored one."""

    def __init__(
        self, care: PrivacyCare, calls: Calls, pattern: Pattern | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(_("Edit the pattern") if pattern else _("Add a pattern"), calls, parent)
        self._care, self._pattern = care, pattern
        self.name = self.add_line(_("Name"), pattern.name if pattern else "", _("What you call it"))
        self.pattern = self.add_line(
            _("Regular expression"), pattern.pattern if pattern else "", _("For example PRJ-[0-9]{4}")
        )
        self.save.clicked.connect(self._save)
        self.say(_("What it matches is replaced by [hidden: custom] before anything is stored."))
        self.name.setFocus()

    def _save(self) -> None:
        name, text = self.name.text(), self.pattern.text()
        if self._pattern is None:
            self.store(lambda: self._care.add_pattern(name, text))
        else:
            wanted = replace(self._pattern, name=name, pattern=text)
            self.store(lambda: self._care.edit_pattern(wanted))
