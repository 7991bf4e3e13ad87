"""Notifications by the tray: what is said of its own accord, once, and each kind only while its switch is on."""

from datetime import date

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from biny_desktop.core.days import activity_day
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.core.settings import Settings
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.formats import bytes_size, day_and_time, day_title
from biny_desktop.ui.states import look_of
from biny_desktop.ui.status_watch import Snapshot, StatusWatch
from biny_desktop.ui.tray import Tray
from biny_desktop.ui.window_state import WindowState


class Notifier(QObject):
    """Says that recording stalled, that pictures will be deleted for the first time, that the disk is nearly full,
    that the report of a day is ready, and once a day that something waits for approval."""

    def __init__(self, product: Product, bridge: Bridge, watch: StatusWatch, tray: Tray) -> None:
        super().__init__(tray)
        self._product, self._tray = product, tray
        self._stalled = False
        self._waiting = 0
        self._state = WindowState(product.folders.config)
        watch.changed.connect(self._on_snapshot)
        bridge.first_deletion_planned.connect(self._on_first_deletion)
        bridge.disk_stopped.connect(self._on_disk)
        bridge.report_ready.connect(self._on_report)

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        stalled = snapshot.status.state == "stalled"
        if stalled and not self._stalled and self._wanted(snapshot.settings, "stalled"):
            why = look_of(snapshot.status, snapshot.zone, snapshot.now_ms).why
            self._tray.notify(_("Recording has stalled"), why)
        self._stalled = stalled
        more, self._waiting = snapshot.waiting > self._waiting, snapshot.waiting
        if more and self._wanted(snapshot.settings, "approvals") and QApplication.activeWindow() is None:
            self._say_waiting(snapshot)

    def _say_waiting(self, snapshot: Snapshot) -> None:
        """At most once an activity day, over restarts too; never while the person looks at the window."""
        today = activity_day(snapshot.now_ms, snapshot.zone, snapshot.settings.day.start)
        if self._state.text("said/approvals") == today:
            return
        self._state.keep(said__approvals=today)
        self._state.sync()
        text = ngettext("One thing waits for your answer.", "{count} things wait for your answer.", snapshot.waiting)
        self._tray.notify(_("Something waits for approval"), text.format(count=snapshot.waiting), "approvals")

    def _on_first_deletion(self, starts_at_ms: int) -> None:
        if self._wanted(self._product.settings.current(), "first_deletion"):
            now = self._product.clock.stamp()
            when = day_and_time(starts_at_ms, now.zone, now.at_ms)
            text = _("From {when} on. See what, or postpone it, on the page Privacy & storage.").format(when=when)
            self._tray.notify(_("Pictures will be made smaller or deleted for the first time"), text, "privacy")

    def _on_disk(self, free_bytes: int, again_bytes: int) -> None:
        if self._wanted(self._product.settings.current(), "disk"):
            text = _("{free} are free. Recording goes on by itself at {again}.").format(
                free=bytes_size(free_bytes), again=bytes_size(again_bytes)
            )
            self._tray.notify(_("Recording stopped: the disk is nearly full"), text)

    def _on_report(self, day: str) -> None:
        if self._wanted(self._product.settings.current(), "report"):
            now = self._product.clock.stamp()
            today = activity_day(now.at_ms, now.zone, self._product.settings.current().day.start)
            name = day_title(date.fromisoformat(day), date.fromisoformat(today))
            title = _("A report is ready: {day}").format(day=name)
            self._tray.notify(title, _("Read it on the page Reports."), "reports")

    @staticmethod
    def _wanted(settings: Settings, kind: str) -> bool:
        return settings.ui.notify and bool(getattr(settings.notify, kind))
