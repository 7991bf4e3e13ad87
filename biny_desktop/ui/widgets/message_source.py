"""The source panel's content for a message of a chat: what was said, by whom, where it stands, where it is kept."""

from datetime import UTC

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _
from biny_desktop.service.chat.model import FoundMessage
from biny_desktop.service.product import Product
from biny_desktop.ui.chat_words import session_title
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import full_moment
from biny_desktop.ui.widgets.labels import label

ROW_GAP, SECTION_GAP = 6, 16
CHARS_MAX = 20_000


def look_up_message(product: Product, anchor: Anchor) -> FoundMessage:
    """Read it, on a pool thread. Raises NotFoundError."""
    found = product.trace(anchor).message
    assert found is not None
    return found


class MessageSource(QWidget):
    """`opened`: to be shown in its chat."""

    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: FoundMessage | None = None
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

    def _section(self, name: str, *parts: QWidget) -> None:
        if self._column.count():
            self._column.addSpacing(SECTION_GAP - ROW_GAP)
        self._column.addWidget(label(name, "section"))
        for part in parts:
            side = Qt.AlignmentFlag.AlignLeft if isinstance(part, QPushButton) else Qt.AlignmentFlag(0)
            self._column.addWidget(part, 0, side)

    def show_message(self, shown: FoundMessage) -> None:
        """Fill all sections."""
        self.shown = shown
        message = shown.message
        self.body.setText(message.content[:CHARS_MAX])
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
        self.kept.fill((Fact(_("Row"), kept, mono=True), Fact(_("Search"), _("indexed: its words"))))

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):  # a scroll area asks no height for a width
            self.setMinimumHeight(self._column.totalHeightForWidth(self.width()))
        return handled

    def text(self) -> str:
        """What "Copy text" takes."""
        return self.shown.message.content if self.shown else ""
