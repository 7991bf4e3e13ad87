"""What stands inside a message: own and pasted words, attachments, reasoning, tool calls."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from biny_desktop.conversation.drafts import AttachedFile
from biny_desktop.conversation.model import Message
from biny_desktop.core.i18n import _
from biny_desktop.service.chat.model import ShownTool
from biny_desktop.service.chat.turn_words import tool_status
from biny_desktop.ui.chat_words import tool_name
from biny_desktop.ui.formats import bytes_size
from biny_desktop.ui.pages.chat.own_words import Said, stretches, typed_and_attached
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.diff_view import DiffView
from biny_desktop.ui.widgets.elided_label import short
from biny_desktop.ui.widgets.fold import Fold
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.plain_body import PlainBody

SHOWN_CHARS = 20_000
"""Of a message of the person; the rest is copied but not laid out."""
TOOL_CHARS = 8_000
NAME_PX = 420


class OwnText(QWidget):
    """A message of the person: what was pasted stands beside a line and can be marked as one's own words."""

    def __init__(self, message: Message, mark_own: Callable[[int], None]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(tokens().px(6))
        typed, files = typed_and_attached(message)
        if typed.strip():
            for said in stretches(message, min(len(typed), SHOWN_CHARS)):
                column.addWidget(_pasted(said, mark_own) if said.pasted else PlainBody(said.text))
            if len(typed) > SHOWN_CHARS:
                column.addWidget(label(_("The rest is not shown; copying takes all of it."), "small"))
        for file in files:
            column.addWidget(_attachment(file))


def reasoning(text: str) -> Fold:
    """What the model thought, folded."""
    return Fold(_("Reasoning"), _("Show what the model thought"), lambda: _indented(PlainBody(text, "muted")))


def tool_call(tool: ShownTool, *, waits: bool) -> Fold:
    """A call, folded, with how it stands in a word; `waits`: for the person's answer."""
    state = _("waiting for you") if waits else tool_status(tool.status)
    said = _("{tool}: {state}").format(tool=short(tool_name(tool.name), NAME_PX), state=state)
    return Fold(said, _("Show the call and what came of it"), lambda: _call(tool))


def _pasted(said: Said, mark_own: Callable[[int], None]) -> QWidget:
    made = QFrame()
    made.setProperty("role", "pasted")
    made.setToolTip(_("Pasted or quoted: no memory takes it for your words."))
    column = QVBoxLayout(made)
    column.setContentsMargins(tokens().px(10), 0, 0, 0)
    column.setSpacing(2)
    column.addWidget(PlainBody(said.text))
    own = QPushButton(_("These are my own words"))
    own.setProperty("role", "flat")
    own.setProperty("tone", "small")
    own.setToolTip(_("Memories may then take it for what you said"))
    own.clicked.connect(lambda _on=False: mark_own(said.start))
    column.addWidget(own, 0, Qt.AlignmentFlag.AlignLeft)
    return made


def _attachment(file: AttachedFile) -> QWidget:
    name = short(file.name, NAME_PX)
    said = f"{name} · {bytes_size(file.size)}" if file.size else name
    if not file.text:
        return label(f"{said} · {_('name only')}", "muted")
    return Fold(said, _("Show the text of the file"), lambda: _indented(DiffView(file.text[:SHOWN_CHARS], diff=False)))


def _indented(inside: QWidget) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(tokens().px(20), 0, 0, 4)
    column.setSpacing(4)
    column.addWidget(inside)
    return made


def _call(tool: ShownTool) -> QWidget:
    made = _indented(DiffView(tool.arguments[:TOOL_CHARS], diff=False))
    if tool.result:
        made.layout().addWidget(PlainBody(tool.result[:TOOL_CHARS], "muted"))
    return made
