"""The to-dos of a chat, to be ticked, added and taken out; the model writes the same list."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLineEdit, QScrollArea, QToolButton, QVBoxLayout, QWidget

from biny_desktop.conversation.model import TODO_CHARS_MAX, TODOS_MAX, Todo, TodoList
from biny_desktop.conversation.todos import open_count
from biny_desktop.core.i18n import _
from biny_desktop.ui.icons import icon
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.fold import Fold
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.plain_body import PlainBody

LIST_PX = 150
"""The list is never higher: one reads and writes above and below it."""


class ListArea(QScrollArea):
    """As high as its lines, up to `LIST_PX`; then it scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = QWidget()
        self._inside.setAutoFillBackground(False)
        self.lines = QVBoxLayout(self._inside)
        self.lines.setContentsMargins(0, 0, 0, 0)
        self.lines.setSpacing(2)
        self.setWidget(self._inside)
        self.viewport().setAutoFillBackground(False)
        self._inside.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lines that are broken otherwise take another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().eventFilter(watched, event)

    def fit(self) -> None:
        """Take the height of the lines."""
        self.setFixedHeight(min(tokens().px(LIST_PX), self.lines.sizeHint().height()))
        self.setVisible(self.lines.count() > 0)


class TodoPane(QWidget):
    """`saved(items, revision)`: the whole list as it should be."""

    saved = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._list = TodoList()
        self._rows = QWidget()
        inside = QVBoxLayout(self._rows)
        inside.setContentsMargins(tokens().px(14), 0, 0, 0)
        inside.setSpacing(4)
        self._area = ListArea()
        self._lines = self._area.lines
        inside.addWidget(self._area)
        self.fold = Fold(_("To-dos"), _("Show the to-dos of this chat (Ctrl+T)"), lambda: self._rows)
        self.fold.head.setShortcut("Ctrl+T")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.fold)
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Add a to-do"))
        self.field.setAccessibleName(_("Add a to-do"))
        self.field.setMaxLength(TODO_CHARS_MAX)
        self.field.returnPressed.connect(self._add)
        inside.addWidget(self.field)
        self._fill()

    def show_list(self, todos: TodoList) -> None:
        """Show a list; the same again changes nothing."""
        if todos != self._list:
            self._list = todos
            self._fill()

    def _fill(self) -> None:
        left, all_ = open_count(self._list), len(self._list.items)
        words = _("To-dos: {left} of {all} open").format(left=left, all=all_) if all_ else _("To-dos")
        self.fold.head.setText(words)
        self.fold.head.setAccessibleName(words)
        writing = self.field.hasFocus()
        while self._lines.count():
            widget = self._lines.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for place, item in enumerate(self._list.items):
            self._lines.addWidget(self._row(place, item))
        self._area.fit()
        self.field.setEnabled(all_ < TODOS_MAX)
        if writing:
            self.field.setFocus()

    def _row(self, place: int, item: Todo) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        box = QCheckBox()
        box.setChecked(item.status == "completed")
        box.setAccessibleName(item.content)
        box.clicked.connect(lambda on: self._tick(place, on=on))
        row.addWidget(box)
        row.addWidget(PlainBody(item.content, "muted" if item.status == "completed" else "text"), 1)
        if item.status == "in_progress":
            row.addWidget(label(_("under way"), "small"))
        out = QToolButton()
        out.setIcon(icon("close", "muted"))
        out.setIconSize(QSize(tokens().px(12), tokens().px(12)))
        out.setToolTip(_("Take it out"))
        out.setAccessibleName(_("Take it out: {item}").format(item=item.content))
        out.clicked.connect(lambda _on=False: self._save([e for n, e in enumerate(self._list.items) if n != place]))
        row.addWidget(out)
        return made

    def _tick(self, place: int, *, on: bool) -> None:
        items = list(self._list.items)
        items[place] = replace(items[place], status="completed" if on else "pending")
        self._save(items)

    def _add(self) -> None:
        words = self.field.text().strip()
        if words:
            self.field.clear()
            self._save([*self._list.items, Todo(words)])

    def _save(self, items: list[Todo]) -> None:
        self.saved.emit(items, self._list.revision)
