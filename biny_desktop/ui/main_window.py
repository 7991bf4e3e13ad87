"""The main window: rail, top bar, banners, pages and the source panel."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.autostart_row import AutostartRow, Pick, picker
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.notices import Notices
from biny_desktop.ui.pages import PageEntry
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.consent import ConsentPage
from biny_desktop.ui.recording_actions import RecordingActions
from biny_desktop.ui.status_watch import Snapshot, StatusWatch
from biny_desktop.ui.theme import theme_signals
from biny_desktop.ui.warnings import Warnings
from biny_desktop.ui.widgets.banners import Banners
from biny_desktop.ui.widgets.labels import hairline
from biny_desktop.ui.widgets.panes import Panes
from biny_desktop.ui.widgets.rail import Rail
from biny_desktop.ui.widgets.state_pill import StatePill
from biny_desktop.ui.widgets.top_bar import TopBar
from biny_desktop.ui.window_state import WindowState

FIRST_SIZE = (1_280, 800)
SMALLEST_SIZE = (760, 480)


def source_panel(product: Product, calls: Calls) -> QWidget:
    """The source panel; its module is imported when the first source is shown."""
    from biny_desktop.ui.source_panel import SourcePanel

    return SourcePanel(product, calls)


class MainWindow(QMainWindow):
    """Shows the pages. `closed` when the person closes it, `quit_requested` from the menu or Ctrl+Q."""

    closed = Signal()
    quit_requested = Signal()

    def __init__(
        self,
        product: Product,
        calls: Calls,
        bridge: Bridge,
        watch: StatusWatch,
        pages: Sequence[PageEntry],
        make_panel: Callable[[Product, Calls], QWidget] = source_panel,
        pick_start: Pick | None = None,
    ) -> None:
        super().__init__()
        self._product, self._calls, self._bridge, self._watch = product, calls, bridge, watch
        self._entries = pages
        self._make_panel, self._pick_start = make_panel, pick_start
        self._state = WindowState(product.folders.config)
        self._declined = False
        self.setWindowTitle("Biny")
        self.setMinimumSize(*SMALLEST_SIZE)
        self.resize(*FIRST_SIZE)
        geometry = self._state.blob("window/geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self._add_shortcuts()
        self._build()
        calls.failed.connect(self._on_error)
        watch.changed.connect(self._on_snapshot)
        theme_signals().changed.connect(self._on_theme)

    def rebuild(self) -> None:
        """Make everything inside anew, in the language and text size of now; place and page stay."""
        self.save()
        self.actions_.deleteLater()
        self._build()

    # --- what a person does -------------------------------------------------------------------------------------

    def page(self) -> Page:
        """The page that is shown."""
        return self._pages[self.stack.currentIndex()]

    def show_page(self, index: int) -> None:
        """Show a page; it is made the first time."""
        known = index in self._pages
        if not known:
            self._make_page(index)
        self.stack.setCurrentIndex(index)
        self.rail.select(index)
        page = self._pages[index]
        page.setFocus(Qt.FocusReason.OtherFocusReason)
        self._on_title(page.title or _(self._entries[index].name))
        if known and self.isVisible():
            page.refresh()

    def open_page(self, key: str, part: str = "") -> None:
        """Show the page of that key, and a part of it."""
        keys = [entry.key for entry in self._entries]
        if key in keys:
            self.show_page(keys.index(key))
            self.page().open_part(part)

    def search(self, text: str) -> None:
        """Answer the search field of the top bar on the Search page."""
        self.open_page("search")
        self.top.field.clear()
        self.page().search_for(text)

    def focus_search(self) -> None:
        """Put the cursor in the search field."""
        self.top.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.top.field.selectAll()

    def refresh(self) -> None:
        """Read page and state again."""
        self.page().refresh()
        self._watch.look()

    def show_source(self, anchor: Anchor | None) -> None:
        """Show a source beside the page; None closes the panel."""
        if anchor is None:
            self.close_panel()
            return
        if self.panel is None:
            self.panel = self._make_panel(self._product, self._calls)
            self.panel.closed.connect(self.panes.arrange)
            self.panel.open_requested.connect(self.open_anchor)
            self.panes.add_panel(self.panel)
        self.panel.show()
        self.panes.arrange()
        self.panel.show_anchor(anchor)

    def open_anchor(self, anchor: Anchor) -> None:
        """Go to the page that shows this source."""
        for index in range(len(self._entries)):
            if index not in self._pages:
                self._make_page(index)
            if self._pages[index].open_anchor(anchor):
                self.show_page(index)
                return

    def open_time(self, at_ms: int) -> None:
        """Show an instant on the page Activity."""
        self.open_page("activity")
        self.page().open_time(at_ms)

    def close_panel(self) -> None:
        """Close the source panel."""
        if self.panel is not None and self.panes.panel_open():
            self.panel.close()
            self.panes.arrange()

    def toggle_rail(self) -> None:
        """Fold or unfold the rail."""
        self.panes.toggle_rail()

    def decline_recording(self) -> None:
        """Leave the first page without recording; it is shown again at the next start."""
        self._declined = True
        if self._watch.last is not None:
            self._on_snapshot(self._watch.last)

    def come_to_front(self) -> None:
        """Show the window over the others."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def save(self) -> None:
        """Keep what should survive a restart."""
        page = self._entries[self.stack.currentIndex()].key
        self._state.keep(window__geometry=self.saveGeometry(), window__page=page)
        self.panes.keep()
        for index, made in self._pages.items():
            settings = self._state.page(self._entries[index].key)
            made.save_state(settings)
            settings.endGroup()
        self._state.sync()

    def tray_missing(self) -> None:
        """Say once, not at every start, that this desktop shows no tray icons."""
        if not self._state.flag("said/no_tray"):
            self._warnings.no_tray()
            self._state.keep(said__no_tray=True)

    def tray_arrived(self) -> None:
        """A tray came after all."""
        self.banners.remove("tray")

    # --- building -----------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._pages: dict[int, Page] = {}
        self.panel: QWidget | None = None
        self.actions_ = RecordingActions(self._product, self._calls, self._watch, self)
        self.actions_.retint()
        self.pill = StatePill(self.actions_)
        self.pill.quit_requested.connect(self.quit_requested)
        self.top = TopBar(self.pill)
        self.top.searched.connect(self.search)
        self.rail = Rail(self._entries)
        self.rail.chosen.connect(self.show_page)
        self.banners = Banners()
        self.actions_.said.connect(self.banners.say)
        self._warnings = Warnings(self.banners, self.actions_, self._watch)
        self._notices = Notices(self._product, self._calls, self.banners, self.open_page)
        self.stack = QStackedWidget()
        for _entry in self._entries:
            self.stack.addWidget(QWidget())
        self.panes = Panes(self.rail, _column(self.top, hairline(), self.banners), self.stack, self._state)
        self.rail.toggled.connect(self.toggle_rail)
        self._consent: ConsentPage | None = None
        self._front = QStackedWidget()
        self._front.addWidget(self.panes)
        self.setCentralWidget(self._front)
        keys = [entry.key for entry in self._entries]
        wanted = self._state.text("window/page")
        self.show_page(keys.index(wanted) if wanted in keys else 0)
        if self._watch.last is not None:
            self._on_snapshot(self._watch.last)

    def _add_shortcuts(self) -> None:
        def on(keys: str, slot: Callable[[], object]) -> None:
            QShortcut(QKeySequence(keys), self).activated.connect(slot)

        for index in range(min(len(self._entries), 9)):
            on(f"Ctrl+{index + 1}", lambda index=index: self.show_page(index))
        on("Ctrl+K", self.focus_search)
        on("Ctrl+F", lambda: self.page().find())
        on("F5", self.refresh)
        on("Ctrl+B", self.toggle_rail)
        on("Esc", self.close_panel)
        on("Ctrl+Q", self.quit_requested.emit)

    def _make_page(self, index: int) -> None:
        entry = self._entries[index]
        page = entry.factory(self._product, self._calls, self._bridge)
        page.source_selected.connect(self.show_source)
        page.open_requested.connect(self.open_anchor)
        page.time_requested.connect(self.open_time)
        page.page_requested.connect(self.open_page)
        page.title_changed.connect(self._on_title)
        settings = self._state.page(entry.key)
        page.restore_state(settings)
        settings.endGroup()
        blank = self.stack.widget(index)
        self.stack.insertWidget(index, page)
        self.stack.removeWidget(blank)
        blank.deleteLater()
        if page.focusPolicy() == Qt.FocusPolicy.NoFocus:
            page.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # so that the keys of a page work before a click
        self._pages[index] = page

    # --- what happens -------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        self.save()
        self.closed.emit()
        event.accept()

    def _on_title(self, title: str) -> None:
        self.setWindowTitle(f"{title} – Biny")

    def _on_error(self, error: BinyError) -> None:
        self.banners.show_error(error)

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        self.pill.follow(snapshot)
        status = snapshot.status
        first_run = not status.enabled and status.frames == 0 and not self._declined
        self._warnings.follow(snapshot, asked=not first_run)
        if first_run and self._consent is None:
            start = AutostartRow(self._pick_start or picker(self._product.folders), self._calls, narrow=True)
            self._consent = ConsentPage(
                self._product.folders.data, status.key_place, snapshot.settings.pictures, start,
                encrypted=status.encrypted,
            )  # fmt: skip
            self._consent.agreed.connect(self.actions_.start_recording)
            self._consent.declined.connect(self.decline_recording)
            self._front.addWidget(self._consent)
            self._front.setCurrentWidget(self._consent)
        elif not first_run and self._consent is not None:
            self._front.removeWidget(self._consent)
            self._consent.deleteLater()
            self._consent = None

    def _on_theme(self, _theme: object) -> None:
        for part in (self.rail, self.top, self.banners, self.actions_):
            part.retint()


def _column(*parts: QWidget) -> QWidget:
    made = QWidget()
    layout = QVBoxLayout(made)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        layout.addWidget(part)
    return made
