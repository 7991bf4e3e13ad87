"""What happens in running turns, brought from their threads to the page; pieces of text come in small bundles."""

from PySide6.QtCore import QObject, QTimer, Signal

from biny_desktop.conversation.ports import Heard
from biny_desktop.service.chat.desk import Chat

BUNDLE_MS = 30
"""Pieces that come closer together than this are shown at once."""


class Hearing(QObject):
    """`text_came(session id, text)`; `happened(Heard)` for everything else."""

    text_came = Signal(str, str)
    happened = Signal(object)
    _heard = Signal(object)

    def __init__(self, chat: Chat, parent: QObject) -> None:
        super().__init__(parent)
        self._pieces: dict[str, list[str]] = {}
        self._timer = QTimer(self, singleShot=True, interval=BUNDLE_MS)
        self._timer.timeout.connect(self._flush)
        self._heard.connect(self._on_heard)
        self._end = chat.listen(self._heard.emit)
        end = self._end
        self.destroyed.connect(lambda _gone: end())

    def _on_heard(self, heard: Heard) -> None:
        if heard.kind == "delta":
            self._pieces.setdefault(heard.session_id, []).append(heard.text)
            if not self._timer.isActive():
                self._timer.start()
        elif heard.kind != "reasoning":
            self._flush()
            self.happened.emit(heard)

    def _flush(self) -> None:
        self._timer.stop()
        pieces, self._pieces = self._pieces, {}
        for session_id, parts in pieces.items():
            self.text_came.emit(session_id, "".join(parts))
