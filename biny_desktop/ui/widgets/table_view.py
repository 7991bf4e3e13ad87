"""Tables in the house style: 26 px rows, no grid, heading rows across all columns."""

from math import ceil

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from biny_desktop.ui.item_models.table import TableModel
from biny_desktop.ui.theme import colour, tokens

ROW_PX, PADDING_PX = 26, 12
SLACK = 1.05
Index = QModelIndex | QPersistentModelIndex


class TableView(QTableView):
    """Shows a `TableModel`; column `stretch` takes the room that is left, with `wrap` long values take more lines.

    Ctrl+C copies the chosen rows.
    """

    def __init__(
        self,
        model: TableModel,
        name: str,
        *,
        stretch: int = 0,
        header: bool = True,
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self.setItemDelegate(_Delegate(self))
        self.setStyleSheet("QTableView::item:hover { background: transparent; }")  # rows are chosen, not cells
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(wrap)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(tokens().px(ROW_PX))
        self.verticalHeader().setDefaultSectionSize(tokens().px(ROW_PX))
        columns = self.horizontalHeader()
        columns.setVisible(header)
        columns.setHighlightSections(False)
        columns.setStyleSheet(f"QHeaderView::section {{ padding: 4px {PADDING_PX}px; }}")
        for column in range(model.columnCount()):
            mode = QHeaderView.ResizeMode.Stretch if column == stretch else QHeaderView.ResizeMode.ResizeToContents
            columns.setSectionResizeMode(column, mode)
        model.modelReset.connect(self._span_headings)
        if wrap:
            model.modelReset.connect(self._fit_rows)
            columns.geometriesChanged.connect(self._fit_rows)
            columns.sectionResized.connect(lambda *_change: self._fit_rows())

    def _span_headings(self) -> None:
        self.clearSpans()
        for number in range(self._model.rowCount()):
            if self._is_heading(number):
                self.setSpan(number, 0, 1, self._model.columnCount())

    def _fit_rows(self) -> None:
        for number in range(self._model.rowCount()):
            columns = range(1 if self._is_heading(number) else self._model.columnCount())
            hints = [self.sizeHintForIndex(self._model.index(number, column)).height() for column in columns]
            self.setRowHeight(number, max(hints, default=tokens().px(ROW_PX)))

    def _is_heading(self, number: int) -> bool:
        row = self._model.row(number)
        return row is not None and row.heading

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = sorted({index.row() for index in self.selectedIndexes()})
            found = [self._model.row(number) for number in rows]
            QGuiApplication.clipboard().setText("\n".join("\t".join(row.cells) for row in found if row is not None))
            event.accept()
        else:
            super().keyPressEvent(event)


class _Delegate(QStyledItemDelegate):
    """Room left and right; heading rows small, semi-bold and low; the first of two columns muted, it is the label."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        self.initStyleOption(option, index)
        view, row_px = self.parent(), tokens().px(ROW_PX)
        if not view.wordWrap():
            return QSize(_advance(option) + 2 * PADDING_PX, row_px)
        row = index.model().row(index.row())
        room = view.viewport().width() if row is not None and row.heading else view.columnWidth(index.column())
        wide = _advance(option) + 2 * PADDING_PX
        inside = QRect(0, 0, max(1, room - 2 * PADDING_PX), 10_000)
        words = option.fontMetrics.boundingRect(inside, int(Qt.TextFlag.TextWordWrap), option.text)
        return QSize(wide, max(row_px, words.height() + 8))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, colour("selection"))
        self.initStyleOption(option, index)
        painter.save()
        painter.setFont(option.font)
        painter.setPen(option.palette.color(option.palette.ColorRole.Text))
        area = option.rect.adjusted(PADDING_PX, 4, -PADDING_PX, -4)
        flags = int(option.displayAlignment)
        if self.parent().wordWrap():
            flags = flags & ~int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(area, flags, option.text)
        else:
            words = painter.fontMetrics().elidedText(option.text, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, flags, words)
        painter.restore()

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        model = index.model()
        row = model.row(index.row())
        if row is not None and row.heading:
            font = QFont(option.font)
            font.setPixelSize(tokens().small_px)
            font.setWeight(QFont.Weight.DemiBold)
            option.font = font
            option.displayAlignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        label = index.column() == 0 and model.columnCount() == 2
        muted = label or (row is not None and row.heading)
        option.palette.setColor(option.palette.ColorRole.Text, colour("muted" if muted else "text"))


def _advance(option: QStyleOptionViewItem) -> int:
    """The width of the text with some to spare: what is painted can be a little wider than what was measured."""
    return ceil(option.fontMetrics.horizontalAdvance(option.text) * SLACK)
