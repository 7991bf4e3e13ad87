"""Boxes to try the rules: a window by app, title and address, and a text with what would be hidden in it."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFormLayout, QLineEdit, QPlainTextEdit

from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _, listed, sentences
from biny_desktop.service.privacy import PrivacyCare, TextTrial, WindowTrial
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import number
from biny_desktop.ui.privacy_words import text_words, window_words
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.form import Section
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.words import secret_words

SETTLE_MS = 200
TEXT_PX = 84


class TryWindow(Section):
    """Says at once what would happen to such a window; nothing is counted or kept."""

    def __init__(self, care: PrivacyCare, calls: Calls) -> None:
        super().__init__(_("Try a window"), _("What the lists and your rules would say; nothing typed here is kept."))
        self._care, self._calls = care, calls
        self._soon = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._soon.timeout.connect(self.look)
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        self.app = self._field(form, _("App id"), _("for example firefox"))
        self.title = self._field(form, _("Window title"), _("for example Start — Mozilla Firefox Private Browsing"))
        self.url = self._field(form, _("Address"), _("may stay empty"))
        self.rows.addLayout(form)
        self.said = label("", "muted", wrap=True)
        self.add(self.said)
        self.look()

    def look(self) -> None:
        """Try what the fields say now (also after a rule changed)."""
        app, title, url = self.app.text().strip(), self.title.text(), self.url.text().strip() or None
        if not app and not title:
            self._say(_("Type an app id or a title to see what would happen."), "muted")
            return
        self._calls.run(
            lambda: self._care.try_window(app or "-", title, url), self._on_tried, self._on_error, self, latest="try"
        )

    def _field(self, form: QFormLayout, name: str, hint: str) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(hint)
        field.setAccessibleName(name)
        field.setToolTip(f"{name}, {hint}")
        field.textChanged.connect(lambda _text: self._soon.start())
        form.addRow(label(name, "muted"), field)
        return field

    def _on_tried(self, trial: WindowTrial) -> None:
        self._say(*window_words(trial))

    def _on_error(self, error: BinyError) -> None:
        self._say(said(error)[1], "bad")

    def _say(self, text: str, role: str) -> None:
        self.said.setProperty("role", role)
        self.said.style().polish(self.said)
        self.said.setText(text)


class TryText(Section):
    """Shows what of a text would be stored, and what is hidden in it by type."""

    def __init__(self, care: PrivacyCare, calls: Calls) -> None:
        super().__init__(_("Try a text"), _("What would be stored of it; nothing typed here is kept."))
        self._care, self._calls = care, calls
        self._soon = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._soon.timeout.connect(self.look)
        self.text = self._box(_("Text to try"), _("Type or paste a text"))
        self.stored = self._box(_("What would be stored"), _("What would be stored stands here"))
        self.stored.setReadOnly(True)
        self.said = label("", "muted", wrap=True)
        for part in (self.text, self.stored, self.said):
            self.add(part)
        self.text.textChanged.connect(self._soon.start)
        self.look()

    def look(self) -> None:
        """Try the text as it is now."""
        text = self.text.toPlainText()
        if not text.strip():
            self.stored.setPlainText("")
            self.said.setText(_("Mail addresses, keys, card numbers and other secrets are found while you type."))
            return
        self._calls.run(lambda: self._care.try_text(text), self._on_tried, self._on_error, self, latest="try")

    def _box(self, name: str, hint: str) -> QPlainTextEdit:
        made = QPlainTextEdit()
        made.setAccessibleName(name)
        made.setToolTip(name)
        made.setPlaceholderText(hint)
        made.setTabChangesFocus(True)
        made.setFixedHeight(tokens().px(TEXT_PX))
        return made

    def _on_tried(self, trial: TextTrial) -> None:
        self.stored.setPlainText(str(trial.stored))
        hidden = [f"{secret_words(kind)} {number(count)}" for kind, count in trial.hidden.items()]
        parts = (text_words(trial), _("Hidden: {list}.").format(list=listed(hidden)) if hidden else "")
        self.said.setText(sentences(*parts) or _("Nothing is hidden in it."))

    def _on_error(self, error: BinyError) -> None:
        self.said.setText(said(error)[1])
