"""`SessionLog`: sessions in the database; an event and all that follows from it are one transaction (spec 05 §1)."""

from collections.abc import Callable, Sequence

from biny_desktop.conversation.log import event_store, message_store, rebuild, session_store, side_store
from biny_desktop.conversation.log.drafting import Drafting
from biny_desktop.conversation.log.projections import Batch, finish, project
from biny_desktop.conversation.model import (
    Approval,
    Checkpoint,
    Event,
    Execution,
    Message,
    Session,
    SessionPage,
    TodoList,
)
from biny_desktop.conversation.search import index
from biny_desktop.conversation.session_events import NewEvent, SessionCreated
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import NotFoundError
from biny_desktop.core.events import EventBus, SessionsChanged
from biny_desktop.core.i18n import mark
from biny_desktop.core.ids import new_id
from biny_desktop.storage.database import Database, Reader, Writer

PAGE_MAX = 1_000
"""Sessions of one page at most."""


class _Rows:
    """What is in a session, as the database knows it."""

    def __init__(self, r: Reader, session_id: str) -> None:
        self._r, self._session_id = r, session_id

    def has(self, message_id: str) -> bool:
        return message_store.node(self._r, self._session_id, message_id) is not None

    def slot_under(self, parent_id: str | None) -> str | None:
        return message_store.slot_under(self._r, self._session_id, parent_id)

    def slot_of(self, message_id: str) -> str | None:
        node = message_store.node(self._r, self._session_id, message_id)
        return node.slot_id if node else None


class SessionLog:
    """Implements `ports.ConversationLog` over the database. Several processes may use the same one."""

    incognito = False

    def __init__(self, db: Database, clock: Clock, events: EventBus, ids: Callable[[int], str] = new_id) -> None:
        self._db, self._clock, self._events, self._ids = db, clock, events, ids

    def prepare(self) -> int:
        """Make the text index if it is missing, and the projections of sessions that are behind their events.

        Returns:
            How many sessions were made anew.

        Raises:
            StorageError: the database cannot be used.
        """
        index.prepare(self._db)
        with self._db.read() as r:
            wanted = event_store.behind(r)
        for session_id in wanted:
            self.rebuild(session_id)
        return len(wanted)

    def rebuild(self, session_id: str) -> None:
        """Make the projections of a session anew from its events; row numbers stay.

        Raises:
            StorageError: the database cannot be used; nothing changed.
        """
        with self._db.write() as w:
            rebuild.rebuild(w, session_id)
        self._events.publish(SessionsChanged((session_id,)))

    def create(self, new: SessionCreated, session_id: str | None = None, events: Sequence[NewEvent] = ()) -> Session:
        """See `ports.ConversationLog`."""
        chosen = session_id or self._ids(self._clock.now_ms())
        with self._db.write() as w:
            self.append_in(w, chosen, [NewEvent(new), *events])
            made = self._session(w, chosen)
        self._events.publish(SessionsChanged((chosen,)))
        return made

    def append(self, session_id: str, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        """See `ports.ConversationLog`."""
        if not events:
            return ()
        with self._db.write() as w:
            self._session(w, session_id)
            out = self.append_in(w, session_id, events)
        self._events.publish(SessionsChanged((session_id,)))
        return out

    def append_in(self, w: Writer, session_id: str, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        """The same inside a transaction of the caller, who tells of it after the commit.

        Raises:
            InvalidInputError: as `append`.
        """
        places = _Rows(w, session_id)
        drafting = Drafting(session_id, event_store.last_seq(w, session_id), places, self._clock, self._ids)
        present = session_store.by_id(w, session_id)
        batch = Batch(session_id, present.leaf_id if present else None)
        out = []
        for event, payload in drafting.number(events):
            event_store.insert(w, event)
            project(w, batch, event, payload)
            out.append(event)
        finish(w, batch, out[-1].seq)
        return tuple(out)

    def session(self, session_id: str) -> Session:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            return self._session(r, session_id)

    def page(
        self, limit: int = 100, before: tuple[int, str] | None = None, project_id: str | None = None
    ) -> SessionPage:
        """See `ports.ConversationLog`."""
        wanted = max(1, min(limit, PAGE_MAX))
        with self._db.read() as r:
            found = session_store.page(r, wanted + 1, before, project_id)
        last = found[wanted - 1] if len(found) > wanted else None
        return SessionPage(tuple(found[:wanted]), (last.updated_at_ms, last.id) if last else None)

    def messages(self, session_id: str) -> tuple[Message, ...]:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            self._session(r, session_id)
            return tuple(message_store.of_session(r, session_id))

    def path(self, session_id: str, leaf_id: str | None = None) -> tuple[Message, ...]:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            self._session(r, session_id)
            if leaf_id is None:
                return tuple(message_store.active(r, session_id))
            found = message_store.path_to(r, session_id, leaf_id)
        if not found:
            raise no_message()
        return tuple(found)

    def leaf(self, session_id: str) -> Message | None:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            leaf_id = self._session(r, session_id).leaf_id or ""
            return message_store.by_ids(r, [leaf_id]).get(leaf_id)

    def session_of(self, message_id: str) -> str:
        """The id of the session that a message is in. Raises NotFoundError."""
        with self._db.read() as r:
            found = message_store.by_ids(r, [message_id])
        if message_id not in found:
            raise no_message()
        return found[message_id].session_id

    def events(self, session_id: str, after: int = 0, turn_id: str | None = None) -> tuple[Event, ...]:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            self._session(r, session_id)
            return tuple(event_store.after(r, session_id, after, turn_id))

    def todos(self, session_id: str) -> TodoList:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            return side_store.todos(r, session_id)

    def checkpoints(self, session_id: str) -> tuple[Checkpoint, ...]:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            return tuple(side_store.checkpoints(r, session_id))

    def last_failure(self, session_id: str, fingerprint: str) -> int | None:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            return side_store.last_failure(r, session_id, fingerprint)

    def executions(self, session_id: str, turn_id: str | None = None) -> tuple[Execution, ...]:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            return tuple(side_store.executions(r, session_id, turn_id))

    def approvals(self, session_id: str) -> tuple[Approval, ...]:
        """See `ports.ConversationLog`."""
        with self._db.read() as r:
            return tuple(side_store.approvals(r, session_id))

    def _session(self, r: Reader, session_id: str) -> Session:
        found = session_store.by_id(r, session_id)
        if found is None:
            raise no_session()
        return found


def no_session() -> NotFoundError:
    """There is no such session."""
    return NotFoundError(mark("There is no such chat"), mark("It was deleted, or never was."))


def no_message() -> NotFoundError:
    """There is no such message in the session."""
    return NotFoundError(mark("There is no such message in this chat"), mark("It was deleted, or never was."))
