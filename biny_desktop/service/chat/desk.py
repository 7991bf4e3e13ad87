"""`Chat`: the conversations of one home, for the window and the command line; turns run in threads of their own."""

import logging
from collections.abc import Callable, Sequence

from biny_desktop.conversation.agent.model import TurnOutcome, TurnStart
from biny_desktop.conversation.drafts import Draft, Prepared, prepare_draft
from biny_desktop.conversation.model import Message, SessionPage
from biny_desktop.conversation.ports import ConversationLog, Heard
from biny_desktop.core.errors import BinyError, InvalidInputError, NotFoundError, UnavailableError
from biny_desktop.core.ids import new_id
from biny_desktop.service.chat.changes import ChatChanges
from biny_desktop.service.chat.model import ChatView, FoundMessage, NotSending
from biny_desktop.service.chat.view import shown_items

log = logging.getLogger(__name__)
CANCEL_S = 20.0
"""Closing an incognito chat waits so long for its turn to end."""


class Chat(ChatChanges):
    """Looking, sending, going on; what else changes a chat is inherited. Thread-safe; knows nothing of the window.

    A session's methods raise NotFoundError where there is none.
    """

    # -- looking -------------------------------------------------------------------------------------------------------

    def ready(self) -> NotSending | None:
        """Why no chat can be written in now; None when one can."""
        if self._threads.closing:
            return "closing"
        return None if self._works.model.ready() else "no_model"

    def page(
        self, limit: int = 100, before: tuple[int, str] | None = None, project_id: str | None = None
    ) -> SessionPage:
        """Sessions, last used first; the incognito ones of this process stand before all on the first page."""
        page = self._logs.stored.page(limit, before, project_id)
        if before is not None:
            return page
        hidden = self._logs.memory.page(limit, None, project_id).sessions
        return SessionPage(hidden + page.sessions, page.next)

    def running(self) -> frozenset[str]:
        """The sessions in which this process writes an answer now."""
        return self._threads.running()

    def view(self, session_id: str) -> ChatView:
        """A session as it is shown now."""
        found = self._logs.of(session_id)
        session = found.session(session_id)
        turn = self._threads.turn_in(session_id)
        running = None if turn is None else turn.turn_id
        sending = self._runs.not_sending(session)
        busy = sending in ("running", "running_elsewhere")
        return ChatView(
            session=session,
            items=shown_items(found, session_id, running),
            todos=found.todos(session_id),
            approvals=tuple(each for each in found.approvals(session_id) if each.status == "open"),
            recovered=None if busy else self._works.recovery.examine(session_id),
            sending=sending,
            running_turn=running,
            streaming="" if turn is None else "".join(turn.text),
            turn_status=session.turn_status,
            turn_reason=session.turn_reason,
            hint=self._runs.nearly_full(session),
            read_only=self._runs.read_only(session_id),
        )

    def found(self, message_id: str) -> FoundMessage:
        """A message of a stored chat, wherever in its tree it stands. Raises NotFoundError."""
        stored = self._logs.stored
        session_id = stored.session_of(message_id)
        nodes = stored.messages(session_id)
        wanted = next(each for each in nodes if each.id == message_id)
        slot = [each.id for each in nodes if each.slot_id == wanted.slot_id]
        return FoundMessage(wanted, stored.session(session_id), slot.index(message_id) + 1, len(slot))

    def listen(self, hear: Callable[[Heard], None]) -> Callable[[], None]:
        """Have it called, in the threads of turns, with what happens in every session; returns what ends that."""
        return self._runs.listen(hear)

    def wait(self, turn_id: str, timeout_s: float) -> TurnOutcome | None:
        """How a turn ended; None when it still runs after that time. `left`: the app closed, it can go on."""
        return self._threads.wait(turn_id, timeout_s)

    # -- turns ---------------------------------------------------------------------------------------------------------

    def check(self, draft: Draft) -> Prepared:
        """A draft as it would be stored, with what is replaced in it.

        Raises:
            InvalidInputError: it is empty or too long.
        """
        return prepare_draft(draft, self._works.redactor())

    def send(self, session_id: str, draft: Draft) -> str:
        """Commit a message of the user and have it answered; the turn's id.

        Raises:
            UnavailableError: nothing can be sent, and why. InvalidInputError: the draft is empty or too long.
        """
        return self._say(session_id, draft, None)

    def edit(self, session_id: str, message_id: str, draft: Draft) -> str:
        """Put another version beside a message of the user, and have it answered; the turn's id. Raises as `send`."""
        return self._say(session_id, draft, message_id)

    def retry(self, session_id: str, message_id: str) -> str:
        """Answer anew, beside the answer that begins with this node; or answer a last message that has none.

        Raises:
            UnavailableError: nothing can be sent, and why. InvalidInputError: it is neither.
        """
        found = self._logs.of(session_id)
        first = _first_step(found.messages(session_id), message_id)
        turn_id = first.turn_id or self._id()

        def make(found: ConversationLog) -> TurnStart:
            if first.role == "user" and found.session(session_id).leaf_id != first.id:
                raise InvalidInputError("There is an answer already", "Nothing was changed.", "Retry the answer.")
            self._runs.give_up(session_id, "retried")
            if first.role == "user":
                return TurnStart(session_id, turn_id, self._id(), "answer")
            return TurnStart(session_id, turn_id, self._id(), "retry", retry_of=first.id)

        return self._runs.begin(session_id, turn_id, make)

    def resume(self, session_id: str) -> str:
        """Go on with an interrupted turn; its id.

        Raises:
            UnavailableError: nothing can be sent, and why. InvalidInputError: there is nothing to go on with, or
                something has to be answered first.
        """
        turn_id = self._continued(session_id)

        def make(_found: ConversationLog) -> TurnStart:
            if self._continued(session_id) != turn_id:
                raise InvalidInputError("There is nothing to go on with", "Another program was there first.")
            done = self._works.recovery.fill(session_id)
            return TurnStart(session_id, turn_id, self._id(), "resume", completed_steps=done)

        return self._runs.begin(session_id, turn_id, make)

    def stop(self, session_id: str) -> None:
        """End the turn that runs here, keeping its text so far; an interrupted one is ended for good. Returns at once.

        Raises:
            UnavailableError: another process answers in this session.
        """
        if not self.interrupt(session_id):
            with self._quiet(session_id):
                self._runs.give_up(session_id, "stopped")

    def interrupt(self, session_id: str) -> bool:
        """Tell the turn that runs here to end; False when none does. Waits for nothing, so any thread may call it."""
        hold = self._threads.turn_in(session_id)
        if hold is not None:
            hold.stopped.set()
        return hold is not None

    def settle(self, session_id: str, operation_id: str, *, done: bool) -> None:
        """Say whether an effect was done that nobody knows of; then the turn can go on (`resume`).

        Raises:
            NotFoundError, InvalidInputError: nothing of that id has to be told. UnavailableError: a turn runs.
        """
        with self._quiet(session_id):
            self._works.recovery.settle(session_id, operation_id, done)

    def answer(self, session_id: str, approval_id: str, *, approve: bool, revision: int) -> None:
        """Allow or refuse one exact call; its turn goes on by itself if it waits for nothing else.

        Raises:
            NotFoundError, StaleRevisionError, InvalidInputError: it is gone, changed, or answered already.
        """
        self._works.exact.answer(session_id, approval_id, approve, revision)
        self.go_on(session_id)

    def go_on(self, session_id: str) -> None:
        """Go on with a turn that stood still for an answer, if it can; else it is offered in the chat."""
        try:
            self.resume(session_id)
        except (UnavailableError, InvalidInputError):
            log.info("a turn that was answered does not go on by itself")

    # -- start and end -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """With the app: remove what killed writes and finished turns left; go on with turns if the user wants that."""
        works = self._works
        works.deletes.finish()
        works.turns.tidy(self._busy_elsewhere)
        for session_id in works.turns.sessions():
            try:
                with self._threads.quiet(session_id):
                    works.recovery.clear(session_id)
                if works.settings().agent.auto_resume:
                    self.go_on(session_id)
            except NotFoundError:
                continue  # cleared: the session of that checkpoint is gone
            except BinyError as error:
                log.warning("a checkpoint of a turn waits (%s)", error.kind)

    def close_incognito(self, session_id: str) -> None:
        """End an incognito session without trace; its turn is stopped first."""
        hold = self._threads.turn_in(session_id)
        if hold is not None:
            hold.left.set()
            hold.ended.wait(CANCEL_S)
        self._works.memory.forget(session_id)

    def reopen(self, session_id: str) -> None:
        """Open a session again that could only be read, because its state could not be written."""
        self._runs.reopen(session_id)

    def close(self) -> None:
        """Leave the turns where they stand, their checkpoints stay, and wait for their threads."""
        self._threads.close()

    def _say(self, session_id: str, draft: Draft, edit_of: str | None) -> str:
        turn_id, run_id = self._id(), self._id()

        def make(found: ConversationLog) -> TurnStart:
            prepared = self.check(draft)
            self._runs.give_up(session_id, "new_message")
            events = self._sessions(session_id).user_event(session_id, prepared, turn_id=turn_id, edit_of=edit_of)
            found.append(session_id, events)
            return TurnStart(session_id, turn_id, run_id, "answer")

        return self._runs.begin(session_id, turn_id, make)

    def _continued(self, session_id: str) -> str:
        recovered = self._works.recovery.examine(session_id)
        if recovered is None or recovered.outcome != "continue":
            raise InvalidInputError("There is nothing to go on with", "No turn of this chat can go on now.")
        return recovered.turn_id

    def _busy_elsewhere(self, session_id: str) -> bool:
        return self._threads.busy(session_id) == "running_elsewhere"

    def _id(self) -> str:
        return new_id(self._works.clock.now_ms())


def _first_step(nodes: Sequence[Message], message_id: str) -> Message:
    """The node itself if it is the user's, else the first step of its answer."""
    by_id = {node.id: node for node in nodes}
    node = by_id.get(message_id)
    if node is None:
        raise NotFoundError("There is no such message", "It may have been deleted.")
    while node.role != "user":
        parent = by_id.get(node.parent_id or "")
        if parent is None or parent.role == "user":
            break
        node = parent
    if node.role == "tool":
        raise InvalidInputError("There is no answer to retry", "Nothing was changed.")
    return node
