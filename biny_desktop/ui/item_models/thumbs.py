"""Thumbnails on demand: asked for while painting, fetched and decoded in a pool thread, the last few hundred kept."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, QSize, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

from biny_desktop.ui.calls import Calls

THUMB = QSize(160, 90)
"""Size of a film-strip thumbnail (spec 09, Look)."""
KEPT = 500
"""Thumbnails in memory: 500 × 57 kB is about 28 MB."""
BATCH = 60
GATHER_MS = 15
"""Cells painted within this time ask together."""

Fetch = Callable[[Sequence[int]], Mapping[int, bytes]]


class Thumbs(QObject):
    """A cache of pixmaps by frame id; `arrived` names the frames whose thumbnails can be painted now."""

    arrived = Signal(object)

    def __init__(self, fetch: Fetch, calls: Calls, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fetch, self._calls = fetch, calls
        self._cache: OrderedDict[int, QPixmap | None] = OrderedDict()
        self._wanted: dict[int, None] = {}
        self._asked: set[int] = set()
        self._timer = QTimer(self, singleShot=True, interval=GATHER_MS)
        self._timer.timeout.connect(self._ask)

    def get(self, frame_id: int) -> QPixmap | None:
        """The thumbnail, or None when there is none or none yet (then it is on its way)."""
        if self.knows(frame_id):
            self._cache.move_to_end(frame_id)
            return self._cache[frame_id]
        if frame_id not in self._asked:
            self._wanted[frame_id] = None
            if not self._timer.isActive():  # starting it anew at each paint would put it off while scrolling
                self._timer.start()
        return None

    def knows(self, frame_id: int) -> bool:
        """Whether the answer for that frame is here (it may be: no thumbnail)."""
        return frame_id in self._cache

    def forget(self, frame_ids: Sequence[int]) -> None:
        """Drop these, for instance after a delete."""
        for frame_id in frame_ids:
            self._cache.pop(frame_id, None)

    def _ask(self) -> None:
        ids = list(self._wanted)[-BATCH:]  # the newest asked for are the ones in sight
        self._wanted.clear()
        if not ids:
            return
        self._asked.update(ids)
        self._calls.run(
            lambda: _decode(self._fetch(ids)), lambda found: self._keep(ids, found), self._failed(ids), self
        )

    def _keep(self, ids: list[int], found: Mapping[int, QImage]) -> None:
        self._asked.difference_update(ids)
        for frame_id in ids:
            image = found.get(frame_id)
            self._cache[frame_id] = QPixmap.fromImage(image) if image is not None and not image.isNull() else None
        while len(self._cache) > KEPT:
            self._cache.popitem(last=False)
        self.arrived.emit(ids)

    def _failed(self, ids: list[int]) -> Callable[[Exception], None]:
        def note(_error: Exception) -> None:
            self._keep(ids, {})  # a strip without a picture is shown as such; asking for ever helps nobody

        return note


def _decode(found: Mapping[int, bytes]) -> dict[int, QImage]:
    return {frame_id: QImage.fromData(data, "JPEG") for frame_id, data in found.items()}
