"""Taking a batch out again: its sessions, or what it added to others, unless the user wrote on (spec 05 §10).

The keys go before the messages: killed in between, what is left still carries the batch and the keys of its source, so
the same again goes on, and an import meanwhile finds it.
"""

from dataclasses import dataclass

from biny_desktop.conversation.deleting import SessionDeletes
from biny_desktop.conversation.importers import memory_store, store
from biny_desktop.conversation.importers.model import ImportBatch, RollbackReport
from biny_desktop.conversation.tree import Node, Tree
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError
from biny_desktop.core.events import ApprovalsChanged, EventBus
from biny_desktop.core.i18n import mark
from biny_desktop.storage.database import Database
from biny_desktop.storage.progress import Watch


@dataclass
class Rollback:
    """Rolls batches back; the caller sees to it that no import runs."""

    db: Database
    deletes: SessionDeletes
    clock: Clock
    events: EventBus

    def run(self, batch_id: int, watch: Watch) -> RollbackReport:
        """See `Imports.rollback`."""
        self._batch(batch_id)
        with self.db.read() as r:
            touched = store.sessions_of(r, batch_id)
        sessions = messages = 0
        stayed: list[tuple[str, str]] = []
        for n, (session_id, title, made) in enumerate(touched):
            watch.at("import_rollback", n, len(touched))
            taken = self._session(session_id) if made else self._added(batch_id, session_id)
            if taken is None:
                stayed.append((session_id, title))
                continue
            sessions += made
            messages += taken
        with self.db.write() as w:
            memories = memory_store.remove_open(w, batch_id)
            store.end_batch(w, batch_id, "rolled_back", (), self.clock.now_ms())
        if memories:
            self.events.publish(ApprovalsChanged())
        return RollbackReport(batch_id, sessions, messages, memories, tuple(stayed))

    def _batch(self, batch_id: int) -> ImportBatch:
        with self.db.read() as r:
            found = store.batch(r, batch_id)
        if found is None:
            raise NotFoundError(mark("There is no such import"), "", mark("`biny chat imports` lists them."))
        if found.state == "rolled_back":
            raise InvalidInputError(mark("This import was undone already"), mark("Nothing was changed."))
        return found

    def _session(self, session_id: str) -> int | None:
        """Delete a session that the batch made; None if the user wrote in it. How many messages went."""
        with self.db.read() as r:
            places = store.places(r, session_id)
        if any(place.key is None for place in places):
            return None
        with self.db.write() as w:
            store.forget_seen(w, session_id)
        return self.deletes.session(session_id).messages

    def _added(self, batch_id: int, session_id: str) -> int | None:
        """Delete what the batch added to a session of another one; None if something else hangs on some of it."""
        with self.db.read() as r:
            places = store.places(r, session_id)
            added = store.messages_of(r, batch_id, session_id)
        tree = Tree((Node(each.id, each.parent_id, each.slot_id, each.seq) for each in places), {})
        tops = [each.id for each in places if each.id in added and each.parent_id not in added]
        free = [top for top in tops if set(tree.subtree(top)) <= added]
        with self.db.write() as w:
            store.forget_messages(w, [each for top in free for each in tree.subtree(top)])
        taken = sum(self.deletes.message(session_id, top).messages for top in free)
        return taken if len(free) == len(tops) else None
