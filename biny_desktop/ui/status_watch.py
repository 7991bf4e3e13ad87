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
    """State and settings read together; `zone` IANA and `now_ms` UTC ms of that moment; `waiting` approvals."""

    status: Status
    settings: Settings
    settings_problem: BinyError | None
    zone: str
    now_ms: int
    waiting: int = 0


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
        for signal in (
            bridge.recorder_state_changed, bridge.setting_changed, bridge.activity_changed, bridge.approvals_changed,
        ):  # fmt: skip
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
        waiting = self._product.approvals.count_open()
        problem = self._product.settings.problem
        return Snapshot(self._product.status(), settings, problem, stamp.zone, stamp.at_ms, waiting)

    def _on_read(self, snapshot: Snapshot) -> None:
        last, self.last = self.last, snapshot
        if last is None or _told(last) != _told(snapshot):
            self.changed.emit(snapshot)


def _told(shot: Snapshot) -> tuple[object, ...]:
    """What of it is worth telling when it is another one."""
    return shot.status, shot.settings, shot.zone, str(shot.settings_problem), shot.waiting
