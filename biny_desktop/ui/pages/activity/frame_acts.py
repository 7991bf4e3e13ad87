"""What can be done with the frame shown: pin its picture, have its text read again."""

from PySide6.QtCore import QObject, Signal

from biny_desktop.core.errors import BinyError
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls


class FrameActs(QObject):
    """`changed(id)` when a frame is to be looked at again, `failed(id)` when nothing came of it."""

    changed = Signal(int)
    failed = Signal(int)

    def __init__(self, product: Product, calls: Calls, parent: QObject) -> None:
        super().__init__(parent)
        self._product, self._calls = product, calls

    def reread(self, frame_id: int) -> None:
        """Have its text read again, before everything else."""
        self._calls.run(lambda: self._product.read_now(frame_id), lambda _none: self.changed.emit(frame_id), None, self)

    def pin(self, frame_id: int, on: bool) -> None:
        """Keep its picture as it is, or let it age again."""
        verb = self._product.pins.pin if on else self._product.pins.unpin
        self._calls.run(lambda: verb(frame_id), None, lambda error: self._on_pin_failed(error, frame_id), self)

    def _on_pin_failed(self, error: BinyError, frame_id: int) -> None:
        self._calls.failed.emit(error)
        self.failed.emit(frame_id)
