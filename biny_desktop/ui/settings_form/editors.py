"""Editors of one value: a switch, a choice, a number, a line of text, a list; each tells a new value as text."""

from pathlib import Path

from PySide6.QtCore import QLocale, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from biny_desktop.core.i18n import _
from biny_desktop.core.settings import Declaration, Value
from biny_desktop.ui.settings_form.words import choice_words, unit_words
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.form import CONTROL_PX
from biny_desktop.ui.widgets.switch import Switch

LIST_ROWS, LIST_ROW_PX = 4, 28
"""Rows of a list that are in sight at once, and the height of one."""
EDGE_PX = 6
"""Room before a number; the style sheet gives fields of text theirs, but not those inside a spin box."""


class BoolEditor(Switch):
    """`chosen("true" | "false")`."""

    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.clicked.connect(lambda on: self.chosen.emit("true" if on else "false"))

    def show_value(self, value: Value) -> None:
        self.setChecked(bool(value))


class ChoiceEditor(QComboBox):
    """A closed list in words; the wheel scrolls the page unless the list has the focus."""

    chosen = Signal(str)

    def __init__(self, name: str, key: str, choices: tuple[str, ...]) -> None:
        super().__init__()
        _prepare(self, name)
        for choice in choices:
            self.addItem(choice_words(key, choice), choice)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def show_value(self, value: Value) -> None:
        self.setCurrentIndex(self.findData(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class IntEditor(QSpinBox):
    """A whole number within its bounds; arrow keys step, Enter or leaving takes it."""

    chosen = Signal(str)

    def __init__(self, name: str, declaration: Declaration) -> None:
        super().__init__()
        _prepare(self, name)
        _prepare_number(self)
        self.setRange(*(int(edge) if edge is not None else far for edge, far in _edges(declaration)))
        self.setSingleStep(_step(declaration))
        self.setSuffix(unit_words(declaration.key))
        self._shown = self.minimum()
        self.editingFinished.connect(self._on_finished)

    def show_value(self, value: Value) -> None:
        self._shown = int(value)
        if not self.lineEdit().isModified() or not self.hasFocus():
            self.setValue(int(value))

    def stepBy(self, steps: int) -> None:
        super().stepBy(steps)
        self._on_finished()

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()

    def _on_finished(self) -> None:
        if self.value() != self._shown:
            self._shown = self.value()
            self.chosen.emit(str(self.value()))


class FloatEditor(QDoubleSpinBox):
    """A number within its bounds."""

    chosen = Signal(str)

    def __init__(self, name: str, declaration: Declaration) -> None:
        super().__init__()
        _prepare(self, name)
        _prepare_number(self)
        self.setDecimals(2)
        self.setSingleStep(0.05)
        self.setRange(*(edge if edge is not None else far for edge, far in _edges(declaration)))
        self.setSuffix(unit_words(declaration.key))
        self._shown = self.minimum()
        self.editingFinished.connect(self._on_finished)

    def show_value(self, value: Value) -> None:
        self._shown = float(value)
        self.setValue(float(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()

    def _on_finished(self) -> None:
        if self.value() != self._shown:
            self._shown = self.value()
            self.chosen.emit(f"{self.value():g}")


class TextEditor(QLineEdit):
    """A line of text; Enter or leaving takes it, a refused one stays to be corrected."""

    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        _prepare(self, name)
        self._shown = ""
        self.editingFinished.connect(self._on_finished)

    def show_value(self, value: Value) -> None:
        if self.text() == self._shown or not self.hasFocus():
            self.setText(str(value))
            self.setCursorPosition(0)  # of a long address the host is what one looks for
        self._shown = str(value)

    def _on_finished(self) -> None:
        if self.text().strip() != self._shown:
            self.chosen.emit(self.text().strip())


class LimitEditor(QWidget):
    """A number, or one word instead of it (`keep`, `auto`) by a button beside the number."""

    chosen = Signal(str)

    def __init__(self, name: str, declaration: Declaration) -> None:
        super().__init__()
        _prepare(self, name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._word = str(declaration.word)
        whole = all(edge is None or float(edge).is_integer() for edge in (declaration.low, declaration.high))
        self.number = (IntEditor if whole else FloatEditor)(name, declaration)
        self.number.setMinimumWidth(0)
        self.number.setMaximumWidth(tokens().px(CONTROL_PX))
        self.button = QPushButton(choice_words(declaration.key, self._word))
        self.button.setCheckable(True)
        self.button.setAccessibleName(f"{name}: {self.button.text()}")
        self.button.setToolTip(self.button.text())
        self._last = str(declaration.default) if declaration.default != self._word else f"{declaration.low:.10g}"
        self.number.chosen.connect(self.chosen)
        self.button.clicked.connect(lambda on: self.chosen.emit(self._word if on else self._last))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.number, 1)
        row.addWidget(self.button)
        self.setFocusProxy(self.button)

    def show_value(self, value: Value) -> None:
        is_word = value == self._word
        self.button.setChecked(is_word)
        self.number.setEnabled(not is_word)
        if not is_word:
            self._last = str(value)
            self.number.show_value(value)


class FolderListEditor(QWidget):
    """Folders, one below the other, with buttons to add and to remove one; told one a line."""

    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        _prepare(self, name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._shown: tuple[str, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName(name)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setProperty("role", "field")
        self.list.itemSelectionChanged.connect(self._on_selection)
        self.add = QPushButton(_("Add folder…"))
        self.add.setAccessibleName(_("{name}: add a folder").format(name=name))
        self.add.setToolTip(_("Choose one more folder"))
        self.add.clicked.connect(self._on_add)
        self.remove = QPushButton(_("Remove"))
        self.remove.setAccessibleName(_("{name}: remove the chosen folder").format(name=name))
        self.remove.setToolTip(_("Take the chosen folder out of the list (Del); its files stay as they are"))
        self.remove.clicked.connect(self._on_remove)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.list)
        leave.setContext(Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self._on_remove)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.add, 1)
        buttons.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.list)
        column.addLayout(buttons)
        self.setFocusProxy(self.add)
        self._fit()

    def show_value(self, value: Value) -> None:
        assert isinstance(value, tuple)
        if value != self._shown or not value:
            row = self.list.currentRow()
            self._shown = value
            self.list.clear()
            for folder in value:
                item = QListWidgetItem(folder, self.list)
                item.setToolTip(folder)
                item.setSizeHint(QSize(0, tokens().px(LIST_ROW_PX)))
            self.list.setCurrentRow(min(row, len(value) - 1))
            self._fit()

    def add_folder(self, folder: str) -> None:
        """One more, unless it is in the list."""
        if folder and folder not in self._shown:
            self.chosen.emit("\n".join((*self._shown, folder)))

    def _on_add(self) -> None:
        start = str(Path(self._shown[-1]).parent) if self._shown else ""
        self.add_folder(QFileDialog.getExistingDirectory(self, self.add.toolTip(), start))

    def _on_remove(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            self.chosen.emit("\n".join(each for n, each in enumerate(self._shown) if n != row))

    def _on_selection(self) -> None:
        self.remove.setEnabled(bool(self.list.selectedItems()))

    def _fit(self) -> None:
        """As high as its rows; an empty list takes no room."""
        rows = min(len(self._shown), LIST_ROWS)
        self.list.setFixedHeight(rows * tokens().px(LIST_ROW_PX) + 2)
        self.list.setVisible(bool(self._shown))
        self.remove.setVisible(bool(self._shown))
        self._on_selection()


Editor = BoolEditor | ChoiceEditor | IntEditor | FloatEditor | TextEditor | LimitEditor | FolderListEditor


def editor_for(declaration: Declaration, name: str) -> Editor:
    """The editor of that setting's kind."""
    if declaration.kind == "bool":
        return BoolEditor(name)
    if declaration.choices:
        return ChoiceEditor(name, declaration.key, declaration.choices)
    if declaration.kind == "list":
        return FolderListEditor(name)
    if declaration.kind == "int":
        return IntEditor(name, declaration)
    if declaration.word is not None:
        return LimitEditor(name, declaration)
    return FloatEditor(name, declaration) if declaration.kind == "float" else TextEditor(name)


def _prepare(editor: QWidget, name: str) -> None:
    editor.setAccessibleName(name)
    editor.setToolTip(name)
    editor.setFixedWidth(tokens().px(CONTROL_PX))
    editor.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _prepare_number(editor: QSpinBox | QDoubleSpinBox) -> None:
    """Digits in groups as everywhere in the window; a new value counts when it is complete."""
    editor.setKeyboardTracking(False)
    editor.setLocale(QLocale(QLocale.Language.English))
    editor.setGroupSeparatorShown(True)
    editor.lineEdit().setTextMargins(EDGE_PX, 0, EDGE_PX, 0)


def _edges(declaration: Declaration) -> tuple[tuple[float | None, int], tuple[float | None, int]]:
    return (declaration.low, 0), (declaration.high, 1_000_000)


def _step(declaration: Declaration) -> int:
    """A tenth of the default's size: 100 for 4,000, 1 for 12."""
    size = int(declaration.default if declaration.default != declaration.word else declaration.low) // 40
    return max(1, 10 ** (len(str(size)) - 1) if size else 1)
