"""From `core.events`, published on any thread, to Qt signals in the GUI thread."""

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from biny_desktop.core import events
from biny_desktop.core.events import EventBus

SETTLE_MS = 400
"""Rows that arrive together make one `activity_changed`."""


class Bridge(QObject):
    """One signal an event type; `activity_changed` follows once any rows of activity changed and things settled."""

    frame_kept = Signal(int)
    frame_read = Signal(int)
    non_frame_noted = Signal(int, str)
    recorder_state_changed = Signal(str, str)
    activity_deleted = Signal(object)
    day_deleted = Signal(object)
    setting_changed = Signal(str)
    first_deletion_planned = Signal("qint64")
    """When it starts, UTC ms."""
    disk_stopped = Signal("qint64", "qint64")
    """Free bytes, and from how many on recording goes on."""
    pictures_aged = Signal()
    pin_changed = Signal(int)
    segments_changed = Signal(object)
    """The activity days whose segments are other ones now."""
    segment_analysed = Signal(int)
    report_made = Signal(str, str, str)
    """Kind, key and state of a report that was written."""
    report_ready = Signal(str)
    """The day of a report that was written without being asked for."""
    index_changed = Signal(str)
    """The kind whose vectors are other ones now."""
    models_changed = Signal()
    sessions_changed = Signal(object)
    """The ids of chats that are other ones now."""
    approvals_changed = Signal()
    activity_changed = Signal()

    def __init__(self, bus: EventBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self.activity_changed)
        for signal in (self.frame_kept, self.frame_read, self.non_frame_noted, self.activity_deleted, self.day_deleted):
            signal.connect(self._on_rows, Qt.ConnectionType.AutoConnection)
        self._ends = [
            bus.subscribe(events.FrameKept, lambda e: self.frame_kept.emit(e.frame_id)),
            bus.subscribe(events.FrameRead, lambda e: self.frame_read.emit(e.frame_id)),
            bus.subscribe(events.NonFrameNoted, lambda e: self.non_frame_noted.emit(e.event_id, e.kind)),
            bus.subscribe(events.RecorderStateChanged, lambda e: self.recorder_state_changed.emit(e.state, e.reason)),
            bus.subscribe(events.ActivityDeleted, self.activity_deleted.emit),
            bus.subscribe(events.DayDeleted, self.day_deleted.emit),
            bus.subscribe(events.FirstDeletionPlanned, lambda e: self.first_deletion_planned.emit(e.starts_at_ms)),
            bus.subscribe(events.DiskStopped, lambda e: self.disk_stopped.emit(e.free_bytes, e.again_bytes)),
            bus.subscribe(events.PinChanged, lambda e: [self.pin_changed.emit(each) for each in e.frame_ids]),
            bus.subscribe(events.PicturesAged, lambda _e: self.pictures_aged.emit()),
            bus.subscribe(events.SegmentsChanged, lambda e: self.segments_changed.emit(e.days)),
            bus.subscribe(events.SegmentAnalysed, lambda e: self.segment_analysed.emit(e.segment_id)),
            bus.subscribe(events.ReportMade, lambda e: self.report_made.emit(e.kind, e.key, e.state)),
            bus.subscribe(events.ReportMade, self._on_report),
            bus.subscribe(events.IndexChanged, lambda e: self.index_changed.emit(e.kind)),
            bus.subscribe(events.ModelsChanged, lambda _e: self.models_changed.emit()),
            bus.subscribe(events.SessionsChanged, lambda e: self.sessions_changed.emit(e.session_ids)),
            bus.subscribe(events.ApprovalsChanged, lambda _e: self.approvals_changed.emit()),
            bus.subscribe(events.SettingChanged, lambda e: self.setting_changed.emit(e.key)),
        ]

    def close(self) -> None:
        """Hear nothing more; may be called twice."""
        while self._ends:
            self._ends.pop()()
        self._timer.stop()

    def _on_report(self, event: events.ReportMade) -> None:
        if event.kind == "day" and not event.asked and event.state not in ("failed", "empty_day"):
            self.report_ready.emit(event.key)

    def _on_rows(self, *_what: object) -> None:
        if not self._timer.isActive():
            self._timer.start()
