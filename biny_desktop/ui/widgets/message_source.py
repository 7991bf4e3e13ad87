"""The source panel's content for a message of a chat: what was said, by whom, where it stands, where it is kept."""

import html
from dataclasses import dataclass
from datetime import UTC

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from biny_desktop.conversation.search.model import MessageIndexed
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _, listed
from biny_desktop.service.chat.model import FoundMessage
from biny_desktop.service.product import Product
from biny_desktop.ui.chat_words import session_title
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import bytes_size, full_moment
from biny_desktop.ui.theme import colour, theme_signals
from biny_desktop.ui.widgets.labels import label

ROW_GAP, SECTION_GAP = 6, 16
CHARS_MAX = 20_000


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message in its branch, how it can be found, and the words that are highlighted in it (empty: none)."""

    found: FoundMessage
    indexed: MessageIndexed
    quote: str = ""


def look_up_message(product: Product, anchor: Anchor) -> ShownMessage:
    """Read it, on a pool thread. Raises NotFoundError."""
    found = product.trace(anchor).message
    assert found is not None
    return ShownMessage(found, product.message_search.indexed(anchor.ref), anchor.quote or "")


class MessageSource(QWidget):
    """`opened`: to be shown in its chat."""

    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: ShownMessage | None = None
        self.body = label("", wrap=True, selectable=True)
        self.origin, self.when, self.kept = Facts(), Facts(), Facts()
        self.chip = QPushButton(_("Open in Chat"))
        self.chip.setProperty("role", "chip")
        self.chip.setToolTip(_("Show it in its chat (Enter)"))
        self.chip.clicked.connect(self.opened)
        words = _("Never by itself. It goes when you delete it, a message above it, or its chat.")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 12, 16, 16)
        self._column.setSpacing(ROW_GAP)
        self._section(_("Content"), self.body)
        self._section(_("Where from"), self.chip, self.origin)
        self._section(_("When"), self.when)
        self._section(_("Where kept"), self.kept)
        self._section(_("Cleared by"), label(words, wrap=True))
        self._column.addStretch(1)
        theme_signals().changed.connect(self._paint_body)

    def _section(self, name: str, *parts: QWidget) -> None:
        if self._column.count():
            self._column.addSpacing(SECTION_GAP - ROW_GAP)
        self._column.addWidget(label(name, "section"))
        for part in parts:
            side = Qt.AlignmentFlag.AlignLeft if isinstance(part, QPushButton) else Qt.AlignmentFlag(0)
            self._column.addWidget(part, 0, side)

    def show_message(self, what: ShownMessage) -> None:
        """Fill all sections."""
        self.shown, shown = what, what.found
        message = shown.message
        self._paint_body()
        who = _("You") if message.role == "user" else (message.model or _("Model"))
        state = _("shown now") if message.active else _("a version that is not shown")
        place = _("{n} of {all}, {state}").format(n=shown.version, all=shown.versions, state=state)
        self.origin.fill(
            (Fact(_("Chat"), session_title(shown.session)), Fact(_("Said by"), who), Fact(_("Version"), place))
        )
        local = to_local(message.sent_at_ms, message.time_zone)
        form = "%Y-%m-%d %H:%M:%S"
        exact = _("estimated, its source has no time") if message.estimated else ""
        self.when.fill(
            (
                Fact(_("Local"), local.strftime(form), full_moment(message.sent_at_ms, message.time_zone)),
                Fact(_("UTC"), local.astimezone(UTC).strftime(form)),
                Fact(_("Zone"), message.time_zone),
                *((Fact(_("Time"), exact),) if exact else ()),
            )
        )
        kept = _("database, table messages") + f" ({message.id})"
        size = bytes_size(len(message.content.encode()))
        search = Fact(_("Search"), _index_words(what.indexed))
        self.kept.fill((Fact(_("Row"), kept, mono=True), search, Fact(_("Size"), size)))

    def _paint_body(self, *_theme: object) -> None:
        """The text, as markup only where a quote is highlighted; then every character of it is escaped."""
        if self.shown is None:
            return
        text, quote = self.shown.found.message.content[:CHARS_MAX], self.shown.quote
        before, quoted, after = text.partition(quote) if quote else (text, "", "")
        if not quoted:
            self.body.setTextFormat(Qt.TextFormat.PlainText)
            self.body.setText(text)
            return
        style = f"background-color:{colour('selection').name()}"
        parts = (html.escape(before), f'<span style="{style}">{html.escape(quoted)}</span>', html.escape(after))
        self.body.setTextFormat(Qt.TextFormat.RichText)
        self.body.setText(f'<div style="white-space:pre-wrap">{"".join(parts)}</div>')

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):  # a scroll area asks no height for a width
            self.setMinimumHeight(self._column.totalHeightForWidth(self.width()))
        return handled

    def text(self) -> str:
        """What "Copy text" takes."""
        return self.shown.found.message.content if self.shown else ""


def _index_words(indexed: MessageIndexed) -> str:
    """How it can be found, in words."""
    meaning = {
        "indexed": _("its meaning is indexed"), "pending": _("its meaning waits to be indexed"),
        "stale": _("its meaning is out of date"), "none": _("too short for its meaning"),
    }  # fmt: skip
    words = _("its words are indexed") if indexed.words else _("its words are not indexed")
    return listed([words, meaning[indexed.meaning]])
