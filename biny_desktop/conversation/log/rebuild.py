"""The projections of one session made anew from its events, row numbers kept: vectors and anchors refer to them."""

from biny_desktop.conversation.log import event_store, message_store, records, session_store, side_store
from biny_desktop.conversation.log.projections import Batch, finish, project
from biny_desktop.conversation.search import index
from biny_desktop.conversation.session_events import SessionCreated, SessionDeleted
from biny_desktop.storage.database import Writer


def clear(w: Writer, session_id: str) -> None:
    """Remove all projections of a session, its words in the index first."""
    for message in message_store.of_session(w, session_id):
        if message.role != "tool" and message.content:
            index.remove(w, message.n, message.content)
    message_store.delete(w, session_id)
    side_store.delete(w, session_id)
    session_store.delete(w, session_id)


def rebuild(w: Writer, session_id: str) -> None:
    """Make them anew; blank and damaged events are passed over, and what hung on them with them."""
    batch = Batch(session_id, None, message_store.numbers(w, session_id))
    clear(w, session_id)
    events = event_store.after(w, session_id, 0)
    if not events or events[-1].type == SessionDeleted.type:
        return
    if records.read(events[0].type, events[0].payload) is None:  # its first event is damaged: the rest is not lost
        session_store.insert(w, events[0], SessionCreated())
    there: set[str] = set()
    for event in events:
        payload = records.read(event.type, event.payload)
        if payload is None:
            continue
        parent = event.payload.get("parent_id")
        if "message_id" in event.payload and "content" in event.payload:
            if isinstance(parent, str) and parent not in there:
                continue
            there.add(str(event.payload["message_id"]))
        project(w, batch, event, payload)
    batch.branched = True
    finish(w, batch, events[-1].seq)
