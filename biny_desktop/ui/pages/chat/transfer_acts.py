"""Chats brought in from other tools and written out: the menu of it, and the dialogs it opens."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from biny_desktop.conversation.model import Session
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.chat_words import session_title
from biny_desktop.ui.dialogs.export_chats import ExportChatsDialog
from biny_desktop.ui.dialogs.import_chats import ImportChatsDialog
from biny_desktop.ui.dialogs.past_imports import PastImportsDialog
from biny_desktop.ui.dialogs.save_chats import Form, ask_file, file_name

IMPORT_KEYS = "Ctrl+Shift+I"
Asked = tuple[Path, Form] | None


class TransferActs(QObject):
    """`opened(session id)`: to be shown now; `changed`: chats came or went; `exported(Path)` of one chat.

    `dialog` is the one that is open; `ask` is asked where one chat goes.
    """

    opened = Signal(str)
    changed = Signal()
    exported = Signal(object)

    def __init__(self, product: Product, calls: Calls, page: QWidget) -> None:
        super().__init__(page)
        self._product, self._calls, self._page = product, calls, page
        self.dialog: QDialog | None = None
        self.ask: Callable[[str], Asked] = self._ask
        self.menu = QMenu(page)
        self.menu.setToolTipsVisible(True)
        bring = self._act(_("Import chats…"), _("Bring in chats of other tools"), self.bring_in)
        bring.setShortcut(IMPORT_KEYS)
        page.addAction(bring)  # the keys work while the menu is closed, and while the list is not shown
        self._act(_("Past imports…"), _("What was imported, and undoing it"), self.past_imports)
        self.menu.addSeparator()
        self._act(_("Export all chats…"), _("Write every chat into a file or a folder"), self.export_all)

    def bring_in(self) -> None:
        """Import chats of other tools."""
        dialog = ImportChatsDialog(self._product.imports, self._calls, self._page)
        for signal in (dialog.imported, dialog.undone):
            signal.connect(lambda _report: self.changed.emit())
        dialog.open_asked.connect(self.opened)
        self._open(dialog)

    def past_imports(self) -> None:
        """Look at the imports of the past, and undo one."""
        dialog = PastImportsDialog(self._product.imports, self._calls, self._product.clock, self._page)
        dialog.undone.connect(lambda _report: self.changed.emit())
        self._open(dialog)

    def export_all(self) -> None:
        """Write every chat out."""
        self._open(ExportChatsDialog(self._product.exports, self._calls, self._product.clock, self._page))

    def export(self, session: Session) -> None:
        """Write one into a file that the person chooses: all versions, or as Markdown what shows."""
        asked = self.ask(file_name(session_title(session)))
        if asked is None:
            return
        exports, (path, form) = self._product.exports, asked
        write = exports.write_markdown if form == "md" else exports.write_lines
        self._calls.run(lambda: write(path, [session.id]), lambda made: self.exported.emit(made.path), None, self)

    def _ask(self, name: str) -> Asked:
        return ask_file(_("Where should the chat be put?"), name, ("jsonl", "md"), self._page)

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog = dialog
        dialog.open()

    def _act(self, words: str, tip: str, act: Callable[[], object]) -> QAction:
        made = self.menu.addAction(words)
        made.setToolTip(tip)
        made.triggered.connect(lambda _on=False: act())
        return made
