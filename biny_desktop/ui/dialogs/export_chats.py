"""Writing every chat out: in which form, where to, with progress and a receipt."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QRadioButton, QVBoxLayout, QWidget

from biny_desktop.conversation.exporting import ExportReceipt, Exports
from biny_desktop.core.clock import Clock, to_local
from biny_desktop.core.i18n import _, ngettext, sentences
from biny_desktop.storage.progress import Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.save_chats import Form, ask_file, free_folder
from biny_desktop.ui.dialogs.work_dialog import WorkDialog, button
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import number
from biny_desktop.ui.widgets.labels import label

WIDTH_PX: Final = 480


class ExportChatsDialog(WorkDialog):
    """`exported(ExportReceipt)` when all were written. `ask` is asked for the file or the new folder."""

    exported = Signal(object)

    def __init__(self, exports: Exports, calls: Calls, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(_("Export all chats"), WIDTH_PX, calls, parent)
        self._exports, self._clock = exports, clock
        self._ids: tuple[str, ...] = ()
        self.ask: Callable[[str, Form], Path | None] = self._ask
        self.count = label(_("Counting…"), "muted", wrap=True)
        self.lines = QRadioButton(_("JSON Lines: one file with all versions, to be imported again"))
        self.markdown = QRadioButton(_("Markdown: a new folder with what shows, one text a chat"))
        self.lines.setChecked(True)
        self.forms = QWidget()
        column = QVBoxLayout(self.forms)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        group = QButtonGroup(self)
        for each in (self.lines, self.markdown):
            each.setAccessibleName(each.text())
            group.addButton(each)
            column.addWidget(each)
        self.facts = Facts()
        self.facts.hide()
        self.save = button(_("Save as…"), _("Choose where to (Enter)"), "primary")
        self.save.setEnabled(False)
        self.save.setDefault(True)
        self.save.clicked.connect(self._on_save)
        self.lay_out((self.count, self.forms, self.facts), (), (self.close_button, self.save))
        calls.run(exports.all_ids, self._on_ids, self.fail, self)

    def form(self) -> Form:
        """The form chosen."""
        return "md" if self.markdown.isChecked() else "jsonl"

    def _on_ids(self, found: tuple[str, ...]) -> None:
        self._ids = found
        n = len(found)
        there = ngettext("{n} chat is written out.", "{n} chats are written out.", n).format(n=number(n))
        but = _("Incognito chats are kept nowhere, so they are not among them.")
        self.count.setText(sentences(there, but) if n else _("There is no chat to write out yet."))
        self.save.setEnabled(bool(found))
        self.forms.setEnabled(bool(found))
        self.lines.setFocus()
        self.fit()

    def set_busy(self, busy: bool) -> None:
        super().set_busy(busy)
        for part in (self.forms, self.save):
            part.setEnabled(not busy)

    def _on_save(self) -> None:
        stamp = self._clock.stamp()
        form = self.form()
        path = self.ask(f"biny-chats-{to_local(stamp.at_ms, stamp.zone):%Y-%m-%d}", form)
        if path is None:
            return
        exports, ids = self._exports, self._ids

        def write(watch: Watch) -> ExportReceipt:
            return (exports.write_markdown if form == "md" else exports.write_lines)(path, ids, watch)

        kept = (
            _("Chats that were written before are in {path}.").format(path=path)
            if form == "md"
            else _("No file was written; one that was there stays as it was.")
        )
        stopped = sentences(_("Stopped."), kept)
        self.start(_("Writing the chats"), write, partial(self._on_done, form), stopped=stopped, kept=kept)

    def _on_done(self, form: Form, done: ExportReceipt) -> None:
        self.heading.setText(_("Written"))
        for part in (self.count, self.forms, self.save):
            part.hide()
        self.facts.fill(
            [
                Fact(_("Folder") if form == "md" else _("File"), str(done.path), mono=True),
                Fact(_("Chats"), number(done.sessions)),
                Fact(_("Messages"), number(done.messages)),
            ]
        )
        self.facts.show()
        self.close_button.setDefault(True)
        self.close_button.setFocus()
        self.fit()
        self.exported.emit(done)

    def _ask(self, name: str, form: Form) -> Path | None:
        if form == "jsonl":
            found = ask_file(_("Where should the chats be put?"), name, ("jsonl",), self)
            return None if found is None else found[0]
        options = QFileDialog.Option.DontUseNativeDialog | QFileDialog.Option.ShowDirsOnly
        question = _("Where should the folder with the chats be put?")
        parent = QFileDialog.getExistingDirectory(self, question, str(Path.home()), options)
        return free_folder(Path(parent), name) if parent else None
