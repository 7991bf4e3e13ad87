"""The page Activity: day bar, zoom, frame viewer with its tables, bands and film strip; here they are only wired."""

from PySide6.QtCore import QPoint, QSettings, Qt, QTimer
from PySide6.QtGui import QShowEvent, QWheelEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from biny_desktop.activity.model import Frame
from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.days import activity_day
from biny_desktop.core.errors import BinyError, said
from biny_desktop.core.events import ActivityDeleted
from biny_desktop.core.i18n import _, mark
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.timeline import Range, TimelineModel
from biny_desktop.ui.pages.activity.day_bar import DayBar
from biny_desktop.ui.pages.activity.days import DayView, look_at_day, nothing_here
from biny_desktop.ui.pages.activity.details import DetailsPane
from biny_desktop.ui.pages.activity.frame_acts import FrameActs
from biny_desktop.ui.pages.activity.keys import add_keys
from biny_desktop.ui.pages.activity.loading import LoadedFrame, day_of, load_frame
from biny_desktop.ui.pages.activity.looking import frame_near
from biny_desktop.ui.pages.activity.near_view import NearView
from biny_desktop.ui.pages.activity.player import Player
from biny_desktop.ui.pages.activity.spans import LEVELS
from biny_desktop.ui.pages.activity.viewer import FrameViewer
from biny_desktop.ui.pages.activity.zooming import MONTH, NEAR, WEEK, Zoom
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.segment_acts import SegmentActs
from biny_desktop.ui.widgets.film_strip import FilmStrip
from biny_desktop.ui.widgets.labels import hairline

HOUR_MS = 3_600_000
NEW_FRAMES_MS = 300
"""New rows are put in when they have rested for this long."""


class ActivityPage(Page):
    """Time from a month to a minute: segments as bands, frames as pictures, and why they were kept or not."""

    title = mark("Activity")
    icon_name = "activity"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _("Activity")
        self._product, self._calls = product, calls
        self._view: DayView | None = None
        self._wanted: tuple[int, str] | None = None
        self._wanted_at: tuple[int, Segment | None] | None = None
        self._segment_first: int | None = None
        self._read: set[int] = set()
        self.model = TimelineModel(product.timeline, calls, self)
        self.bar, self.viewer, self.details = DayBar(), FrameViewer(calls), DetailsPane()
        self.strip = FilmStrip(self.model)
        self.player = Player(lambda: self.strip.step(1), self)
        self.stack = QStackedWidget()
        self.zoom = Zoom(product, calls, self.bar, self.stack, self)
        self.acts, self.frame_acts = SegmentActs(product, calls, self), FrameActs(product, calls, self)
        self._new_frames = QTimer(self, singleShot=True, interval=NEW_FRAMES_MS)
        self._lay_out()
        self._connect(bridge)
        add_keys(self)
        self.viewer.show_message(_("Loading…"))
        self.show_day(None)

    def _lay_out(self) -> None:
        self.near = NearView(self.viewer, self.details, self.zoom.bars, self.zoom.bands, self.strip)
        for part in (self.near, self.zoom.week, self.zoom.month):
            self.stack.addWidget(part)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for widget in (self.bar, hairline()):
            whole.addWidget(widget)
        whole.addWidget(self.stack, 1)

    def _connect(self, bridge: Bridge) -> None:
        self.bar.day_chosen.connect(self.show_day)
        self.bar.app_chosen.connect(self._on_app_chosen)
        self.bar.delete_asked.connect(self.delete)
        self.model.loaded.connect(self._on_loaded)
        self.model.failed.connect(self._on_failed)
        self.strip.frame_chosen.connect(self._on_frame_chosen)
        self.strip.clicked.connect(lambda _index: self.show_source(open_panel=True))
        self.strip.range_changed.connect(self._on_range_changed)
        self.viewer.step_asked.connect(self.step)
        self.viewer.play_asked.connect(self.play)
        self.viewer.reread_asked.connect(self.frame_acts.reread)
        self.viewer.pin_asked.connect(self.frame_acts.pin)
        self.frame_acts.changed.connect(self._on_frame_read)
        self.frame_acts.failed.connect(self._load)
        bridge.pin_changed.connect(self._on_frame_read)
        self.player.changed.connect(self.viewer.set_playing)
        self._new_frames.timeout.connect(self._take_news)
        bridge.frame_kept.connect(self._soon)
        bridge.frame_read.connect(self._on_frame_read)
        bridge.activity_deleted.connect(self._on_deleted)
        bridge.day_deleted.connect(self._on_day_deleted)
        bridge.segments_changed.connect(self.zoom.on_rows)
        bridge.segment_analysed.connect(self.zoom.on_rows)
        bridge.recorder_state_changed.connect(self._on_recording_changed)
        zoom = self.zoom
        zoom.day_wanted.connect(self._on_day_wanted)
        zoom.time_wanted.connect(self.go_to)
        zoom.segment_chosen.connect(lambda segment: self._tell_segment(segment, open_panel=True))
        zoom.filled.connect(self._show_lines)
        for bands in (zoom.bands, zoom.week):
            bands.menu_asked.connect(self._show_menu)
        self.acts.open_asked.connect(lambda segment: self.go_to(segment.start_ms, segment))
        self.acts.rename_asked.connect(lambda segment: self._tell_segment(segment, open_panel=True))
        self.acts.saved.connect(self._on_saved)

    # -- days and ranges -----------------------------------------------------------------------------------------------

    def show_day(self, day: str | None, app: str | None = None) -> None:
        """Show a day from its newest frame on; None: the newest day with frames."""
        self.player.stop()
        product = self._product
        self._calls.run(
            lambda: look_at_day(product, day), lambda view: self._on_day(view, app), self._on_failed, self, latest="day"
        )

    def _on_day(self, view: DayView, app: str | None) -> None:
        self._view = view
        self.strip.zone = view.zone
        self.bar.set_days(view.days, view.bounds.day, view.today)
        self.bar.set_apps(view.apps, app)
        wanted = Range(view.bounds.start_ms, view.bounds.end_ms, app)
        if wanted != self.model.shown or self.model.newest() is None:
            self.model.show(wanted)
        elif not self.model.add_new():
            self._soon()
        self.zoom.show_day(view.bounds, view.zone, view.today)
        if self._wanted_at is not None:
            wanted, self._wanted_at = self._wanted_at, None
            self.go_to(*wanted)

    def _on_app_chosen(self, app: str | None) -> None:
        if self._view is not None:
            self.player.stop()
            self.model.show(Range(self._view.bounds.start_ms, self._view.bounds.end_ms, app))

    def refresh(self) -> None:
        """Read the rows again; the chosen frame stays chosen."""
        shown = self.model.shown
        newest = self._view is not None and self._view.days and self._view.days[0][0] == self._view.bounds.day
        day = None if self._view is None or newest or not self._view.days else self._view.bounds.day
        self.show_day(day, shown.app if shown else None)

    def _on_loaded(self) -> None:
        if self._wanted is not None:
            frame_id, quote = self._wanted
            self.model.fetch_until(frame_id, lambda: self._choose_wanted(frame_id, quote))
        elif self.strip.current_id() is None:
            self.strip.to_newest()
        self.near.show_frames(shown=self.model.rowCount() > 0)
        self._show_lines()
        if self.model.newest() is None:
            self._show_nothing()

    def _show_lines(self) -> None:
        self.near.show_lines(shown=self.zoom.day is not None and bool(self.zoom.day.items))

    def _choose_wanted(self, frame_id: int, quote: str) -> None:
        if not self.strip.choose_frame(frame_id):
            self.strip.to_newest()
        self._wanted = None
        if quote:
            self._load(frame_id, quote)

    def _show_nothing(self) -> None:
        self.details.show_frame(None)
        shown = self.model.shown
        self.viewer.show_message(nothing_here(self._view, one_app=shown is not None and shown.app is not None))

    def _on_day_deleted(self, _event: object) -> None:
        self.refresh()

    def _on_recording_changed(self, _state: str, _reason: str) -> None:
        if self._view is not None and not self._view.days:
            self.refresh()

    # -- one frame -----------------------------------------------------------------------------------------------------

    def _on_frame_chosen(self, frame_id: int) -> None:
        self._load(frame_id)
        item = self.model.item(self.strip.currentIndex().row())
        if isinstance(item, Frame):
            self.zoom.show_frame(item)
        if frame_id == self._segment_first:
            return  # it came into sight with its segment, which is what was chosen
        self._segment_first = None
        self.show_source(open_panel=False)

    def _load(self, frame_id: int, quote: str = "") -> None:
        timeline = self._product.timeline
        self._calls.run(
            lambda: load_frame(timeline, frame_id), lambda loaded: self._on_frame_loaded(loaded, quote),
            self._on_frame_failed, self, latest="frame",
        )  # fmt: skip

    def _on_frame_loaded(self, loaded: LoadedFrame, quote: str) -> None:
        self.viewer.show_frame(loaded, quote)
        self.details.show_frame(loaded.detail)

    def _on_frame_failed(self, error: BinyError) -> None:
        self.details.show_frame(None)
        self.viewer.show_message("\n".join(part for part in said(error) if part))

    def _on_failed(self, error: BinyError) -> None:
        self._wanted = None
        self._on_frame_failed(error)

    def show_source(self, *, open_panel: bool) -> None:
        """Tell the window which source is chosen; a panel that was closed stays closed unless asked for."""
        item = self.model.item(self.strip.currentIndex().row())
        if open_panel:
            self._segment_first = None
        if isinstance(item, Frame) and (open_panel or self._panel_is_open()):
            self.source_selected.emit(Anchor("frame", str(item.id), item.at_ms, item.zone))

    def _panel_is_open(self) -> bool:
        from biny_desktop.ui.source_panel import SourcePanel

        return any(panel.isVisible() for panel in self.window().findChildren(SourcePanel))

    def open_anchor(self, anchor: Anchor) -> bool:
        """Show a frame or a segment: its day, the film strip at it, words of the quote marked."""
        if anchor.kind not in ("frame", "segment") or not anchor.ref.isdigit():
            return False
        number, product = int(anchor.ref), self._product
        if self.stack.currentIndex() != NEAR:
            self.zoom.open_near()
        if anchor.kind == "segment":
            self._calls.run(
                lambda: product.segments.segment(number), self._open_segment, self._on_failed, self, latest="anchor"
            )
            return True
        self._wanted = (number, anchor.quote or "")
        start = product.settings.current().day.start
        self._calls.run(
            lambda: day_of(product.timeline.frame(number).frame, start), self.show_day, self._on_failed, self,
            latest="anchor",
        )  # fmt: skip
        return True

    def _open_segment(self, segment: Segment) -> None:
        self._wanted_at = (segment.start_ms, segment)
        self.show_day(segment.day)

    def open_time(self, at_ms: int) -> None:
        """Show the hour that begins at an instant."""
        stamp, settings = self._product.clock.stamp(), self._product.settings.current()
        self.zoom.set_level("hour", at_ms + HOUR_MS // 2)
        self._wanted_at = (at_ms + HOUR_MS - 1, None)
        self.show_day(activity_day(at_ms, stamp.zone, settings.day.start))

    # -- segments ------------------------------------------------------------------------------------------------------

    def go_to(self, at_ms: int, segment: Segment | None = None) -> None:
        """Show the frame of an instant, inside a segment when one is given, and that segment as what is chosen."""
        view, product, shown = self._view, self._product, self.model.shown
        if view is None:
            return
        if segment is not None:
            self.zoom.bands.select(segment.id)
            self._tell_segment(segment, open_panel=self._panel_is_open())
        stretch = (view.bounds.start_ms, view.bounds.end_ms)
        if segment is not None:
            stretch = (segment.start_ms, segment.end_ms)
        app = shown.app if shown is not None else None
        self._calls.run(
            lambda: frame_near(product, at_ms, stretch, app),
            lambda frame_id: self._go_to_frame(frame_id, at_ms, with_segment=segment is not None), None, self,
            latest="near",
        )  # fmt: skip

    def _go_to_frame(self, frame_id: int | None, at_ms: int, *, with_segment: bool) -> None:
        self.zoom.bring_into_sight(at_ms)
        if frame_id is None:
            return
        self._segment_first = frame_id if with_segment else None
        self._wanted = (frame_id, "")
        self.model.fetch_until(frame_id, lambda: self._choose_wanted(frame_id, ""))

    def _tell_segment(self, segment: Segment, *, open_panel: bool) -> None:
        if open_panel or self._panel_is_open():
            self.source_selected.emit(Anchor("segment", str(segment.id), segment.start_ms, segment.zone))

    def _show_menu(self, segment: Segment, place: QPoint) -> None:
        self.acts.show_menu(segment, self.zoom.following(segment), place)

    def _on_saved(self, segment: Segment) -> None:
        self.zoom.reload()
        self._tell_segment(segment, open_panel=False)

    def _on_day_wanted(self, day: str, at_ms: int | None) -> None:
        self._wanted_at = (at_ms, None) if at_ms is not None else None
        self.show_day(day)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom.step(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    # -- moving --------------------------------------------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Next (+1) or previous (−1) frame."""
        self.player.stop()
        self.strip.step_or_fetch(by)

    def play(self) -> None:
        """Let the frames run forward, or stop them."""
        if self.viewer.detail is not None:
            self.player.toggle()

    def _on_range_changed(self, start_ms: int, end_ms: int) -> None:
        timeline, zone = self._product.timeline, self.strip.zone
        self._calls.run(
            lambda: timeline.why(start_ms, end_ms),
            lambda found: self.details.show_reasons(found, start_ms, end_ms, zone), None, self, latest="why",
        )  # fmt: skip

    # -- what happens meanwhile ----------------------------------------------------------------------------------------

    def _soon(self, _frame_id: int = 0) -> None:
        if not self._new_frames.isActive():
            self._new_frames.start()

    def _take_news(self) -> None:
        view, read = self._view, self._read
        if view is None:
            return
        if not view.days or self._product.clock.now_ms() >= view.bounds.end_ms:
            self.refresh()
        elif not self.model.add_new():
            self._soon()
            return
        self._read = set()
        self.model.update_frames(sorted(read))
        detail = self.viewer.detail
        if detail is not None and detail.frame.id in read:
            self._load(detail.frame.id)
            self.show_source(open_panel=False)

    def _on_frame_read(self, frame_id: int) -> None:
        self._read.add(frame_id)
        self._soon()

    def _on_deleted(self, event: ActivityDeleted) -> None:
        current = self.strip.current_id()
        gone = current in set(event.frame_ids)
        row = self.strip.currentIndex().row()
        self.model.remove_frames(event.frame_ids)
        if self.model.newest() is None:
            self.refresh()
        elif gone:
            self.strip.choose_near(row)

    # -- acts ----------------------------------------------------------------------------------------------------------

    def delete(self) -> None:
        """Ask what should be deleted and do it."""
        from biny_desktop.ui.dialogs.delete import DeleteDialog
        from biny_desktop.ui.pages.activity.choices import choices

        if self._view is None:
            return
        self.player.stop()
        item = self.model.item(self.strip.currentIndex().row())
        frame = item if isinstance(item, Frame) else None
        asked = choices(frame, self.strip.visible_range(), self._view.bounds, self._view.today)
        DeleteDialog(self._product.deletes, self._calls, asked, frame.zone if frame else self._view.zone, self).open()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        places = {NEAR: self.strip, WEEK: self.zoom.week.rows[0], MONTH: self.zoom.month.map}
        places[self.stack.currentIndex()].setFocus(Qt.FocusReason.OtherFocusReason)  # arrow keys work at once

    def find(self) -> None:
        """Put the keyboard on the film strip."""
        self.strip.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # -- state ---------------------------------------------------------------------------------------------------------

    def save_state(self, settings: QSettings) -> None:
        self.near.upper.save_state(settings)
        settings.setValue("tab", self.details.tabs.currentIndex())
        settings.setValue("level", self.zoom.level)
        self.viewer.save_state(settings)

    def restore_state(self, settings: QSettings) -> None:
        self.near.upper.restore_state(settings)
        self.details.tabs.setCurrentIndex(settings.value("tab", 0, type=int))
        self.viewer.restore_state(settings)
        level = settings.value("level", "day")
        if level in LEVELS and level != "day":
            self.zoom.set_level(level)
