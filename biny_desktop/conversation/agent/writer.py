"""What a run commits: answers, results, its end; after each append recovery can tell from the log where it stands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from biny_desktop.conversation.agent.kept import KeptReply
from biny_desktop.conversation.agent.model import TurnStart
from biny_desktop.conversation.model import Event, Message, MessageState, ToolStatus, TurnStatus
from biny_desktop.conversation.ports import ConversationLog, ToolScene
from biny_desktop.conversation.session_events import (
    AssistantMessage,
    EventPayload,
    NewEvent,
    ToolResult,
    VersionSelected,
)
from biny_desktop.core.errors import NotFoundError
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ToolCall


@dataclass(frozen=True, slots=True)
class End:
    """How a run ends. `events` are committed together with its status, after which `leaf_id` is the leaf.

    `fault`: the `error` event that goes with it, kind and detail. `keeps`: the turn can go on, its checkpoint stays.
    """

    status: TurnStatus
    reason: str
    events: tuple[NewEvent, ...] = ()
    leaf_id: str | None = None
    fault: tuple[str, str] | None = None
    blocked: str | None = None
    action: str | None = None
    keeps: bool = False


class TurnWriter:
    """Appends to one session for one run, and knows the leaf the next node hangs on. Used by the thread of the turn."""

    def __init__(self, log: ConversationLog, start: TurnStart, make_id: Callable[[], str]) -> None:
        """Find the place in the tree. Raises NotFoundError when it is not there any more."""
        self._start, self._id = start, make_id
        self.log = log
        self.last: Event | None = None
        self._read: tuple[Message, ...] = ()
        self._replaced = self._old_answer()
        path = log.path(start.session_id, start.retry_of)
        path = path[:-1] if start.retry_of is not None else path
        if not path and self._replaced is None:
            raise NotFoundError("There is nothing to answer", "The message is not there any more.")
        self.leaf: str | None = path[-1].id if path else None

    def path(self) -> tuple[Message, ...]:
        """The active path up to the leaf of this run; other versions are not on it. Read once for each leaf."""
        if self.leaf is None:
            return ()
        if not self._read or self._read[-1].id != self.leaf:
            self._read = self.log.path(self._start.session_id, self.leaf)
        return self._read

    def scene(self, go_on: Callable[[], bool]) -> ToolScene:
        """Where the calls of this run happen."""
        start = self._start
        return ToolScene(self.log, start.session_id, start.turn_id, start.run_id, go_on)

    def event(self, payload: EventPayload) -> NewEvent:
        """An event of this run."""
        return NewEvent(payload, self._start.turn_id, self._start.run_id)

    def adopted(self, event: NewEvent) -> NewEvent:
        """An event that a tool made, as one of this run."""
        return NewEvent(event.payload, event.turn_id or self._start.turn_id, event.run_id or self._start.run_id)

    def commit(self, events: Sequence[NewEvent], leaf_id: str | None = None) -> None:
        """Append, all or none. Raises as `ConversationLog.append`."""
        if events:
            self.last = self.log.append(self._start.session_id, events)[-1]
            self.leaf = leaf_id or self.leaf
            if leaf_id is not None:
                self._replaced = None

    def answer(
        self, reply: KeptReply, reply_to: str | None, state: MessageState = "complete"
    ) -> tuple[tuple[NewEvent, ...], str]:
        """The events of an assistant node below the leaf, in a retry as the chosen version, and the node's id."""
        message_id, old = self._id(), self._replaced
        node = AssistantMessage(
            message_id=message_id,
            parent_id=self.leaf,
            slot_id="" if old is None else old.slot_id,
            content=reply.content,
            reply_to=reply_to,
            retry_of=None if old is None else old.id,
            reasoning=reply.reasoning,
            tool_calls=reply.call_data,
            model=reply.model,
            usage=reply.usage,
            state=state,
        )
        chosen = () if old is None else (self.event(VersionSelected(slot_id=old.slot_id, message_id=message_id)),)
        return (self.event(node), *chosen), message_id

    def result(
        self, call: ToolCall, status: ToolStatus, content: RedactedText, parent_id: str | None, operation_id: str = ""
    ) -> tuple[NewEvent, str]:
        """The event of a result node below `parent_id`, and the node's id."""
        message_id = self._id()
        node = ToolResult(
            message_id=message_id, parent_id=parent_id, content=content, call_id=call.id, operation_id=operation_id,
            status=status,
        )  # fmt: skip
        return self.event(node), message_id

    def results(
        self, calls: Sequence[ToolCall], status: ToolStatus, content: RedactedText
    ) -> tuple[tuple[NewEvent, ...], str | None]:
        """Results of one kind for several calls, below each other from the leaf on, and the new leaf."""
        events: list[NewEvent] = []
        parent = self.leaf
        for call in calls:
            event, parent = self.result(call, status, content, parent)
            events.append(event)
        return tuple(events), parent

    def _old_answer(self) -> Message | None:
        if self._start.retry_of is None:
            return None
        return self.log.path(self._start.session_id, self._start.retry_of)[-1]
