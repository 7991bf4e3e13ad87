"""Deleting for good: what exactly, the counts first, then a receipt counted anew (spec 03 §9)."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from biny_desktop.activity.deletes import Deletes, Selection
from biny_desktop.activity.model import DeletePreview, DeleteReceipt
from biny_desktop.core.errors import BinyError, said_in_line
from biny_desktop.core.i18n import _
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.time_span import TimeSpan
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import bytes_size, full_moment, number

WIDTH_PX = 460


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be deleted: `key` names it for tests, `span` when its time can be edited."""

    key: str
    label: str
    selection: Selection | None
    span: tuple[int, int] | None = None


class DeleteDialog(QDialog):
    """Asks what, shows the counts, deletes, shows the receipt. `deleted(receipt)` when something was deleted."""

    deleted = Signal(object)

    def __init__(
        self, deletes: Deletes, calls: Calls, choices: Sequence[Choice], zone: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._deletes, self._calls, self._choices, self._zone = deletes, calls, tuple(choices), zone
        self._selection: Selection | None = None
        self.setWindowTitle(_("Delete"))
        self.setMinimumWidth(WIDTH_PX)
        self.group = QButtonGroup(self)
        self.span = TimeSpan(zone, self)
        self._build()
        self.group.idClicked.connect(lambda _number: self._count())
        self.span.changed.connect(self._count)
        self.group.button(0).setChecked(True)
        self._count()

    # -- layout --------------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        self.heading = QLabel(_("What should be deleted?"))
        self.heading.setProperty("role", "title")
        column.addWidget(self.heading)
        self._asking = QWidget()
        asking = QVBoxLayout(self._asking)
        asking.setContentsMargins(0, 0, 0, 0)
        asking.setSpacing(8)
        for row, choice in enumerate(self._choices):
            button = QRadioButton(choice.label.replace("&", "&&"))
            self.group.addButton(button, row)
            asking.addWidget(button)
            button.setVisible(len(self._choices) > 1)
            if choice.span is not None:
                self.span.set_range(*choice.span)
                asking.addWidget(self.span)
        if len(self._choices) == 1:
            only = QLabel(self._choices[0].label)
            only.setTextFormat(Qt.TextFormat.PlainText)
            only.setWordWrap(True)
            asking.addWidget(only)
        column.addWidget(self._asking)
        line = QFrame()
        line.setProperty("role", "line")
        line.setProperty("flow", "h")
        column.addWidget(line)
        self.facts = Facts()
        column.addWidget(self.facts)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        column.addWidget(self.note)
        self.progress = QProgressBar()
        self.progress.setRange(0, 0)
        self.progress.setTextVisible(False)
        self.progress.setVisible(False)
        self.progress.setAccessibleName(_("Deleting"))
        column.addWidget(self.progress)
        column.addStretch(1)
        column.addLayout(self._buttons())

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        self.cancel = QPushButton(_("Cancel"))
        self.cancel.setToolTip(_("Delete nothing (Esc)"))
        self.cancel.clicked.connect(self.reject)
        self.delete = QPushButton(_("Delete for good"))
        self.delete.setProperty("role", "danger")
        self.delete.setToolTip(_("There is no undo"))
        self.delete.setEnabled(False)
        self.delete.setAutoDefault(False)
        self.delete.clicked.connect(self._run)
        self.cancel.setDefault(True)
        row.addWidget(self.cancel)
        row.addWidget(self.delete)
        return row

    # -- counting ------------------------------------------------------------------------------------------------------

    def choose(self, key: str) -> None:
        """Choose by key."""
        row = next(row for row, choice in enumerate(self._choices) if choice.key == key)
        self.group.button(row).setChecked(True)
        self._count()

    def _chosen(self) -> Selection | None:
        choice = self._choices[max(0, self.group.checkedId())]
        self.span.setEnabled(choice.span is not None)
        if choice.span is None:
            return choice.selection
        span = self.span.range()
        return None if span is None else Selection.of_range(*span)

    def _count(self) -> None:
        self.delete.setEnabled(False)
        self._selection = selection = self._chosen()
        if selection is None:
            self.facts.fill([])
            self._say(_("Write times as 2026-01-31 14:05; the end must be after the start."), "warn")
            return
        self._say(_("Counting…"), "muted")
        self._calls.run(
            lambda: self._deletes.preview(selection), self._on_counted, self._on_failed, self, latest="preview"
        )

    def _on_counted(self, found: DeletePreview) -> None:
        self.facts.fill(preview_facts(found, self._zone))
        self._fit()
        if not (found.frames or found.events):
            self._say(_("There is nothing to delete here."), "muted")
            return
        pinned = _("Pinned frames are among them. ") if found.pinned else ""
        self._say(pinned + _("This cannot be undone: pictures, text and search entries go for good."), "muted")
        self.delete.setEnabled(True)

    # -- deleting ------------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        selection = self._selection
        if selection is None:
            return
        self._asking.setEnabled(False)
        self.delete.setEnabled(False)
        self.cancel.setEnabled(False)
        self.progress.setVisible(True)
        self._say(_("Deleting…"), "muted")
        self._calls.run(lambda: self._deletes.run(selection), self._on_deleted, self._on_failed, self)

    def _on_deleted(self, receipt: DeleteReceipt) -> None:
        self.progress.setVisible(False)
        self._asking.setVisible(False)
        self.heading.setText(_("Deleted"))
        self.facts.fill(receipt_facts(receipt))
        if receipt.verified:
            self._say(_("Counted again afterwards: nothing of it is left."), "ok")
        else:
            self._say(_("Something is left and will be removed at the next start."), "warn")
        self.delete.setVisible(False)
        self.cancel.setText(_("Close"))
        self.cancel.setToolTip(_("Close (Esc)"))
        self.cancel.setEnabled(True)
        self.cancel.setFocus()
        self.deleted.emit(receipt)

    def _on_failed(self, error: BinyError) -> None:
        self.progress.setVisible(False)
        self._asking.setEnabled(True)
        self.cancel.setEnabled(True)
        self._say(said_in_line(error), "bad")

    def reject(self) -> None:
        if self.cancel.isEnabled():  # never in the middle of a delete
            super().reject()

    def _say(self, words: str, role: str) -> None:
        self.note.setText(words)
        self.note.setProperty("role", role)
        self.note.style().unpolish(self.note)
        self.note.style().polish(self.note)
        self._fit()

    def _fit(self) -> None:
        """Follow the number of lines, once they are laid out (word wrap asks for no height by itself)."""
        if self.isVisible():
            QTimer.singleShot(0, self, self._resize)

    def _resize(self) -> None:
        self.layout().activate()
        self.resize(self.width(), self.layout().totalHeightForWidth(self.width()))


def preview_facts(found: DeletePreview, zone: str) -> list[Fact]:
    """The counts of a preview, in words."""
    facts = [
        Fact(_("Frames"), number(found.frames)),
        Fact(_("Pictures"), _("{n}, {size}").format(n=number(found.pictures), size=bytes_size(found.picture_bytes))),
        Fact(_("Texts"), number(found.texts)),
        Fact(_("Event rows"), number(found.events)),
    ]
    if found.pinned:
        facts.append(Fact(_("Pinned"), number(found.pinned), role="warn"))
    for name, at_ms in ((_("From"), found.first_ms), (_("To"), found.last_ms)):
        if at_ms is not None:
            facts.append(Fact(name, full_moment(at_ms, zone).split("\n")[0], full_moment(at_ms, zone)))
    return facts


def receipt_facts(receipt: DeleteReceipt) -> list[Fact]:
    """What was removed from where."""
    facts = [
        Fact(_("Frames"), number(receipt.frames)),
        Fact(_("Event rows"), number(receipt.events)),
        Fact(_("Texts"), number(receipt.texts)),
        Fact(_("Search entries"), number(receipt.index_rows)),
        Fact(_("Picture files"), number(receipt.files)),
        Fact(_("Space freed"), bytes_size(receipt.bytes_freed)),
    ]
    if receipt.files_pending:
        words = _("{n} could not be removed yet; tried again by itself").format(n=number(receipt.files_pending))
        facts.append(Fact(_("Files left"), words, role="warn"))
    return facts
