"""Messages and sessions deleted for good by the user: out of events, projections, index, vectors, files and the WAL.

Rows go in one transaction. What comes after it (words in the inner nodes of the text index, the turn checkpoint, the
write-ahead log) is noted in that transaction and done again at the next start if the app dies. The caller holds the
session: no turn runs in it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from biny_desktop.conversation import deleting_store as store
from biny_desktop.conversation.deleting_store import Gone
from biny_desktop.conversation.log import event_store, message_store, rebuild, records, session_store
from biny_desktop.conversation.log.session_log import SessionLog, no_message, no_session
from biny_desktop.conversation.model import Message
from biny_desktop.conversation.ports import ConversationLog
from biny_desktop.conversation.search.index import MESSAGE_INDEX
from biny_desktop.conversation.session_events import MessageDeleted, NewEvent, SessionDeleted
from biny_desktop.conversation.tree import Tree
from biny_desktop.core.events import EventBus, MessagesDeleted, SessionsChanged
from biny_desktop.storage.database import Database, Reader, Writer


@dataclass(frozen=True, slots=True)
class DeletePreview:
    """What a deletion would take: messages of all versions, those of them that are the user's, checkpoints."""

    messages: int
    own: int
    checkpoints: int


@dataclass(frozen=True, slots=True)
class DeleteReceipt:
    """What was removed from where: nodes of the tree, events whose text is blank, rows of the index, checkpoints,
    effect records and approvals. `log_emptied`: the write-ahead log too, at once; else at the next start."""

    messages: int
    events: int
    indexed: int
    checkpoints: int
    records: int
    log_emptied: bool


class SessionDeletes:
    """Deletes of stored sessions. Thread-safe.

    Args:
        remove_vectors: takes the vectors of row numbers out, in the transaction. remove_turn: removes the execution
            checkpoint of a session, which may hold its text; a missing one is fine.
    """

    def __init__(
        self, db: Database, log: SessionLog, events: EventBus,
        remove_vectors: Callable[[Writer, Sequence[int]], None], remove_turn: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._db, self._log, self._events = db, log, events
        self._remove_vectors, self._remove_turn = remove_vectors, remove_turn

    def preview(self, session_id: str, message_id: str | None = None) -> DeletePreview:
        """What `message`, or without one `session`, would delete. Raises NotFoundError."""
        with self._db.read() as r:
            gone = _below(r, session_id, message_id)
            covering = store.covering(r, session_id, [each.id for each in gone])
        own = sum(each.role == "user" for each in gone)
        return DeletePreview(sum(each.role != "tool" for each in gone), own, len(covering))

    def message(self, session_id: str, message_id: str) -> DeleteReceipt:
        """Delete a message with all that hangs on it.

        Raises:
            NotFoundError: there is no such message. StorageError: nothing was deleted.
        """
        with self._db.write() as w:
            gone = _below(w, session_id, message_id)
            told, words = self._remove(w, session_id, gone)
            slot = gone[0].slot_id
            self._log.append_in(w, session_id, [NewEvent(MessageDeleted(slot_id=slot, message_id=message_id))])
            store.note_after_work(w, session_id)
        return self._after(session_id, gone, told, words)

    def session(self, session_id: str) -> DeleteReceipt:
        """Delete a session.

        Raises:
            NotFoundError: there is none. StorageError: nothing was deleted.
        """
        with self._db.write() as w:
            gone = _below(w, session_id, None)
            told, words = self._remove(w, session_id, gone)
            told = Gone(store.blank_all(w, session_id), told.checkpoints, store.count_records(w, session_id))
            self._log.append_in(w, session_id, [NewEvent(SessionDeleted())])
            rebuild.clear(w, session_id)
            store.mark_imported(w, session_id, None)
            store.note_after_work(w, session_id)
        return self._after(session_id, gone, told, words)

    def finish(self) -> int:
        """Do what is left of deletes whose after-work a kill prevented; returns for how many sessions.

        Raises:
            StorageError: the database cannot be used.
        """
        with self._db.read() as r:
            waiting = store.waiting(r)
        for session_id in waiting:
            self._remove_turn(session_id)
        if waiting:
            MESSAGE_INDEX.clear_deleted_words(self._db, None)
            self._settle(waiting)
        return len(waiting)

    def _remove(self, w: Writer, session_id: str, gone: Sequence[Message]) -> tuple[Gone, set[bytes]]:
        """Everything of some nodes but the events that tell of it."""
        ids, numbers = [each.id for each in gone], [each.n for each in gone]
        indexed = [each for each in gone if each.role != "tool" and each.content]
        words = MESSAGE_INDEX.words_of(w, [{"content": each.content} for each in indexed]) if indexed else set()
        for each in indexed:
            MESSAGE_INDEX.remove(w, each.n, {"content": each.content})
        self._remove_vectors(w, numbers)
        told = store.blank(w, session_id, gone)
        message_store.delete(w, session_id, ids)
        session_store.title_by_rule(w, session_id)
        session_store.set_standing(w, session_id, records.standing(event_store.after(w, session_id, 0)))
        if any(each.copied_from for each in gone):
            store.clear_reference(w, session_id)  # it may quote what was copied
        store.mark_imported(w, session_id, ids)
        return told, words

    def _after(self, session_id: str, gone: Sequence[Message], told: Gone, words: set[bytes]) -> DeleteReceipt:
        self._remove_turn(session_id)
        if words:
            MESSAGE_INDEX.clear_deleted_words(self._db, words)
        emptied = self._settle([session_id])
        self._events.publish(MessagesDeleted(session_id, tuple(each.id for each in gone)))
        self._events.publish(SessionsChanged((session_id,)))
        indexed = sum(each.role != "tool" and bool(each.content) for each in gone)
        return DeleteReceipt(len(gone), told.events, indexed, told.checkpoints, told.records, emptied)

    def _settle(self, session_ids: Sequence[str]) -> bool:
        """Empty the write-ahead log, then take the notes away; while somebody reads it, the next start does it."""
        if not self._db.truncate_wal():
            return False
        with self._db.write() as w:
            store.forget_after_work(w, session_ids)
        return True


def delete_in_memory(log: ConversationLog, session_id: str, message_id: str) -> DeleteReceipt:
    """Delete a message of an incognito session with all that hangs on it; there is nothing but memory to clear.

    Raises:
        NotFoundError: there is no such message.
    """
    before = log.messages(session_id)
    found = next((each for each in before if each.id == message_id), None)
    if found is None:
        raise no_message()
    log.append(session_id, [NewEvent(MessageDeleted(slot_id=found.slot_id, message_id=message_id))])
    gone = len(before) - len(log.messages(session_id))
    return DeleteReceipt(gone, gone, 0, 0, 0, log_emptied=True)


def _below(r: Reader, session_id: str, message_id: str | None) -> list[Message]:
    """The nodes that go: a message and all below it, or all of the session."""
    messages = message_store.of_session(r, session_id)
    if message_id is None:
        if not messages and not store.exists(r, session_id):
            raise no_session()
        return messages
    tree = Tree(message_store.skeleton(r, session_id), {})
    if message_id not in tree.nodes:
        raise no_message()
    wanted = set(tree.subtree(message_id))
    found = [each for each in messages if each.id in wanted]
    return sorted(found, key=lambda each: (each.id != message_id, each.seq))
