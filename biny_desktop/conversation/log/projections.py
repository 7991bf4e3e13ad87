"""Events become rows, in the transaction of the event: one place that says what each type of event changes.

A node under the leaf of the active path extends it, whatever the size of the session; everything else that touches the
tree has the path computed anew once at the end of the batch.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from biny_desktop.conversation.log import message_store, records, session_store, side_store
from biny_desktop.conversation.model import Event, Span
from biny_desktop.conversation.search import index
from biny_desktop.conversation.session_events import (
    ApprovalAnswered,
    ApprovalAsked,
    CheckpointMade,
    CompactionFailed,
    EventPayload,
    MessageDeleted,
    NodePayload,
    SessionChanged,
    SessionCreated,
    SpansChanged,
    TodosReplaced,
    ToolExecution,
    TurnEnded,
    UserMessage,
    VersionSelected,
)
from biny_desktop.conversation.tree import Tree
from biny_desktop.storage.database import Writer


@dataclass
class Batch:
    """Events of one session that are projected together.

    `leaf_id` of the active path before; `numbers`: row numbers that nodes had before a rebuild.
    """

    session_id: str
    leaf_id: str | None
    numbers: Mapping[str, int] = field(default_factory=dict)
    branched: bool = False


def project(w: Writer, batch: Batch, event: Event, payload: EventPayload) -> None:
    """Write what an event changes; `finish` follows after the last one of a batch."""
    if isinstance(payload, NodePayload):
        _node(w, batch, event, payload)
    elif isinstance(payload, VersionSelected):
        message_store.select(w, event.session_id, payload.slot_id, payload.message_id, event.seq)
        batch.branched = True
    elif isinstance(payload, MessageDeleted):
        batch.branched = True
    elif isinstance(payload, SpansChanged):
        spans = [Span(each.start, each.end, each.trust) for each in payload.spans]
        message_store.set_spans(w, payload.message_id, spans)
    elif isinstance(payload, SessionCreated):
        session_store.insert(w, event, payload)
    elif isinstance(payload, SessionChanged):
        session_store.change(w, event.session_id, payload)
    elif isinstance(payload, TurnEnded):
        reason = payload.blocked_reason or payload.stop_reason
        session_store.set_turn(w, event.session_id, payload.status, reason, event.at_ms)
    else:
        _beside(w, event, payload)


def _beside(w: Writer, event: Event, payload: EventPayload) -> None:
    if isinstance(payload, CheckpointMade):
        side_store.put_checkpoint(w, event)
    elif isinstance(payload, CompactionFailed):
        side_store.put_failure(w, event, payload)
    elif isinstance(payload, TodosReplaced):
        side_store.put_todos(w, event, payload)
    elif isinstance(payload, ToolExecution):
        side_store.put_execution(w, records.execution_of(event, payload))
    elif isinstance(payload, ApprovalAsked):
        side_store.put_approval(w, records.approval_of(event, payload))
    elif isinstance(payload, ApprovalAnswered):
        side_store.answer_approval(w, event, payload)


def _node(w: Writer, batch: Batch, event: Event, payload: NodePayload) -> None:
    message = records.message_of(event, payload)
    extends = not batch.branched and message.parent_id == batch.leaf_id
    message = replace(message, active=extends)
    n = message_store.insert(w, message, payload.raw_time, payload.source_key, batch.numbers.get(message.id))
    spoken = message.role != "tool"
    if spoken and message.content:
        index.add(w, n, message.content)
    words = records.title_of(message.content) if message.role == "user" else ""
    session_store.used(w, event.session_id, message.sent_at_ms, words)
    if isinstance(payload, UserMessage):
        session_store.set_turn(w, event.session_id, None, "", None)
    if extends:
        batch.leaf_id = message.id
        session_store.extend(w, event.session_id, message.id, int(spoken))
    else:
        batch.branched = True


def finish(w: Writer, batch: Batch, last_seq: int) -> None:
    """After the last event of a batch: the active path, if it may be another one, and how far the projections are."""
    if batch.branched:
        tree = Tree(message_store.skeleton(w, batch.session_id), message_store.selected(w, batch.session_id))
        path = tree.active()
        message_store.set_active(w, batch.session_id, path)
        session_store.set_leaf(w, batch.session_id, path[-1] if path else None)
    session_store.set_seq(w, batch.session_id, last_seq)
