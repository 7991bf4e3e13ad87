"""A section that is a table one can add to, edit, switch and delete from, by buttons and by keys."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog

from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.table import TableModel
from biny_desktop.ui.widgets.form import Section
from biny_desktop.ui.widgets.rows import action, button_row
from biny_desktop.ui.widgets.short_table import ShortTable


class TableSection(Section):
    """The `…_wanted` signals carry the number of the row; `changed` when `do` or a dialog changed rows."""

    add_wanted = Signal()
    edit_wanted = Signal(int)
    toggle_wanted = Signal(int)
    delete_wanted = Signal(int)
    changed = Signal()

    def __init__(self, title: str, note: str, model: TableModel, empty: str, *, stretch: int, calls: Calls) -> None:
        super().__init__(title, note)
        self._calls = calls
        self.model, self.table = model, ShortTable(model, title, empty, stretch=stretch)
        self.add_button = action(_("Add…"), _("Add one (Ctrl+N while the table has the focus)"))
        self.edit = action(_("Edit…"), _("Edit the chosen one (Enter)"))
        self.toggle = action(_("Switch on or off"), _("Switch the chosen one (Space)"))
        self.delete = action(_("Delete"), _("Delete the chosen one (Del)"), "danger")
        for button in (self.add_button, self.edit, self.toggle, self.delete):
            button.setAccessibleName(f"{title}: {button.accessibleName()}")
        self.add(self.table)
        self.add(button_row(self.add_button, self.edit, self.toggle, self.delete))
        self.dialog: QDialog | None = None
        self.add_button.clicked.connect(self.add_wanted)
        for button, wanted in (
            (self.edit, self.edit_wanted), (self.toggle, self.toggle_wanted), (self.delete, self.delete_wanted),
        ):  # fmt: skip
            button.clicked.connect(lambda _on=False, wanted=wanted: wanted.emit(self.table.row()))
        self.table.opened.connect(self.edit_wanted)
        self.table.toggled.connect(self.toggle_wanted)
        self.table.deleted.connect(self.delete_wanted)
        self.table.chosen.connect(self._enable)
        model.modelReset.connect(self._enable)
        new = QShortcut(QKeySequence("Ctrl+N"), self.table)
        new.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        new.activated.connect(self.add_wanted)
        self._enable()

    def do(self, work: Callable[[], object]) -> None:
        """Change rows on a pool thread, then tell; an error is shown by the window, and the rows are read again."""
        self._calls.run(work, lambda _done: self.changed.emit(), self._on_error, self)

    def open(self, dialog: QDialog) -> None:
        """Show a dialog whose Save changes rows."""
        self.dialog = dialog
        dialog.accepted.connect(self.changed)
        dialog.open()

    def _on_error(self, error: BinyError) -> None:
        self._calls.failed.emit(error)
        self.changed.emit()

    def _enable(self) -> None:
        chosen = self.table.row() >= 0
        for button in (self.edit, self.toggle, self.delete):
            button.setEnabled(chosen)
