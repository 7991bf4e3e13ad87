"""The page Search: tabs that never mix their ranking; one so far, screen text by words."""

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.screen_search import ScreenSearch
from biny_desktop.ui.widgets.labels import hairline


class SearchPage(Page):
    """A tab a kind of thing that can be found; each is a widget with `search_for`, `find`, `refresh` and states."""

    icon_name = "search"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _("Search")
        self.tabs, self._stack = QTabBar(), QStackedWidget()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(_("What to search"))
        self.screen = ScreenSearch(product, calls, bridge)
        self.add_tab(_("Screen text"), self.screen)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(hairline())
        column.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)

    def add_tab(self, name: str, tab: ScreenSearch) -> None:
        """One more kind of search."""
        self.tabs.addTab(name)
        self._stack.addWidget(tab)
        tab.source_selected.connect(self.source_selected)
        tab.open_requested.connect(self.open_requested)

    def tab(self) -> ScreenSearch:
        """The search shown."""
        return self._stack.currentWidget()

    def search_for(self, text: str) -> None:
        self.tab().search_for(text)

    def refresh(self) -> None:
        self.tab().refresh()

    def find(self) -> None:
        self.tab().find()

    def save_state(self, settings: QSettings) -> None:
        self.screen.save_state(settings)

    def restore_state(self, settings: QSettings) -> None:
        self.screen.restore_state(settings)
