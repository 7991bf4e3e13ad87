"""A table inside a page that scrolls as a whole: as high as its rows, a line around it, words when it is empty."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStackedLayout, QVBoxLayout, QWidget

from biny_desktop.ui.item_models.table import TableModel
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.table_view import ROW_PX, TableView


class _Rows(TableView):
    """Never scrolls by itself: the wheel belongs to the page; Enter, Delete and Space act on the chosen row."""

    opened = Signal(int)
    deleted = Signal(int)
    toggled = Signal(int)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        signal = {
            Qt.Key.Key_Return: self.opened,
            Qt.Key.Key_Enter: self.opened,
            Qt.Key.Key_Delete: self.deleted,
            Qt.Key.Key_Space: self.toggled,
        }.get(event.key())
        if signal is not None and row >= 0:
            signal.emit(row)
            event.accept()
        else:
            super().keyPressEvent(event)


class ShortTable(QFrame):
    """`opened`, `deleted`, `toggled` with the number of the row; `chosen` when another row is current."""

    opened = Signal(int)
    deleted = Signal(int)
    toggled = Signal(int)
    chosen = Signal()

    def __init__(
        self, model: TableModel, name: str, empty: str, *, stretch: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "boxed")
        self._model = model
        self.view = _Rows(model, name, stretch=stretch)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.opened.connect(self.opened)
        self.view.deleted.connect(self.deleted)
        self.view.toggled.connect(self.toggled)
        self.view.doubleClicked.connect(lambda index: self.opened.emit(index.row()))
        self.view.selectionModel().currentRowChanged.connect(lambda *_rows: self.chosen.emit())
        self._empty = label(empty, "muted", wrap=True)
        self._empty.setContentsMargins(12, 8, 12, 8)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._empty)
        self._layout = QStackedLayout(self)
        self._layout.setContentsMargins(1, 1, 1, 1)
        self._layout.addWidget(self.view)
        self._layout.addWidget(holder)
        model.modelReset.connect(self._fit)
        self._fit()

    def row(self) -> int:
        """The number of the current row, -1 when none is."""
        return self.view.currentIndex().row()

    def choose(self, number: int) -> None:
        """Make a row current."""
        if 0 <= number < self._model.rowCount():
            self.view.selectRow(number)

    def _fit(self) -> None:
        rows = self._model.rowCount()
        self._layout.setCurrentIndex(0 if rows else 1)
        head = self.view.horizontalHeader().sizeHint().height()
        height = head + rows * tokens().px(ROW_PX) if rows else tokens().px(ROW_PX + 12)
        self.setFixedHeight(height + 4)
        self._set_widths()

    def _set_widths(self) -> None:
        """By the contents; the header alone would keep the widths of the time when the table was empty and hidden."""
        header = self.view.horizontalHeader()
        for column in range(self._model.columnCount()):
            if header.sectionResizeMode(column) != QHeaderView.ResizeMode.Stretch:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
                header.resizeSection(column, max(self.view.sizeHintForColumn(column), header.sectionSizeHint(column)))
