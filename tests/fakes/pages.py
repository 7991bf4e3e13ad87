"""Two small pages and a source panel for tests of the window."""

from PySide6.QtCore import QSettings, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from biny_desktop.core.anchors import Anchor
from biny_desktop.ui.pages import PageEntry
from biny_desktop.ui.pages.base import Page


class FakePage(Page):
    """Notes what the window asks; knows anchors of its own kind."""

    def __init__(self, title: str, kind: str) -> None:
        super().__init__()
        self.title, self.kind = title, kind
        self.asked: list[str] = []
        self.remembered = ""
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(title))

    def open_anchor(self, anchor: Anchor) -> bool:
        self.asked.append(f"open {anchor.ref}")
        return anchor.kind == self.kind

    def search_for(self, text: str) -> None:
        self.asked.append(f"search {text}")

    def refresh(self) -> None:
        self.asked.append("refresh")

    def find(self) -> None:
        self.asked.append("find")

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("remembered", self.remembered)

    def restore_state(self, settings: QSettings) -> None:
        self.remembered = settings.value("remembered", "")


class FakePanel(QWidget):
    """A source panel that says which source it shows."""

    closed = Signal()
    open_requested = Signal(object)

    def __init__(self, product: object, calls: object) -> None:
        super().__init__()
        self.shown: Anchor | None = None

    def show_anchor(self, anchor: Anchor) -> None:
        self.shown = anchor


FAKE_PAGES = (
    PageEntry("activity", "Activity", "activity", lambda *_parts: FakePage("Activity", "frame")),
    PageEntry("search", "Search", "search", lambda *_parts: FakePage("Search", "none")),
)
