"""The to-dos of a chat, to be ticked, added and taken out; the model writes the same list."""

from dataclasses import replace

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from biny_desktop.conversation.model import TODO_CHARS_MAX, TODOS_MAX, Todo, TodoList
from biny_desktop.conversation.todos import open_count
from biny_desktop.core.i18n import _
from biny_desktop.ui.icons import icon
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.fold import Fold
from biny_desktop.ui.widgets.labels import label


class TodoPane(QWidget):
    """`saved(items, revision)`: the whole list as it should be."""

    saved = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._list = TodoList()
        self._rows = QWidget()
        self._lines = QVBoxLayout(self._rows)
        self._lines.setContentsMargins(18, 0, 0, 0)
        self._lines.setSpacing(2)
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
            if widget is not None and widget is not self.field:
                widget.hide()
                widget.deleteLater()
        for place, item in enumerate(self._list.items):
            self._lines.addWidget(self._row(place, item))
        self._lines.addWidget(self.field)
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
        row.addWidget(label(item.content, "muted" if item.status == "completed" else "", wrap=True), 1)
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
