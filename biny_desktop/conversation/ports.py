"""What the parts of `conversation` need of each other, as protocols: the log, the tools, compaction, prompts.

The log has two makes with the same tree code: `SessionLog` in the database and `MemoryLog` of incognito sessions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from biny_desktop.conversation.model import (
    Approval,
    Checkpoint,
    CompactionFault,
    CompactionReason,
    Effect,
    Event,
    Execution,
    Message,
    Session,
    SessionPage,
    TodoList,
    ToolStatus,
)
from biny_desktop.conversation.session_events import NewEvent, SessionCreated
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ChatMessage, ToolSpec
from biny_desktop.storage.rows import JsonValue


class ConversationLog(Protocol):
    """Sessions as append-only events with their projections. Thread-safe.

    Every method raises NotFoundError for a session that does not exist, StorageError where the database fails.
    """

    @property
    def incognito(self) -> bool:
        """Whether nothing of it is ever stored."""
        ...

    def create(self, new: SessionCreated, session_id: str | None = None, events: Sequence[NewEvent] = ()) -> Session:
        """Begin a session with its first event, and more of them in the same transaction."""
        ...

    def append(self, session_id: str, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        """Commit events and their projections in one transaction; all or none.

        Raises:
            InvalidInputError: an event is larger than 16 MiB, the session is full, a parent is not in it.
        """
        ...

    def session(self, session_id: str) -> Session: ...

    def page(
        self, limit: int = 100, before: tuple[int, str] | None = None, project_id: str | None = None
    ) -> SessionPage:
        """Sessions, last used first."""
        ...

    def messages(self, session_id: str) -> tuple[Message, ...]:
        """Every node of the tree, by seq, with `active` as it is now."""
        ...

    def path(self, session_id: str, leaf_id: str | None = None) -> tuple[Message, ...]:
        """The active path from root to leaf, or the path to that node, whether active or not."""
        ...

    def leaf(self, session_id: str) -> Message | None:
        """The last node of the active path, without reading the others."""
        ...

    def events(self, session_id: str, after: int = 0, turn_id: str | None = None) -> tuple[Event, ...]: ...

    def todos(self, session_id: str) -> TodoList: ...

    def checkpoints(self, session_id: str) -> tuple[Checkpoint, ...]:
        """All of them, by seq."""
        ...

    def last_failure(self, session_id: str, fingerprint: str) -> int | None:
        """UTC ms of the last `compaction_failed` with that fingerprint."""
        ...

    def executions(self, session_id: str, turn_id: str | None = None) -> tuple[Execution, ...]: ...

    def approvals(self, session_id: str) -> tuple[Approval, ...]: ...


# -- tools -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolScene:
    """Where a call happens; `log` is the one of the session. `go_on` False: the person stopped the turn."""

    log: ConversationLog
    session_id: str
    turn_id: str
    run_id: str
    go_on: Callable[[], bool] = field(compare=False, default=lambda: True)


@dataclass(frozen=True, slots=True)
class Admission:
    """A checked call that may run: what is written down before its effect (spec 05 §7).

    `approval`: what a person has to read and answer first (a full diff), None where none is needed.
    """

    args: Mapping[str, JsonValue]
    target: str = ""
    before_hash: str | None = None
    intended_hash: str | None = None
    approval: RedactedText | None = field(repr=False, default=None)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What the model reads; `events` are committed with the result in one transaction (effect `local`)."""

    status: ToolStatus
    content: RedactedText = field(repr=False)
    events: tuple[NewEvent, ...] = ()


class Tool(Protocol):
    """One tool of the agent. Thread-safe; a `read` one may run beside others."""

    @property
    def spec(self) -> ToolSpec:
        """Name, description and JSON schema of the arguments, as the model is told now (folders may be named)."""
        ...

    @property
    def effect(self) -> Effect: ...

    def admit(self, arguments: str, scene: ToolScene) -> Admission | ToolAnswer:
        """Check the arguments (raw JSON of the model) without any effect; a `ToolAnswer` refuses and says why."""
        ...

    def run(self, admission: Admission, scene: ToolScene) -> ToolAnswer:
        """Do it. Never raises for faults of the world: they are an answer `failed`."""
        ...

    def found(self, execution: Execution) -> ToolStatus:
        """What an execution that has no result came to, looked up without doing anything (`file`: hash, `external`: the
        other side's record); `cancelled`: it was not done. Only asked for the effects `file` and `external`."""
        ...


class Toolbox(Protocol):
    """The tools that a session may use now; by name."""

    def tools(self, *, incognito: bool) -> Mapping[str, Tool]: ...


# -- compaction --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens of one request (spec 05 §3): `whole` is B = context window − maximum output."""

    whole: int
    reserve: int
    output: int

    @property
    def usable(self) -> int:
        """What a request may take before it is compacted."""
        return max(1, self.whole - self.reserve)


@dataclass(frozen=True, slots=True)
class CompactionFailure:
    """Why there is no new checkpoint; the history is unchanged. `cooling`: the same input failed under 60 s ago."""

    kind: CompactionFault
    cooling: bool = False


class Compactor(Protocol):
    """Summaries of the older part of a path (`conversation.compaction`)."""

    def budget(self) -> Budget: ...

    def current(self, log: ConversationLog, session_id: str, path: Sequence[Message]) -> Checkpoint | None:
        """The newest checkpoint that fits this path: its first kept and covered messages are on it."""
        ...

    def block(self, checkpoint: Checkpoint) -> RedactedText:
        """The fenced user-role block that stands for what is covered (spec 05 §3.2)."""
        ...

    def compact(
        self,
        log: ConversationLog,
        session_id: str,
        path: Sequence[Message],
        reason: CompactionReason,
        *,
        fixed_tokens: int = 0,
        go_on: Callable[[], bool] = lambda: True,
    ) -> Checkpoint | CompactionFailure | None:
        """Summarise the older part of this path and commit the checkpoint (or `compaction_failed`).

        `overflow`: never fails for want of a model: the program makes the summary then. None: there is nothing to cut.

        Raises:
            StorageError: the checkpoint could not be written; the session must not go on.
        """  # fmt: skip
        ...


# -- prompts -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReferenceBlock:
    """A block of the turn that is not part of the conversation; `name` for the ledger and the fence."""

    name: str
    text: RedactedText = field(repr=False)


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What a prompt is made of: the active path up to the message to answer, its checkpoint, the session's list."""

    session: Session
    path: tuple[Message, ...]
    checkpoint: Checkpoint | None
    todos: TodoList
    tools: tuple[ToolSpec, ...]
    budget: Budget
    finish: bool = False
    """The soft limit of steps is reached: the model is told to finish."""
    block: RedactedText | None = field(repr=False, default=None)
    """The checkpoint as sent (`Compactor.block`)."""
    reported: "Reported | None" = None
    """What the server counted for the request before this one."""


@dataclass(frozen=True, slots=True)
class Reported:
    """The first `messages` messages and the tools of a request, as a digest, took so many `tokens` by the server's own
    count; a request that begins with the same is measured with it (spec 05 §3)."""

    messages: int
    digest: str
    tokens: int


@dataclass(frozen=True, slots=True)
class AssembledPrompt:
    """Messages for the server, and what they take: `tokens` in all, `fixed_tokens` of what is not history. `left_out`:
    how many messages of the path did not fit. `system` is the rules text as sent."""

    messages: tuple[ChatMessage, ...]
    tokens: int
    fixed_tokens: int
    left_out: int
    system: RedactedText


class PromptAssembler(Protocol):
    """Makes the prompt of one request (spec 05 §8.1; package `context` brings memories in later)."""

    def assemble(self, request: PromptRequest) -> AssembledPrompt: ...


# -- turns -------------------------------------------------------------------------------------------------------------

StepKind = Literal[
    "delta", "reasoning", "step", "tool_started", "tool_ended", "approval", "compacted", "notice", "ended"
]


@dataclass(frozen=True, slots=True)
class Heard:
    """What happens in a running turn, for whoever shows it; comes from the thread of the turn.

    `delta`, `reasoning`: a piece of text. `step`: events were committed, read the view again; `tool_started`,
    `tool_ended`: `name` of the tool, `call_id`; `approval`: one waits; `compacted`; `notice`: a word of the program
    (`tools_refused`, `retrying`, `finishing`, `history_cut`); `ended`: the `status` and `reason` of the turn.
    """

    session_id: str
    turn_id: str
    kind: StepKind
    text: str = field(repr=False, default="")
    name: str = ""
    call_id: str = ""
