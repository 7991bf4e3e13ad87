"""What a person does with a session, over either log: say, edit, switch versions, fork, name, mark, keep to-dos.

Nothing here waits for a turn or refuses because one runs: that is the desk's, which knows of turns.
"""

from collections.abc import Callable, Sequence
from typing import Final

from biny_desktop.conversation import todos as lists
from biny_desktop.conversation.drafts import Prepared
from biny_desktop.conversation.forks import copies, reference_of
from biny_desktop.conversation.model import Message, Session, Span, Todo, TodoList
from biny_desktop.conversation.ports import ConversationLog
from biny_desktop.conversation.session_events import (
    AttachmentData,
    NewEvent,
    SessionChanged,
    SessionCreated,
    SpanData,
    SpansChanged,
    UserMessage,
    VersionSelected,
)
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.i18n import mark
from biny_desktop.core.ids import new_id
from biny_desktop.core.text import clean_title
from biny_desktop.redaction import Redactor

NAME_MAX: Final = 200
"""Characters of a title that a person gives (own)."""


class Sessions:
    """Acts on the sessions of one log. Thread-safe. Every method raises NotFoundError for what does not exist."""

    def __init__(
        self, log: ConversationLog, redactor: Callable[[], Redactor], clock: Clock,
        ids: Callable[[int], str] = new_id,
    ) -> None:  # fmt: skip
        self._log, self._redactor, self._clock, self._ids = log, redactor, clock, ids

    def user_event(
        self, session_id: str, prepared: Prepared, *, turn_id: str, edit_of: str | None = None
    ) -> tuple[NewEvent, ...]:
        """The events of a user message: under the leaf of the active path, or a version beside one's own message.

        Raises:
            InvalidInputError: `edit_of` is no message of the user.
        """
        parent = self._log.session(session_id).leaf_id
        if edit_of is not None:
            old = self._message(session_id, edit_of)
            if old.role != "user":
                raise InvalidInputError(mark("Only your own messages can be edited"))
            parent = old.parent_id
        payload = UserMessage(
            message_id=self._ids(self._clock.now_ms()),
            parent_id=parent,
            content=prepared.content,
            spans=tuple(_data(each) for each in prepared.spans),
            attachments=tuple(
                AttachmentData(name=each.name, mime=each.mime, path=each.path, size=each.size)
                for each in prepared.attachments
            ),
        )
        chosen = VersionSelected(slot_id="", message_id=payload.message_id)
        events = [NewEvent(payload, turn_id)]
        return tuple(events if edit_of is None else [*events, NewEvent(chosen, turn_id)])

    def select(self, session_id: str, message_id: str) -> None:
        """Switch to a version; its branch is the active one with all that was selected in it."""
        self._message(session_id, message_id)
        self._log.append(session_id, [NewEvent(VersionSelected(slot_id="", message_id=message_id))])

    def show(self, session_id: str, message_id: str) -> None:
        """Make the branch of a message the active one: every version on its path is selected, where it is not."""
        path = self._log.path(session_id, message_id)
        active = {each.id for each in self._log.path(session_id)}
        chosen = [VersionSelected(slot_id="", message_id=each.id) for each in path if each.id not in active]
        self._log.append(session_id, [NewEvent(each) for each in chosen])

    def rename(self, session_id: str, title: str, revision: int) -> Session:
        """Give a session a title; an empty one: the first words again.

        Raises:
            StaleRevisionError: it was changed since.
        """
        name = clean_title(self._redactor().plain(title), NAME_MAX)
        return self._change(session_id, revision, SessionChanged(title=name, title_by="user" if name else "rule"))

    def set_project(self, session_id: str, project_id: str | None, revision: int) -> Session:
        """Put a session into a project, or out of any. Raises StaleRevisionError."""
        return self._change(session_id, revision, SessionChanged(project_id=project_id))

    def set_learning(self, session_id: str, *, learn: bool | None, recall: bool | None) -> Session:
        """Whether memories are made of a session and brought back in it; None: as the settings say."""
        self._log.append(session_id, [NewEvent(SessionChanged(learn=learn, recall=recall))])
        return self._log.session(session_id)

    def mark_own(self, session_id: str, message_id: str, start: int, own: bool) -> None:
        """Say that the span that begins at `start` is one's own words, or is not.

        Raises:
            InvalidInputError: that is no span of a message of the user.
        """
        message = self._message(session_id, message_id)
        wanted = [each for each in message.spans if each.start == start]
        if message.role != "user" or not wanted:
            raise InvalidInputError(mark("Only parts of your own messages can be marked"))
        spans = tuple(
            _data(Span(each.start, each.end, ("owner" if own else "untrusted") if each.start == start else each.trust))
            for each in message.spans
        )
        self._log.append(session_id, [NewEvent(SpansChanged(message_id=message_id, spans=spans))])

    def fork(self, session_id: str, message_id: str) -> Session:
        """A new session with copies of the path up to a message; no tool runs again (spec 05 §2.6)."""
        session, path = self._log.session(session_id), self._log.path(session_id, message_id)
        active = self._log.path(session_id)
        new = SessionCreated(
            title="" if session.title_by == "rule" else session.title,
            title_by=session.title_by,
            source="fork",
            project_id=session.project_id,
            parent_session_id=session_id,
            parent_message_id=message_id,
            reference=reference_of(session, active),
        )
        events = copies(path, lambda: self._ids(self._clock.now_ms()))
        return self._log.create(new, events=events)

    def save_todos(self, session_id: str, items: Sequence[Todo], revision: int) -> TodoList:
        """Write the whole list, as the user.

        Raises:
            InvalidInputError, StaleRevisionError: the old one stays.
        """
        redactor = self._redactor()
        cleaned = [Todo(redactor.plain(each.content), each.status) for each in items]
        event = lists.replacing(self._log.todos(session_id), cleaned, revision, "user")
        self._log.append(session_id, [event])
        return self._log.todos(session_id)

    def _change(self, session_id: str, revision: int, changed: SessionChanged) -> Session:
        if self._log.session(session_id).revision != revision:
            raise StaleRevisionError(
                mark("The chat was not changed"), mark("Somebody else changed it meanwhile."), mark("Read it again.")
            )
        self._log.append(session_id, [NewEvent(changed)])
        return self._log.session(session_id)

    def _message(self, session_id: str, message_id: str) -> Message:
        found = next((each for each in self._log.messages(session_id) if each.id == message_id), None)
        if found is None:
            raise _no_message()
        return found


def _no_message() -> NotFoundError:
    return NotFoundError(mark("There is no such message in this chat"), mark("It was deleted, or never was."))


def _data(span: Span) -> SpanData:
    return SpanData(start=span.start, end=span.end, trust=span.trust)
