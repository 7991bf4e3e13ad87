"""Where one writes: the field that knows what was pasted, attachments, what will be hidden, Send or Stop."""

import mimetypes
from pathlib import Path

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from biny_desktop.conversation.drafts import AttachedFile, Draft
from biny_desktop.core.i18n import _
from biny_desktop.ui.formats import bytes_size
from biny_desktop.ui.icons import icon
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.flow_layout import FlowLayout
from biny_desktop.ui.widgets.labels import label

LINES_MAX = 8
CHECK_MS = 400
"""Typing has rested this long before it is looked at for secrets."""
ATTACH_BYTES = 256 * 1024
"""Larger files, and those that are no text, are attached by name only."""


class WritingField(QPlainTextEdit):
    """`sent` by Enter (Shift+Enter begins a line), `stopped` by Esc. `pasted` are ranges of its text."""

    sent = Signal()
    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setAccessibleName(_("Message"))
        self.setToolTip(_("Enter sends, Shift+Enter begins a new line"))
        self.pasted: list[tuple[int, int]] = []
        self.document().contentsChange.connect(self._on_change)
        self.textChanged.connect(self._fit)
        self._fit()

    def insertFromMimeData(self, source: QMimeData) -> None:
        start = min(self.textCursor().position(), self.textCursor().anchor())
        super().insertFromMimeData(source)
        end = self.textCursor().position()
        if end > start:
            self.pasted.append((start, end))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.sent.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.stopped.emit()
        else:
            super().keyPressEvent(event)

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

    def _fit(self) -> None:
        lines = min(LINES_MAX, max(1, self.document().blockCount()))
        more = self.document().blockCount() > LINES_MAX
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if more else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * lines + tokens().px(20))


class Composer(QWidget):
    """`send_asked(Draft)`, `stop_asked`, `check_asked(Draft)` while one writes, `attach_failed(words)`."""

    send_asked = Signal(object)
    stop_asked = Signal()
    check_asked = Signal(object)
    attach_failed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = WritingField()
        self.hidden = label("", "warn", wrap=True)
        self.hidden.hide()
        self.editing = label("", "small", wrap=True)
        self.editing.hide()
        self._files: list[AttachedFile] = []
        self._chips = QWidget()
        self._flow = FlowLayout(self._chips)
        self._chips.hide()
        self.attach = QToolButton()
        self.attach.setToolTip(_("Attach a file (Ctrl+Shift+A)"))
        self.attach.setAccessibleName(_("Attach a file"))
        self.attach.setShortcut("Ctrl+Shift+A")
        self.attach.clicked.connect(self._choose)
        self.send = QPushButton(_("Send"))
        self.send.setProperty("role", "primary")
        self.send.setToolTip(_("Send (Enter)"))
        self.send.clicked.connect(self._on_send)
        self.stop = QPushButton(_("Stop"))
        self.stop.setToolTip(_("Stop the answer, what came so far stays (Esc)"))
        self.stop.clicked.connect(self.stop_asked)
        self.stop.hide()
        self._running = False
        self._typing = QTimer(self, singleShot=True, interval=CHECK_MS)
        self._typing.timeout.connect(lambda: self.check_asked.emit(self.draft()))
        self._lay_out()
        self.field.textChanged.connect(self._on_text)
        self.field.sent.connect(self._on_send)
        self.field.stopped.connect(self._on_escape)
        theme_signals().changed.connect(self._paint)
        self._paint()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.attach, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.field, 1)
        row.addWidget(self.send, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.stop, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 12)
        column.setSpacing(6)
        for widget in (self.editing, self.hidden, self._chips):
            column.addWidget(widget)
        column.addLayout(row)

    # -- what is written -----------------------------------------------------------------------------------------------

    def draft(self) -> Draft:
        """What would be sent."""
        return Draft(self.field.toPlainText(), tuple(self.field.pasted), tuple(self._files))

    def take_up(self, draft: Draft) -> None:
        """Write that, to be gone on with."""
        self.field.setPlainText(draft.text)
        self.field.pasted = list(draft.pasted)
        self._files = list(draft.attachments)
        self._show_files()
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    def clear(self) -> None:
        """Nothing is written."""
        self.take_up(Draft(""))
        self.show_hidden("")

    def show_hidden(self, words: str) -> None:
        """Say what will be replaced; empty: nothing."""
        self.hidden.setText(words)
        self.hidden.setVisible(bool(words))

    def show_editing(self, words: str) -> None:
        """Say that another version of a message is being written; empty: a new message."""
        self.editing.setText(words)
        self.editing.setVisible(bool(words))

    def set_running(self, *, on: bool) -> None:
        """Show Stop instead of Send."""
        self._running = on
        self.send.setVisible(not on)
        self.stop.setVisible(on)

    def set_sending(self, *, on: bool) -> None:
        """Whether something can be sent; what is written stays."""
        self.send.setEnabled(on)

    def _on_text(self) -> None:
        self._typing.start()

    def _on_send(self) -> None:
        draft = self.draft()
        if self.send.isEnabled() and not self._running and (draft.text.strip() or draft.attachments):
            self.send_asked.emit(draft)

    def _on_escape(self) -> None:
        if self._running:
            self.stop_asked.emit()
        elif self.editing.isVisible():
            self.show_editing("")
            self.clear()

    # -- files ---------------------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        names, _filter = QFileDialog.getOpenFileNames(self, _("Attach files"))
        for name in names:
            self.add_file(Path(name))

    def add_file(self, path: Path) -> None:
        """Attach a file: its text if it is one and not too large, else its name."""
        try:
            size = path.stat().st_size
            text = path.read_bytes().decode("utf-8") if size <= ATTACH_BYTES else ""
        except UnicodeDecodeError:
            text = ""
        except OSError:
            self.attach_failed.emit(_("{name} cannot be read.").format(name=path.name))
            return
        text = "" if "\x00" in text else text
        kind = mimetypes.guess_type(path.name)[0] or ""
        self._files.append(AttachedFile(path.name, kind, str(path), size, text))
        self._show_files()
        self._typing.start()

    def _show_files(self) -> None:
        while self._flow.count():
            taken = self._flow.takeAt(0)
            if taken is not None and taken.widget() is not None:
                taken.widget().deleteLater()
        for file in self._files:
            words = f"{file.name} · {bytes_size(file.size)}" + ("" if file.text else " · " + _("name only"))
            chip = QPushButton(f"{words}  ✕")
            chip.setProperty("role", "chip")
            chip.setToolTip(_("Take {name} out").format(name=file.name))
            chip.clicked.connect(lambda _on=False, file=file: self._drop(file))
            self._flow.addWidget(chip)
        self._chips.setVisible(bool(self._files))

    def _drop(self, file: AttachedFile) -> None:
        self._files.remove(file)
        self._show_files()

    def _paint(self, *_theme: object) -> None:
        size = tokens().px(18)
        self.attach.setIcon(icon("attach", "muted"))
        self.attach.setIconSize(QSize(size, size))
