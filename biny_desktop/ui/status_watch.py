"""Keeps the shown state fresh: asks the product on a pool thread, tells only what changed."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from biny_desktop.core.errors import BinyError
from biny_desktop.core.settings import Settings
from biny_desktop.service.product import Product
from biny_desktop.service.status import Status
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls

LOOK_MS = 5_000
"""Between two looks; events make it look at once, this catches what other processes changed."""
SETTLE_MS = 150
"""Events that arrive together make one look."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """State and settings read together; `zone` IANA and `now_ms` UTC ms of that moment."""

    status: Status
    settings: Settings
    settings_problem: BinyError | None
    zone: str
    now_ms: int


class StatusWatch(QObject):
    """`changed(Snapshot)` when state or settings differ from the last look; `failed(BinyError)` when it cannot tell."""

    changed = Signal(object)
    failed = Signal(object)

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._product = product
        self._calls = calls
        self.last: Snapshot | None = None
        self._soon = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._soon.timeout.connect(self.look)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        for signal in (bridge.recorder_state_changed, bridge.setting_changed, bridge.activity_changed):
            signal.connect(self.look_soon)

    def start(self) -> None:
        """Look now and from now on."""
        self._timer.start()
        self.look()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()
        self._soon.stop()

    def look_soon(self, *_what: object) -> None:
        """Look in a moment."""
        if not self._soon.isActive():
            self._soon.start()

    def look(self) -> None:
        """Ask the product; the answer comes by `changed`."""
        self._calls.run(self._read, self._on_read, self.failed.emit, self, latest="status")

    def _read(self) -> Snapshot:
        stamp = self._product.clock.stamp()
        settings = self._product.settings.current()
        return Snapshot(self._product.status(), settings, self._product.settings.problem, stamp.zone, stamp.at_ms)

    def _on_read(self, snapshot: Snapshot) -> None:
        last, self.last = self.last, snapshot
        if last is None or (last.status, last.settings, last.zone, str(last.settings_problem)) != (
            snapshot.status,
            snapshot.settings,
            snapshot.zone,
            str(snapshot.settings_problem),
        ):
            self.changed.emit(snapshot)
