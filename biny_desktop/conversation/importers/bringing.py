"""Conversations into sessions: looked for, compared, redacted, then one transaction each."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.importers import matching, store
from biny_desktop.conversation.importers.events import Bringing, Ready, ready, room, within
from biny_desktop.conversation.importers.matching import Delta, Here
from biny_desktop.conversation.importers.memories import ImportedMemories
from biny_desktop.conversation.importers.model import Counts, ImportPlan
from biny_desktop.conversation.importers.run import Run, count
from biny_desktop.conversation.importers.source import OwnSession
from biny_desktop.conversation.importers.tidy import TidyConversation
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.projects import Projects
from biny_desktop.conversation.session_events import NewEvent, SessionChanged, SessionCreated
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, UnavailableError
from biny_desktop.core.events import EventBus, SessionsChanged
from biny_desktop.core.i18n import mark
from biny_desktop.core.text import clean_title
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Database, Writer

TITLE_MAX: Final = 200
"""Characters of a title (as one that a person gives)."""
TELL_EVERY: Final = 25
"""Conversations between two words to whoever shows the list of chats."""
_TRIES: Final = 5
"""How often a conversation is looked at again because somebody wrote in it meanwhile."""


def compared(db: Database, plan: ImportPlan, found: TidyConversation, *, bring_back: bool) -> tuple[Here, Delta]:
    """What is here of a conversation, and what is new. Raises StorageError."""
    with db.read() as r:
        here = matching.look(r, plan.format, found)
    return here, matching.compare(found, here, bring_back=bring_back)


@dataclass
class Bringer:
    """Writes conversations; the caller sees to it that no other import runs."""

    db: Database
    log: SessionLog
    projects: Projects
    memories: ImportedMemories
    redactor: Callable[[], Redactor]
    clock: Clock
    events: EventBus
    ids: Callable[[int], str]

    def bring_all(self, run: Run, batch: int, *, mine: bool, bring_back: bool) -> None:
        """Bring in what is new of every conversation of a run.

        Raises:
            CancelledError, StorageError: what was brought in before stays. UnavailableError: somebody keeps writing in
                one of the chats.
        """
        grown: set[str] = set()
        for n, found in enumerate(run.conversations(), 1):
            if run.memories:
                self._remember(run, batch)
            if not found.messages:
                continue
            try:
                self._bring(run, batch, found, grown, mine=mine, bring_back=bring_back)
            except InvalidInputError:  # larger than what a session takes
                run.tally.fault("too_large", found.messages[0].place)
            if n % TELL_EVERY == 0:
                self.events.publish(SessionsChanged(()))

    def _remember(self, run: Run, batch: int) -> None:
        made = self.memories.ready(run.memories)
        with self.db.write() as w:
            added = self.memories.add_in(w, batch, run.plan.format, made)
            store.count_in(w, batch, Counts(memories=added))
        run.counts["memories"] += added

    def _bring(
        self, run: Run, batch: int, found: TidyConversation, grown: set[str], *, mine: bool, bring_back: bool
    ) -> None:
        made: dict[str, Ready] = {}
        redactor = self.redactor()
        for _try in range(_TRIES):
            here, whole = compared(self.db, run.plan, found, bring_back=bring_back)
            delta, over = within(whole, room(here))
            for each in delta.new:
                if each.id not in made:
                    run.tick()
                    made[each.id] = ready(each, redactor, mine=mine)
            before = Counter(run.counts)
            if not delta.new:
                count(run, delta, here, grown, found)
                return
            project = None if here.session_id else self._project(found)
            with self.db.write() as w:
                if matching.look(w, run.plan.format, found) != here:
                    continue  # somebody wrote in it meanwhile: look again
                session_id = self._write(w, run.plan, batch, found, here, delta, made, project)
                count(run, delta, here, grown, found)
                added = Counter(run.counts)
                added.subtract(before)
                store.count_in(w, batch, Counts(**{name: n for name, n in added.items() if n > 0}))
            grown.add(session_id)
            for _ in range(over):
                run.tally.fault("too_large", found.messages[0].place)
            return
        raise UnavailableError(
            mark("A chat is busy"), mark("Somebody writes in it."), mark("Import again in a moment.")
        )

    def _write(
        self, w: Writer, plan: ImportPlan, batch: int, found: TidyConversation, here: Here, delta: Delta,
        made: dict[str, Ready], project: str | None,
    ) -> str:  # fmt: skip
        bringing = Bringing(plan.format, found, here, self._id)
        events = bringing.events([made[each.id].under(each.parent) for each in delta.new], delta)
        session_id = here.session_id or self._id()
        if here.session_id is None:
            events = [*self._creation(plan, batch, found, delta, project), *events]
        self.log.append_in(w, session_id, events)
        key = matching.conversation_key(plan.format, found.id)
        if here.session_id is None:
            store.put_seen(w, key, batch, session_id, None, "")
        for each in delta.new:
            name = matching.message_key(plan.format, found.id, each.id)
            store.put_seen(w, name, batch, session_id, bringing.ids[each.id], matching.content_hash(each))
        return session_id

    def _creation(
        self, plan: ImportPlan, batch: int, found: TidyConversation, delta: Delta, project: str | None
    ) -> list[NewEvent]:
        title = clean_title(self.redactor().plain(found.title), TITLE_MAX)
        own = found.own or OwnSession()
        created = found.created_ms or min(each.at_ms for each in delta.new)
        new = SessionCreated(
            title=title if own.title_by != "rule" else "",
            title_by=own.title_by if title else "rule",
            source=f"import:{plan.format}",
            source_key=matching.conversation_key(plan.format, found.id),
            project_id=project,
            import_batch=batch,
            created_at=created,
        )
        events = [NewEvent(new)]
        if own.learn is not None or own.recall is not None:
            events.append(NewEvent(SessionChanged(learn=own.learn, recall=own.recall)))
        return events

    def _project(self, found: TidyConversation) -> str | None:
        """The project of a working folder, or of the name in our own export; a name that is none is passed over."""
        name = found.own.project if found.own else ""
        try:
            if found.folder:
                return self.projects.of_folder(found.folder).id
            if name:
                known = next((each for each in self.projects.all() if each.name == name), None)
                return (known or self.projects.create(name)).id
        except InvalidInputError:
            return None
        return None

    def _id(self) -> str:
        return self.ids(self.clock.now_ms())
