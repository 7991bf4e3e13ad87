"""What the window expects of a page."""

from PySide6.QtCore import QSettings, Signal
from PySide6.QtWidgets import QWidget

from biny_desktop.core.anchors import Anchor


class Page(QWidget):
    """A page of the content area: it sets `title` and `icon_name`, the window calls the rest."""

    source_selected = Signal(object)
    """An `Anchor` to be shown in the source panel, or None to close it."""
    open_requested = Signal(object)
    """An `Anchor` to be opened on the page that shows it."""
    time_requested = Signal(object)
    """An instant, UTC ms, to be shown on the page that shows time."""
    page_requested = Signal(str, str)
    """The key of another page to be shown, and a part of it (may be empty)."""
    title_changed = Signal(str)

    title: str = ""
    icon_name: str = ""

    def open_anchor(self, anchor: Anchor) -> bool:
        """Show that source on this page; False when it is not of a kind shown here."""
        del anchor
        return False

    def open_time(self, at_ms: int) -> None:
        """Show the hour of an instant, on the page that shows time."""
        del at_ms

    def search_for(self, text: str) -> None:
        """Take a question from the search field of the top bar."""
        del text

    def open_part(self, name: str) -> None:
        """Show that part of the page (a tab), when there is one of that name."""
        del name

    def refresh(self) -> None:
        """Read the rows again (F5, and when the page is shown again)."""

    def find(self) -> None:
        """Put the cursor where one finds things on this page (Ctrl+F)."""

    def save_state(self, settings: QSettings) -> None:
        """Keep what should survive a restart, in the group of this page."""
        del settings

    def restore_state(self, settings: QSettings) -> None:
        """Take up what `save_state` kept; called once, before the page is first shown."""
        del settings
