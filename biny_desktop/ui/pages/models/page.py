"""The page Models: tabs for connections, search by meaning, activities that wait, and calls."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from biny_desktop.core.i18n import _, mark
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.models.calls_tab import CallsTab
from biny_desktop.ui.pages.models.meaning_tab import MeaningTab
from biny_desktop.ui.pages.models.queue_tab import QueueTab
from biny_desktop.ui.pages.models.slots_tab import SlotsTab
from biny_desktop.ui.pages.tabbed import TabbedPage

TABS = (
    ("slots", mark("Connections")),
    ("meaning", mark("Search by meaning")),
    ("activities", mark("Activities")),
    ("calls", mark("Calls")),
)
CHANGES_MS = 500


class ModelsPage(TabbedPage):
    """What changes in the models, the indexes or the activities is shown soon after."""

    icon_name = "models"
    TABS = TABS

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(_("Models"), product, calls, bridge, parent)
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._changes.timeout.connect(self._renew)
        bridge.models_changed.connect(self._changes.start)
        bridge.index_changed.connect(self._on_changed)
        bridge.segment_analysed.connect(self._on_changed)
        self.values.load()

    def make_tab(self, key: str) -> QWidget:
        if key == "slots":
            return SlotsTab(self._product, self._calls)
        if key == "meaning":
            return MeaningTab(self._product, self._calls, self.values)
        if key == "calls":
            return CallsTab(self._product, self._calls)
        queue = QueueTab(self._product, self._calls)
        queue.source_selected.connect(self.source_selected)
        queue.slots_asked.connect(lambda: self.open_part("slots"))
        return queue

    def _on_changed(self, _what: object) -> None:
        self._changes.start()

    def _renew(self) -> None:
        if self.isVisible():
            self.tab().refresh()
