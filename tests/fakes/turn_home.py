"""A stored log with a checkpoint folder and counting tools, in which a test writes what a turn would have committed."""

from dataclasses import replace
from pathlib import Path

from biny_desktop.conversation.approvals import ExactCalls, args_hash
from biny_desktop.conversation.log.memory_log import MemoryLog
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.model import Effect, Event, ToolStatus, TurnStatus
from biny_desktop.conversation.ports import Admission, ConversationLog
from biny_desktop.conversation.session_events import (
    AssistantMessage,
    CallData,
    EventPayload,
    NewEvent,
    SessionCreated,
    SpanData,
    ToolExecution,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from biny_desktop.conversation.turns.recovery import Recovery
from biny_desktop.conversation.turns.state import HighWater, TurnState
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.events import EventBus
from biny_desktop.core.settings import Settings, build
from biny_desktop.models.model import ChatMessage, ToolCall
from biny_desktop.redaction import from_row, safe_constant
from biny_desktop.storage.atomic import FileOps
from biny_desktop.storage.database import open_database
from biny_desktop.storage.migrate import migrate
from tests.fakes.clock import FakeClock
from tests.fakes.counting_tools import CountingTools

TURN, RUN = "turn1", "run1"


class TurnHome:
    """`session` is one session, a new one if none is given; events are of `TURN` and `RUN` unless said otherwise."""

    def __init__(self, folder: Path, ops: FileOps | None = None, session: str | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.clock, self.events = FakeClock(), EventBus()
        self.db = open_database(folder / "t.db", None)
        migrate(self.db)
        self.stored = SessionLog(self.db, self.clock, self.events)
        self.stored.prepare()
        self.memory = MemoryLog(self.clock, self.events)
        self.turns = TurnStore(folder / "turns", None, self.clock, ops)
        self.tools = CountingTools(folder)
        self.settings: Settings = build({})
        self.exact = ExactCalls(self.log_of, self.clock, self.events)
        self.recovery = Recovery(self.log_of, self.turns, self.tools, lambda: self.settings, self.clock)
        self.session = session or self.stored.create(SessionCreated()).id
        self._n = 0

    def close(self) -> None:
        self.db.close()

    def log_of(self, session_id: str) -> ConversationLog:
        return self.stored

    def new_id(self) -> str:
        self._n += 1
        self.clock.advance(1)
        return f"m{self._n}"

    def put(self, *payloads: EventPayload, turn: str | None = TURN, run: str | None = RUN) -> Event:
        """Commit them; the last event."""
        return self.stored.append(self.session, [NewEvent(each, turn, run) for each in payloads])[-1]

    @property
    def leaf(self) -> str | None:
        return self.stored.session(self.session).leaf_id

    def say(self, text: str = "please", turn: str = TURN) -> str:
        """A message of the user; its id."""
        made = self.new_id()
        span = SpanData(start=0, end=len(text), trust="owner")
        self.put(UserMessage(message_id=made, parent_id=self.leaf, content=text, spans=(span,)), turn=turn, run=None)
        return made

    def calls(self, *names: str, turn: str = TURN) -> tuple[ToolCall, ...]:
        """An answer with calls, their ids `c<n>` (as servers do, the same in every step)."""
        made = tuple(ToolCall(f"c{n}", name, f'{{"q":"{name} it"}}') for n, name in enumerate(names))
        data = tuple(CallData(id=each.id, name=each.name, arguments=each.arguments) for each in made)
        payload = AssistantMessage(message_id=self.new_id(), parent_id=self.leaf, content="", tool_calls=data)
        self.put(payload, turn=turn)
        return made

    def answer(self, text: str = "there you are", turn: str = TURN) -> str:
        made = self.new_id()
        self.put(AssistantMessage(message_id=made, parent_id=self.leaf, content=text), turn=turn)
        return made

    def record(self, call: ToolCall, state: str, status: ToolStatus | None = None, turn: str | None = TURN) -> str:
        """The effect record of a call in that state; its operation id."""
        tool = self.tools.all[call.name]
        admission = tool.admit(call.arguments, None)  # type: ignore[arg-type]  # needs no scene
        assert isinstance(admission, Admission)
        made = self.new_id()
        for each in ("admitted", "running", "committed"):
            payload = ToolExecution(
                call_id=call.id,
                operation_id=made,
                tool=call.name,
                args=call.arguments,
                args_hash=args_hash(call.name, admission.args),
                effect=tool.effect,
                state=each,  # type: ignore[arg-type]
                status=status if each == "committed" else None,
                target=admission.target,
                before_hash=admission.before_hash,
                intended_hash=admission.intended_hash,
            )
            self.put(payload, turn=turn)
            if each == state:
                break
        return made

    def effect(self, name: str) -> Effect:
        return self.tools.all[name].effect

    def result(self, call: ToolCall, status: ToolStatus = "succeeded", operation: str = "") -> Event:
        return self.put(
            ToolResult(
                message_id=self.new_id(), parent_id=self.leaf, content="done", call_id=call.id, operation_id=operation,
                status=status,
            )
        )  # fmt: skip

    def ended(self, status: TurnStatus, reason: str = "") -> Event:
        return self.put(TurnEnded(status=status, stop_reason=reason))

    def save(self, steps: int = 1, turn: str = TURN) -> TurnState:
        """The checkpoint as it would be written now."""
        last = self.stored.events(self.session)[-1]
        state = TurnState(
            session_id=self.session,
            turn_id=turn,
            prompt=safe_constant("please"),
            system_prompt=safe_constant("rules"),
            messages=(ChatMessage("user", from_row("please")),),
            completed_steps=steps,
            budgets={"hard_steps": self.settings.agent.hard_steps},
            high_water=HighWater(last.event_id, last.seq, last.run_id, last.turn_id),
            updated_at_ms=self.clock.now_ms(),
        )
        self.turns.save(state)
        return replace(state)

    def a_step(self, name: str = "look") -> None:
        """A whole step with its checkpoint."""
        (call,) = self.calls(name)
        operation = self.record(call, "committed", "succeeded")
        self.result(call, operation=operation)
        self.save()

    def contents(self) -> list[tuple[str, str, ToolStatus | None]]:
        """Role, content and status of the nodes of the active path."""
        return [(node.role, str(node.content), node.tool_status) for node in self.stored.path(self.session)]
