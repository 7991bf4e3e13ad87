"""Real logs for tests: a database file or memory, a clock that stands still, and quick ways to talk."""

import itertools
from dataclasses import dataclass, field
from pathlib import Path

from biny_desktop.conversation.log.memory_log import MemoryLog
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.model import Message
from biny_desktop.conversation.ports import ConversationLog
from biny_desktop.conversation.session_events import (
    AssistantMessage,
    CallData,
    NewEvent,
    SessionCreated,
    SpanData,
    ToolResult,
    TurnEnded,
    UserMessage,
    VersionSelected,
)
from biny_desktop.core.events import EventBus
from biny_desktop.redaction import RedactionOptions, Redactor
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.migrate import migrate
from tests.fakes.clock import FakeClock


@dataclass
class Talk:
    """A session of a log and what a test says in it; ids are `m1`, `m2`, … of that talk's session, in order."""

    log: ConversationLog
    session_id: str
    clock: FakeClock
    prefix: str = ""
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def new_id(self) -> str:
        return f"{self.prefix}m{next(self._numbers)}"

    def leaf(self) -> str | None:
        return self.log.session(self.session_id).leaf_id

    def path(self) -> list[str]:
        return [each.id for each in self.log.path(self.session_id)]

    def user(self, text: str, *, under: str | None = "leaf", turn: str | None = None) -> str:
        """A user message under the leaf, or under another node (None: a new root)."""
        message_id = self.new_id()
        parent = self.leaf() if under == "leaf" else under
        spans = (SpanData(start=0, end=len(text), trust="owner"),) if text else ()
        self.clock.advance(1_000)
        payload = UserMessage(message_id=message_id, parent_id=parent, content=text, spans=spans)
        self.log.append(self.session_id, [NewEvent(payload, turn or f"turn-{message_id}")])
        return message_id

    def answer(self, text: str, *, under: str | None = "leaf", retry_of: str | None = None, turn: str = "t") -> str:
        """A finished answer, with its turn's end."""
        message_id = self.new_id()
        parent = self.leaf() if under == "leaf" else under
        self.clock.advance(1_000)
        payload = AssistantMessage(message_id=message_id, parent_id=parent, content=text, retry_of=retry_of)
        events = [NewEvent(payload, turn, "r"), NewEvent(TurnEnded(status="completed", steps=1), turn, "r")]
        if retry_of is not None:
            events.insert(1, NewEvent(VersionSelected(slot_id="", message_id=message_id), turn, "r"))
        self.log.append(self.session_id, events)
        return message_id

    def step(self, text: str, calls: list[tuple[str, str, str, str]], turn: str = "t") -> list[str]:
        """An answer with calls (id, tool, arguments, result) and their results; ids of all nodes."""
        message_id = self.new_id()
        data = tuple(CallData(id=each[0], name=each[1], arguments=each[2]) for each in calls)
        payload = AssistantMessage(message_id=message_id, parent_id=self.leaf(), content=text, tool_calls=data)
        self.log.append(self.session_id, [NewEvent(payload, turn, "r")])
        out = [message_id]
        for call in calls:
            result = ToolResult(
                message_id=self.new_id(), parent_id=out[-1], content=call[3], call_id=call[0], status="succeeded"
            )
            self.log.append(self.session_id, [NewEvent(result, turn, "r")])
            out.append(result.message_id)
        return out

    def edit(self, message_id: str, text: str) -> str:
        """Another version of a user message, selected."""
        made = self.user(text, under=self.message(message_id).parent_id)
        self.select(made)
        return made

    def retry(self, message_id: str, text: str) -> str:
        """Another version of an answer, selected."""
        return self.answer(text, under=self.message(message_id).parent_id, retry_of=message_id)

    def select(self, message_id: str) -> None:
        self.log.append(self.session_id, [NewEvent(VersionSelected(slot_id="", message_id=message_id))])

    def message(self, message_id: str) -> Message:
        return next(each for each in self.log.messages(self.session_id) if each.id == message_id)


def open_log(root: Path, clock: FakeClock | None = None, events: EventBus | None = None) -> tuple[Database, SessionLog]:
    """A stored log in a fresh home; the caller closes the database."""
    folders = prepare(resolve(root))
    db = open_database(folders.database_file, None)
    migrate(db)
    log = SessionLog(db, clock or FakeClock(), events or EventBus())
    log.prepare()
    return db, log


def talk(log: ConversationLog, clock: FakeClock, prefix: str = "", **session: str) -> Talk:
    """A new session to talk in."""
    return Talk(log, log.create(SessionCreated(**session)).id, clock, prefix)  # type: ignore[arg-type]


def memory_log(clock: FakeClock | None = None) -> MemoryLog:
    """An incognito log."""
    return MemoryLog(clock or FakeClock(), EventBus())


def redactor() -> Redactor:
    """A redactor with the rules that are always on."""
    return Redactor(RedactionOptions())
