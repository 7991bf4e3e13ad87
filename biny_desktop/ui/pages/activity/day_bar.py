"""The bar over the page: which day (or month or week), how near, which app, and deleting."""

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QToolButton, QWidget

from biny_desktop.core.i18n import _, ngettext
from biny_desktop.ui.formats import day_title, number
from biny_desktop.ui.icons import icon
from biny_desktop.ui.pages.activity.zoom_bar import ZoomBar
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.labels import label

SMALLEST_PX = 88


class DayBar(QWidget):
    """Signals: `day_chosen(day)`, `app_chosen(app id or None)`, `delete_asked`; `span_stepped(±1)` while a month or a
    week is shown."""

    day_chosen = Signal(str)
    app_chosen = Signal(object)
    delete_asked = Signal()
    span_stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._days: list[str] = []
        self._far = False
        self.zoom = ZoomBar()
        self.span = label("", "heading")
        self.span.hide()
        self.older = self._button(_("The day before (Alt+Left)"), lambda: self._step(1))
        self.newer = self._button(_("The day after (Alt+Right)"), lambda: self._step(-1))
        self.day_box = QComboBox()
        self.day_box.setAccessibleName(_("Day"))
        self.day_box.setToolTip(_("The day shown"))
        self.day_box.setMinimumWidth(SMALLEST_PX)
        self.day_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.day_box.setMaxVisibleItems(14)
        self.day_box.activated.connect(self._on_day)
        self.app_box = QComboBox()
        self.app_box.setAccessibleName(_("App"))
        self.app_box.setToolTip(_("Show the frames of one app only"))
        self.app_box.setMinimumWidth(SMALLEST_PX)
        self.app_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.app_box.activated.connect(lambda row: self.app_chosen.emit(self.app_box.itemData(row)))
        self.delete = QPushButton(_("Delete…"))
        self.delete.setToolTip(_("Delete this frame, a time range, an app or the day (Del)"))
        self.delete.clicked.connect(self.delete_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(4)
        for widget in (self.older, self.day_box, self.span, self.newer):
            row.addWidget(widget)
        row.addSpacing(8)
        row.addWidget(self.zoom)
        row.addSpacing(8)
        row.addWidget(self.app_box)
        row.addStretch(1)
        row.addWidget(self.delete)
        self._paint_icons()
        theme_signals().changed.connect(self._paint_icons)

    def set_days(self, days: Sequence[tuple[str, int]], shown: str, today: date) -> None:
        """The days to choose from, newest first, with their number of frames; `shown` may be one without frames."""
        entries = list(days)
        if shown not in (day for day, _n in entries):
            entries = sorted([*entries, (shown, 0)], reverse=True)
        self._days = [day for day, _n in entries]
        self.day_box.clear()
        for day, frames in entries:
            count = ngettext("{n} frame", "{n} frames", frames).format(n=number(frames))
            self.day_box.addItem(f"{day_title(date.fromisoformat(day), today)} · {count}", day)
        self._mark(shown)

    def set_apps(self, apps: Sequence[tuple[str, str, int]], shown: str | None) -> None:
        """The apps of the day, most frames first."""
        self.app_box.clear()
        self.app_box.addItem(_("All apps"), None)
        for app_id, name, frames in apps:
            self.app_box.addItem(f"{name or app_id} · {number(frames)}", app_id)
        if shown is not None and self.app_box.findData(shown) < 0:
            self.app_box.addItem(shown, shown)
        self.app_box.setCurrentIndex(max(0, self.app_box.findData(shown)) if shown is not None else 0)

    def show_span(self, title: str | None, *, last: bool = False) -> None:
        """Show the name of a month or week instead of days and apps; None: days again. `last`: none follows it."""
        if title is None and not self._far:
            return
        self._far = title is not None
        for widget in (self.day_box, self.app_box, self.delete):
            widget.setVisible(not self._far)
        self.span.setVisible(self._far)
        self.span.setText(title or "")
        if self._far:
            self.older.setEnabled(True)
            self.newer.setEnabled(not last)
            self._name_arrows(_("Earlier (Alt+Left)"), _("Later (Alt+Right)"))
        else:
            self._name_arrows(_("The day before (Alt+Left)"), _("The day after (Alt+Right)"))
            if self.day() is not None:
                self._mark(self.day())

    def _name_arrows(self, older: str, newer: str) -> None:
        for button, words in ((self.older, older), (self.newer, newer)):
            button.setToolTip(words)
            button.setAccessibleName(words)

    def day(self) -> str | None:
        """The day shown."""
        return self.day_box.currentData()

    def step_day(self, by: int) -> None:
        """One day with frames on (+1) or back (−1)."""
        self._step(-by)

    def _mark(self, shown: str) -> None:
        row = self._days.index(shown)
        self.day_box.setCurrentIndex(row)
        if self._far:
            return
        self.older.setEnabled(row + 1 < len(self._days))
        self.newer.setEnabled(row > 0)

    def _step(self, by: int) -> None:
        if self._far:
            self.span_stepped.emit(-by)
            return
        row = self.day_box.currentIndex() + by
        if 0 <= row < len(self._days):
            self._on_day(row)

    def _on_day(self, row: int) -> None:
        self._mark(self._days[row])
        self.day_chosen.emit(self._days[row])

    def _button(self, tip: str, act: object) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(act)
        return button

    def _paint_icons(self, *_theme: object) -> None:
        self.older.setIcon(icon("chevron-left"))
        self.newer.setIcon(icon("chevron-right"))
        height = tokens().px(28)
        for button in (self.older, self.newer):
            button.setFixedSize(height, height)
