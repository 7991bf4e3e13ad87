"""The two logs of conversations behind one face: the stored one, and the one of incognito sessions in memory."""

from biny_desktop.conversation.ports import ConversationLog
from biny_desktop.core.errors import NotFoundError


class Logs:
    """Which log a session is in."""

    def __init__(self, stored: ConversationLog, memory: ConversationLog) -> None:
        self.stored, self.memory = stored, memory

    def of(self, session_id: str) -> ConversationLog:
        """The log of that session; the stored one for a session that nobody knows, which then says so."""
        try:
            self.memory.session(session_id)
        except NotFoundError:
            return self.stored
        return self.memory
