"""Where the pictures lie: the folder, moving it with progress and Cancel, and deleting a time range."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog

from biny_desktop.activity.relocate import Moved
from biny_desktop.core.errors import BinyError, said_in_line
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.delete import Choice, DeleteDialog
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import bytes_size, number
from biny_desktop.ui.widgets.form import Section
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.long_work import LongWork
from biny_desktop.ui.widgets.rows import action, button_row

HOUR_MS = 3_600_000


class PlaceSection(Section):
    """`changed` when pictures were moved or deleted."""

    changed = Signal()

    def __init__(self, product: Product, calls: Calls) -> None:
        super().__init__(_("Where pictures are kept"))
        self._product, self._calls = product, calls
        self.choose: Callable[[str], str] = self._choose_folder
        self.place = Facts()
        self.move = action(_("Move the pictures…"), _("To another disk or folder; recording goes on meanwhile"))
        self.back = action(_("Move them back"), _("Back into the data folder"))
        self.delete = action(_("Delete a time range…"), _("Delete for good; the counts come first"), "danger")
        self.work = LongWork(calls)
        self.said = label("", "muted", wrap=True, selectable=True)
        self.said.hide()
        for part in (self.place, button_row(self.move, self.back, self.delete), self.work, self.said):
            self.add(part)
        self.move.clicked.connect(self._on_move)
        self.back.clicked.connect(lambda: self._start(product.folders.data))
        self.delete.clicked.connect(self._on_delete)
        self.work.busy.connect(self._on_busy)
        self.dialog: DeleteDialog | None = None
        self.show_place()

    def show_place(self) -> None:
        """The folder of now."""
        folder = self._product.files.folder
        self.place.fill([Fact(_("Folder"), str(folder), mono=True)])
        self.back.setVisible(folder != self._product.folders.data / "pictures")

    def _on_move(self) -> None:
        if folder := self.choose(_("Where should the pictures be kept?")):
            self._start(Path(folder))

    def _start(self, target: Path) -> None:
        self.said.hide()
        self.work.start(
            _("Moving the pictures"),
            lambda watch: self._product.move.move(target, watch),
            self._on_moved,
            self._on_error,
        )

    def _on_busy(self, busy: bool) -> None:
        for button in (self.move, self.back, self.delete):
            button.setEnabled(not busy)

    def _on_moved(self, done: Moved) -> None:
        text = _("Moved {n} pictures, {size}.").format(n=number(done.pictures), size=bytes_size(done.bytes))
        if done.left_behind:
            text += " " + _("{n} old files could not be removed yet; it is tried again.").format(n=done.left_behind)
        self._say(text, "ok")
        self.show_place()
        self.changed.emit()

    def _on_error(self, error: BinyError) -> None:
        self._say(said_in_line(error), "bad")

    def _say(self, text: str, role: str) -> None:
        self.said.setProperty("role", role)
        self.said.style().polish(self.said)
        self.said.setText(text)
        self.said.show()

    def _on_delete(self) -> None:
        stamp = self._product.clock.stamp()
        choice = Choice("range", _("Everything in a time range"), None, (stamp.at_ms - HOUR_MS, stamp.at_ms))
        self.dialog = DeleteDialog(self._product.deletes, self._calls, [choice], stamp.zone, self)
        self.dialog.deleted.connect(lambda _receipt: self.changed.emit())
        self.dialog.open()

    def _choose_folder(self, question: str) -> str:
        return QFileDialog.getExistingDirectory(
            self, question, str(Path.home()), QFileDialog.Option.DontUseNativeDialog | QFileDialog.Option.ShowDirsOnly
        )
