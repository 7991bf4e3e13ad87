"""Summing up chats by hand: one at a time a chat, off the window's thread, until it is done or cancelled."""

import threading

from PySide6.QtCore import QObject, Signal

from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _
from biny_desktop.service.chat.desk import Chat
from biny_desktop.ui.calls import Calls


class SummingUp(QObject):
    """`changed` when one begins or ends."""

    changed = Signal()

    def __init__(self, chat: Chat, calls: Calls, parent: QObject) -> None:
        super().__init__(parent)
        self._chat, self._calls = chat, calls
        self._stops: dict[str, threading.Event] = {}
        calls.closing.connect(self._on_closing)

    def under_way(self, session_id: str) -> bool:
        """Whether that chat is being summed up."""
        return session_id in self._stops

    def begin(self, session_id: str) -> None:
        """Sum up its older part."""
        if session_id in self._stops:
            return
        chat = self._chat
        stop = self._stops[session_id] = threading.Event()

        def over(made: object) -> None:
            del self._stops[session_id]
            self.changed.emit()
            if not stop.is_set() and (made is None or isinstance(made, BinyError)):
                self._calls.failed.emit(made or BinyError(_("There is nothing to sum up yet.")))

        self._calls.run(lambda: chat.compact(session_id, lambda: not stop.is_set()), over, over, self)
        self.changed.emit()

    def cancel(self, session_id: str | None) -> None:
        """Stop it; nothing is changed."""
        stop = self._stops.get(session_id or "")
        if stop is not None:
            stop.set()

    def _on_closing(self) -> None:
        for stop in self._stops.values():
            stop.set()
