"""One run of a turn: ask, commit the step, do its calls, checkpoint, again, until an answer needs no calls."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from biny_desktop.conversation.agent.calls import STOPPED_TEXT, CallWorks, StepCalls
from biny_desktop.conversation.agent.checkpoints import Checkpoints
from biny_desktop.conversation.agent.kept import KeptReply, kept, same_call
from biny_desktop.conversation.agent.measure import Counts
from biny_desktop.conversation.agent.model import SAME_CALL, TURN_MS, TurnOutcome, TurnStart
from biny_desktop.conversation.agent.requests import Answered, Requests, RequestWorks, Told
from biny_desktop.conversation.agent.writer import End, TurnWriter
from biny_desktop.conversation.approvals import ExactCalls
from biny_desktop.conversation.ports import Compactor, Heard, PromptAssembler, StepKind, Tool, Toolbox
from biny_desktop.conversation.session_events import ErrorNoted, TurnEnded
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, StorageError
from biny_desktop.core.settings import Settings
from biny_desktop.models.chat_client import ChatClient
from biny_desktop.models.model import ChatReply, ToolCall
from biny_desktop.redaction import Redactor, safe_constant

log = logging.getLogger(__name__)
_REPEATED: Final = safe_constant("Not done: the same call was made several times in a row.")
_INCOGNITO_TOOL: Final = "todo_write"
"""The only tool of an incognito session (spec 05 §9.3)."""
_CUT: Final = {"broken": "broken", "timeout": "silent"}


@dataclass(frozen=True, slots=True)
class Works:
    """What runs are made of."""

    chat: ChatClient
    toolbox: Toolbox
    compactor: Compactor
    turns: TurnStore
    assembler: PromptAssembler
    exact: ExactCalls
    redactor: Callable[[], Redactor]
    settings: Callable[[], Settings]
    clock: Clock
    counts: Counts


class TurnRun:
    """A run, in the thread of its turn."""

    def __init__(
        self, works: Works, writer: TurnWriter, start: TurnStart, hear: Callable[[Heard], None],
        go_on: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._works, self._writer, self._start = works, writer, start
        self._hear_out, self._person_goes_on = hear, go_on
        self._steps = start.completed_steps
        self._ends_ms = works.clock.mono_ms() + TURN_MS
        self._agent = works.settings().agent
        self._tools: dict[str, Tool] = {}
        self._no_tools_told = False
        self._finish_told = False
        requests = RequestWorks(
            works.chat, works.assembler, works.compactor, works.settings, works.counts, self._tell, self._go_on
        )  # fmt: skip
        self._requests = Requests(requests, writer, start.session_id, self._stopped)
        self._checkpoints = Checkpoints(None if writer.log.incognito else works.turns, writer, start, self._agent)

    def run(self) -> TurnOutcome:
        """Run to the end of the turn, or to where it has to wait.

        Raises:
            TurnLeftError: as `go_on` does; nothing more is committed then.
        """
        try:
            end = self._loop()
        except BinyError as error:
            log.warning("a turn cannot go on (%s)", error.kind)
            end = End("failed", "storage" if isinstance(error, StorageError) else error.kind, fault=(error.kind, ""))
        return self._finished(end)

    def _loop(self) -> End:
        end = self._resumed() if self._start.kind == "resume" else None
        while end is None:
            if self._steps >= self._agent.hard_steps:
                return End("incomplete", "exhausted")
            if not self._go_on():
                return self._stopped()
            self._tools = self._usable_tools()
            answered = self._requests.ask(tuple(tool.spec for tool in self._tools.values()), finish=self._finish())
            end = answered if isinstance(answered, End) else self._step(answered)
        return end

    def _resumed(self) -> End | None:
        """Do the calls that wait since before; those that were begun have their results from recovery."""
        calls = self._open_calls()
        if not calls:
            return None
        self._tools = self._usable_tools()
        begun = {each.call_id for each in self._writer.log.executions(self._start.session_id, self._start.turn_id)
                 if each.state != "committed"}  # fmt: skip
        if any(call.id in begun for call in calls):
            return End("blocked", "unknown_effect", blocked="unsafe_action_required", action="look_yourself",
                       keeps=True)  # fmt: skip
        return self._called(calls)

    def _step(self, answered: Answered) -> End | None:
        """Commit an answer and do its calls; how the turn ends with it, None to go on."""
        reply = answered.reply
        self._checkpoints.asked(answered.prompt)
        if reply.tools_refused:
            self._tell("tools_refused", "")
        said = kept(reply, self._works.redactor())
        if not said.calls or reply.cut:
            return self._last(reply, said)
        before = self._same_calls()
        events, leaf = self._writer.answer(said, self._checkpoints.prompt_id)
        self._writer.commit(events, leaf)
        self._hear("step")
        repeated = _first_repeated(before, [same_call(call) for call in said.calls])
        end = self._called(said.calls[:repeated]) if repeated != 0 else None
        if end is None and repeated is not None:
            return self._with_results(End("incomplete", "repeated_action"), cancelled=False)
        return end

    def _called(self, calls: Sequence[ToolCall]) -> End | None:
        """Do calls of the last step; a step whose calls all have results is counted and kept in the checkpoint."""
        works = CallWorks(self._tools, self._works.exact, self._works.clock, self._hear_out)
        end = StepCalls(works, self._writer, self._go_on).run(calls)
        if end is not None:
            return self._stopped() if end.status == "cancelled" else end
        if self._open_calls():
            return None
        self._steps += 1
        try:
            self._checkpoints.save(self._steps)
        except StorageError as error:
            log.warning("the checkpoint of a turn could not be written (%s)", error.kind)
            return End("failed", "checkpoint", fault=("checkpoint", error.kind), action="free_space")
        return None

    def _last(self, reply: ChatReply, said: KeptReply) -> End:
        """The end of a turn with this answer."""
        said = replace(said, calls=())
        if not reply.cut:
            events, leaf = self._writer.answer(said, self._checkpoints.prompt_id)
            return End("completed", "length" if reply.finish == "length" else "answered", events, leaf)
        end = End("failed", _CUT[reply.cut], fault=(_CUT[reply.cut], "")) if reply.cut in _CUT else self._stopped()
        if said.empty:
            return end
        events, leaf = self._writer.answer(said, self._checkpoints.prompt_id, "stopped")
        return replace(end, events=events, leaf_id=leaf, keeps=False)

    def _stopped(self) -> End:
        """The end when nobody wants to go on: the person, or the clock."""
        if self._late() and self._person_goes_on():
            return self._with_results(End("incomplete", "time", keeps=True), cancelled=True)
        return self._with_results(End("cancelled", "stopped"), cancelled=True)

    def _with_results(self, end: End, *, cancelled: bool) -> End:
        """An end with a result for each call that has none yet."""
        calls = self._open_calls()
        if not calls:
            return end
        events, leaf = self._writer.results(calls, "cancelled", STOPPED_TEXT if cancelled else _REPEATED)
        return replace(end, events=events, leaf_id=leaf)

    def _finished(self, end: End) -> TurnOutcome:
        """Commit the end; what does not fit into the log any more is left out rather than the end itself."""
        noted = [] if end.fault is None else [ErrorNoted(kind=end.fault[0], detail=end.fault[1])]
        status = TurnEnded(status=end.status, stop_reason=end.reason, steps=self._steps,
                           blocked_reason=end.blocked, required_action=end.action)  # fmt: skip
        closing = [self._writer.event(each) for each in (*noted, status)]
        try:
            self._writer.commit([*end.events, *closing], end.leaf_id)
        except BinyError as error:
            log.warning("the end of a turn could not be written (%s)", error.kind)
            end = self._barely(End("failed", "storage"))
        self._checkpoints.end(end, self._steps)
        return TurnOutcome(end.status, end.reason, self._writer.leaf or "", self._steps)

    def _barely(self, end: End) -> End:
        events = (ErrorNoted(kind="storage"), TurnEnded(status=end.status, stop_reason=end.reason, steps=self._steps))
        try:
            self._writer.commit([self._writer.event(each) for each in events])
        except BinyError:  # recovery tells of it from the log at the next start
            return replace(end, keeps=True)
        return end

    # -- what the loop asks --------------------------------------------------------------------------------------------

    def _usable_tools(self) -> dict[str, Tool]:
        """Looked up before every step, so that a setting or a folder taken away counts at once."""
        hidden = self._writer.log.incognito
        on = self._works.settings().agent.tools and not self._no_tools_told
        found = self._works.toolbox.tools(incognito=hidden) if on else {}
        return {name: tool for name, tool in found.items() if not hidden or name == _INCOGNITO_TOOL}

    def _open_calls(self) -> list[ToolCall]:
        """The calls of the last step of this turn that have no result."""
        answered: set[str] = set()
        for node in reversed(self._writer.path()):
            if node.turn_id != self._start.turn_id or node.role == "user":
                break
            if node.role == "assistant":
                return [call for call in node.tool_calls if call.id not in answered]
            answered.add(str(node.call_id))
        return []

    def _same_calls(self) -> list[str]:
        """The last calls of this turn on the path."""
        calls = [
            call for node in self._writer.path() if node.turn_id == self._start.turn_id for call in node.tool_calls
        ]
        return [same_call(call) for call in calls[-(SAME_CALL - 1) :]]

    def _finish(self) -> bool:
        finish = self._steps >= self._agent.soft_steps
        if finish and not self._finish_told:
            self._finish_told = True
            self._hear("notice", "finishing")
        return finish

    def _late(self) -> bool:
        return self._works.clock.mono_ms() >= self._ends_ms

    def _go_on(self) -> bool:
        return self._person_goes_on() and not self._late()

    def _tell(self, kind: Told, text: str) -> None:
        if kind == "tools_refused":
            if not self._no_tools_told:
                self._no_tools_told = True
                self._hear("notice", kind)
        elif kind in ("delta", "reasoning"):
            self._hear(kind, text)
        elif kind == "compacted":
            self._hear("compacted")
        else:
            self._hear("notice", kind)

    def _hear(self, kind: StepKind, text: str = "") -> None:
        self._hear_out(Heard(self._start.session_id, self._start.turn_id, kind, text))


def _first_repeated(before: Sequence[str], calls: Sequence[str]) -> int | None:
    """The place of the first call that makes `SAME_CALL` of a kind in a row; None if there is none."""
    row = [*before, *calls]
    for n in range(len(before), len(row)):
        last = row[max(0, n - SAME_CALL + 1) : n + 1]
        if len(last) == SAME_CALL and len(set(last)) == 1:
            return n - len(before)
    return None
