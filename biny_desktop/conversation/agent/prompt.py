"""`PlainAssembler`: the prompt of a request from rules, reference blocks, the checkpoint and the active path.

Order: rules; the checkpoint; older turns; then, before the message to answer, what belongs to this turn (reference
blocks, the to-do list); the message; its steps. What changes often stands late, so that a server that remembers the
beginning of a request has little to read again: the to-do list in the rules was tried on paper and rejected for that.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from biny_desktop.conversation.agent import history, measure
from biny_desktop.conversation.agent.fencing import Fence, shortened
from biny_desktop.conversation.agent.history import Split
from biny_desktop.conversation.agent.model import PROMPT
from biny_desktop.conversation.model import Message, Session
from biny_desktop.conversation.ports import AssembledPrompt, PromptRequest, ReferenceBlock
from biny_desktop.conversation.todos import section
from biny_desktop.core.clock import Clock, to_local
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ChatMessage
from biny_desktop.models.prompts import load_prompt
from biny_desktop.redaction import joined, safe_constant

RULES_SHARE: Final = 0.45
BLOCKS_SHARE: Final = 0.20
CURRENT_SHARE: Final = 0.35
"""Of B − reserve, at most; history gets what is left (spec 05 §8.2)."""
SHRINK_SHARE: Final = 0.70
"""Of B; above it older results of tools are shortened (spec 05 §8.2)."""
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_FINISH: Final = safe_constant(
    "[program] This turn has taken many steps. Finish now: answer with what you have, and say what is left undone."
)


class ReferenceSource(Protocol):
    """Something that adds blocks to the turns of a session; never asked for incognito sessions."""

    def blocks(self, session: Session) -> tuple[ReferenceBlock, ...]:
        """The blocks for the turn that runs now, the most important first."""
        ...


@dataclass(frozen=True, slots=True)
class _Frame:
    """What of a prompt is not history: all but `head` and the groups of the path."""

    system: ChatMessage
    turn: tuple[ChatMessage, ...]
    current: tuple[ChatMessage, ...]
    finish: tuple[ChatMessage, ...]
    tools: int

    @property
    def fixed(self) -> int:
        return self.tools + history.tokens((self.system, *self.turn, *self.finish))


@dataclass(frozen=True, slots=True)
class _Laid:
    """Messages in their order, and how many nodes of the path are not among them."""

    messages: tuple[ChatMessage, ...]
    left_out: int


class PlainAssembler:
    """Implements `PromptAssembler`. Thread-safe.

    Args:
        word: random, in letters and digits; marks what is material.
    """

    def __init__(self, clock: Clock, sources: Sequence[ReferenceSource] = (), word: str | None = None) -> None:
        self._clock, self._sources = clock, tuple(sources)
        self._fence = Fence(word or secrets.token_hex(4))

    def assemble(self, request: PromptRequest) -> AssembledPrompt:
        """The prompt. Raises UnavailableError when the file with the rules is missing."""
        usable = request.budget.usable
        checkpoint, kept = self._covered(request)
        split = history.split(request.path, kept)
        frame = self._frame(request, split, usable)
        room = usable - frame.fixed - history.tokens(frame.current)
        head: tuple[ChatMessage, ...] = ()
        if checkpoint is not None and history.tokens((checkpoint,)) <= room:
            head = (checkpoint,)
        elif checkpoint is not None:
            split = history.split(request.path, request.path)
        laid = self._laid(request, split, frame, head)
        taken = measure.of_request(laid.messages, request.tools, request.reported)
        return AssembledPrompt(laid.messages, taken, frame.fixed, laid.left_out, frame.system.text)

    def _covered(self, request: PromptRequest) -> tuple[ChatMessage | None, tuple[Message, ...]]:
        """The message that stands for the older part, and the part that is sent raw."""
        checkpoint, path = request.checkpoint, request.path
        if checkpoint is None or request.block is None:
            return None, path
        ids = [each.id for each in path]
        border = checkpoint.first_kept_id
        if border is None:
            start = ids.index(checkpoint.covered_until_id) + 1 if checkpoint.covered_until_id in ids else 0
        else:
            start = ids.index(border) if border in ids else 0
        if start == 0:
            return None, path
        return ChatMessage("user", self._fence.plain(request.block)), path[start:]

    def _frame(self, request: PromptRequest, split: Split, usable: int) -> _Frame:
        turn: list[ChatMessage] = []
        room = int(usable * BLOCKS_SHARE)
        for block in self._blocks(request.session):
            message = ChatMessage("user", self._fence.around(block.name, block.text))
            if history.tokens((message,)) <= room:
                turn.append(message)
                room -= history.tokens((message,))
        todos = section(request.todos)
        if todos is not None:
            turn.append(ChatMessage("user", self._fence.plain(todos)))
        current = () if split.current is None else (self._current(split.current, int(usable * CURRENT_SHARE)),)
        finish = (ChatMessage("user", _FINISH),) if request.finish else ()
        system = ChatMessage("system", self._rules(int(usable * RULES_SHARE)))
        return _Frame(system, tuple(turn), current, finish, measure.of_tools(request.tools))

    def _rules(self, room: int) -> RedactedText:
        now = self._clock.stamp()
        local = to_local(now.at_ms, now.zone)
        rules = safe_constant(load_prompt(PROMPT).text.replace("{fence}", self._fence.mark))
        date = f"Today is {_DAYS[local.weekday()]}, {local.date().isoformat()}; the time zone is {now.zone}."
        return shortened(joined((rules, safe_constant(date)), "\n\n"), room)

    def _current(self, message: Message, room: int) -> ChatMessage:
        return ChatMessage("user", self._fence.message(message, room))

    def _blocks(self, session: Session) -> tuple[ReferenceBlock, ...]:
        fork = () if not session.reference else (ReferenceBlock("forked_from", session.reference),)
        if session.incognito:
            return fork
        return (*fork, *(block for source in self._sources for block in source.blocks(session)))

    def _laid(self, request: PromptRequest, split: Split, frame: _Frame, head: tuple[ChatMessage, ...]) -> _Laid:
        """All of the path if it fits, else with shortened results, else as many whole groups as fit, newest first."""
        budget = request.budget
        groups = (*split.turns, *split.steps)
        short: frozenset[str] = frozenset()
        for limit in (min(budget.usable, int(budget.whole * SHRINK_SHARE)), budget.usable):
            laid = self._all(split, frame, head, short)
            if measure.of_request(laid.messages, request.tools, request.reported) <= limit:
                return laid
            short = history.old_results(groups)
        room = budget.usable - frame.fixed - history.tokens((*head, *frame.current))
        return self._fitted(split, frame, head, short, room)

    def _all(self, split: Split, frame: _Frame, head: tuple[ChatMessage, ...], short: frozenset[str]) -> _Laid:
        turns = [each for group in split.turns for each in history.sent(group, self._fence, short)]
        steps = [each for group in split.steps for each in history.sent(group, self._fence, short)]
        return _Laid((frame.system, *head, *turns, *frame.turn, *frame.current, *steps, *frame.finish), 0)

    def _fitted(
        self, split: Split, frame: _Frame, head: tuple[ChatMessage, ...], short: frozenset[str], room: int
    ) -> _Laid:
        groups = [*((False, each) for each in split.turns), *((True, each) for each in split.steps)]
        kept: list[tuple[bool, list[ChatMessage]]] = []
        for n, (is_step, group) in reversed(list(enumerate(groups))):
            messages = history.sent(group, self._fence, short)
            if is_step and n == len(groups) - 1 and history.tokens(messages) > room:
                # The last step is what the answer is about: shortened wholly rather than left out.
                messages = history.sent(group, self._fence, frozenset(each.id for each in group))
            elif history.tokens(messages) > room:
                break
            kept.insert(0, (is_step, messages))
            room -= history.tokens(messages)
        turns, steps = (
            [message for is_step, group in kept if is_step is wanted for message in group] for wanted in (False, True)
        )
        left = sum(len(group) for _, group in groups[: len(groups) - len(kept)])
        return _Laid((frame.system, *head, *turns, *frame.turn, *frame.current, *steps, *frame.finish), left)
