"""The calls of one step: checked, approved where a person has to, carried out, their results committed.

Reads in a row run at once; everything else one by one, in order. Once a call waits for a person, later calls that
change something wait with it; reads go on, and what else needs an approval is asked for in the same pause.
"""

import functools
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.agent.at_once import AtOnce
from biny_desktop.conversation.agent.kept import arguments_of
from biny_desktop.conversation.agent.model import CALLS_A_STEP, READS_AT_ONCE
from biny_desktop.conversation.agent.operations import Operation, operation
from biny_desktop.conversation.agent.writer import End, TurnWriter
from biny_desktop.conversation.approvals import ExactCalls
from biny_desktop.conversation.model import ToolStatus
from biny_desktop.conversation.ports import Admission, Heard, StepKind, Tool, ToolAnswer
from biny_desktop.conversation.session_events import NewEvent
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, StorageError
from biny_desktop.core.ids import new_id
from biny_desktop.models.model import ToolCall
from biny_desktop.redaction import safe_constant

log = logging.getLogger(__name__)
_ABANDONABLE: Final = ("read", "local")
"""Effects that a stop gives up: a read has none, the one of `local` is its events, which are not committed then. A
`file` or `external` one is waited for, since nobody could say what came of it."""
STOPPED_TEXT: Final = safe_constant("The person stopped this turn before the call was done.")
_REFUSED: Final = safe_constant(
    "The person refused this call. Do not try the same in another way; ask what they want instead."
)
_NOT_JSON: Final = safe_constant("The arguments are not one JSON object. Call it again with a complete one.")
_UNKNOWN_TOOL: Final = "There is no tool of this name. You have: {names}."
_TOO_MANY: Final = safe_constant(f"Not done: one step has at most {CALLS_A_STEP} calls. Call it again if it is needed.")
_BROKE: Final = safe_constant("The tool failed by a fault of the program.")
_NOT_KEPT: Final = safe_constant("Not done: what it should change was changed by somebody else, or is not allowed.")
_STOPPED: Final = End("cancelled", "stopped")
_WAITS: Final = End("blocked", "approval", blocked="missing_user_input", action="answer_approval", keeps=True)
_UNKNOWN: Final = End("blocked", "unknown_effect", blocked="unsafe_action_required", action="look_yourself", keeps=True)


@dataclass(frozen=True, slots=True)
class CallWorks:
    """What calls are carried out with. `hear` gets kind, name and call id."""

    tools: Mapping[str, Tool]
    exact: ExactCalls
    clock: Clock
    hear: Callable[[Heard], None]


class StepCalls:
    """Carries out calls of one step, in the thread of the turn."""

    def __init__(self, works: CallWorks, writer: TurnWriter, go_on: Callable[[], bool]) -> None:
        self._works, self._writer, self._go_on = works, writer, go_on
        self._stopped = threading.Event()
        self._scene = writer.scene(lambda: not self._stopped.is_set())

    def run(self, calls: Sequence[ToolCall]) -> End | None:
        """Carry them out; None when each has its result, else how the turn stands.

        Raises:
            StorageError: something could not be committed; what was done before is.
        """
        reads: list[Operation] = []
        waiting = False
        for n, call in enumerate(calls):
            found = self._checked(call) if n < CALLS_A_STEP else ToolAnswer("failed", _TOO_MANY)
            if isinstance(found, Operation) and found.record.effect == "read":
                reads.append(found)
                continue
            end = self._carry_out(reads)
            reads = []
            if found is None:
                waiting = True
            elif isinstance(found, ToolAnswer):
                self._commit_results([(call, found, None)])
            elif end is None and not waiting:
                end = self._carry_out([found])
            if end is not None:
                return end
        return self._carry_out(reads) or (_WAITS if waiting else None)

    def _checked(self, call: ToolCall) -> Operation | ToolAnswer | None:
        """The operation, an answer that refuses it, or None when it waits for a person."""
        tool = self._works.tools.get(call.name)
        if tool is None:
            names = ", ".join(sorted(self._works.tools)) or "-"
            return ToolAnswer("failed", safe_constant(_UNKNOWN_TOOL.format(names=names)))
        if arguments_of(call) is None:
            return ToolAnswer("failed", _NOT_JSON)
        admission = self._admitted(tool, call)
        if isinstance(admission, ToolAnswer):
            return admission
        return self._allowed(self._operation(call, tool, admission))

    def _admitted(self, tool: Tool, call: ToolCall) -> Admission | ToolAnswer:
        try:
            return tool.admit(call.arguments, self._scene)
        except StorageError:
            raise
        except Exception as error:  # a tool's bug is told to the model, and the turn goes on
            log.error("the tool %s could not check a call (%s)", tool.spec.name, type(error).__name__)
            return ToolAnswer("failed", _BROKE)

    def _operation(self, call: ToolCall, tool: Tool, admission: Admission) -> Operation:
        now = self._works.clock.now_ms()
        return operation(call, tool, admission, self._scene, new_id(now), now)

    def _allowed(self, made: Operation) -> Operation | ToolAnswer | None:
        """The operation once a person allowed exactly this call; asks where nobody did yet."""
        scene, record = self._scene, made.record
        if made.admission.approval is None:
            return made
        standing = self._works.exact.standing(scene.session_id, record.tool, record.args_hash, scene.turn_id)
        if standing is None:
            self._works.exact.ask(scene.session_id, scene.turn_id, scene.run_id, made.call, made.admission)
            self._hear("approval", made.call)
            return None
        if standing.status == "refused":
            return ToolAnswer("failed", _REFUSED)
        if standing.status == "open":
            return None
        return Operation(made.call, made.tool, made.admission, made.record, standing)

    def _carry_out(self, operations: Sequence[Operation]) -> End | None:
        """Do them, at once if they are several, and commit what came of them; how the turn stands if it has to end."""
        if not self._go_on():
            return _STOPPED
        if not operations:
            return None
        self._begin(operations)
        for each in operations:
            self._hear("tool_started", each.call)
        abandonable = all(each.record.effect in _ABANDONABLE for each in operations)
        work = [functools.partial(self._answer, each) for each in operations]
        answers = AtOnce(work, READS_AT_ONCE, self._stopped).run(self._go_on if abandonable else None)
        told = [ToolAnswer("cancelled", STOPPED_TEXT) if answer is None else answer for answer in answers]
        calls = [each.call for each in operations]
        self._commit_results(list(zip(calls, told, operations, strict=True)))
        if any(answer.status == "unknown" for answer in told):
            return _UNKNOWN
        return _STOPPED if None in answers else None

    def _begin(self, operations: Sequence[Operation]) -> None:
        """Write down that they are about to be done: for reads in one go, else admission and beginning apart."""
        admitted: list[NewEvent] = []
        for each in operations:
            if each.approval is not None:
                admitted.append(self._works.exact.used(each.approval, self._scene.turn_id, self._scene.run_id))
            admitted.append(self._writer.event(each.written("admitted")))
        running = [self._writer.event(each.written("running")) for each in operations]
        if all(each.record.effect == "read" for each in operations):
            self._writer.commit([*admitted, *running])
            return
        self._writer.commit(admitted)
        self._writer.commit(running)

    def _answer(self, made: Operation) -> ToolAnswer:
        """What came of it; runs in a thread of `AtOnce`, so nothing gets out of here."""
        try:
            return made.tool.run(made.admission, self._scene)
        except Exception as error:  # a tool's bug is told to the model, and the turn goes on
            log.error("the tool %s failed (%s)", made.call.name, type(error).__name__)
            return ToolAnswer(self._found(made), _BROKE)

    def _found(self, made: Operation) -> ToolStatus:
        if made.record.effect in _ABANDONABLE:
            return "failed"
        try:
            return made.tool.found(made.record)
        except Exception as error:  # nobody knows then
            log.error("the tool %s could not look (%s)", made.call.name, type(error).__name__)
            return "unknown"

    def _commit_results(self, results: Sequence[tuple[ToolCall, ToolAnswer, Operation | None]]) -> None:
        try:
            self._commit_all(results)
        except StorageError:
            raise
        except BinyError:  # the events of a `local` tool do not fit the session any more: nothing of them was kept
            self._commit_all([(call, ToolAnswer("failed", _NOT_KEPT), made) for call, _, made in results])
        for call, _, made in results:
            if made is not None:
                self._hear("tool_ended", call)
        self._hear("step")

    def _commit_all(self, results: Sequence[tuple[ToolCall, ToolAnswer, Operation | None]]) -> None:
        events: list[NewEvent] = []
        leaf = self._writer.leaf
        for call, answer, made in results:
            operation_id = ""
            if made is not None:
                operation_id = made.record.operation_id
                events += map(self._writer.adopted, answer.events)
                events.append(self._writer.event(made.written("committed", answer.status)))
            event, leaf = self._writer.result(call, answer.status, answer.content, leaf, operation_id)
            events.append(event)
        self._writer.commit(events, leaf)

    def _hear(self, kind: StepKind, call: ToolCall | None = None) -> None:
        name, call_id = ("", "") if call is None else (call.name, call.id)
        self._works.hear(Heard(self._scene.session_id, self._scene.turn_id, kind, "", name, call_id))
