"""One request of a run: its prompt, compacted before it is too long, and what the server answers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from biny_desktop.conversation.agent import measure
from biny_desktop.conversation.agent.measure import Counts
from biny_desktop.conversation.agent.model import OVERFLOWS, PROMPT, TASK
from biny_desktop.conversation.agent.writer import End, TurnWriter
from biny_desktop.conversation.model import Checkpoint, CompactionReason, Message
from biny_desktop.conversation.ports import AssembledPrompt, Budget, Compactor, PromptAssembler, PromptRequest
from biny_desktop.core.errors import StorageError
from biny_desktop.core.settings import Settings
from biny_desktop.models.chat_client import ChatClient
from biny_desktop.models.model import ChatReply, Failure, ToolSpec
from biny_desktop.models.prompts import load_prompt

Told = Literal["delta", "reasoning", "retrying", "tools_refused", "compacted", "history_cut"]
_READ_ONLY: Final = End("failed", "read_only", fault=("checkpoint", "summary"), action="open_again")


@dataclass(frozen=True, slots=True)
class RequestWorks:
    """What requests are made with. `tell`: what is heard meanwhile."""

    chat: ChatClient
    assembler: PromptAssembler
    compactor: Compactor
    settings: Callable[[], Settings]
    counts: Counts
    tell: Callable[[Told, str], None]
    go_on: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply, and the prompt it was given to."""

    reply: ChatReply
    prompt: AssembledPrompt


class Requests:
    """The requests of one run, in the thread of the turn. `stopped` gives the end once nobody wants to go on."""

    def __init__(self, works: RequestWorks, writer: TurnWriter, session_id: str, stopped: Callable[[], End]) -> None:
        self._works, self._writer, self._session_id, self._stopped = works, writer, session_id, stopped
        self._overflows = 0
        self._cut_told = False

    def ask(self, tools: tuple[ToolSpec, ...], *, finish: bool) -> Answered | End:
        """The model's next answer, or how the run ends without one."""
        budget = self._works.compactor.budget()
        version = load_prompt(PROMPT).version
        while True:
            prompt = self._prompt(tools, budget, finish=finish)
            if isinstance(prompt, End):
                return prompt
            reply = self._works.chat.stream(
                prompt.messages, tools, max_tokens=budget.output, hear=self._works.tell, go_on=self._works.go_on,
                task=TASK, version=version,
            )  # fmt: skip
            if isinstance(reply, ChatReply):
                self._count(prompt, tools, reply)
                return Answered(reply, prompt)
            end = self._failed(reply, prompt)
            if end is not None:
                return end

    def _prompt(self, tools: tuple[ToolSpec, ...], budget: Budget, *, finish: bool) -> AssembledPrompt | End:
        """The prompt as it goes out; looked at before every request (spec 05 §3, trigger)."""
        path = self._writer.path()
        prompt = self._assembled(path, tools, budget, finish=finish)
        too_much = prompt.left_out > 0 or prompt.tokens > budget.usable
        if too_much and self._works.settings().compaction.enabled:
            made = self._compacted(path, "threshold", prompt.fixed_tokens)
            if isinstance(made, End):
                return made
            # Without a new summary the history goes out as it is, as far as the model takes it at all.
            wider = budget if made else replace(budget, reserve=0)
            prompt = self._assembled(path, tools, wider, finish=finish)
        if prompt.left_out and not self._cut_told:
            self._cut_told = True
            self._works.tell("history_cut", "")
        return prompt

    def _assembled(
        self, path: tuple[Message, ...], tools: tuple[ToolSpec, ...], budget: Budget, *, finish: bool
    ) -> AssembledPrompt:
        log, compactor = self._writer.log, self._works.compactor
        checkpoint = compactor.current(log, self._session_id, path)
        return self._works.assembler.assemble(
            PromptRequest(
                log.session(self._session_id), path, checkpoint, log.todos(self._session_id), tools, budget, finish,
                None if checkpoint is None else compactor.block(checkpoint), self._works.counts.of(self._session_id),
            )
        )  # fmt: skip

    def _compacted(self, path: tuple[Message, ...], reason: CompactionReason, fixed: int) -> bool | End:
        """Whether there is a new summary."""
        works = self._works
        try:
            made = works.compactor.compact(
                self._writer.log, self._session_id, path, reason, fixed_tokens=fixed, go_on=works.go_on
            )
        except StorageError:
            return _READ_ONLY
        if not works.go_on():
            return self._stopped()
        if isinstance(made, Checkpoint):
            works.tell("compacted", "")
            return True
        return False

    def _failed(self, failure: Failure, prompt: AssembledPrompt) -> End | None:
        """How the run ends after a request without an answer; None to ask once more."""
        if failure.kind == "stopped":
            return self._stopped()
        detail = " ".join(str(part) for part in (failure.status, failure.detail) if part)
        if failure.detail != "too_long":
            return End("failed", failure.kind, fault=(failure.kind, detail))
        if self._overflows < OVERFLOWS:
            self._overflows += 1
            made = self._compacted(self._writer.path(), "overflow", prompt.fixed_tokens)
            if made is not False:
                return made if isinstance(made, End) else None
        return End("failed", "too_long", fault=("too_long", detail), action="ask_for_less")

    def _count(self, prompt: AssembledPrompt, tools: tuple[ToolSpec, ...], reply: ChatReply) -> None:
        if reply.tokens_in and not reply.tools_refused:
            self._works.counts.put(self._session_id, measure.reported(prompt.messages, tools, reply.tokens_in))
