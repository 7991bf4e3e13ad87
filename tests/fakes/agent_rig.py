"""The agent with everything real but its tools: a stored log, a model server on the loopback, checkpoint files."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biny_desktop.conversation.agent.agent import Agent
from biny_desktop.conversation.agent.model import TurnOutcome, TurnStart
from biny_desktop.conversation.agent.prompt import PlainAssembler
from biny_desktop.conversation.approvals import ExactCalls
from biny_desktop.conversation.log.memory_log import MemoryLog
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.model import Checkpoint, CompactionReason, Effect, Execution, Message, ToolStatus
from biny_desktop.conversation.ports import (
    Admission,
    Budget,
    CompactionFailure,
    Compactor,
    ConversationLog,
    Heard,
    PromptAssembler,
    Tool,
    ToolAnswer,
    ToolScene,
)
from biny_desktop.conversation.session_events import NewEvent, SessionCreated, SpanData, UserMessage
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.events import EventBus, TurnFinished
from biny_desktop.core.settings import Settings, build
from biny_desktop.core.text import RedactedText
from biny_desktop.models.chat_client import ChatClient
from biny_desktop.models.chat_wire import ChatLimits
from biny_desktop.models.model import ToolSpec
from biny_desktop.redaction import RedactionOptions, Redactor, from_row
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.clock import FakeClock
from tests.fakes.homes import MemoryKeyring
from tests.fakes.model_server import ModelServer

DONE = Callable[[Mapping[str, Any], ToolScene], str | ToolAnswer]


def text(words: str) -> RedactedText:
    return from_row(words)


@dataclass
class FakeTool:
    """A tool that does what the test says; `ran` holds the arguments of every run, `admitted` those looked at."""

    name: str
    effect: Effect = "read"
    do: DONE = lambda args, scene: "found it"
    approval: str | None = None
    outcome: ToolStatus = "cancelled"
    ran: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, f"Does {self.name}.", {"type": "object", "properties": {"q": {"type": "string"}}})

    def admit(self, arguments: str, scene: ToolScene) -> Admission | ToolAnswer:
        args = json.loads(arguments)
        if args.get("q") == "forbidden":
            return ToolAnswer("failed", text("that is forbidden"))
        shown = None if self.approval is None else text(f"{self.approval} {args}")
        return Admission(args, target="/t", before_hash="b", intended_hash="i", approval=shown)

    def run(self, admission: Admission, scene: ToolScene) -> ToolAnswer:
        self.ran.append(admission.args)
        done = self.do(admission.args, scene)
        return done if isinstance(done, ToolAnswer) else ToolAnswer("succeeded", text(done))

    def found(self, execution: Execution) -> ToolStatus:
        return self.outcome


class FakeToolbox:
    """The tools of a test, in every session."""

    def __init__(self, *tools: Tool) -> None:
        self.held = {tool.spec.name: tool for tool in tools}

    def tools(self, *, incognito: bool) -> Mapping[str, Tool]:
        return self.held


class FakeCompactor:
    """Compaction as scripted: `answers` in order, then None. `asked` holds the reasons."""

    def __init__(self, budget: Budget) -> None:
        self.made_budget = budget
        self.answers: list[Checkpoint | CompactionFailure | Exception | None] = []
        self.asked: list[CompactionReason] = []
        self.wait: Callable[[Callable[[], bool]], None] = lambda go_on: None
        self.checkpoint: Checkpoint | None = None

    def budget(self) -> Budget:
        return self.made_budget

    def current(self, log: ConversationLog, session_id: str, path: Sequence[Message]) -> Checkpoint | None:
        return self.checkpoint

    def block(self, checkpoint: Checkpoint) -> RedactedText:
        return text(f"<biny:checkpoint>summary {checkpoint.id}</biny:checkpoint>")

    def compact(
        self, log: ConversationLog, session_id: str, path: Sequence[Message], reason: CompactionReason, *,
        fixed_tokens: int = 0, go_on: Callable[[], bool] = lambda: True,
    ) -> Checkpoint | CompactionFailure | None:  # fmt: skip
        self.asked.append(reason)
        self.wait(go_on)
        answer = self.answers.pop(0) if self.answers else None
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Checkpoint):
            self.checkpoint = answer
        return answer


class Running:
    """A run in a thread of its own."""

    def __init__(self, run: Callable[[Callable[[], bool]], TurnOutcome]) -> None:
        self._stopped = threading.Event()
        self._outcome: list[TurnOutcome] = []
        self._thread = threading.Thread(target=lambda: self._outcome.append(run(lambda: not self._stopped.is_set())))
        self._thread.start()

    def stop(self) -> TurnOutcome:
        """Stop it and wait for its end; the test fails if it does not end by itself."""
        self._stopped.set()
        return self.outcome()

    def outcome(self) -> TurnOutcome:
        self._thread.join(10.0)
        assert self._outcome, "the run did not end"
        return self._outcome[0]


class AgentRig:
    """One session to talk in. `heard` is what the run said, `finished` the published ends."""

    def __init__(
        self, root: Path, server: ModelServer, *tools: FakeTool, settings: Mapping[str, Any] | None = None,
        budget: Budget | None = None, incognito: bool = False,
    ) -> None:  # fmt: skip
        self.root = root
        folders = prepare(resolve(root))
        self.clock, self.server, self.events = FakeClock(), server, EventBus()
        self.db: Database = open_database(folders.database_file, None)
        migrate(self.db)
        self.settings: Settings = build({"models": {"chat_url": server.url, "chat_model": "large"}, **(settings or {})})
        stored = SessionLog(self.db, self.clock, self.events)
        stored.prepare()
        self.log: ConversationLog = MemoryLog(self.clock, self.events) if incognito else stored
        self.keys = ModelKeys(folders, MemoryKeyring())
        self.chat = ChatClient(self.db, lambda: self.settings, self.keys, self.clock, ChatLimits(20.0, 20.0))
        self.toolbox = FakeToolbox(*tools)
        self.compactor = FakeCompactor(budget or Budget(28_672, 4_300, 4_096))
        self.turns = TurnStore(root / "turns", None, self.clock)
        self.exact = ExactCalls(lambda _id: self.log, self.clock, self.events)
        self.redactor = Redactor(RedactionOptions())
        self.heard: list[Heard] = []
        self.finished: list[TurnFinished] = []
        self.events.subscribe(TurnFinished, self.finished.append)
        self.session = self.log.create(SessionCreated(source="chat")).id
        self._turn = 0

    def close(self) -> None:
        self.db.close()

    def agent(self, *, compactor: Compactor | None = None, assembler: PromptAssembler | None = None) -> Agent:
        return Agent(
            lambda _id: self.log, self.chat, self.toolbox, compactor or self.compactor, self.turns,
            assembler or PlainAssembler(self.clock, word="fence"), self.exact, lambda: self.redactor,
            lambda: self.settings, self.clock, self.events,
        )  # fmt: skip

    def limited(self, first_s: float, between_s: float) -> None:
        """Other patience with the server."""
        limits = ChatLimits(first_s, between_s)
        self.chat = ChatClient(self.db, lambda: self.settings, self.keys, self.clock, limits)

    def say(self, words: str) -> TurnStart:
        """Commit a user message below the leaf, and the start that answers it."""
        self._turn += 1
        turn_id, path = f"turn{self._turn}", self.log.path(self.session)
        said = UserMessage(
            message_id=f"u{self._turn}", parent_id=path[-1].id if path else None, content=words,
            spans=(SpanData(start=0, end=len(words), trust="owner"),),
        )  # fmt: skip
        self.log.append(self.session, [NewEvent(said, turn_id)])
        return TurnStart(self.session, turn_id, f"run{self._turn}", "answer")

    def run(self, start: TurnStart, agent: Agent | None = None) -> TurnOutcome:
        return (agent or self.agent()).run(start, self.heard.append, lambda: True)

    def ask(self, words: str) -> TurnOutcome:
        return self.run(self.say(words))

    def running(self, start: TurnStart) -> Running:
        agent = self.agent()
        return Running(lambda go_on: agent.run(start, self.heard.append, go_on))

    def path(self) -> tuple[Message, ...]:
        return self.log.path(self.session)

    def said(self) -> list[tuple[str, str]]:
        """Roles and texts of the active path."""
        return [(each.role, str(each.content)) for each in self.path()]

    def statuses(self) -> list[tuple[object, object]]:
        """Status and reason of every end in the log."""
        return [
            (event.payload["status"], event.payload["stop_reason"])
            for event in self.log.events(self.session)
            if event.type == "turn_status"
        ]

    def types(self) -> list[str]:
        return [event.type for event in self.log.events(self.session)]

    def kinds(self) -> list[str]:
        """What was heard, without the pieces of text."""
        return [each.kind for each in self.heard if each.kind not in ("delta", "reasoning")]

    def notices(self) -> list[str]:
        return [each.text for each in self.heard if each.kind == "notice"]


def call(name: str, call_id: str = "c1", **arguments: Any) -> dict[str, Any]:
    """A call as the server scripts it."""
    return {"id": call_id, "name": name, "arguments": arguments}
