"""Frames and gaps of one day (or of all time) as one list, newest first, fetched page by page.

Row 0 is the newest. Gaps come from the event rows and are woven in by time; while an app filter is set there are none,
since time in other apps is no gap. New frames are put in front, so a selection held by a view stays where it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QByteArray, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from biny_desktop.activity.model import Frame, FramePage, Gap
from biny_desktop.activity.timeline import Timeline
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.thumbs import Thumbs
from biny_desktop.ui.item_models.weaving import gap_places, weave

PAGE = 100
LARGE_PAGE = 500
"""Frames of one page; the larger one when everything up to an end is wanted."""
MIN_GAP_MS = 300_000
"""Shorter pauses are not drawn as gaps (spec 03 §2.3: 5 min)."""
ITEM = int(Qt.ItemDataRole.UserRole)
PICTURE = ITEM + 1

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Range:
    """What is listed: UTC ms [start, end), one app or all."""

    start_ms: int
    end_ms: int
    app: str | None = None


class TimelineModel(QAbstractListModel):
    """`ITEM` gives the `Frame` or `Gap` of a row, `PICTURE` its thumbnail or None.

    Signals: `loaded` when the first page of a range is in, `failed(error)`, `gone(ids)` when rows were removed.
    """

    loaded = Signal()
    failed = Signal(object)
    gone = Signal(object)

    def __init__(self, timeline: Timeline, calls: Calls, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timeline, self._calls = timeline, calls
        self.thumbs = Thumbs(lambda ids: timeline.thumbs(list(ids)), calls, self)
        self.thumbs.arrived.connect(self._on_thumbs_arrived)
        self._range: Range | None = None
        self._rows: list[Frame | Gap] = []
        self._gaps: list[Gap] = []
        self._row_of: dict[int, int] | None = None
        self._next: int | None = None
        self._fetching = False
        self._turn = 0

    # -- reading ------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        item = self._rows[index.row()]
        if role == ITEM:
            return item
        if role == PICTURE:
            return self.thumbs.get(item.id) if isinstance(item, Frame) and item.picture_state == "live" else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return describe(item)
        return None

    def roleNames(self) -> dict[int, QByteArray]:
        return super().roleNames() | {ITEM: QByteArray(b"item"), PICTURE: QByteArray(b"picture")}

    def item(self, row: int) -> Frame | Gap | None:
        """The row's value, None outside."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, frame_id: int) -> int | None:
        """Where a frame stands, None when it is not loaded."""
        if self._row_of is None:
            self._row_of = {item.id: row for row, item in enumerate(self._rows) if isinstance(item, Frame)}
        return self._row_of.get(frame_id)

    def newest(self) -> Frame | None:
        """The newest loaded frame."""
        return next((item for item in self._rows if isinstance(item, Frame)), None)

    @property
    def shown(self) -> Range | None:
        """The range listed now."""
        return self._range

    # -- pages --------------------------------------------------------------------------------------------------------

    def show(self, wanted: Range) -> None:
        """List another range from its newest frame on."""
        self._turn += 1
        self.beginResetModel()
        self._range, self._next, self._fetching = wanted, None, True
        self._replace([])
        self._gaps = []
        self.endResetModel()
        self._run(lambda: self._first(wanted), self._on_first)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._next is not None and not self._fetching

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._fetch(PAGE, None)

    def fetch_until(self, frame_id: int | None, done: Callable[[], None]) -> None:
        """Load older pages until that frame (None: the oldest of the range) is in, then call `done`."""
        if (frame_id is not None and self.row_of(frame_id) is not None) or self._next is None:
            done()
        elif not self._fetching:
            self._fetch(LARGE_PAGE, lambda: self.fetch_until(frame_id, done))

    def _first(self, wanted: Range) -> tuple[FramePage, list[Gap]]:
        page = self._timeline.frames(limit=PAGE, start_ms=wanted.start_ms, end_ms=wanted.end_ms, app=wanted.app)
        return page, self._ask_gaps(wanted)

    def _ask_gaps(self, wanted: Range) -> list[Gap]:
        if wanted.app is not None:
            return []
        return list(self._timeline.gaps(wanted.start_ms, wanted.end_ms, MIN_GAP_MS))

    def _on_first(self, answer: tuple[FramePage, list[Gap]]) -> None:
        page, gaps = answer
        self._gaps, self._next = gaps, page.next_before
        self._fetching = False
        rows = weave(page.frames, gaps, ends=page.next_before is None)
        self._insert(0, rows)
        self.loaded.emit()

    def _fetch(self, limit: int, then: Callable[[], None] | None) -> None:
        self._fetching = True
        wanted, before = self._range, self._next

        def ask() -> FramePage:
            return self._timeline.frames(
                before=before, limit=limit, start_ms=wanted.start_ms, end_ms=wanted.end_ms, app=wanted.app
            )

        def keep(page: FramePage) -> None:
            self._fetching, self._next = False, page.next_before
            above = next((item.at_ms for item in reversed(self._rows) if isinstance(item, Frame)), None)
            self._insert(len(self._rows), weave(page.frames, self._gaps, above_ms=above, ends=self._next is None))
            if then is not None:
                then()

        self._run(ask, keep)

    # -- what happened meanwhile ---------------------------------------------------------------------------------------

    def add_new(self) -> bool:
        """Look at the newest page again: new frames come in front, missing ones go, changed ones change.

        Returns False when busy (ask again a little later).
        """
        wanted, newest = self._range, self.newest()
        if wanted is None or self._fetching:
            return wanted is None

        def ask() -> tuple[FramePage, list[Gap]]:
            return self._first(wanted)

        def keep(answer: tuple[FramePage, list[Gap]]) -> None:
            page, gaps = answer
            fresh = [frame for frame in page.frames if newest is None or frame.id > newest.id]
            if newest is not None and fresh and len(fresh) == len(page.frames):
                self.show(wanted)  # more than a page came at once: begin anew
                return
            if newest is None or page.next_before is None:
                self._next = page.next_before
            self._gaps = gaps
            self._forget_missing(page)
            self._put(page.frames)
            self._insert(self._drop_leading_gaps(), list(fresh))
            self._weave_gaps()
            self.loaded.emit()

        self._run(ask, keep)
        return True

    def update_frames(self, frame_ids: Sequence[int]) -> None:
        """These were read (or changed otherwise): show their rows as they are now."""
        known = [frame_id for frame_id in frame_ids if self.row_of(frame_id) is not None]
        if not known:
            return
        self._run(lambda: [self._timeline.frame(frame_id).frame for frame_id in known], self._put, lambda _error: None)

    def remove_frames(self, frame_ids: Sequence[int]) -> None:
        """These were deleted for good: take them out and look at the gaps again."""
        self.thumbs.forget(frame_ids)
        rows = [row for row in map(self.row_of, frame_ids) if row is not None]
        self._remove(rows)
        if rows:
            self.gone.emit(list(frame_ids))
        wanted = self._range
        if wanted is not None and not self._fetching:
            self._run(lambda: self._ask_gaps(wanted), self._put_gaps)

    def _forget_missing(self, page: FramePage) -> None:
        there = {frame.id for frame in page.frames}
        oldest = page.frames[-1].id if page.next_before is not None and page.frames else 0
        rows = enumerate(self._rows)
        self._remove([n for n, item in rows if isinstance(item, Frame) and item.id >= oldest and item.id not in there])

    def _put(self, frames: Sequence[Frame]) -> None:
        for frame in frames:
            row = self.row_of(frame.id)
            if row is not None and self._rows[row] != frame:
                self._rows[row] = frame
                self.dataChanged.emit(self.index(row), self.index(row))

    def _put_gaps(self, gaps: list[Gap]) -> None:
        self._gaps = gaps
        self._weave_gaps()

    def _weave_gaps(self) -> None:
        """Take out gaps that are no more, put in those that are new; frames do not move."""
        known = set(self._gaps)
        self._remove([row for row, item in enumerate(self._rows) if isinstance(item, Gap) and item not in known])
        for row, gap in gap_places(self._rows, self._gaps, ends=self._next is None):
            self._insert(row, [gap])

    def _drop_leading_gaps(self) -> int:
        frames = (row for row, item in enumerate(self._rows) if isinstance(item, Frame))
        self._remove(list(range(next(frames, len(self._rows)))))
        return 0

    # -- rows ---------------------------------------------------------------------------------------------------------

    def _replace(self, rows: list[Frame | Gap]) -> None:
        self._rows, self._row_of = rows, None

    def _insert(self, row: int, rows: list[Frame | Gap]) -> None:
        if rows:
            self.beginInsertRows(QModelIndex(), row, row + len(rows) - 1)
            self._replace(self._rows[:row] + rows + self._rows[row:])
            self.endInsertRows()

    def _remove(self, rows: Sequence[int]) -> None:
        """Take rows out, each run of neighbours at once, from the end on."""
        left = sorted(rows)
        while left:
            last = first = left.pop()
            while left and left[-1] == first - 1:
                first = left.pop()
            self.beginRemoveRows(QModelIndex(), first, last)
            self._replace(self._rows[:first] + self._rows[last + 1 :])
            self.endRemoveRows()

    def _on_thumbs_arrived(self, frame_ids: list[int]) -> None:
        rows = [row for row in map(self.row_of, frame_ids) if row is not None]
        if rows:
            self.dataChanged.emit(self.index(min(rows)), self.index(max(rows)), [PICTURE])

    def _run(
        self, ask: Callable[[], Any], keep: Callable[[Any], None], fail: Callable[[Exception], None] | None = None
    ) -> None:
        """Ask in a pool thread; an answer for a range no longer shown is dropped."""
        turn = self._turn

        def done(answer: Any) -> None:
            if turn == self._turn:
                keep(answer)

        def failed(error: Exception) -> None:
            if turn == self._turn:
                self._fetching = False
                (fail or self.failed.emit)(error)

        self._calls.run(ask, done, failed, self)


def describe(item: Frame | Gap) -> str:
    """One line for screen readers and tooltips."""
    from biny_desktop.ui.formats import clock_time, duration
    from biny_desktop.ui.words import cause_words

    if isinstance(item, Gap):
        return f"{cause_words(item.cause)}, {duration(item.end_ms - item.start_ms)}"
    return ", ".join(part for part in (clock_time(item.at_ms, item.zone), item.app_name, item.title) if part)
