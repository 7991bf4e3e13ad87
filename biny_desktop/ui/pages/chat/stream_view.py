"""The answer that is being written, at the end of the conversation: what the model does, and its words so far."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.chat_words import notice_words, tool_name
from biny_desktop.ui.pages.chat.hearing import Live
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.answer_view import AnswerView
from biny_desktop.ui.widgets.elided_label import short
from biny_desktop.ui.widgets.labels import label

EDGE_PX, NAME_PX = 12, 240


class StreamView(QWidget):
    """Words are added without laying out again what stands above."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = label("", "heading")
        self.answer = AnswerView()
        self.doing = label("", "small")
        self.notices = label("", "warn", wrap=True)
        px = tokens().px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(EDGE_PX), 4, px(EDGE_PX), 4)
        column.setSpacing(px(6))
        for widget in (self.head, self.answer, self.doing, self.notices):
            column.addWidget(widget)

    def show_live(self, live: Live, who: str) -> None:
        """Show a turn from its beginning; `who` answers, empty where steps of the answer stand above."""
        self.head.setText(short(who, NAME_PX))
        self.head.setVisible(bool(who))
        self.answer.show_growing(live.text)
        self.show_doing(live)

    def show_doing(self, live: Live) -> None:
        """Say what the model does, and what the program noticed."""
        words = {
            "waiting": _("Waiting for the model…"),
            "thinking": _("The model thinks…"),
            "writing": "",
            "tool": _("Under way: {tool}…").format(tool=tool_name(live.tool)),
        }[live.doing]
        self.doing.setText(words)
        self.doing.setVisible(bool(words))
        said = "\n".join(notice_words(each) for each in live.notices)
        self.notices.setText(said)
        self.notices.setVisible(bool(said))

    def add(self, text: str) -> None:
        """More words."""
        self.answer.append_piece(text)
