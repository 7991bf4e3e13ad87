"""The page Today: date, sums, hours by app, segments and report of one day; here they are only wired to each other."""

from datetime import date

from PySide6.QtCore import QPoint, QSettings, Qt, QTimer
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.i18n import _, mark
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.today.looking import TodayView, figures, look_at, nothing_words
from biny_desktop.ui.pages.today.report_pane import ReportPane
from biny_desktop.ui.segment_acts import SegmentActs
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.app_legend import AppLegend
from biny_desktop.ui.widgets.day_switch import DaySwitch
from biny_desktop.ui.widgets.figures import Figures
from biny_desktop.ui.widgets.halves import Halves
from biny_desktop.ui.widgets.hour_bars import HourBars
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.rows import action
from biny_desktop.ui.widgets.segment_list import SegmentList

BARS_FROM_PX = 420
"""A lower page has no hour bars."""
CHANGES_MS = 500
"""Changes that come together are looked at once."""


class TodayPage(Page):
    """One day at a glance."""

    title = mark("Today")
    icon_name = "today"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _("Today")
        self._product, self._calls = product, calls
        self.view: TodayView | None = None
        self._day: str | None = None
        self.switch, self.figures, self.bars, self.legend = DaySwitch(), Figures(), HourBars(), AppLegend()
        self.list, self.report = SegmentList(), ReportPane(product, calls)
        self.acts = SegmentActs(product, calls, self)
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._lay_out()
        self._connect(bridge)
        self.refresh()

    # -- layout --------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        top = QVBoxLayout()
        top.setContentsMargins(16, 8, 16, 8)
        top.setSpacing(8)
        dates = QHBoxLayout()
        dates.addWidget(self.switch)
        dates.addStretch(1)
        top.addLayout(dates)
        self.upper = QWidget()
        column = QVBoxLayout(self.upper)
        column.setContentsMargins(16, 0, 16, 8)
        column.setSpacing(8)
        for widget in (self.figures, self.bars, self.legend):
            column.addWidget(widget)
        self.halves = Halves((_("Activities"), self._list_pane()), (_("Report"), self.report))
        self.halves.narrowed.connect(lambda narrow: self._heading.setVisible(not narrow))  # the tab says it
        self.halves.narrowed.connect(lambda narrow: self.report.heading.setVisible(not narrow))
        self._nothing = QWidget()
        self.nothing_title, self.nothing_text = label("", "title"), label("", "muted", wrap=True)
        empty = QVBoxLayout(self._nothing)
        empty.setContentsMargins(16, 24, 16, 16)
        empty.setSpacing(8)
        empty.addWidget(self.nothing_title)
        empty.addWidget(self.nothing_text)
        empty.addStretch(1)
        self.nothing_text.setMaximumWidth(560)
        day = QWidget()
        whole = QVBoxLayout(day)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.upper)
        whole.addWidget(hairline())
        whole.addWidget(self.halves, 1)
        self.pages = QStackedWidget()
        self.pages.addWidget(day)
        self.pages.addWidget(self._nothing)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(top)
        outer.addWidget(self.pages, 1)

    def open_part(self, name: str) -> None:
        """`report`: the day's report comes into sight where there is no room for both halves."""
        if name == "report":
            self.halves.show_part(1)

    def _list_pane(self) -> QWidget:
        pane = QWidget()
        pane.setProperty("role", "panel")
        pane.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head = QHBoxLayout()
        head.setContentsMargins(16, 6, 12, 6)
        self.more = action(_("Actions"), _("What can be done with the chosen activity (Menu key)"))
        self.more.clicked.connect(self._on_more)
        self._heading = label(_("Activities"), "heading")
        head.addWidget(self._heading)
        head.addStretch(1)
        head.addWidget(self.more)
        column = QVBoxLayout(pane)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self.list, 1)
        return pane

    def _connect(self, bridge: Bridge) -> None:
        self.switch.day_chosen.connect(self.show_day)
        self.switch.days_wanted.connect(self._on_days_wanted)
        self.bars.hour_opened.connect(lambda bar: self.time_requested.emit(bar.start_ms))
        view = self.list.view
        view.clicked.connect(lambda _index: self.show_source(open_panel=True))
        view.segment_chosen.connect(self._on_segment_chosen)
        view.segment_opened.connect(self.open_segment)
        view.delete_asked.connect(self.acts.delete)
        view.menu_asked.connect(self._show_menu)
        self.list.model.rename_asked.connect(self.acts.rename)
        self.acts.open_asked.connect(self.open_segment)
        self.acts.rename_asked.connect(self._on_rename_asked)
        self.acts.saved.connect(self._on_saved)
        self.report.anchor_opened.connect(self._on_link)
        self.report.made.connect(lambda _report: self.refresh())
        self._changes.timeout.connect(self.refresh)
        bridge.segments_changed.connect(self._on_days_changed)
        bridge.segment_analysed.connect(self._on_rows)
        bridge.report_made.connect(self._on_report_made)
        bridge.activity_deleted.connect(self._on_rows)
        bridge.recorder_state_changed.connect(self._on_recording_changed)
        keys = {"Alt+Left": lambda: self.switch.step(-1), "Alt+Right": lambda: self.switch.step(1)}
        keys |= {"Alt+Home": lambda: self.show_day(None), "Ctrl+Return": self.report.write.click}
        for key, act in keys.items():
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.height() >= tokens().px(BARS_FROM_PX)  # where there is little, the segments need it
        for part in (self.bars, self.legend):
            part.setVisible(room)

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_day(self, day: str | None) -> None:
        """Show a day; None: today, also tomorrow."""
        self._day = day
        product = self._product
        self._calls.run(lambda: look_at(product, day), self._on_view, self._on_failed, self, latest="day")

    def refresh(self) -> None:
        """Look at the day again."""
        self.show_day(self._day)

    def _on_view(self, view: TodayView) -> None:
        other = self.view is None or self.view.day.day != view.day.day
        if view.date == view.today:
            self._day = None
        self.view = view
        self.switch.show_day(view.date, view.today)
        if view.is_empty:
            heading, words = nothing_words(view, self._product.settings.current().day.start)
            self.nothing_title.setText(heading)
            self.nothing_text.setText(words)
            self.pages.setCurrentIndex(1)
            return
        self.pages.setCurrentIndex(0)
        self.figures.fill(figures(view.day))
        self.bars.show_hours(view.day.hours, view.day.zone)
        self.legend.show_hours(view.day.hours)
        chosen = self.list.view.chosen()
        self.list.model.show_items(view.day.items)
        self.list.relabel()
        if chosen is not None and not other:
            self.list.view.choose(chosen.id)
        self.more.setEnabled(self.list.view.chosen() is not None)
        self.report.show_view(view)
        where = day_heading(view.date, view.today)
        self.title = where
        if self.isVisible():
            self.title_changed.emit(where)

    def _on_failed(self, error: BinyError) -> None:
        title, *rest = said(error)
        self.nothing_title.setText(title)
        self.nothing_text.setText("\n".join(part for part in rest if part))
        self.pages.setCurrentIndex(1)

    def _on_days_wanted(self, first: str, last: str) -> None:
        segments = self._product.segments
        self._calls.run(lambda: segments.heat(first, last), self.switch.show_heat, None, self, latest="heat")

    # -- one segment ---------------------------------------------------------------------------------------------------

    def _on_segment_chosen(self, _segment: Segment) -> None:
        self.more.setEnabled(True)
        self.show_source(open_panel=False)

    def show_source(self, *, open_panel: bool) -> None:
        """Tell the window which segment is chosen; a panel that was closed stays closed unless asked for."""
        segment = self.list.view.chosen()
        if segment is not None and (open_panel or panel_is_open(self)):
            self.source_selected.emit(anchor_of_segment(segment))

    def open_segment(self, segment: Segment) -> None:
        """Show it on the page Activity."""
        self.open_requested.emit(anchor_of_segment(segment))

    def _on_link(self, anchor: Anchor) -> None:
        if anchor.kind == "segment" and self.list.view.choose(int(anchor.ref)):
            self.show_source(open_panel=True)
        else:
            self.source_selected.emit(anchor)

    def _show_menu(self, segment: Segment, place: QPoint) -> None:
        self.acts.show_menu(segment, self.list.model.after(segment), place)

    def _on_more(self) -> None:
        segment = self.list.view.chosen()
        if segment is not None:
            self._show_menu(segment, self.more.mapToGlobal(QPoint(0, self.more.height() + 4)))

    def _on_rename_asked(self, segment: Segment) -> None:
        if self.list.view.choose(segment.id):
            self.list.view.edit(self.list.view.currentIndex())

    def _on_saved(self, _segment: Segment) -> None:
        self.refresh()
        self.show_source(open_panel=False)

    # -- what happens meanwhile ----------------------------------------------------------------------------------------

    def _on_days_changed(self, days: tuple[str, ...]) -> None:
        if self.view is None or self.view.day.day in days:
            self._changes.start()

    def _on_report_made(self, kind: str, key: str, _state: str) -> None:
        if kind == "day" and self.view is not None and key == self.view.day.day:
            self._changes.start()

    def _on_rows(self, _what: object) -> None:
        self._changes.start()

    def _on_recording_changed(self, _state: str, _reason: str) -> None:
        if self.view is not None and self.view.is_empty:
            self._changes.start()

    # -- page ----------------------------------------------------------------------------------------------------------

    def find(self) -> None:
        """Choose a day in the calendar."""
        self.switch.open_calendar()

    def save_state(self, settings: QSettings) -> None:
        self.halves.save_state(settings)
        settings.setValue("all", self.list.model.shows_all)

    def restore_state(self, settings: QSettings) -> None:
        self.halves.restore_state(settings)
        self.list.model.show_all(on=settings.value("all", False, type=bool))


def day_heading(day: date, today: date) -> str:
    """The title of the window: the page, and the day when it is another one."""
    from biny_desktop.ui.formats import day_title

    return _("Today") if day == today else day_title(day, today)


def anchor_of_segment(segment: Segment) -> Anchor:
    """The anchor that opens a segment."""
    return Anchor("segment", str(segment.id), segment.start_ms, segment.zone)


def panel_is_open(page: QWidget) -> bool:
    """Whether the source panel is shown in the window of a page."""
    from biny_desktop.ui.source_panel import SourcePanel

    return any(panel.isVisible() for panel in page.window().findChildren(SourcePanel))
