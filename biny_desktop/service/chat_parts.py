"""The parts of conversations, put together: logs, sessions, turns, the agent with its tools, search, the desk."""

from collections.abc import Callable
from dataclasses import dataclass

from biny_desktop.activity.search import KeywordSearch
from biny_desktop.conversation.agent.agent import Agent
from biny_desktop.conversation.agent.prompt import PlainAssembler
from biny_desktop.conversation.approvals import ExactCalls
from biny_desktop.conversation.compaction.compaction import Compaction
from biny_desktop.conversation.compaction.tool import ReadEvidence
from biny_desktop.conversation.deleting import SessionDeletes
from biny_desktop.conversation.exporting import Exports
from biny_desktop.conversation.importers.importing import Imports
from biny_desktop.conversation.importers.memories import ImportedMemories
from biny_desktop.conversation.importers.rollback import Rollback
from biny_desktop.conversation.log.memory_log import MemoryLog
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.projects import Projects
from biny_desktop.conversation.search.rows import MessageRows
from biny_desktop.conversation.search.search import MessageSearch
from biny_desktop.conversation.search.sweep import MessageSweep
from biny_desktop.conversation.search.tool import SessionSearch
from biny_desktop.conversation.sessions import Sessions
from biny_desktop.conversation.tools.box import AgentTools
from biny_desktop.conversation.turns.recovery import Recovery
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.clock import Clock
from biny_desktop.core.events import EventBus
from biny_desktop.core.settings import Settings
from biny_desktop.models.chat_client import ChatClient
from biny_desktop.models.client import ModelClient
from biny_desktop.models.model import Embedder
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.redaction import Redactor
from biny_desktop.service.approvals import Approvals
from biny_desktop.service.approvals.calls import ExactCallKind
from biny_desktop.service.approvals.memories import ImportedMemoryKind
from biny_desktop.service.chat.desk import Chat
from biny_desktop.service.chat.logs import Logs
from biny_desktop.service.chat.runs import Engine, TurnRuns
from biny_desktop.service.chat.turn_threads import TurnThreads
from biny_desktop.service.chat.works import ChatWorks
from biny_desktop.service.screen_texts import KeywordScreenTexts
from biny_desktop.storage.database import Database
from biny_desktop.storage.folders import Folders


@dataclass(frozen=True, slots=True)
class ChatParts:
    """What works on conversations of one home, as far as others use it."""

    projects: Projects
    message_vectors: VectorIndex
    message_search: MessageSearch
    message_sweep: MessageSweep
    chat: Chat
    approvals: Approvals
    imports: Imports
    exports: Exports


@dataclass(frozen=True, slots=True)
class ChatNeeds:
    """What conversations need of the rest of the home.

    `model` answers in chats, `client` sums up; `embedder` gives messages their vectors; `screens` searches the screen.
    """

    folders: Folders
    db: Database
    secret: bytes | None
    redactor: Callable[[], Redactor]
    settings: Callable[[], Settings]
    clock: Clock
    events: EventBus
    client: ModelClient
    model: ChatClient
    embedder: Callable[[], Embedder | None]
    screens: KeywordSearch


def make_chat_parts(needs: ChatNeeds) -> ChatParts:
    """Build them; no turn runs yet and nothing is removed (`Chat.start`).

    Raises:
        StorageError: the projections of the log cannot be made.
    """
    db, clock, events, settings, redactor = needs.db, needs.clock, needs.events, needs.settings, needs.redactor
    stored, memory = SessionLog(db, clock, events), MemoryLog(clock, events)
    stored.prepare()
    logs = Logs(stored, memory)
    turns = TurnStore(needs.folders.data / "turns", needs.secret, clock)
    exact = ExactCalls(logs.of, clock, events)
    own = (needs.folders.data, needs.folders.config, needs.folders.logs)
    rows = MessageRows(needs.embedder)
    vectors = VectorIndex(rows, db, needs.embedder, clock, events)
    search = MessageSearch(db, vectors, redactor, settings)
    toolbox = AgentTools(
        settings, redactor, clock, texts=KeywordScreenTexts(needs.screens),
        others=(SessionSearch(search, redactor, clock), ReadEvidence(redactor)), own_folders=own,
    )  # fmt: skip
    compaction = Compaction(needs.client, needs.model, redactor, settings, clock)
    assembler = PlainAssembler(clock)
    agent = Agent(
        logs.of, needs.model, toolbox, compaction, turns, assembler, exact, redactor, settings, clock, events
    )  # fmt: skip
    recovery = Recovery(logs.of, turns, toolbox, settings, clock)
    sessions = Sessions(stored, redactor, clock)
    deletes = SessionDeletes(db, stored, events, vectors.remove, turns.remove)
    threads = TurnThreads(db, clock)
    runs = TurnRuns(Engine(logs, agent, needs.model, recovery, threads, events))
    works = ChatWorks(
        logs=logs,
        memory=memory,
        stored=sessions,
        hidden=Sessions(memory, redactor, clock),
        deletes=deletes,
        exact=exact,
        compactor=compaction,
        model=needs.model,
        recovery=recovery,
        turns=turns,
        threads=threads,
        runs=runs,
        redactor=redactor,
        settings=settings,
        clock=clock,
    )
    chat = Chat(works)
    projects, remembered = Projects(db, redactor, clock), ImportedMemories(db, redactor, clock, events)
    rollback = Rollback(db, deletes, clock, events)
    return ChatParts(
        projects=projects,
        message_vectors=vectors,
        message_search=search,
        message_sweep=MessageSweep(db, rows, vectors, needs.embedder, clock),
        chat=chat,
        approvals=Approvals((ExactCallKind(db, chat, clock), ImportedMemoryKind(remembered, clock))),
        imports=Imports(db, stored, projects, remembered, rollback, redactor, clock, events),
        exports=Exports(db, stored),
    )
