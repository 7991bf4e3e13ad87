"""Editors of one value: a switch, a list, a number, a line of text; each tells a new value as text."""

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QHBoxLayout, QLineEdit, QPushButton, QSpinBox, QWidget

from biny_desktop.core.settings import Declaration, Value
from biny_desktop.ui.settings_form.words import choice_words, unit_words
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.form import CONTROL_PX
from biny_desktop.ui.widgets.switch import Switch

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
        self.number = IntEditor(name, declaration)
        self.number.setMinimumWidth(0)
        self.number.setMaximumWidth(tokens().px(CONTROL_PX))
        self.button = QPushButton(choice_words(declaration.key, self._word))
        self.button.setCheckable(True)
        self.button.setAccessibleName(f"{name}: {self.button.text()}")
        self.button.setToolTip(self.button.text())
        self._last = str(declaration.default) if declaration.default != self._word else f"{declaration.low:.0f}"
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


Editor = BoolEditor | ChoiceEditor | IntEditor | FloatEditor | TextEditor | LimitEditor


def editor_for(declaration: Declaration, name: str) -> Editor:
    """The editor of that setting's kind."""
    if declaration.kind == "bool":
        return BoolEditor(name)
    if declaration.choices:
        return ChoiceEditor(name, declaration.key, declaration.choices)
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
