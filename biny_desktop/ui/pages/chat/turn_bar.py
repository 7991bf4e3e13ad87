"""Above the field: what the turn of this chat waits for, and why nothing can be sent."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from biny_desktop.conversation.model import Approval, Execution
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.chat.model import ChatView, NotSending
from biny_desktop.service.chat.turn_words import turn_reason
from biny_desktop.ui.chat_words import tool_name, why_not
from biny_desktop.ui.widgets.diff_view import DiffView
from biny_desktop.ui.widgets.labels import hairline, label


class TurnBar(QWidget):
    """Signals: `continue_asked`, `give_up_asked`, `answered(Approval, bool)`, `settled(operation id, bool)`,
    `models_asked`, `fork_asked`, `reopen_asked`."""

    continue_asked = Signal()
    give_up_asked = Signal()
    answered = Signal(object, bool)
    settled = Signal(str, bool)
    models_asked = Signal()
    fork_asked = Signal()
    reopen_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[object, ...] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    def show_view(self, view: ChatView) -> None:
        """Show what the chat waits for; the same again changes nothing."""
        key = (view.session.id, view.recovered, view.approvals, view.sending, view.hint, view.read_only)
        if key == self._shown:
            return
        self._clear(key)
        self._put(self._parts(view))

    def show_reason(self, why: NotSending) -> None:
        """Say why no new chat can be written in."""
        self._clear((why,))
        acts = ((_("Choose a model"), "", self.models_asked),) if why == "no_model" else ()
        self._put([_line(why_not(why), acts)])

    def _clear(self, key: tuple[object, ...]) -> None:
        self._shown = key
        while self._column.count():
            widget = self._column.takeAt(0).widget()
            if widget is not None:
                widget.deleteLater()

    def _put(self, parts: list[QWidget]) -> None:
        for part in parts:
            self._column.addWidget(hairline())
            self._column.addWidget(part)
        self.setVisible(bool(parts))

    def _parts(self, view: ChatView) -> list[QWidget]:
        parts = [self._approval(each) for each in view.approvals]
        recovered = view.recovered
        if recovered is not None:
            parts += [self._unknown(each) for each in recovered.unknown]
            if recovered.outcome == "continue":
                words = ngettext(
                    "An answer was interrupted; {n} step is left.", "An answer was interrupted; {n} steps are left.",
                    recovered.steps_left,
                ).format(n=recovered.steps_left)  # fmt: skip
                acts = ((_("Continue"), "primary", self.continue_asked), (_("Give up"), "", self.give_up_asked))
                parts.append(_line(words, acts))
            elif recovered.outcome == "blocked" and not recovered.unknown and not view.approvals:
                give_up = ((_("Give up"), "", self.give_up_asked),)
                parts.append(_line(turn_reason(recovered.reason or ""), give_up, role="warn"))
        if view.read_only:
            parts.append(_line(why_not("read_only"), ((_("Open it again"), "", self.reopen_asked),), role="warn"))
        elif view.sending == "no_model":
            parts.append(_line(why_not("no_model"), ((_("Choose a model"), "", self.models_asked),)))
        elif view.sending in ("full", "running_elsewhere"):
            parts.append(_line(why_not(view.sending), self._fork() if view.sending == "full" else ()))
        elif view.hint:
            parts.append(_line(_("This chat is nearly full."), self._fork()))
        return parts

    def _fork(self) -> tuple[tuple[str, str, object], ...]:
        return ((_("Fork it"), "", self.fork_asked),)

    def _approval(self, approval: Approval) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(6)
        title = _("The model wants to: {what}").format(what=tool_name(approval.tool))
        column.addWidget(label(title, "heading"))
        if approval.reason:
            column.addWidget(label(approval.reason, "muted", wrap=True))
        column.addWidget(DiffView(approval.shown, diff=approval.tool == "write_file"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(_("Exactly this is done, once."), "small"))
        row.addStretch(1)
        for words, role, yes in ((_("Refuse"), "", False), (_("Allow"), "primary", True)):
            button = QPushButton(words)
            button.setProperty("role", role)
            button.clicked.connect(lambda _on=False, yes=yes: self.answered.emit(approval, yes))
            row.addWidget(button)
        column.addLayout(row)
        return made

    def _unknown(self, execution: Execution) -> QWidget:
        what = execution.target or tool_name(execution.tool)
        words = _("It is not known whether this was done: {what}. Look, and say which.").format(what=what)
        return _line(
            words,
            (
                (_("It was done"), "", lambda: self.settled.emit(execution.operation_id, True)),
                (_("It was not done"), "", lambda: self.settled.emit(execution.operation_id, False)),
            ),
            role="warn",
        )


def _line(words: str, acts: tuple[tuple[str, str, object], ...], role: str = "") -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(16, 6, 16, 6)
    row.setSpacing(8)
    row.addWidget(label(words, role, wrap=True), 1)
    for name, kind, act in acts:
        button = QPushButton(name)
        button.setProperty("role", kind)
        button.clicked.connect(act)
        row.addWidget(button)
    return made
