"""The two logs of conversations behind one face: the stored one, and the one of incognito sessions in memory."""

from biny_desktop.conversation.log.memory_log import MemoryLog
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.ports import ConversationLog


class Logs:
    """Which log a session is in."""

    def __init__(self, stored: SessionLog, memory: MemoryLog) -> None:
        self.stored, self.memory = stored, memory

    def of(self, session_id: str) -> ConversationLog:
        """The log of that session; the stored one for a session that nobody knows, which then says so."""
        return self.memory if self.memory.holds(session_id) else self.stored
