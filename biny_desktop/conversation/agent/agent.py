"""`Agent`: answers in the sessions of both logs, one run after the other or in threads beside each other."""

from collections.abc import Callable

from biny_desktop.conversation.agent.measure import Counts
from biny_desktop.conversation.agent.model import TurnOutcome, TurnStart
from biny_desktop.conversation.agent.run import TurnRun, Works
from biny_desktop.conversation.agent.writer import TurnWriter
from biny_desktop.conversation.approvals import ExactCalls
from biny_desktop.conversation.ports import Compactor, ConversationLog, Heard, PromptAssembler, Toolbox
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.clock import Clock
from biny_desktop.core.events import EventBus, TurnFinished
from biny_desktop.core.ids import new_id
from biny_desktop.core.settings import Settings
from biny_desktop.models.chat_client import ChatClient
from biny_desktop.redaction import Redactor


class Agent:
    """Runs turns (spec 05 §8). Thread-safe; one session has one run at a time, for which the caller stands."""

    def __init__(
        self, log_of: Callable[[str], ConversationLog], chat: ChatClient, toolbox: Toolbox, compactor: Compactor,
        turns: TurnStore, assembler: PromptAssembler, exact: ExactCalls, redactor: Callable[[], Redactor],
        settings: Callable[[], Settings], clock: Clock, events: EventBus,
    ) -> None:  # fmt: skip
        self._log_of, self._clock, self._events = log_of, clock, events
        self._works = Works(chat, toolbox, compactor, turns, assembler, exact, redactor, settings, clock, Counts())

    def run(self, start: TurnStart, hear: Callable[[Heard], None], go_on: Callable[[], bool]) -> TurnOutcome:
        """Run one turn in this thread until it is answered, ended or has to wait.

        Args:
            start: which turn; an `answer` has its user message committed already.
            hear: called in this thread with what happens; its last word is `ended` (`text` the reason, `name` the
                status), after `TurnFinished` was published.
            go_on: asked every 0.05 s or so; False stops the turn.

        Returns:
            How it ended; the end is committed, unless the log cannot be written any more.

        Raises:
            NotFoundError: the session or the message is gone; nothing was done.
            TurnLeftError: raised by `go_on` when the turn is to be left where it stands; nothing was ended.
        """
        log = self._log_of(start.session_id)
        project_id = log.session(start.session_id).project_id
        writer = TurnWriter(log, start, lambda: new_id(self._clock.now_ms()))
        outcome = TurnRun(self._works, writer, start, hear, go_on).run()
        self._events.publish(
            TurnFinished(
                start.session_id, start.turn_id, outcome.leaf_id, outcome.status, project_id, log.incognito
            )
        )  # fmt: skip
        hear(Heard(start.session_id, start.turn_id, "ended", outcome.stop_reason, outcome.status))
        return outcome
