"""`TurnRuns`: begins turns, runs the agent in their threads, hears what happens in them, ends interrupted ones."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from biny_desktop.conversation.agent.model import TurnOutcome, TurnStart
from biny_desktop.conversation.model import EVENTS_MAX, HINT_SHARE, Session
from biny_desktop.conversation.ports import ConversationLog, Heard
from biny_desktop.conversation.session_events import ErrorNoted, NewEvent, TurnEnded
from biny_desktop.conversation.turns.left import TurnLeftError
from biny_desktop.conversation.turns.recovery import Recovery
from biny_desktop.core.errors import BinyError
from biny_desktop.core.events import EventBus, TurnFinished
from biny_desktop.service.chat.logs import Logs
from biny_desktop.service.chat.model import NotSending
from biny_desktop.service.chat.reasons import refused
from biny_desktop.service.chat.turn_threads import Hold, TurnThreads

log = logging.getLogger(__name__)
_ROOM: Final = 32
"""Events that a session has left when it counts as full: what a turn writes at least, and what ends it."""


class Runner(Protocol):
    """Who answers: `conversation.agent.Agent`."""

    def run(self, start: TurnStart, hear: Callable[[Heard], None], go_on: Callable[[], bool]) -> TurnOutcome: ...


class ChatModel(Protocol):
    """As much of the chat client as is asked before a turn."""

    def ready(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Engine:
    """What runs turns."""

    logs: Logs
    agent: Runner
    model: ChatModel
    recovery: Recovery
    threads: TurnThreads
    events: EventBus


class TurnRuns:
    """The turns of one process. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._logs, self._threads = engine.logs, engine.threads
        self._lock = threading.Lock()
        self._hearers: list[Callable[[Heard], None]] = []
        self._read_only: set[str] = set()

    def begin(self, session_id: str, turn_id: str, make: Callable[[ConversationLog], TurnStart]) -> str:
        """Take the session, have `make` commit what the turn begins with, and run it in its thread; its id.

        Raises:
            NotFoundError: there is no such session. UnavailableError: nothing can be sent in it now, and why.
        """
        found = self._logs.of(session_id)
        hold = self.hold(found, session_id, turn_id)
        try:
            why = self._not_ready(found.session(session_id))
            if why is not None:
                raise refused(why)
            start = make(found)
        except BaseException:
            self._threads.release(hold)
            raise
        self._threads.run(hold, lambda: self._run(hold, start), lambda: self._over(hold))
        return turn_id

    def not_sending(self, session: Session) -> NotSending | None:
        """Why nothing can be sent in a session now."""
        return self._threads.busy(session.id) or self._not_ready(session)

    def nearly_full(self, session: Session) -> bool:
        """Whether it should be forked soon (spec 05 §1)."""
        return session.last_seq >= HINT_SHARE * EVENTS_MAX

    def read_only(self, session_id: str) -> bool:
        """Whether a state of this session could not be written."""
        return session_id in self._read_only

    def lock_down(self, session_id: str) -> None:
        """Let nobody send in a session until it is opened again (spec 05 §3.2)."""
        self._read_only.add(session_id)

    def reopen(self, session_id: str) -> None:
        """The person opens it again."""
        self._read_only.discard(session_id)

    def give_up(self, session_id: str, reason: str) -> None:
        """End the interrupted turn of a session that is held, if there is one."""
        found = self._logs.of(session_id)
        turn_id = self._engine.recovery.give_up(session_id, reason)
        if turn_id is not None:
            self._published(found, session_id, turn_id, "cancelled")

    def listen(self, hear: Callable[[Heard], None]) -> Callable[[], None]:
        """Have it called, in the threads of turns, with what happens in them; returns what ends that."""
        with self._lock:
            self._hearers.append(hear)

        def cancel() -> None:
            with self._lock:
                if hear in self._hearers:
                    self._hearers.remove(hear)

        return cancel

    def hold(self, found: ConversationLog, session_id: str, turn_id: str | None) -> Hold:
        """Take a session; see `TurnThreads.hold`. Raises NotFoundError, UnavailableError."""
        found.session(session_id)
        return self._threads.hold(session_id, turn_id, shared=not found.incognito)

    def _not_ready(self, session: Session) -> NotSending | None:
        if self.read_only(session.id):
            return "read_only"
        if session.last_seq + _ROOM > EVENTS_MAX:
            return "full"
        return None if self._engine.model.ready() else "no_model"

    def _run(self, hold: Hold, start: TurnStart) -> TurnOutcome:
        try:
            outcome = self._engine.agent.run(start, lambda heard: self._hear(hold, heard), hold.go_on)
        except TurnLeftError:
            return TurnOutcome("incomplete", "left", "", start.completed_steps)
        except BinyError as error:
            return self._failed(hold, start, error.kind)
        except Exception as error:  # a bug; its words may hold what was said
            log.error("a turn ended by a fault of the program (%s)", type(error).__name__)
            return self._failed(hold, start, "internal")
        if outcome.stop_reason == "read_only":
            self.lock_down(hold.session_id)
        return outcome

    def _failed(self, hold: Hold, start: TurnStart, kind: str) -> TurnOutcome:
        found = self._logs.of(hold.session_id)
        leaf = ""
        ended = (ErrorNoted(kind=kind), TurnEnded(status="failed", stop_reason=kind))
        try:
            found.append(hold.session_id, [NewEvent(each, start.turn_id, start.run_id) for each in ended])
            leaf = found.session(hold.session_id).leaf_id or ""
            self._published(found, hold.session_id, start.turn_id, "failed")
        except BinyError as error:
            log.warning("the end of a turn could not be written (%s)", error.kind)
        self._hear(hold, Heard(hold.session_id, start.turn_id, "ended", kind, "failed"))
        return TurnOutcome("failed", kind, leaf, start.completed_steps)

    def _published(self, found: ConversationLog, session_id: str, turn_id: str, status: str) -> None:
        session = found.session(session_id)
        self._engine.events.publish(
            TurnFinished(session_id, turn_id, session.leaf_id or "", status, session.project_id, found.incognito)
        )

    def _hear(self, hold: Hold, heard: Heard) -> None:
        if heard.kind == "delta":
            hold.text.append(heard.text)
        elif heard.kind == "step":
            hold.text.clear()
        elif heard.kind == "ended":
            hold.last_word = heard  # passed on once the session is free again: whoever hears it looks at the session
            return
        self._tell(heard)

    def _over(self, hold: Hold) -> None:
        left = Heard(hold.session_id, str(hold.turn_id), "ended", "left", "incomplete")
        self._tell(hold.last_word or left)

    def _tell(self, heard: Heard) -> None:
        with self._lock:
            hearers = list(self._hearers)
        for hear in hearers:
            try:
                hear(heard)
            except Exception as error:  # a listener's bug must not end the turn
                log.error("a listener of a turn failed (%s)", type(error).__name__)
