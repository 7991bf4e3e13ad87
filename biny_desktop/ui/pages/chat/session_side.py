"""The chats at the left: new ones, those of other tools, finding by title, those of a project, and the list."""

from itertools import pairwise

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from biny_desktop.conversation.projects import Project
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.icons import icon
from biny_desktop.ui.item_models.sessions import SessionsModel
from biny_desktop.ui.pages.chat.session_list import SessionList
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.session_delegate import SessionDelegate

WIDTH_PX = 240


class SessionSide(QWidget):
    """`chosen(Session)`, `menu_asked(Session, QPoint)`, `new_asked(incognito)`; `emptied(bool)`: whether there is no
    chat at all. `more` is given its menu by the page."""

    chosen = Signal(object)
    menu_asked = Signal(object, QPoint)
    new_asked = Signal(bool)
    emptied = Signal(bool)

    def __init__(self, product: Product, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._product, self._calls = product, calls
        self.projects: tuple[Project, ...] = ()
        self.model = SessionsModel(product, calls, self)
        self.list = SessionList(self.model, SessionDelegate(product.clock))
        self.empty = label("", "muted", wrap=True)
        self.empty.setContentsMargins(16, 12, 16, 12)
        self.new = QPushButton(_("New chat"))
        self.new.setToolTip(_("Begin a chat (Ctrl+N)"))
        self.new.setShortcut("Ctrl+N")
        self.new.clicked.connect(lambda _on=False: self.new_asked.emit(False))
        self.incognito = QToolButton()
        self.incognito.setToolTip(_("Begin an incognito chat: in memory only, gone when it is closed (Ctrl+Shift+N)"))
        self.incognito.setAccessibleName(_("New incognito chat"))
        self.incognito.setShortcut("Ctrl+Shift+N")
        self.incognito.clicked.connect(lambda _on=False: self.new_asked.emit(True))
        self.more = QToolButton()
        self.more.setToolTip(_("Import (Ctrl+Shift+I), past imports, export"))
        self.more.setAccessibleName(_("Import and export chats"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Find a chat"))
        self.field.setAccessibleName(_("Find a chat by its title"))
        self.field.setToolTip(_("Find a chat by its title (Ctrl+F)"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._on_words)
        self.project = QComboBox()
        self.project.setAccessibleName(_("Chats of a project"))
        self.project.setToolTip(_("Show the chats of one project"))
        self.project.activated.connect(lambda _n: self.model.set_project(self.project.currentData()))
        self._lay_out()
        self.list.chosen.connect(self.chosen)
        self.list.menu_asked.connect(self.menu_asked)
        for signal in (self.model.modelReset, self.model.loaded):
            signal.connect(self._on_rows)
        theme_signals().changed.connect(self._paint)
        self._paint()
        self._on_rows()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.new, 1)
        head.addWidget(self.incognito)
        head.addWidget(self.more)
        above = QVBoxLayout()
        above.setContentsMargins(16, 12, 16, 12)
        above.setSpacing(8)
        above.addLayout(head)
        above.addWidget(self.field)
        above.addWidget(self.project)
        self.project.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(above)
        column.addWidget(hairline())
        column.addWidget(self.empty)
        column.addWidget(self.list, 1)
        column.addStretch(0)
        self.setMinimumWidth(tokens().px(WIDTH_PX))
        order = (self.new, self.incognito, self.more, self.field, self.project, self.list)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def load(self) -> None:
        """Read chats and projects."""
        self.model.load()
        projects = self._product.projects
        self._calls.run(projects.all, self._on_projects, None, self, latest="projects")

    def _on_projects(self, found: tuple[Project, ...]) -> None:
        if found == self.projects and self.project.count():
            return
        self.projects, chosen = found, self.project.currentData()
        self.project.clear()
        self.project.addItem(_("All projects"), None)
        for each in found:
            self.project.addItem(each.name, each.id)
        self.project.setCurrentIndex(max(0, self.project.findData(chosen)))
        self.project.setVisible(bool(found))

    def _on_words(self, words: str) -> None:
        self.model.filter(words)
        self._on_rows()

    def _on_rows(self) -> None:
        none = self.model.rowCount() == 0
        looking = bool(self.field.text().strip())
        words = _("Looking…") if self.model.searching() else _("No chat has such a title.")
        self.empty.setText(words if looking else _("Your chats will stand here. Those of other tools can be imported."))
        self.empty.setVisible(none)
        self.list.setVisible(not none)
        narrowed = looking or self.model.searching() or self.project.currentData() is not None
        self.emptied.emit(none and not narrowed)

    def _paint(self, *_theme: object) -> None:
        size = tokens().px(18)
        for button, name, colour in ((self.incognito, "incognito", "private"), (self.more, "more", "muted")):
            button.setIcon(icon(name, colour))
            button.setIconSize(QSize(size, size))
