"""Where one writes: the field that knows what was pasted, attachments, what will be hidden, Send or Stop."""

from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from biny_desktop.conversation.drafts import AttachedFile, Draft
from biny_desktop.core.i18n import _
from biny_desktop.ui.formats import bytes_size
from biny_desktop.ui.icons import icon
from biny_desktop.ui.pages.chat.attachments import attached
from biny_desktop.ui.pages.chat.writing import WritingField
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.elided_label import short
from biny_desktop.ui.widgets.flow_layout import FlowLayout
from biny_desktop.ui.widgets.labels import label

NAME_PX = 320
CHECK_MS = 300
"""Typing has rested this long before it is looked at for secrets."""


class Composer(QWidget):
    """`send_asked(Draft)`, `stop_asked`, `check_asked(Draft)` while one writes, `attach_failed(words)`."""

    send_asked = Signal(object)
    stop_asked = Signal()
    check_asked = Signal(object)
    attach_failed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = WritingField(framed=False)
        self.hidden = label("", "warn", wrap=True)
        self.hidden.hide()
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
        self.show_kind(incognito=False)
        self.field.textChanged.connect(self._typing.start)
        self.field.sent.connect(self._on_send)
        self.field.left.connect(self._on_escape)
        self.field.files_dropped.connect(self._on_dropped)
        theme_signals().changed.connect(self._paint)
        self._paint()

    def _lay_out(self) -> None:
        self.frame = QFrame()
        self.frame.setProperty("role", "writing")
        row = QHBoxLayout(self.frame)
        row.setContentsMargins(6, 4, 6, 4)
        row.setSpacing(6)
        row.addWidget(self.attach, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.field, 1, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.send, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.stop, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (self.hidden, self._chips, self.frame):
            column.addWidget(widget)
        for before, after in pairwise((self.attach, self.field, self.send, self.stop)):
            QWidget.setTabOrder(before, after)
        tip = _("Enter sends, Shift+Enter begins a new line, Up in an empty field goes to the messages (Ctrl+J)")
        self.field.setToolTip(tip)
        QShortcut(QKeySequence("Ctrl+J"), self).activated.connect(self.field.setFocus)
        self.field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The frame shows that its field has the keyboard."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.frame.setProperty("writing", event.type() == QEvent.Type.FocusIn)
            self.frame.style().polish(self.frame)
        return super().eventFilter(watched, event)

    def show_kind(self, *, incognito: bool) -> None:
        """Say, and show by colour and words, what kind of chat one writes in."""
        self.field.setPlaceholderText(
            _("Incognito: kept in memory only") if incognito else _("Write a message")
        )  # fmt: skip
        self.frame.setProperty("incognito", incognito)
        self.frame.style().polish(self.frame)

    # -- what is written -----------------------------------------------------------------------------------------------

    def draft(self) -> Draft:
        """What would be sent."""
        return Draft(self.field.toPlainText(), tuple(self.field.pasted), tuple(self._files))

    def take_up(self, draft: Draft) -> None:
        """Write that, to be gone on with."""
        self.field.write(draft)
        self._files = list(draft.attachments)
        self._show_files()
        self.show_hidden("")
        self._typing.start()

    def clear(self) -> None:
        """Nothing is written."""
        self.take_up(Draft(""))

    def show_hidden(self, words: str) -> None:
        """Say what will be replaced; empty: nothing."""
        self.hidden.setText(words)
        self.hidden.setVisible(bool(words))

    def set_running(self, *, on: bool) -> None:
        """Show Stop instead of Send."""
        if on != self._running:
            self._running = self.field.takes_escape = on
            self.stop.setEnabled(True)
        self.send.setVisible(not on)
        self.stop.setVisible(on)

    def set_stopping(self) -> None:
        """Stop was asked for; the answer ends in a moment."""
        self.stop.setEnabled(False)

    def set_sending(self, *, on: bool) -> None:
        """Whether something can be sent; what is written stays."""
        self.send.setEnabled(on)

    def _on_send(self) -> None:
        draft = self.draft()
        if self.send.isEnabled() and not self._running and (draft.text.strip() or draft.attachments):
            self.send_asked.emit(draft)

    def _on_escape(self) -> None:
        if self._running:
            self.stop_asked.emit()

    # -- files ---------------------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        names, _filter = QFileDialog.getOpenFileNames(self, _("Attach files"))
        self._on_dropped(names)

    def _on_dropped(self, names: list[str]) -> None:
        for name in names:
            self.add_file(Path(name))

    def add_file(self, path: Path) -> None:
        """Attach a file: its text if it is one and not too large, else its name."""
        try:
            self._files.append(attached(path))
        except OSError:
            self.attach_failed.emit(_("{name} cannot be read.").format(name=path.name))
            return
        self._show_files()
        self._typing.start()

    def _show_files(self) -> None:
        while self._flow.count():
            taken = self._flow.takeAt(0)
            if taken is not None and taken.widget() is not None:
                taken.widget().hide()
                taken.widget().deleteLater()
        for file in self._files:
            parts = [short(file.name, NAME_PX), bytes_size(file.size)] + ([] if file.text else [_("name only")])
            chip = QPushButton(" · ".join(parts) + "  ✕")
            chip.setProperty("role", "chip")
            chip.setToolTip(_("Take {name} out").format(name=file.name))
            chip.setAccessibleName(chip.toolTip())
            chip.clicked.connect(lambda _on=False, file=file: self._drop(file))
            self._flow.addWidget(chip)
        self._chips.setVisible(bool(self._files))

    def _drop(self, file: AttachedFile) -> None:
        self._files.remove(file)
        self._show_files()
        self._typing.start()

    def _paint(self, *_theme: object) -> None:
        size = tokens().px(18)
        self.attach.setIcon(icon("attach", "muted"))
        self.attach.setIconSize(QSize(size, size))
        for button, name, colour in ((self.send, "send", "on_accent"), (self.stop, "stop", "text")):
            button.setIcon(icon(name, colour))
            button.setIconSize(QSize(tokens().px(14), tokens().px(14)))
