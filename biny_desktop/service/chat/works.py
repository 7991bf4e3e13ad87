"""What the desk of conversations stands on."""

from collections.abc import Callable
from dataclasses import dataclass

from biny_desktop.conversation.approvals import ExactCalls
from biny_desktop.conversation.deleting import SessionDeletes
from biny_desktop.conversation.log.memory_log import MemoryLog
from biny_desktop.conversation.ports import Compactor
from biny_desktop.conversation.sessions import Sessions
from biny_desktop.conversation.turns.recovery import Recovery
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.clock import Clock
from biny_desktop.core.settings import Settings
from biny_desktop.redaction import Redactor
from biny_desktop.service.chat.logs import Logs
from biny_desktop.service.chat.runs import ChatModel, TurnRuns
from biny_desktop.service.chat.turn_threads import TurnThreads


@dataclass(frozen=True, slots=True)
class ChatWorks:
    """Put together by `service.chat_parts`. `stored`, `hidden`: sessions of the two logs."""

    logs: Logs
    memory: MemoryLog
    stored: Sessions
    hidden: Sessions
    deletes: SessionDeletes
    exact: ExactCalls
    compactor: Compactor
    model: ChatModel
    recovery: Recovery
    turns: TurnStore
    threads: TurnThreads
    runs: TurnRuns
    redactor: Callable[[], Redactor]
    settings: Callable[[], Settings]
    clock: Clock
