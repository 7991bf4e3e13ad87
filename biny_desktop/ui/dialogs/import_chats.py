"""Bringing in chats of other tools: choose, see what would come in, bring it in, undo it (spec 05 §10)."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from biny_desktop.conversation.importers.importing import Imports
from biny_desktop.conversation.importers.model import ImportPlan, ImportPreview, ImportReport, RollbackReport
from biny_desktop.core.clock import local_zone
from biny_desktop.core.errors import BinyError, said_in_line
from biny_desktop.core.i18n import _
from biny_desktop.storage.progress import Progress, Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.import_parts import ChoosePart, PreviewPart, ReportPart
from biny_desktop.ui.formats import number
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.long_work import LongWork

WIDTH_PX: Final = 560
LOOK_MS: Final = 200
FILES = "*.zip *.json *.jsonl *.md *.markdown *.txt"


class ImportChatsDialog(QDialog):
    """`imported(ImportReport)` when something came in, `undone(RollbackReport)` when it was taken out again."""

    imported = Signal(object)
    undone = Signal(object)

    def __init__(self, imports: Imports, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._imports = imports
        self._met = 0
        self._plan: ImportPlan | None = None
        self.report: ImportReport | None = None
        self.ask_file: Callable[[], str] = self._ask_file
        self.ask_folder: Callable[[], str] = self._ask_folder
        self.setWindowTitle(_("Import chats"))
        self.setMinimumWidth(tokens().px(WIDTH_PX))
        self.setAcceptDrops(True)
        self.heading = label(_("Import chats"), "title")
        self.choose = ChoosePart()
        self.preview = PreviewPart(local_zone())
        self.done_part = ReportPart()
        self._faces = (self.choose, self.preview, self.done_part)
        self.work = LongWork(calls)
        self.so_far = label("", "muted")
        self.note = label("", wrap=True)
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._on_look)
        self._lay_out()
        self.choose.file.clicked.connect(lambda: self._read(self.ask_file()))
        self.choose.folder.clicked.connect(lambda: self._read(self.ask_folder()))
        self.choose.chosen.connect(self._read)
        self.preview.bring_back.toggled.connect(lambda _on: self.bring.setEnabled(self.preview.worth_it()))
        self.work.busy.connect(self._on_busy)
        for places in (self.preview.places, self.done_part.places):
            places.toggled.connect(self._fit)
        self._show(self.choose)

    # -- layout --------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addWidget(self.heading)
        for part in self._faces:
            column.addWidget(part)
        column.addWidget(self.work)
        column.addWidget(self.so_far)
        column.addWidget(self.note)
        column.addStretch(1)
        column.addLayout(self._buttons())
        self.so_far.hide()

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.undo = _button(_("Undo this import"), _("Take out again what came in; chats that you wrote on in stay"))
        self.undo.setProperty("role", "danger")
        self.undo.clicked.connect(self._on_undo)
        self.back = _button(_("Back"), _("Choose something else"))
        self.back.clicked.connect(lambda: self._show(self.choose))
        self.close_button = _button(_("Close"), _("Close (Esc)"))
        self.close_button.clicked.connect(self.reject)
        self.bring = _button(_("Import"), _("Bring in what is new"))
        self.bring.setProperty("role", "primary")
        self.bring.clicked.connect(self._on_bring)
        row.addWidget(self.undo)
        row.addStretch(1)
        for button in (self.back, self.close_button, self.bring):
            row.addWidget(button)
        return row

    def _show(self, part: QWidget) -> None:
        headings = {self.choose: _("Import chats"), self.preview: _("What would come in")}
        heading = headings.get(part)
        if heading is not None:
            self.heading.setText(heading)
        for each in self._faces:  # no stack: that is as high as the highest of them
            each.setVisible(each is part)
        self.back.setVisible(part is self.preview)
        self.bring.setVisible(part is self.preview)
        self.undo.setVisible(part is self.done_part and self.report is not None)
        self.bring.setDefault(part is self.preview)
        if part is self.choose:
            self._say("")
        self._fit()

    # -- choosing and reading ------------------------------------------------------------------------------------------

    def _read(self, chosen: str) -> None:
        """Plan and preview what was chosen; nothing where the person chose nothing."""
        if not chosen or self.work.running():
            return
        path = Path(chosen)
        self._say("")
        self._start(
            _("Reading {name}").format(name=path.name), lambda watch: self._previewed(path, watch), self._on_read
        )

    def _previewed(self, path: Path, watch: Watch) -> ImportPreview:
        plan = self._imports.plan(path)
        return self._imports.preview(plan, watch=watch)

    def _on_read(self, shown: ImportPreview) -> None:
        self._plan = shown.plan
        self.preview.fill(shown)
        new = self.preview.worth_it()
        self.bring.setEnabled(new)
        self._show(self.preview)
        self._say("" if new else _("There is nothing new in it."), "muted")
        (self.bring if new else self.back).setFocus()

    # -- bringing in and undoing ---------------------------------------------------------------------------------------

    def _on_bring(self) -> None:
        plan, mine, back = self._plan, self.preview.mine.isChecked(), self.preview.bring_back.isChecked()
        if plan is not None:
            self._start(
                _("Importing {name}").format(name=plan.source),
                lambda watch: self._imports.apply(plan, mine=mine, bring_back=back, watch=watch),
                self._on_brought,
            )

    def _on_brought(self, done: ImportReport) -> None:
        self.report = done
        self.heading.setText(_("Imported") if done.state == "done" else _("Stopped"))
        self.done_part.fill(done)
        self._show(self.done_part)
        if done.state == "done":
            self._say(_("It is in your chats. No memory was made of it."), "ok")
        else:
            self._say(_("What came in before stays. The same import again goes on where it stopped."), "warn")
        self.close_button.setFocus()
        self.imported.emit(done)

    def _on_undo(self) -> None:
        report = self.report
        if report is not None:
            self._start(
                _("Undoing the import"), lambda watch: self._imports.rollback(report.batch_id, watch), self._on_undone
            )

    def _on_undone(self, done: RollbackReport) -> None:
        self.report = None
        self.heading.setText(_("Undone"))
        self.done_part.fill_undone(done)
        self._show(self.done_part)
        self._say(_("The same can be imported again at any time."), "muted")
        self.close_button.setFocus()
        self.undone.emit(done)

    # -- work ----------------------------------------------------------------------------------------------------------

    def _start(self, what: str, work: Callable[[Watch], object], on_done: Callable[..., None]) -> None:
        self._met = 0

        def watched(watch: Watch) -> object:
            def tell(progress: Progress) -> None:
                self._met = getattr(progress, "conversations", 0)
                watch.tell(progress)

            return work(Watch(tell, watch.cancelled))

        self._say("")
        self.work.start(what, watched, on_done, self._on_failed)

    def _on_busy(self, busy: bool) -> None:
        for part in (*self._faces, self.bring, self.back, self.undo, self.close_button):
            part.setEnabled(not busy)
        self.so_far.setVisible(busy)
        (self._look.start if busy else self._look.stop)()
        self._on_look()
        self._fit()

    def _on_look(self) -> None:
        self.so_far.setText(_("{n} chats so far").format(n=number(self._met)) if self._met else "")

    def _on_failed(self, error: BinyError) -> None:
        self._say(said_in_line(error), "bad")

    def reject(self) -> None:
        if self.work.running():  # Esc stops the work first, then closes
            self.work.stop()
        else:
            super().reject()

    # -- small things --------------------------------------------------------------------------------------------------

    def _ask_file(self) -> str:
        kinds = f"{_('Chats')} ({FILES})"
        options = QFileDialog.Option.DontUseNativeDialog
        return QFileDialog.getOpenFileName(self, _("Choose a file"), str(Path.home()), kinds, options=options)[0]

    def _ask_folder(self) -> str:
        options = QFileDialog.Option.DontUseNativeDialog | QFileDialog.Option.ShowDirsOnly
        return QFileDialog.getExistingDirectory(self, _("Choose a folder"), str(Path.home()), options)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and not self.work.running():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self._read(paths[0])

    def _say(self, words: str, role: str = "") -> None:
        self.note.setText(words)
        self.note.setVisible(bool(words))
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


def _button(words: str, tip: str) -> QPushButton:
    made = QPushButton(words)
    made.setToolTip(tip)
    made.setAutoDefault(False)
    return made
