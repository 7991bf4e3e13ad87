"""An answer: prose as rich text, code in blocks that can be copied; while it is written only its end is laid out."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.answer_body import AnswerBody
from biny_desktop.ui.widgets.answer_parts import Part, parts_of
from biny_desktop.ui.widgets.code_block import CodeBlock

GAP_PX = 8


class AnswerView(QWidget):
    """`anchor_opened(Anchor)` for links to memories."""

    anchor_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Answer"))
        self._text, self._tail = "", 0
        self._shown: list[tuple[Part, AnswerBody | CodeBlock]] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(tokens().px(GAP_PX))

    def show_markdown(self, text: str) -> None:
        """Show a whole answer."""
        self._text = text
        self._put(0, parts_of(text))

    def show_growing(self, text: str) -> None:
        """Show what there is of an answer that is still written."""
        if text != self._text:
            self._text = text
            self._put(0, parts_of(text, growing=True))
            self._tail = self._shown[-1][0].start if self._shown else 0

    def append_piece(self, text: str) -> None:
        """Add to an answer that is still written; what stands above its last part is left alone."""
        self._text += text
        keep = max(0, len(self._shown) - 1)
        ended = parts_of(self._text[self._tail :], growing=True)
        self._put(keep, ended)
        if ended:
            self._tail += ended[-1].start

    def text(self) -> str:
        """The answer as it was given."""
        return self._text

    def plain(self) -> str:
        """What is shown, without marks."""
        return "\n\n".join(
            each.toPlainText() if isinstance(each, AnswerBody) else each.text.toPlainText()
            for _part, each in self._shown
        )

    def codes(self) -> list[CodeBlock]:
        """The blocks of code."""
        return [each for _part, each in self._shown if isinstance(each, CodeBlock)]

    def _put(self, first: int, parts: tuple[Part, ...]) -> None:
        """Show these parts from place `first` on; a part of the same kind keeps its widget."""
        for n, part in enumerate(parts, start=first):
            if n < len(self._shown) and (self._shown[n][0].kind != part.kind):
                self._drop(n)
            if n == len(self._shown):
                self._shown.append((part, self._make(part)))
            else:
                before, widget = self._shown[n]
                self._shown[n] = (part, widget)
                if (before.text, before.language) != (part.text, part.language):
                    _fill(widget, part)
        self._drop(first + len(parts))

    def _make(self, part: Part) -> AnswerBody | CodeBlock:
        made: AnswerBody | CodeBlock
        if part.kind == "code":
            made = CodeBlock()
        else:
            made = AnswerBody()
            made.anchor_opened.connect(self.anchor_opened)
        _fill(made, part)
        self._column.addWidget(made)
        return made

    def _drop(self, first: int) -> None:
        for _part, widget in self._shown[first:]:
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        del self._shown[first:]


def _fill(widget: AnswerBody | CodeBlock, part: Part) -> None:
    if isinstance(widget, CodeBlock):
        widget.show_code(part.text, part.language)
    else:
        widget.show_markdown(part.text)
