"""Finding what was on the screen: a box, filters as chips, hits with their picture."""

from PySide6.QtCore import QModelIndex, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from biny_desktop.activity.model import Hit, HitPage
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import number
from biny_desktop.ui.icons import icon
from biny_desktop.ui.item_models.filters import join, split
from biny_desktop.ui.item_models.hits import HitsModel
from biny_desktop.ui.theme import theme_signals
from biny_desktop.ui.widgets.filter_chips import FilterChips
from biny_desktop.ui.widgets.hit_list import HitList, SearchBox
from biny_desktop.ui.widgets.labels import hairline, label

TYPING_MS = 250
"""A question is asked when typing has rested for this long."""
EXAMPLE = 'budget "north quay" -draft invoic* app:firefox after:7d'


class ScreenSearch(QWidget):
    """Signals: `source_selected(anchor)` for the chosen hit, `open_requested(anchor)` to see it in Activity."""

    source_selected = Signal(object)
    open_requested = Signal(object)

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._product, self._calls = product, calls
        self._chosen_id: int | None = None
        self.model = HitsModel(product.search, product.timeline, calls, self)
        self.box = SearchBox()
        self._glass = self.box.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.chips = FilterChips()
        self.order = QButtonGroup(self)
        self.newest, self.best = self._order_button(_("Newest first")), self._order_button(_("Best first"))
        self.newest.setChecked(True)
        self.count = label(role="small")
        self.hits = HitList(self.model, product.clock.now_ms())
        self.message = label("", "muted", wrap=True, selectable=True)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._lay_out()
        self._connect(bridge)
        self._say_how()

    # -- layout --------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(0)
        first.addWidget(self.box, 1)
        first.addSpacing(12)
        first.addWidget(self.newest)
        first.addSpacing(4)
        first.addWidget(self.best)
        head = QVBoxLayout()
        head.setContentsMargins(16, 12, 16, 8)
        head.setSpacing(8)
        head.addLayout(first)
        second = QHBoxLayout()
        second.setSpacing(12)
        second.addWidget(self.chips, 1)
        second.addWidget(self.count)
        head.addLayout(second)
        empty = QWidget()
        middle = QVBoxLayout(empty)
        middle.setContentsMargins(24, 24, 24, 24)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        middle.addWidget(self.message)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.hits)
        self._stack.addWidget(empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._stack, 1)

    def _order_button(self, words: str) -> QPushButton:
        button = QPushButton(words)
        button.setProperty("role", "chip")
        button.setCheckable(True)
        button.setToolTip(_("Order of the hits"))
        self.order.addButton(button)
        return button

    def _connect(self, bridge: Bridge) -> None:
        self.box.textEdited.connect(lambda _text: self._typing.start())
        self.box.textChanged.connect(lambda text: None if text else self._typing.start())
        self.box.returnPressed.connect(self.ask)
        self.box.down_pressed.connect(self._to_hits)
        self._typing.timeout.connect(lambda: self.ask(typing=True))
        self.chips.changed.connect(self.ask)
        self.chips.write_asked.connect(self._write)
        self.chips.apps_wanted.connect(self._load_apps)
        self.order.buttonClicked.connect(lambda _button: self.ask())
        self.model.answered.connect(self._on_answered)
        self.model.failed.connect(self._on_failed)
        self.hits.selectionModel().currentChanged.connect(self._on_current_changed)
        self.hits.clicked.connect(lambda _index: self._tell())
        self.hits.doubleClicked.connect(lambda _index: self.open())
        self.hits.customContextMenuRequested.connect(self._menu)
        for keys, act in (("Return", self.open), ("Enter", self.open), ("Ctrl+C", self.copy)):
            QShortcut(QKeySequence(keys), self.hits, act, context=Qt.ShortcutContext.WidgetShortcut)
        bridge.activity_deleted.connect(lambda event: self.model.remove_frames(list(event.frame_ids)))
        theme_signals().changed.connect(self._paint_icons)
        self._paint_icons()

    def _paint_icons(self, *_theme: object) -> None:
        self._glass.setIcon(icon("search", "muted"))
        clear = self.box.findChild(QAction, "_q_qlineeditclearaction")
        if clear is not None:  # Qt's own picture is of another style
            clear.setIcon(icon("close", "muted"))

    # -- asking --------------------------------------------------------------------------------------------------------

    def search_for(self, text: str) -> None:
        """Answer a question from outside: its filters become chips."""
        words, filters = split(text)
        self.chips.set_filters(filters)
        self.box.setText(words)
        self.box.setFocus()
        self.ask()

    def ask(self, *, typing: bool = False) -> None:
        """Ask for what is written; finished filters move from the box to the chips."""
        self._typing.stop()
        text = self.box.text()
        words, filters = split(text)
        if filters and (not typing or text.endswith(" ")):
            self.chips.set_filters([*self.chips.filters, *filters])
            self.box.setText(f"{words} " if typing and words else words)
            self._typing.stop()
        else:
            words = text
        question = join(words, self.chips.filters)
        if not question:
            self.model.clear()
            self._say_how()
            return
        self.hits.itemDelegate().now_ms = self._product.clock.now_ms()
        self.model.ask(question, "best" if self.best.isChecked() else "newest")

    def refresh(self) -> None:
        """Ask the same again; the chosen hit stays chosen where it is found again."""
        if self.model.question[0]:
            self.model.ask(*self.model.question)

    def find(self) -> None:
        """The cursor in the box."""
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def _write(self, start: str) -> None:
        self.box.setText(f"{self.box.text().strip()} {start}".strip())
        self.box.setFocus()
        self.box.end(False)

    def _load_apps(self) -> None:
        self._calls.run(self._product.timeline.apps, self.chips.set_apps, None, self, latest="apps")

    # -- answers -------------------------------------------------------------------------------------------------------

    def _on_answered(self, page: HitPage) -> None:
        if page.notice is not None and not page.hits:
            self._say(_("Write a word to look for as well: a time alone finds too much."))
        elif not page.hits:
            self._say(nothing_found())
        else:
            total = f"{number(page.total)}+" if page.more else number(page.total)
            self.count.setText(ngettext("{n} hit", "{n} hits", page.total).format(n=total))
            self._stack.setCurrentIndex(0)
            row = self.model.row_of(self._chosen_id) if self._chosen_id is not None else None
            if row is not None:
                self.hits.setCurrentIndex(self.model.index(row))

    def _on_failed(self, error: BinyError) -> None:
        self._say("\n".join(part for part in said(error) if part))

    def _say_how(self) -> None:
        self._say(
            _("Words that stood on your screen are found here, in pictures that were read, and in window titles.")
            + "\n\n" + _("For example:") + "  " + EXAMPLE
        )  # fmt: skip

    def _say(self, words: str) -> None:
        self.count.setText("")
        self.message.setText(words)
        self._stack.setCurrentIndex(1)

    # -- one hit -------------------------------------------------------------------------------------------------------

    def chosen(self) -> Hit | None:
        """The hit under the cursor."""
        return self.model.hit(self.hits.currentIndex().row())

    def open(self) -> None:
        """See the chosen hit in Activity."""
        anchor = self._anchor()
        if anchor is not None:
            self.open_requested.emit(anchor)

    def copy(self) -> None:
        """Copy the snippet of the chosen hit."""
        hit = self.chosen()
        if hit is not None:
            QGuiApplication.clipboard().setText(hit.snippet or hit.frame.title)

    def _anchor(self) -> Anchor | None:
        hit = self.chosen()
        if hit is None:
            return None
        quote = hit.snippet[slice(*hit.marks[0])] if hit.marks else None
        return Anchor("frame", str(hit.frame.id), hit.frame.at_ms, hit.frame.zone, quote)

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        hit = self.model.hit(current.row())
        if hit is not None and hit.frame.id != self._chosen_id:
            self._chosen_id = hit.frame.id
            self._tell()

    def _tell(self) -> None:
        anchor = self._anchor()
        if anchor is not None:
            self.source_selected.emit(anchor)

    def _to_hits(self) -> None:
        if self.model.rowCount():
            self.hits.setFocus(Qt.FocusReason.OtherFocusReason)
            if not self.hits.currentIndex().isValid():
                self.hits.setCurrentIndex(self.model.index(0))

    def _menu(self, at: object) -> None:
        if self.chosen() is None:
            return
        menu = QMenu(self)
        menu.addAction(_("Open in Activity")).triggered.connect(self.open)
        menu.addAction(_("Show source")).triggered.connect(self._tell)
        menu.addAction(_("Copy")).triggered.connect(self.copy)
        menu.exec(self.hits.viewport().mapToGlobal(at))

    # -- state ---------------------------------------------------------------------------------------------------------

    def save_state(self, settings: QSettings) -> None:
        """Order and question."""
        settings.setValue("best", self.best.isChecked())
        settings.setValue("question", join(self.box.text(), self.chips.filters))

    def restore_state(self, settings: QSettings) -> None:
        """Order and question as they were."""
        self.best.setChecked(settings.value("best", False, type=bool))
        question = settings.value("question", "", type=str)
        if question:
            self.search_for(question)


def nothing_found() -> str:
    """What is said when there is no hit: what that means and what to do."""
    return "\n".join(
        (
            _("Nothing found."),
            _("All words must stand in the text or title of one picture; fewer words or filters find more."),
            _("Pictures that were not read yet are found by their title only."),
        )
    )
