"""Fields one writes messages in: they grow with the text and know what was pasted; also in place of a message."""

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from biny_desktop.conversation.drafts import Draft
from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.elided_label import short
from biny_desktop.ui.widgets.flow_layout import FlowLayout
from biny_desktop.ui.widgets.labels import label

LINES_MAX, MARGIN_PX, NAME_PX = 8, 6, 320
EDGES_PX = 10
"""Border and padding of the style sheet, above and below."""


class WritingField(QPlainTextEdit):
    """`sent` by Enter (Shift+Enter begins a line), `left` by Esc, `files_dropped(paths)`, `went_up` by Up where
    nothing is written. `pasted`: ranges of its text."""

    sent = Signal()
    left = Signal()
    files_dropped = Signal(list)
    went_up = Signal()

    def __init__(self, *, framed: bool = True) -> None:
        super().__init__()
        self._edge_px = EDGES_PX if framed else 0
        if not framed:
            self.setProperty("role", "plain")
        self.setTabChangesFocus(True)
        self.setAccessibleName(_("Message"))
        self.setToolTip(_("Enter sends, Shift+Enter begins a new line"))
        self.document().setDocumentMargin(tokens().px(MARGIN_PX))
        self.takes_escape = False
        """Whether Esc means something here now; else it is the window's."""
        self.pasted: list[tuple[int, int]] = []
        self.document().contentsChange.connect(self._on_change)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        theme_signals().changed.connect(self._fit)
        self._fit()

    def write(self, draft: Draft) -> None:
        """Hold this text, to be gone on with."""
        self.setPlainText(draft.text)
        self.pasted = list(draft.pasted)
        self.moveCursor(self.textCursor().MoveOperation.End)

    def insertFromMimeData(self, source: QMimeData) -> None:
        paths = [each.toLocalFile() for each in source.urls() if each.isLocalFile()]
        if paths:
            self.files_dropped.emit(paths)
            return
        start = min(self.textCursor().position(), self.textCursor().anchor())
        super().insertFromMimeData(source)
        end = self.textCursor().position()
        if end > start:
            self.pasted.append((start, end))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self.takes_escape and event.key() == Qt.Key.Key_Escape:
            event.accept()  # the window would close its panel with it
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.sent.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Up and self.document().isEmpty():
            self.went_up.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _on_change(self, place: int, removed: int, added: int) -> None:
        """Carry the pasted ranges along with what is typed around and inside them."""
        moved = []
        for start, end in self.pasted:
            if end <= place:
                moved.append((start, end))
            elif start >= place + removed:
                moved.append((start + added - removed, end + added - removed))
            else:
                low, high = min(start, place), max(end, place + removed) + added - removed
                if high > low:
                    moved.append((low, high))
        self.pasted = moved

    def _fit(self, *_change: object) -> None:
        """As high as its lines as they are broken now, up to `LINES_MAX`."""
        lines = round(self.document().size().height())
        more = lines > LINES_MAX
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if more else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        around = self._edge_px + 2 * round(self.document().documentMargin())
        height = self.fontMetrics().lineSpacing() * min(LINES_MAX, max(1, lines)) + around + 1
        if height != self.height():
            self.setFixedHeight(height)


class InPlaceEditor(QWidget):
    """Another version of a message, written where it stands: `sent(Draft)`, `left` by Esc or Cancel."""

    sent = Signal(object)
    left = Signal()

    def __init__(self, draft: Draft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files = draft.attachments
        self.field = WritingField()
        self.field.takes_escape = True
        self.field.setToolTip(_("Enter sends it as another version, Shift+Enter begins a new line, Esc leaves it"))
        self.field.write(draft)
        self.field.sent.connect(self._on_sent)
        self.field.left.connect(self.left)
        self.send = QPushButton(_("Send this version"))
        self.send.setProperty("role", "primary")
        self.send.setToolTip(_("The version before stays and can be switched back to (Enter)"))
        self.send.clicked.connect(self._on_sent)
        cancel = QPushButton(_("Cancel"))
        cancel.setToolTip(_("Change nothing (Esc)"))
        cancel.clicked.connect(self.left)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(_("The version before stays."), "small"), 1)
        row.addWidget(cancel)
        row.addWidget(self.send)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.field)
        if self._files:
            names = QWidget()
            flow = FlowLayout(names)
            for file in self._files:
                flow.addWidget(label(short(file.name, NAME_PX), "chip"))
            column.addWidget(names)
        column.addLayout(row)

    def draft(self) -> Draft:
        """What would be sent."""
        return Draft(self.field.toPlainText(), tuple(self.field.pasted), self._files)

    def _on_sent(self) -> None:
        draft = self.draft()
        if draft.text.strip() or draft.attachments:
            self.sent.emit(draft)
