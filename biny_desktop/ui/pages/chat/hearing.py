"""What happens in running turns, brought from their threads to the page; pieces of text come in small bundles."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QObject, QTimer, Signal

from biny_desktop.conversation.ports import Heard
from biny_desktop.service.chat.desk import Chat

BUNDLE_MS = 30
"""Pieces that come closer together than this are shown at once."""
Doing = Literal["waiting", "thinking", "writing", "tool"]


@dataclass
class Live:
    """A running turn as it is heard: `text` of the step that is written, what the model does, what the program said."""

    text: str = field(repr=False, default="")
    doing: Doing = "waiting"
    tool: str = ""
    notices: list[str] = field(default_factory=list)


class Ear:
    """What a desk calls in the threads of turns; once it is closed nothing reaches a page that goes away."""

    def __init__(self, emit: Callable[[Heard], None]) -> None:
        self._emit: Callable[[Heard], None] | None = emit
        self._lock = threading.Lock()

    def __call__(self, heard: Heard) -> None:
        with self._lock:
            if self._emit is not None:
                self._emit(heard)

    def close(self) -> None:
        """Pass on nothing more; waits for what is being passed on."""
        with self._lock:
            self._emit = None


class Hearing(QObject):
    """`text_came(session id, text)`; `doing_changed(session id)`; `happened(Heard)` for what changes the log."""

    text_came = Signal(str, str)
    doing_changed = Signal(str)
    happened = Signal(object)
    _heard = Signal(object)

    def __init__(self, chat: Chat, parent: QObject) -> None:
        super().__init__(parent)
        self._live: dict[str, Live] = {}
        self._pieces: dict[str, list[str]] = {}
        self._timer = QTimer(self, singleShot=True, interval=BUNDLE_MS)
        self._timer.timeout.connect(self.flush)
        self._heard.connect(self._on_heard)
        ear = Ear(self._heard.emit)
        end = chat.listen(ear)
        self.destroyed.connect(lambda: (ear.close(), end()))  # no argument: it would be made of what is half gone

    def live(self, session_id: str, so_far: str) -> Live:
        """The turn of a session as it is heard.

        Args:
            so_far: its text as the desk knows it, for a turn that was under way before it was listened to.
        """
        found = self._live.setdefault(session_id, Live(so_far, "writing" if so_far else "waiting"))
        if not so_far.startswith(found.text) and not found.text.startswith(so_far):
            found.text = so_far
        return found

    def flush(self) -> None:
        """Hand over what came."""
        self._timer.stop()
        pieces, self._pieces = self._pieces, {}
        for session_id, parts in pieces.items():
            self.text_came.emit(session_id, "".join(parts))

    def _on_heard(self, heard: Heard) -> None:
        live = self._live.setdefault(heard.session_id, Live())
        if heard.kind == "delta":
            live.text += heard.text
            self._pieces.setdefault(heard.session_id, []).append(heard.text)
            if not self._timer.isActive():
                self._timer.start()
            self._now(heard.session_id, live, "writing")
        elif heard.kind == "reasoning":
            self._now(heard.session_id, live, "thinking")
        elif heard.kind == "notice":
            if heard.text not in live.notices:
                live.notices.append(heard.text)
                self.doing_changed.emit(heard.session_id)
        else:
            self.flush()
            if heard.kind == "tool_started":
                self._now(heard.session_id, live, "tool", heard.name)
            elif heard.kind == "step":
                live.text = ""
                self._now(heard.session_id, live, "waiting")
            elif heard.kind == "ended":
                self._live.pop(heard.session_id, None)
            self.happened.emit(heard)

    def _now(self, session_id: str, live: Live, doing: Doing, tool: str = "") -> None:
        if (live.doing, live.tool) != (doing, tool):
            live.doing, live.tool = doing, tool
            self.doing_changed.emit(session_id)
