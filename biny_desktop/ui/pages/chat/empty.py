"""What stands where no message is yet: what a chat does and what becomes of what one says."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.rows import action

WIDTH_PX = 440


class NothingYet(QWidget):
    """`show_kind` says it for an ordinary or an incognito chat; `offer_import` while there is no chat at all."""

    import_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = label("", "title", wrap=True)
        self.words = label("", "muted", wrap=True)
        self.bring = action(_("Import chats…"), _("Bring in chats of other tools (Ctrl+Shift+I)"))
        self.bring.clicked.connect(lambda _on=False: self.import_asked.emit())
        self._offered = self._incognito = False
        inner = QWidget()
        inner.setMaximumWidth(tokens().px(WIDTH_PX))
        lines = QVBoxLayout(inner)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(8)
        for widget in (self.title, self.words):
            widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
            lines.addWidget(widget)
        lines.addSpacing(8)
        lines.addWidget(self.bring, 0, Qt.AlignmentFlag.AlignHCenter)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(inner, 100)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.addStretch(2)
        column.addLayout(row)
        column.addStretch(3)
        self.show_kind(incognito=False)

    def offer_import(self, on: bool) -> None:
        """Offer to bring chats in, or not; never in an incognito chat."""
        self._offered = on
        self.bring.setVisible(self._offered and not self._incognito)

    def show_kind(self, *, incognito: bool) -> None:
        """Say what this chat is."""
        self._incognito = incognito
        self.offer_import(self._offered)
        self.title.setText(_("An incognito chat") if incognito else _("What would you like to talk about?"))
        self.title.setProperty("role", "private" if incognito else "title")
        self.title.style().polish(self.title)
        self.words.setText(
            _("It is kept in memory only. Closing it leaves nothing: no text, no summary, no memory.")
            if incognito
            else _(
                "The model can search your chats and your screen, and read files in folders that you open to it. "
                "Chats are kept on this machine; secrets are hidden before anything is stored or sent."
            )
        )
