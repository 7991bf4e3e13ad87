"""What the tabs of the page Search have in common: a list of hits, words in its place, keys, the chosen hit."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _
from biny_desktop.ui.item_models.filters import KEYS, Filter
from biny_desktop.ui.widgets.hit_list import HitList
from biny_desktop.ui.widgets.labels import label

SAYING_PX = 560


class ResultTab(QWidget):
    """A kind of search. Signals: `source_selected(anchor)` for the chosen hit, `open_requested(anchor)` to see it on
    its page, `page_requested(key, part)`, `tab_requested(key)`, `filter_asked(Filter)` to narrow the search,
    `counted(words)` how many were found, `asked_again()` when a control of the tab wants the question anew."""

    source_selected = Signal(object)
    open_requested = Signal(object)
    page_requested = Signal(str, str)
    tab_requested = Signal(str)
    filter_asked = Signal(object)
    counted = Signal(str)
    asked_again = Signal()

    key = ""
    keys: tuple[str, ...] = KEYS
    placeholder = ""

    def __init__(self, hits: HitList, controls: tuple[QPushButton, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hits = hits
        self.question = ""
        self.count = ""
        self.controls = _row(controls)
        self._chosen_ref: str | None = None
        self.message = label("", "muted", wrap=True, selectable=True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.message.setMaximumWidth(SAYING_PX)
        self.button = QPushButton()
        self._press: Callable[[], None] = lambda: None
        self.button.clicked.connect(self._on_pressed)
        self.below = QVBoxLayout()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        saying = QWidget()
        column = QVBoxLayout(saying)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(16)
        column.addStretch(1)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self.message, 100)
        middle.addStretch(1)
        column.addLayout(middle)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self.below)
        column.addStretch(2)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.hits)
        self._stack.addWidget(saying)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def _connect(self) -> None:
        self.hits.selectionModel().currentChanged.connect(self._on_current_changed)
        self.hits.clicked.connect(lambda _index: self.tell())
        self.hits.doubleClicked.connect(lambda _index: self.open())
        self.hits.customContextMenuRequested.connect(self._menu)
        for keys, act in (("Return", self.open), ("Enter", self.open), ("Ctrl+C", self.copy)):
            QShortcut(QKeySequence(keys), self.hits, act, context=Qt.ShortcutContext.WidgetShortcut)

    # -- what a kind of search gives -----------------------------------------------------------------------------------

    def look(self, question: str) -> None:
        """Ask; `found` or `say` follows."""
        del question

    def anchor_at(self, row: int) -> Anchor | None:
        """The source of a row, None outside."""
        del row
        return None

    def text_at(self, row: int) -> str:
        """What is copied of a row, nothing outside."""
        del row
        return ""

    @property
    def opens(self) -> str:
        """What "open" is called."""
        return _("Open in Activity")

    def offer(self, menu: QMenu) -> None:
        """Put more into the menu of the chosen hit."""
        del menu

    def how(self) -> str:
        """What is said before a question."""
        return ""

    def uses(self, each: Filter) -> bool:
        """Whether a filter counts in this search."""
        return each.key in self.keys

    # -- asking and answers --------------------------------------------------------------------------------------------

    def ask(self, question: str) -> None:
        """Answer this question; an empty one clears the tab."""
        self.question = question
        if question:
            self.look(question)
        else:
            self.forget()
            self.say(self.how())

    def forget(self) -> None:
        """Drop the rows."""

    def refresh(self) -> None:
        """Ask the same again; the chosen hit stays chosen where it is found again."""
        if self.question:
            self.look(self.question)

    def found(self, count: str) -> None:
        """Show the list."""
        self.count = count
        self.counted.emit(count)
        self._stack.setCurrentIndex(0)
        for row in range(self.hits.model().rowCount()):
            anchor = self.anchor_at(row)
            if anchor is not None and anchor.ref == self._chosen_ref:
                self.hits.setCurrentIndex(self.hits.model().index(row, 0))

    def say(self, words: str, button: str = "", press: Callable[[], None] | None = None) -> None:
        """Words in the place of the list, and what can be done."""
        self.count = ""
        self.counted.emit("")
        self.message.setText(words)
        self.button.setText(button)
        self.button.setAccessibleName(button)
        self.button.setVisible(bool(button))
        self._press = press or (lambda: None)
        self._stack.setCurrentIndex(1)

    def _on_pressed(self) -> None:
        self._press()

    def say_error(self, error: BinyError) -> None:
        """Why there is no answer."""
        self.say("\n".join(part for part in said(error) if part))

    # -- one hit -------------------------------------------------------------------------------------------------------

    def row(self) -> int:
        """The row under the cursor, -1 when there is none."""
        return self.hits.currentIndex().row()

    def open(self) -> None:
        """See the chosen hit on its page."""
        anchor = self.anchor_at(self.row())
        if anchor is not None:
            self.open_requested.emit(anchor)

    def copy(self) -> None:
        """Copy the text of the chosen hit."""
        if self.row() >= 0:
            QGuiApplication.clipboard().setText(self.text_at(self.row()))

    def tell(self) -> None:
        """Tell the window which hit is chosen."""
        anchor = self.anchor_at(self.row())
        if anchor is not None:
            self.source_selected.emit(anchor)

    def to_hits(self) -> None:
        """The keyboard goes to the list."""
        if self.hits.model().rowCount():
            self.hits.setFocus(Qt.FocusReason.OtherFocusReason)
            if not self.hits.currentIndex().isValid():
                self.hits.setCurrentIndex(self.hits.model().index(0, 0))

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        anchor = self.anchor_at(current.row())
        if anchor is not None and anchor.ref != self._chosen_ref:
            self._chosen_ref = anchor.ref
            self.tell()

    def _menu(self, at: QPoint) -> None:
        if self.row() < 0:
            return
        menu = QMenu(self)
        menu.addAction(self.opens).triggered.connect(self.open)
        menu.addAction(_("Show source")).triggered.connect(self.tell)
        menu.addAction(_("Copy")).triggered.connect(self.copy)
        self.offer(menu)
        menu.exec(self.hits.viewport().mapToGlobal(at))

    # -- state ---------------------------------------------------------------------------------------------------------

    def save_state(self, settings: QSettings) -> None:
        """Keep the controls."""
        del settings

    def restore_state(self, settings: QSettings) -> None:
        """The controls as they were."""
        del settings


def chip(words: str, tip: str) -> QPushButton:
    """A control of a tab that is on or off."""
    button = QPushButton(words)
    button.setProperty("role", "chip")
    button.setCheckable(True)
    button.setToolTip(tip)
    button.setAccessibleName(words)
    return button


def _row(controls: tuple[QPushButton, ...]) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    row.addStretch(1)
    for each in controls:
        row.addWidget(each)
    return made
