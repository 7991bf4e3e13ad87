"""Hits of a search by meaning as rows: the same look as hits by words, with how near each is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from biny_desktop.activity.meaning.model import MeaningHit, MeaningPage
from biny_desktop.activity.model import Hit
from biny_desktop.activity.search_query import parse
from biny_desktop.core import marks
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.likeness import LIKENESS, Likeness
from biny_desktop.ui.item_models.thumbs import Thumbs
from biny_desktop.ui.item_models.timeline import ITEM, PICTURE, describe

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class MeaningAnswer:
    """What a question found; without hits `waiting` texts have no vectors yet, `why` there is no embedder."""

    page: MeaningPage
    hits: tuple[tuple[Hit, Likeness], ...]
    waiting: int = 0
    why: str = ""


def look_near(product: Product, text: str, *, every_frame: bool) -> MeaningAnswer:
    """Ask, on a pool thread; words of the question are marked where a passage has them."""
    page = product.meaning.search(text, every_frame=every_frame)
    settings = product.settings.current()
    find = marks.pattern(parse(text, product.clock.stamp(), settings.day.start).wanted)
    hits = tuple((_hit(hit, find), Likeness(hit.centred, hit.raw)) for hit in page.hits)
    waiting = why = None
    if page.reason == "no_vectors":
        waiting = sum(index.pending for index in product.models.indexes() if index.kind == "frame")
        waiting = waiting or product.timeline.totals().texts  # nobody has looked at any yet
    if page.reason == "no_embedder":
        why = product.models.embedder_state().why
    return MeaningAnswer(page, hits, waiting or 0, why or "")


def _hit(found: MeaningHit, find: re.Pattern[str] | None) -> Hit:
    passage = " ".join(found.passage.split())  # of code the indents would be all one sees
    return Hit(found.frame, passage, marks.marks(passage, find), (), found.picture_tier)


class MeaningHitsModel(QAbstractListModel):
    """`ITEM` gives the `Hit`, `PICTURE` its thumbnail or None, `LIKENESS` how near it is."""

    def __init__(self, product: Product, calls: Calls, parent: QObject | None = None) -> None:
        super().__init__(parent)
        timeline = product.timeline
        self.thumbs = Thumbs(lambda ids: timeline.thumbs(list(ids)), calls, self)
        self.thumbs.arrived.connect(self._on_thumbs_arrived)
        self._rows: list[tuple[Hit, Likeness]] = []

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        hit, likeness = self._rows[index.row()]
        if role == ITEM:
            return hit
        if role == LIKENESS:
            return likeness
        if role == PICTURE:
            return self.thumbs.get(hit.frame.id) if hit.frame.picture_state == "live" else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return likeness.tip()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{describe(hit.frame)}: {hit.snippet}, {likeness.words()}"
        return None

    def hit(self, row: int) -> Hit | None:
        """The row's hit, None outside."""
        return self._rows[row][0] if 0 <= row < len(self._rows) else None

    def row_of(self, frame_id: int) -> int | None:
        """Where the hit of a frame stands."""
        return next((row for row, (hit, _like) in enumerate(self._rows) if hit.frame.id == frame_id), None)

    def fill(self, rows: Sequence[tuple[Hit, Likeness]]) -> None:
        """Show these rows."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def remove_frames(self, frame_ids: Sequence[int]) -> None:
        """These frames were deleted: their hits go."""
        gone = set(frame_ids)
        self.thumbs.forget(list(frame_ids))
        if any(hit.frame.id in gone for hit, _like in self._rows):
            self.fill([row for row in self._rows if row[0].frame.id not in gone])

    def _on_thumbs_arrived(self, frame_ids: list[int]) -> None:
        rows = [row for row in map(self.row_of, frame_ids) if row is not None]
        if rows:
            self.dataChanged.emit(self.index(min(rows)), self.index(max(rows)), [PICTURE])
