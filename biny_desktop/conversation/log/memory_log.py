"""`MemoryLog`: incognito sessions, in memory only; the same events, the same tree, never a row, a file or a log line.

What the user deletes, and what `forget` drops, is gone with the objects (spec 05 §9.3).
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from biny_desktop.conversation.log import records, side_store
from biny_desktop.conversation.log.drafting import Drafting
from biny_desktop.conversation.log.session_log import no_message, no_session
from biny_desktop.conversation.model import (
    Approval,
    Checkpoint,
    Event,
    Execution,
    Message,
    Session,
    SessionPage,
    Span,
    TodoList,
)
from biny_desktop.conversation.session_events import (
    ApprovalAnswered,
    ApprovalAsked,
    CheckpointMade,
    CompactionFailed,
    EventPayload,
    MessageDeleted,
    NewEvent,
    NodePayload,
    SessionChanged,
    SessionCreated,
    SpansChanged,
    TodosReplaced,
    ToolExecution,
    TurnEnded,
    VersionSelected,
)
from biny_desktop.conversation.todos import open_count
from biny_desktop.conversation.tree import Node, Tree
from biny_desktop.core.clock import Clock
from biny_desktop.core.events import EventBus, SessionsChanged
from biny_desktop.core.ids import new_id
from biny_desktop.redaction import from_row


@dataclass
class _State:
    """One session: its events and everything that follows from them."""

    session: Session
    events: list[Event] = field(default_factory=list)
    messages: dict[str, Message] = field(default_factory=dict)
    selected: dict[str, str] = field(default_factory=dict)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    failures: dict[str, int] = field(default_factory=dict)
    todos: TodoList = field(default_factory=TodoList)
    executions: dict[str, Execution] = field(default_factory=dict)
    approvals: dict[str, Approval] = field(default_factory=dict)

    def tree(self) -> Tree:
        nodes = (Node(each.id, each.parent_id, each.slot_id, each.seq) for each in self.messages.values())
        return Tree(nodes, self.selected)

    def has(self, message_id: str) -> bool:
        return message_id in self.messages

    def slot_under(self, parent_id: str | None) -> str | None:
        return self.tree().slot_under(parent_id)

    def slot_of(self, message_id: str) -> str | None:
        found = self.messages.get(message_id)
        return found.slot_id if found else None

    def apply(self, event: Event, payload: EventPayload) -> None:
        """Take up what an event changes (see `projections.project`)."""
        self.events.append(event)
        if isinstance(payload, NodePayload):
            self._node(event, payload)
        elif isinstance(payload, VersionSelected):
            self.selected[payload.slot_id] = payload.message_id
        elif isinstance(payload, MessageDeleted):
            self._delete(payload.message_id)
        elif isinstance(payload, SpansChanged):
            spans = tuple(Span(each.start, each.end, each.trust) for each in payload.spans)
            self.messages[payload.message_id] = replace(self.messages[payload.message_id], spans=spans)
        elif isinstance(payload, SessionChanged):
            names = payload.model_fields_set & {"title", "title_by", "learn", "recall"}
            changes = {name: getattr(payload, name) for name in names}
            self.session = replace(self.session, revision=self.session.revision + 1, **changes)
            if "title" in names and not payload.title:
                self._title_by_rule()
        elif isinstance(payload, TurnEnded):
            reason = payload.blocked_reason or payload.stop_reason
            at = max(self.session.updated_at_ms, event.at_ms)
            self.session = replace(self.session, turn_status=payload.status, turn_reason=reason, updated_at_ms=at)
        else:
            self._beside(event, payload)

    def _beside(self, event: Event, payload: EventPayload) -> None:
        if isinstance(payload, CheckpointMade):
            self.checkpoints.append(records.checkpoint_of(event, payload))
        elif isinstance(payload, CompactionFailed):
            self.failures[payload.fingerprint] = event.at_ms
        elif isinstance(payload, TodosReplaced):
            self.todos = records.todos_of(payload)
            self.session = replace(self.session, todos_open=open_count(self.todos))
        elif isinstance(payload, ToolExecution):
            done = records.execution_of(event, payload)
            before = self.executions.get(done.operation_id)
            self.executions[done.operation_id] = replace(done, at_ms=before.at_ms) if before else done
        elif isinstance(payload, ApprovalAsked):
            self.approvals[payload.id] = records.approval_of(event, payload)
        elif isinstance(payload, ApprovalAnswered) and payload.id in self.approvals:
            self.approvals[payload.id] = side_store.answered(self.approvals[payload.id], event, payload)

    def _node(self, event: Event, payload: NodePayload) -> None:
        message = records.message_of(event, payload)
        self.messages[message.id] = message
        session = self.session
        title = session.title
        if message.role == "user":
            session = replace(session, turn_status=None, turn_reason="")
            if not title and session.title_by == "rule":
                title = records.title_of(message.content)
        at = max(session.updated_at_ms, message.sent_at_ms)
        self.session = replace(session, title=title, updated_at_ms=at)

    def _delete(self, message_id: str) -> None:
        gone = set(self.tree().subtree(message_id)) if message_id in self.messages else set()
        turns = {self.messages[each].turn_id for each in gone if self.messages[each].role == "user"}
        calls = {call.id for each in gone for call in self.messages[each].tool_calls}
        self.messages = {each: message for each, message in self.messages.items() if each not in gone}
        self.selected = {slot: each for slot, each in self.selected.items() if each not in gone}
        self.events = [each for each in self.events if str(each.payload.get("message_id")) not in gone]
        self.checkpoints = [
            each for each in self.checkpoints if each.covered_until_id not in gone and each.first_kept_id not in gone
        ]
        self.executions = {
            each: done
            for each, done in self.executions.items()
            if done.call_id not in calls and done.turn_id not in turns
        }
        self._title_by_rule()
        left = records.standing(each for each in self.events if each.turn_id not in turns)
        used_ms = max(self.session.created_at_ms, left.used_ms or 0)
        self.session = replace(self.session, turn_status=left.status, turn_reason=left.reason, updated_at_ms=used_ms)

    def _title_by_rule(self) -> None:
        if self.session.title_by == "rule":
            first = next((each for each in self.messages.values() if each.role == "user"), None)
            self.session = replace(self.session, title=records.title_of(first.content) if first else "")

    def settle(self) -> None:
        """After a batch: the active path and what the session tells of it."""
        path = self.tree().active()
        on = set(path)
        self.messages = {
            each: message if message.active == (each in on) else replace(message, active=each in on)
            for each, message in self.messages.items()
        }
        spoken = sum(each.role != "tool" for each in self.messages.values())
        last = self.events[-1].seq if self.events else 0
        leaf = path[-1] if path else None
        self.session = replace(self.session, leaf_id=leaf, message_count=spoken, last_seq=last)


class MemoryLog:
    """Implements `ports.ConversationLog` in memory. Thread-safe."""

    incognito = True

    def __init__(self, clock: Clock, events: EventBus, ids: Callable[[int], str] = new_id) -> None:
        self._clock, self._events, self._ids = clock, events, ids
        self._lock = threading.RLock()
        self._states: dict[str, _State] = {}

    def create(self, new: SessionCreated, session_id: str | None = None, events: Sequence[NewEvent] = ()) -> Session:
        """See `ports.ConversationLog`; a project is not kept: nothing of it goes into a memory."""
        now = self._clock.stamp()
        chosen = session_id or self._ids(now.at_ms)
        reference = from_row(new.reference) if new.reference else None
        session = Session(
            chosen, new.title, new.title_by, new.source, now.at_ms, now.at_ms, now.zone,
            parent_session_id=new.parent_session_id, parent_message_id=new.parent_message_id, reference=reference,
            incognito=True,
        )  # fmt: skip
        with self._lock:
            self._states[chosen] = _State(session)
            self._take(chosen, [NewEvent(new), *events])
        self._events.publish(SessionsChanged((chosen,)))
        return self.session(chosen)

    def forget(self, session_id: str) -> None:
        """Drop a session, without trace."""
        with self._lock:
            self._states.pop(session_id, None)
        self._events.publish(SessionsChanged((session_id,)))

    def holds(self, session_id: str) -> bool:
        """Whether that session is one of these."""
        with self._lock:
            return session_id in self._states

    def append(self, session_id: str, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        """See `ports.ConversationLog`."""
        if not events:
            return ()
        with self._lock:
            out = self._take(session_id, events)
        self._events.publish(SessionsChanged((session_id,)))
        return out

    def _take(self, session_id: str, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        state = self._state(session_id)
        numbered = Drafting(session_id, state.session.last_seq, state, self._clock, self._ids).number(events)
        for event, payload in numbered:
            state.apply(event, payload)
        state.settle()
        return tuple(event for event, _payload in numbered)

    def session(self, session_id: str) -> Session:
        """See `ports.ConversationLog`."""
        with self._lock:
            return self._state(session_id).session

    def page(
        self, limit: int = 100, before: tuple[int, str] | None = None, project_id: str | None = None
    ) -> SessionPage:
        """See `ports.ConversationLog`; none of them is in a project."""
        with self._lock:
            found = [] if project_id else [each.session for each in self._states.values()]
        found.sort(key=lambda each: (each.updated_at_ms, each.id), reverse=True)
        left = [each for each in found if before is None or (each.updated_at_ms, each.id) < before]
        last = left[limit - 1] if len(left) > limit else None
        return SessionPage(tuple(left[:limit]), (last.updated_at_ms, last.id) if last else None)

    def messages(self, session_id: str) -> tuple[Message, ...]:
        """See `ports.ConversationLog`."""
        with self._lock:
            return tuple(self._state(session_id).messages.values())

    def path(self, session_id: str, leaf_id: str | None = None) -> tuple[Message, ...]:
        """See `ports.ConversationLog`."""
        with self._lock:
            state = self._state(session_id)
            if leaf_id is not None and leaf_id not in state.messages:
                raise no_message()
            tree = state.tree()
            return tuple(state.messages[each] for each in (tree.path_to(leaf_id) if leaf_id else tree.active()))

    def leaf(self, session_id: str) -> Message | None:
        """See `ports.ConversationLog`."""
        with self._lock:
            state = self._state(session_id)
            return state.messages.get(state.session.leaf_id or "")

    def events(self, session_id: str, after: int = 0, turn_id: str | None = None) -> tuple[Event, ...]:
        """See `ports.ConversationLog`."""
        with self._lock:
            found = list(self._state(session_id).events)
        return tuple(each for each in found if each.seq > after and (turn_id is None or each.turn_id == turn_id))

    def todos(self, session_id: str) -> TodoList:
        """See `ports.ConversationLog`."""
        with self._lock:
            return self._state(session_id).todos

    def checkpoints(self, session_id: str) -> tuple[Checkpoint, ...]:
        """See `ports.ConversationLog`."""
        with self._lock:
            return tuple(self._state(session_id).checkpoints)

    def last_failure(self, session_id: str, fingerprint: str) -> int | None:
        """See `ports.ConversationLog`."""
        with self._lock:
            return self._state(session_id).failures.get(fingerprint)

    def executions(self, session_id: str, turn_id: str | None = None) -> tuple[Execution, ...]:
        """See `ports.ConversationLog`."""
        with self._lock:
            found = list(self._state(session_id).executions.values())
        return tuple(each for each in found if turn_id is None or each.turn_id == turn_id)

    def approvals(self, session_id: str) -> tuple[Approval, ...]:
        """See `ports.ConversationLog`."""
        with self._lock:
            return tuple(self._state(session_id).approvals.values())

    def _state(self, session_id: str) -> _State:
        found = self._states.get(session_id)
        if found is None:
            raise no_session()
        return found
