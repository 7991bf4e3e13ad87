"""Below the last message: what the turn waits for, and how an ended one can be gone on with."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from biny_desktop.conversation.model import Approval, Execution
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.chat.model import ChatView, ShownMessage
from biny_desktop.service.chat.turn_words import turn_reason
from biny_desktop.ui.chat_words import tool_name
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.diff_view import DiffView
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.plain_body import PlainBody
from biny_desktop.ui.widgets.rows import action

Act = tuple[QPushButton, Callable[[], object]]
ENDED_EARLY = ("failed", "incomplete")


class Waiting(QWidget):
    """Signals: `continue_asked`, `give_up_asked`, `answered(Approval, bool)`, `settled(operation id, bool)`,
    `again_asked(message id)`, `sum_up_asked`, `models_asked`."""

    continue_asked = Signal()
    give_up_asked = Signal()
    answered = Signal(object, bool)
    settled = Signal(str, bool)
    again_asked = Signal(str)
    sum_up_asked = Signal()
    models_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[object, ...] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 4, 0, 4)
        self._column.setSpacing(8)
        self.hide()

    def show_view(self, view: ChatView) -> None:
        """Show what a chat waits for; the same again changes nothing."""
        last = view.items[-1] if view.items else None
        busy = view.running_turn is not None
        key = (view.session.id, view.recovered, view.approvals, view.turn_status, view.turn_reason, view.sending, last)
        if (*key, busy) == self._shown:
            return
        self._shown = (*key, busy)
        while self._column.count():
            widget = self._column.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        parts = [] if busy else self._parts(view, last if isinstance(last, ShownMessage) else None)
        for part in parts:
            self._column.addWidget(part)
        self.setVisible(bool(parts))

    def clear(self) -> None:
        """Show nothing."""
        self._shown = None
        self.hide()

    def _parts(self, view: ChatView, last: ShownMessage | None) -> list[QWidget]:
        parts = [self._approval(each) for each in view.approvals]
        recovered = view.recovered
        if recovered is None or recovered.outcome == "finished":
            return parts or self._ended(view, last)
        parts += [self._unknown(each) for each in recovered.unknown]
        give_up = (action(_("Give up"), _("End this answer; what was done stays")), self.give_up_asked.emit)
        if recovered.outcome == "continue":
            words = ngettext(
                "An answer was interrupted; {n} step is left.", "An answer was interrupted; {n} steps are left.",
                recovered.steps_left,
            ).format(n=recovered.steps_left)  # fmt: skip
            go_on = (action(_("Continue"), _("Go on where it stopped; nothing is done twice"), "primary"),
                     self.continue_asked.emit)  # fmt: skip
            parts.append(_line(words, "", give_up, go_on))
        elif recovered.outcome == "blocked" and not recovered.unknown and not view.approvals:
            parts.append(_line(turn_reason(recovered.reason or ""), "warn", give_up))
        elif recovered.outcome == "incomplete":
            parts += self._ended(view, last)
        return parts

    def _ended(self, view: ChatView, last: ShownMessage | None) -> list[QWidget]:
        """How a turn ended that brought no whole answer, and what can be done now."""
        if last is None:
            return []
        reason = last.fault or view.turn_reason
        told = bool(last.fault) or view.turn_status in ENDED_EARLY
        if not told and reason != "length":
            return []
        acts: list[Act] = []
        if reason == "too_long":
            sum_up = action(_("Sum up now"), _("Have the older part summed up, so that the chat fits the model"))
            acts.append((sum_up, self.sum_up_asked.emit))
        if reason == "no_model":
            acts.append((action(_("Choose a model"), _("Open the page Models")), self.models_asked.emit))
        if told and view.sending is None:
            again = action(_("Try again"), _("Have it answered again"))
            acts.append((again, lambda: self.again_asked.emit(last.message.id)))
        if last.fault and not acts:
            return []
        return [_line("" if last.fault else turn_reason(reason), "warn" if told else "muted", *acts)]

    def _approval(self, approval: Approval) -> QWidget:
        made = QFrame()
        made.setProperty("role", "boxed")
        column = QVBoxLayout(made)
        edge = tokens().px(12)
        column.setContentsMargins(edge, 8, edge, edge)
        column.setSpacing(6)
        title = _("The model wants to: {what}").format(what=tool_name(approval.tool))
        column.addWidget(label(title, "heading"))
        if approval.reason:
            column.addWidget(PlainBody(approval.reason, "muted"))
        change = DiffView(approval.shown, diff=approval.tool == "write_file")
        change.setProperty("role", "plain")  # no frame in the frame
        column.addWidget(change)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(_("Exactly this is done, once."), "small", wrap=True), 1)
        for words, tip, role, yes in (
            (_("Refuse"), _("It is not done; the model is told so"), "", False),
            (_("Approve"), _("Do exactly this, once, and go on"), "primary", True),
        ):
            button = action(words, tip, role)
            button.clicked.connect(lambda _on=False, yes=yes: self.answered.emit(approval, yes))
            row.addWidget(button)
        column.addLayout(row)
        return made

    def _unknown(self, execution: Execution) -> QWidget:
        what = execution.target or tool_name(execution.tool)
        words = _("It is not known whether this was done: {what}. Look, and say which.").format(what=what)
        number = execution.operation_id
        tip = _("The model is told so, and the answer can go on")
        return _line(
            words, "warn",
            (action(_("It was not done"), tip), lambda: self.settled.emit(number, False)),
            (action(_("It was done"), tip), lambda: self.settled.emit(number, True)),
        )  # fmt: skip


def _line(words: str, role: str, *acts: Act) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    edge = tokens().px(12)
    row.setContentsMargins(edge, 0, edge, 0)
    row.setSpacing(8)
    if words:
        row.addWidget(PlainBody(words, role or "text"), 1)
    for button, act in acts:
        button.clicked.connect(lambda _on=False, act=act: act())
        row.addWidget(button)
    if not words:
        row.addStretch(1)
    return made
