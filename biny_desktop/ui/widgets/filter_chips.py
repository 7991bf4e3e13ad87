"""Filters of a search as chips: those that are set, each with a way off, and menus to add one."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.icons import icon
from biny_desktop.ui.item_models.filters import Filter
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.flow_layout import FlowLayout

NAME_MAX = 32
"""Characters of a name in a chip."""
ONE_OF_A_KIND = ("on", "after", "before", "app", "role", "source", "chat")


class FilterChips(QWidget):
    """`changed` when a chip was added or removed; `apps_wanted` before the menu of apps opens; `write_asked(text)` to
    put the beginning of a filter in the search box."""

    changed = Signal()
    apps_wanted = Signal()
    write_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.filters: tuple[Filter, ...] = ()
        self._uses: Callable[[Filter], bool] = lambda _filter: True
        self._flow = FlowLayout(self, gap=6)
        self._chips: list[QPushButton] = []
        self.app_menu, when, has = QMenu(self), QMenu(self), QMenu(self)
        self.app_menu.aboutToShow.connect(self.apps_wanted)
        for words, value in _when():
            when.addAction(words).triggered.connect(self._adder(value))
        when.addSeparator()
        for words, start in (
            (_("On a date…"), "on:"),
            (_("After a date…"), "after:"),
            (_("Before a date…"), "before:"),
        ):
            when.addAction(words).triggered.connect(lambda _c=False, start=start: self.write_asked.emit(start))
        self._offers: list[tuple[QAction, Filter]] = []
        for words, value in _has():
            self._offer(has, words, Filter("has", value))
        kind, role, source = QMenu(self), QMenu(self), QMenu(self)
        for menu, key, offers in ((kind, "kind", _kinds()), (role, "role", _roles()), (source, "source", _sources())):
            for words, value in offers:
                self._offer(menu, words, Filter(key, value))
        for menu in (kind, source):
            project = menu.addAction(_("Of a project…"))
            project.triggered.connect(lambda _c=False: self.write_asked.emit("project:"))
        self._adders = {
            self._menu_button(_("App"), self.app_menu): Filter("app", "code"),
            self._menu_button(_("Said by"), role): Filter("role", "user"),
            self._menu_button(_("When"), when): Filter("on", "today"),
            self._menu_button(_("Has"), has): Filter("has", "text"),
            self._menu_button(_("Kind"), kind): Filter("kind", "active"),
            self._menu_button(_("From"), source): Filter("source", "chat"),
        }
        theme_signals().changed.connect(self._paint_icons)
        self._rebuild()

    def set_uses(self, uses: Callable[[Filter], bool]) -> None:
        """Which filters count in the search shown; the others stay, but are said not to."""
        self._uses = uses
        for offer, each in self._offers:
            offer.setVisible(uses(each))
        self._rebuild()

    def used(self) -> tuple[Filter, ...]:
        """The filters that count."""
        return tuple(each for each in self.filters if self._uses(each))

    def _offer(self, menu: QMenu, words: str, each: Filter) -> None:
        offer = menu.addAction(words)
        offer.triggered.connect(self._adder(each))
        self._offers.append((offer, each))

    def set_filters(self, filters: Sequence[Filter]) -> None:
        """Show exactly these; tells nobody."""
        if tuple(filters) != self.filters:
            self.filters = tuple(dict.fromkeys(filters))
            self._rebuild()

    def add(self, *filters: Filter) -> None:
        """Set more filters; one of those that only one can be true of replaces the one there is."""
        kept = list(self.filters)
        for new in filters:
            if new.key in ONE_OF_A_KIND:
                kept = [old for old in kept if old.key != new.key]
            kept.append(new)
        self.set_filters(kept)
        self.changed.emit()

    def set_apps(self, apps: Sequence[tuple[str, str, int]]) -> None:
        """The apps to choose from (id, name, frames)."""
        self.app_menu.clear()
        for app_id, name, _frames in apps:
            self.app_menu.addAction((name or app_id).replace("&", "&&")).triggered.connect(
                self._adder(Filter("app", app_id))
            )
        if not apps:
            self.app_menu.addAction(_("Nothing recorded yet")).setEnabled(False)

    def _adder(self, new: Filter) -> Callable[[], None]:
        return lambda *_checked: self.add(new)

    def _remove(self, gone: Filter) -> None:
        self.set_filters([each for each in self.filters if each != gone])
        self.changed.emit()

    def _rebuild(self) -> None:
        for chip in self._chips:
            chip.hide()  # at once: it goes only when the events are next looked at
            chip.deleteLater()
        while self._flow.count():
            self._flow.takeAt(0)
        self._chips = [self._chip(each) for each in self.filters]
        shown = [button for button, one in self._adders.items() if self._uses(one)]
        for button in self._adders:
            button.setVisible(button in shown)
        for widget in (*self._chips, *shown):
            self._flow.addWidget(widget)
            widget.show()
        self._paint_icons()
        self.updateGeometry()

    def _chip(self, each: Filter) -> QPushButton:
        name = each.name if len(each.name) <= NAME_MAX else f"{each.name[: NAME_MAX - 1]}…"
        words = f"{each.key}: {name}" if name else each.text()
        chip = QPushButton(words.replace("&", "&&"), self)
        chip.setProperty("role", "chip")
        chip.setCheckable(True)
        chip.setChecked(self._uses(each))
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        chip.setToolTip(_("Remove this filter") if self._uses(each) else _("Does not count here; click to remove it"))
        chip.setAccessibleName(_("Filter {filter}, remove").format(filter=words))
        chip.clicked.connect(lambda: self._remove(each))
        return chip

    def _menu_button(self, words: str, menu: QMenu) -> QPushButton:
        button = QPushButton(words, self)
        button.setProperty("role", "chip")
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        button.setMenu(menu)
        button.setToolTip(_("Add a filter"))
        button.setAccessibleName(_("Add a filter: {kind}").format(kind=words))
        return button

    def _paint_icons(self, *_theme: object) -> None:
        size = tokens().px(12)
        for buttons, name in ((self._chips, "close"), (self._adders, "chevron-down")):
            for button in buttons:
                button.setIcon(icon(name, "muted"))
                button.setIconSize(QSize(size, size))


def _when() -> list[tuple[str, Filter]]:
    return [
        (_("Today"), Filter("on", "today")),
        (_("Yesterday"), Filter("on", "yesterday")),
        (_("Last 7 days"), Filter("after", "7d")),
        (_("Last 30 days"), Filter("after", "30d")),
    ]


def _has() -> list[tuple[str, str]]:
    return [
        (_("Text"), "text"),
        (_("Picture"), "picture"),
        (_("Hidden secrets"), "redaction"),
        (_("Pinned"), "pinned"),
        (_("Highlight"), "highlight"),
    ]


def _kinds() -> list[tuple[str, str]]:
    return [(_("Active"), "active"), (_("Watching"), "watching"), (_("Private"), "private")]


def _roles() -> list[tuple[str, str]]:
    return [(_("You"), "user"), (_("Model"), "assistant")]


def _sources() -> list[tuple[str, str]]:
    return [(_("Chats held here"), "chat"), (_("Branched off"), "fork"), (_("Imported"), "import")]
