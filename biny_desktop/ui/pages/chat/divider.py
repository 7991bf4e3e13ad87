"""Where a summary stands for what is above it: how much, and the summary itself, each item with its sources."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from biny_desktop.conversation.model import FIELDS, Checkpoint, SummaryItem
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.ui.chat_words import field_name
from biny_desktop.ui.formats import number
from biny_desktop.ui.widgets.fold import Fold
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.plain_body import PlainBody


class DividerView(QWidget):
    """`source_asked(message id)`."""

    source_asked = Signal(str)

    def __init__(self, checkpoint: Checkpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.checkpoint = checkpoint
        saved = max(0, checkpoint.tokens_before - checkpoint.tokens_after)
        words = ngettext(
            "{n} message summed up for the model", "{n} messages summed up for the model", checkpoint.covered
        ).format(n=checkpoint.covered)
        if saved:
            words += " · " + ngettext("{n} token saved", "{n} tokens saved", saved).format(n=number(saved))
        self.fold = Fold(words, _("Show the summary; the messages themselves stay as they are"), self._summary)
        self.fold.head.setProperty("flush", False)  # it stands between two lines
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(hairline(), 1)
        row.addWidget(self.fold.head)
        row.addWidget(hairline(), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.addLayout(row)
        column.addWidget(self.fold)
        self.setAccessibleName(words)

    def _summary(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(12, 4, 12, 8)
        column.setSpacing(4)
        by = self.checkpoint.model
        said = _("Made by {model}").format(model=by) if by else _("Made by the program, without a model")
        column.addWidget(label(said, "small"))
        for name in FIELDS:
            items = self.checkpoint.state.get(name, ())
            if items:
                column.addWidget(label(field_name(name), "section"))
            for item in items:
                column.addWidget(self._item(item))
        return made

    def _item(self, item: SummaryItem) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(PlainBody(item.text), 1)
        if item.evidence:
            source = QPushButton(_("Show source"))
            source.setProperty("role", "flat")
            source.setToolTip(_("Show the message that this comes from"))
            first = item.evidence[0].partition(".call")[0]
            source.clicked.connect(lambda _on=False: self.source_asked.emit(first))
            row.addWidget(source, 0, Qt.AlignmentFlag.AlignTop)
        return made
