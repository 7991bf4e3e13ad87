"""Bringing in chats of other tools: choose, see what would come in, bring it in, undo it (spec 05 §10)."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from biny_desktop.conversation.importers.importing import Imports
from biny_desktop.conversation.importers.model import (
    ImportPlan,
    ImportPreview,
    ImportProgress,
    ImportReport,
    RollbackReport,
)
from biny_desktop.core.clock import local_zone
from biny_desktop.core.i18n import _
from biny_desktop.storage.progress import Progress, Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.import_parts import ChoosePart, PreviewPart, ReportPart
from biny_desktop.ui.dialogs.work_dialog import WorkDialog, button
from biny_desktop.ui.formats import number

WIDTH_PX: Final = 560
FILES: Final = "*.zip *.json *.jsonl *.md *.markdown *.txt"


class ImportChatsDialog(WorkDialog):
    """`imported(ImportReport)` when something came in, `undone(RollbackReport)` when it was taken out again,
    `open_asked(session id)` for the newest chat that came in."""

    imported = Signal(object)
    undone = Signal(object)
    open_asked = Signal(str)

    def __init__(self, imports: Imports, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(_("Import chats"), WIDTH_PX, calls, parent)
        self._imports = imports
        self._plan: ImportPlan | None = None
        self._newest: str | None = None
        self.report: ImportReport | None = None
        self.ask_file: Callable[[], str] = self._ask_file
        self.ask_folder: Callable[[], str] = self._ask_folder
        self.setAcceptDrops(True)
        self.choose = ChoosePart()
        self.preview = PreviewPart(local_zone())
        self.done_part = ReportPart()
        self._faces = (self.choose, self.preview, self.done_part)
        self.work.counted = _so_far
        self.undo = button(
            _("Undo this import"), _("Take out again what came in; chats that you wrote on in stay"), "danger"
        )
        self.back = button(_("Back"), _("Choose something else"))
        self.bring = button(_("Import"), _("Bring in what is new"), "primary")
        self.open_newest = button(_("Open the newest chat"), _("Close this and read the newest chat of it"), "primary")
        self.lay_out(self._faces, (self.undo,), (self.back, self.close_button, self.bring, self.open_newest))
        self._connect()
        self._show(self.choose)

    def _connect(self) -> None:
        self.choose.file.clicked.connect(lambda: self._read(self.ask_file()))
        self.choose.folder.clicked.connect(lambda: self._read(self.ask_folder()))
        self.choose.chosen.connect(self._read)
        self.preview.bring_back.toggled.connect(lambda _on: self.bring.setEnabled(self.preview.worth_it()))
        self.undo.clicked.connect(self._on_undo)
        self.back.clicked.connect(self._on_back)
        self.bring.clicked.connect(self._on_bring)
        self.open_newest.clicked.connect(self._on_open)
        for places in (self.preview.places, self.done_part.places):
            places.toggled.connect(self.fit)

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
        self.open_newest.setVisible(part is self.done_part and self._newest is not None)
        self.bring.setDefault(part is self.preview)
        self.open_newest.setDefault(part is self.done_part)
        if part is self.choose:
            self.say("")
        self.fit()

    # -- choosing and reading ------------------------------------------------------------------------------------------

    def _read(self, chosen: str) -> None:
        """Plan and preview what was chosen; nothing where the person chose nothing."""
        if not chosen or self.work.running():
            return
        path = Path(chosen)
        self._show(self.choose)
        self.start(
            _("Reading {name}").format(name=path.name), lambda watch: self._previewed(path, watch), self._on_read,
            stopped=_("Stopped. Nothing was brought in."),
        )  # fmt: skip

    def _previewed(self, path: Path, watch: Watch) -> ImportPreview:
        plan = self._imports.plan(path)
        return self._imports.preview(plan, watch=watch)

    def _on_read(self, shown: ImportPreview) -> None:
        self._plan = shown.plan
        self.preview.fill(shown)
        new = self.preview.worth_it()
        self.bring.setEnabled(new)
        self._show(self.preview)
        self.say("" if new else _("There is nothing new in it."), "muted")
        (self.bring if new else self.back).setFocus()

    def _on_back(self) -> None:
        self._show(self.choose)
        self.choose.file.setFocus()

    # -- bringing in and undoing ---------------------------------------------------------------------------------------

    def _on_bring(self) -> None:
        plan, mine, back = self._plan, self.preview.mine.isChecked(), self.preview.bring_back.isChecked()
        if plan is None:
            return

        def bring(watch: Watch) -> tuple[ImportReport, str | None]:
            done = self._imports.apply(plan, mine=mine, bring_back=back, watch=watch)
            return done, self._imports.newest(done.batch_id)

        kept = _("What came in before stays. The same import again goes on where it stopped.")
        self.start(_("Importing {name}").format(name=plan.source), bring, self._on_brought, stopped=kept, kept=kept)

    def _on_brought(self, result: tuple[ImportReport, str | None]) -> None:
        self.report, self._newest = result
        done = self.report
        self.heading.setText(_("Imported") if done.state == "done" else _("Stopped"))
        self.done_part.fill(done)
        self._show(self.done_part)
        if done.state == "done":
            self.say(_("It is in your chats. No memory was made of it."), "ok")
        else:
            self.say(_("What came in before stays. The same import again goes on where it stopped."), "warn")
        (self.close_button if self._newest is None else self.open_newest).setFocus()
        self.imported.emit(done)

    def _on_open(self) -> None:
        newest = self._newest
        self.accept()
        if newest is not None:
            self.open_asked.emit(newest)

    def _on_undo(self) -> None:
        report = self.report
        if report is not None:
            gone = _("What was taken out is gone, the rest stays. Undoing it again goes on.")
            self.start(
                _("Undoing the import"), lambda watch: self._imports.rollback(report.batch_id, watch), self._on_undone,
                stopped=gone, kept=gone,
            )  # fmt: skip

    def _on_undone(self, done: RollbackReport) -> None:
        self.report = self._newest = None
        self.heading.setText(_("Undone"))
        self.done_part.fill_undone(done)
        self._show(self.done_part)
        self.say(_("The same can be imported again at any time."), "muted")
        self.close_button.setFocus()
        self.undone.emit(done)

    # -- work ----------------------------------------------------------------------------------------------------------

    def set_busy(self, busy: bool) -> None:
        for part in (*self._faces, self.bring, self.back, self.undo, self.open_newest, self.close_button):
            part.setEnabled(not busy)

    # -- places --------------------------------------------------------------------------------------------------------

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


def _so_far(progress: Progress) -> str:
    met = progress.conversations if isinstance(progress, ImportProgress) else 0
    return _("{n} chats so far").format(n=number(met)) if met else ""
