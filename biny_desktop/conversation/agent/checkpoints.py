"""The execution checkpoint of a run: written after each step with results, left or removed at its end (spec 05 §7)."""

import logging

from biny_desktop.conversation.agent.model import CALLS_A_STEP, TURN_MS, TurnStart
from biny_desktop.conversation.agent.writer import End, TurnWriter
from biny_desktop.conversation.model import Message
from biny_desktop.conversation.ports import AssembledPrompt
from biny_desktop.conversation.turns.state import DamagedTurnError, HighWater, Terminal, TurnState
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.errors import StorageError
from biny_desktop.core.settings import AgentSettings
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ChatMessage
from biny_desktop.redaction import safe_constant

log = logging.getLogger(__name__)


class Checkpoints:
    """The checkpoint of one run. `turns` None: an incognito session has none."""

    def __init__(self, turns: TurnStore | None, writer: TurnWriter, start: TurnStart, limits: AgentSettings) -> None:
        self._turns, self._writer, self._start = turns, writer, start
        self._budgets = {
            "soft_steps": limits.soft_steps, "hard_steps": limits.hard_steps, "turn_ms": TURN_MS,
            "calls_a_step": CALLS_A_STEP,
        }  # fmt: skip
        self._system: RedactedText = safe_constant("")
        self._context: tuple[ChatMessage, ...] = ()
        self._asked_after: str | None = None
        user = self._user(writer.path())
        self.prompt_id = None if user is None else user.id
        self._before = self._stood() if start.kind == "resume" else ()

    def asked(self, prompt: AssembledPrompt) -> None:
        """A request was answered: what it held is the context of the step that follows."""
        self._system = prompt.system
        self._context = tuple(message for message in prompt.messages if message.role != "system")
        self._asked_after = self._writer.leaf

    def save(self, steps: int, terminal: Terminal | None = None) -> None:
        """Write it. Raises StorageError, DiskFullError when it could not be written."""
        mark = self._writer.last
        if self._turns is None or mark is None:
            return
        path = self._writer.path()
        user = self._user(path)
        self._turns.save(
            TurnState(
                session_id=self._start.session_id,
                turn_id=self._start.turn_id,
                prompt=safe_constant("") if user is None else user.content,
                system_prompt=self._system,
                messages=(*self._context, *map(_message, self._since(path))),
                completed_steps=steps,
                budgets=self._budgets,
                high_water=HighWater(mark.event_id, mark.seq, mark.run_id, mark.turn_id),
                terminal=terminal,
                previous_terminals=self._before,
            )
        )

    def end(self, end: End, steps: int) -> None:
        """Keep it for a turn that can go on, else remove it; what is committed wins over it in any case."""
        if self._turns is None:
            return
        try:
            if end.status in ("blocked", "incomplete") and end.keeps:
                self.save(steps, end.status)
            elif not end.keeps:
                self._turns.remove(self._start.session_id)
        except StorageError as error:
            log.warning("the checkpoint of a turn that ended is not as it should be (%s)", error.kind)

    def _since(self, path: tuple[Message, ...]) -> tuple[Message, ...]:
        """The nodes that came after what the last request held."""
        ids = [each.id for each in path]
        return path[ids.index(self._asked_after) + 1 :] if self._asked_after in ids and self._context else path

    def _user(self, path: tuple[Message, ...]) -> Message | None:
        return next((each for each in reversed(path) if each.role == "user"), None)

    def _stood(self) -> tuple[str, ...]:
        """How the turn stood before it goes on now."""
        try:
            state = None if self._turns is None else self._turns.load(self._start.session_id)
        except DamagedTurnError:
            return ()
        if state is None or state.turn_id != self._start.turn_id:
            return ()
        return state.previous_terminals if state.terminal is None else (*state.previous_terminals, state.terminal)


def _message(node: Message) -> ChatMessage:
    return ChatMessage(node.role, node.content, node.tool_calls, node.call_id)
