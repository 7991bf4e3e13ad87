"""`ChatChanges`: what a person changes in conversations, apart from sending: versions, titles, to-dos, deletions."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from biny_desktop.conversation.deleting import DeletePreview, DeleteReceipt, delete_in_memory
from biny_desktop.conversation.model import Checkpoint, Session, Todo, TodoList
from biny_desktop.conversation.ports import CompactionFailure
from biny_desktop.conversation.session_events import SessionCreated
from biny_desktop.conversation.sessions import Sessions
from biny_desktop.core.errors import StorageError
from biny_desktop.service.chat.reasons import not_compacted
from biny_desktop.service.chat.works import ChatWorks


class ChatChanges:
    """The half of `Chat` that runs no turn. What must not meet a turn raises UnavailableError while one runs."""

    def __init__(self, works: ChatWorks) -> None:
        self._works = works
        self._logs, self._runs, self._threads = works.logs, works.runs, works.threads

    def create(self, *, incognito: bool = False, project_id: str | None = None) -> Session:
        """Begin a session; incognito ones live in memory only and end with the app."""
        into = self._logs.memory if incognito else self._logs.stored
        return into.create(SessionCreated(project_id=project_id))

    def select(self, session_id: str, message_id: str) -> None:
        """Switch to another version. Raises UnavailableError while a turn runs."""
        with self._quiet(session_id):
            self._sessions(session_id).select(session_id, message_id)

    def fork(self, session_id: str, message_id: str) -> Session:
        """A new session with copies of the path up to a message; allowed while a turn runs."""
        return self._sessions(session_id).fork(session_id, message_id)

    def compact(self, session_id: str, go_on: Callable[[], bool] = lambda: True) -> Checkpoint | None:
        """Sum up the older part by hand; None when there is nothing to sum up.

        Raises:
            UnavailableError: a turn runs, or there is no summary, and why. StorageError: it could not be written; the
                session can only be read until it is opened again.
        """
        found = self._logs.of(session_id)
        with self._quiet(session_id):
            try:
                made = self._works.compactor.compact(found, session_id, found.path(session_id), "manual", go_on=go_on)
            except StorageError:
                self._runs.lock_down(session_id)
                raise
        if isinstance(made, CompactionFailure):
            raise not_compacted(made.kind)
        return made

    def rename(self, session_id: str, title: str, revision: int) -> Session:
        """Give a session a title; empty: the one by rule. Raises StaleRevisionError, InvalidInputError."""
        return self._sessions(session_id).rename(session_id, title, revision)

    def set_project(self, session_id: str, project_id: str | None, revision: int) -> Session:
        """Put a session into a project, or out of any."""
        return self._sessions(session_id).set_project(session_id, project_id, revision)

    def set_learning(self, session_id: str, *, learn: bool | None, recall: bool | None) -> Session:
        """Whether memories are made of this session and brought back in it; None: as the settings say."""
        return self._sessions(session_id).set_learning(session_id, learn=learn, recall=recall)

    def mark_own(self, session_id: str, message_id: str, start: int, own: bool) -> None:
        """Say that a pasted span (by its start) is one's own words, or is not."""
        self._sessions(session_id).mark_own(session_id, message_id, start, own)

    def save_todos(self, session_id: str, items: Sequence[Todo], revision: int) -> TodoList:
        """Write the whole list. Raises InvalidInputError, StaleRevisionError: the old one stays."""
        return self._sessions(session_id).save_todos(session_id, items, revision)

    def delete_message(self, session_id: str, message_id: str) -> DeleteReceipt:
        """Delete a message with all that hangs on it. Raises UnavailableError while a turn runs."""
        with self._quiet(session_id):
            if self._logs.of(session_id).incognito:
                return delete_in_memory(self._logs.memory, session_id, message_id)
            return self._works.deletes.message(session_id, message_id)

    def preview_delete(self, session_id: str, message_id: str | None = None) -> DeletePreview:
        """What would go: of a message with all that hangs on it, or of the whole session."""
        return self._works.deletes.preview(session_id, message_id)

    def show_branch(self, session_id: str, message_id: str) -> None:
        """Make the branch of a message the active one. Raises UnavailableError while a turn runs."""
        with self._quiet(session_id):
            self._sessions(session_id).show(session_id, message_id)

    def delete_session(self, session_id: str) -> DeleteReceipt:
        """Delete a stored session for good. Raises UnavailableError while a turn runs."""
        with self._quiet(session_id):
            return self._works.deletes.session(session_id)

    def _sessions(self, session_id: str) -> Sessions:
        return self._works.hidden if self._logs.of(session_id).incognito else self._works.stored

    def _quiet(self, session_id: str) -> AbstractContextManager[None]:
        found = self._logs.of(session_id)
        found.session(session_id)
        return self._threads.quiet(session_id, shared=not found.incognito)
