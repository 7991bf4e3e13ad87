"""One item of the inbox with all there is to read about it, and the answers."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from biny_desktop.core.clock import Clock
from biny_desktop.core.i18n import _
from biny_desktop.service.approvals import ApprovalItem
from biny_desktop.ui.formats import day_and_time, full_moment, moment
from biny_desktop.ui.item_models.approvals import state_words
from biny_desktop.ui.widgets.diff_view import DiffView
from biny_desktop.ui.widgets.labels import hairline, label


class ApprovalDetail(QWidget):
    """`accepted(ApprovalItem, text | None)`, `refused(ApprovalItem)`, `refused_for_ever(ApprovalItem)` when the person
    answers; `source_asked(Anchor)`."""

    accepted = Signal(object, object)
    refused = Signal(object)
    refused_for_ever = Signal(object)
    source_asked = Signal(object)

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self.item: ApprovalItem | None = None
        self.evidence: DiffView | None = None
        self._body = QVBoxLayout()
        self._body.setContentsMargins(16, 16, 16, 16)
        self._body.setSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._body, 1)
        self._line, self._foot = hairline(), QWidget()
        column.addWidget(self._line)
        column.addWidget(self._foot)
        self._make_foot()
        self.show_item(None)

    def _make_foot(self) -> None:
        self.open = self._button(_("Show in the chat"), _("Show the message that asked for it"), self._on_open)
        self.never = self._button(_("Never again"), _("Refuse it, and never ask again"), self._on_never)
        self.refuse = self._button(_("Refuse"), _("Refuse it; the model is told so (R)"), self._on_refuse)
        self.edit = self._button(_("Edit"), _("Change the words first, then allow them (E)"), self._on_edit)
        self.allow = self._button(_("Allow"), _("Allow exactly this, once (A)"), self._on_allow)
        self.allow.setProperty("role", "primary")
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(8)
        row.addWidget(self.open)
        row.addStretch(1)
        for button in (self.never, self.refuse, self.edit, self.allow):
            row.addWidget(button)

    def _button(self, words: str, tip: str, act: Callable[[], None]) -> QPushButton:
        made = QPushButton(words)
        made.setToolTip(tip)
        made.clicked.connect(lambda _on=False: act())
        return made

    def show_item(self, item: ApprovalItem | None) -> None:
        """Show that one; None: there is none. The same one again leaves alone what is being edited."""
        waits = item is not None and item.status == "open"
        for button in (self.allow, self.refuse, self.edit, self.never):
            button.setEnabled(waits)
        if item is not None and item == self.item:
            return
        self.item, self.evidence = item, None
        self._clear()
        for widget in (self._line, self._foot):
            widget.setVisible(item is not None)
        if item is None:
            return
        for button in (self.allow, self.refuse):
            button.setVisible(waits)
        self.edit.setVisible(waits and item.editable)
        self.never.setVisible(waits and item.never)
        self.open.setVisible(item.source is not None)
        self._fill(item)

    def lock(self) -> None:
        """An answer is on its way."""
        for button in (self.allow, self.refuse, self.edit, self.never):
            button.setEnabled(False)

    def _clear(self) -> None:
        while self._body.count():
            taken = self._body.takeAt(0).widget()
            if taken is not None:
                taken.deleteLater()

    def _fill(self, item: ApprovalItem) -> None:
        now = self._clock.now_ms()
        when = label(_asked(item, now), "muted", wrap=True)
        when.setToolTip(full_moment(item.asked_at_ms, item.time_zone))
        self._body.addWidget(label(item.title, "title", wrap=True, selectable=True))
        self._body.addWidget(when)
        if item.why:
            words = _("Why, as the model says: {why}").format(why=item.why)
            self._body.addWidget(label(words, wrap=True, selectable=True))
        self.evidence = DiffView(item.evidence, diff=item.form == "diff", whole=True)
        self._body.addWidget(self.evidence, 1_000)  # as high as it needs, if there is the room
        if item.status == "open":
            self._body.addWidget(label(item.effect, "muted", wrap=True))
            if item.expires_at_ms is not None:
                until = day_and_time(item.expires_at_ms, item.time_zone, now)
                self._body.addWidget(label(_("Expires: {when}").format(when=until), "small"))
        else:
            self._body.addWidget(label(_answered(item, now), "muted", wrap=True))
        self._body.addStretch(1)

    # -- answers -------------------------------------------------------------------------------------------------------

    def _on_allow(self) -> None:
        if self.item is not None and self.evidence is not None:
            text = self.evidence.toPlainText()
            self.accepted.emit(self.item, text if text != self.item.evidence and self.item.editable else None)

    def _on_edit(self) -> None:
        if self.evidence is not None:
            self.evidence.setReadOnly(False)
            self.evidence.setFocus()
            self.edit.setEnabled(False)

    def _on_refuse(self) -> None:
        self.refused.emit(self.item)

    def _on_never(self) -> None:
        self.refused_for_ever.emit(self.item)

    def _on_open(self) -> None:
        if self.item is not None:
            self.source_asked.emit(self.item.source)


def _asked(item: ApprovalItem, now_ms: int) -> str:
    when = moment(item.asked_at_ms, item.time_zone, now_ms)
    return _("Asked {when} in “{chat}”").format(when=when, chat=item.comes_from)


def _answered(item: ApprovalItem, now_ms: int) -> str:
    state = state_words(item)
    if item.answered_at_ms is None:
        return state
    return f"{state} · {moment(item.answered_at_ms, item.time_zone, now_ms)}"
