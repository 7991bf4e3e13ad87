"""Effect records of calls: written down before the effect, with its end in one transaction with the result."""

from dataclasses import dataclass

from biny_desktop.conversation.approvals import args_hash, canonical
from biny_desktop.conversation.model import Approval, Execution, ToolStatus
from biny_desktop.conversation.ports import Admission, Tool, ToolScene
from biny_desktop.conversation.session_events import ToolExecution
from biny_desktop.models.model import ToolCall


@dataclass(frozen=True, slots=True)
class Operation:
    """A call that may run: its tool, what was checked, its record, and the approval it uses up, if it needs one."""

    call: ToolCall
    tool: Tool
    admission: Admission
    record: Execution
    approval: Approval | None = None

    def written(self, state: str, status: ToolStatus | None = None) -> ToolExecution:
        """The record as an event, in `admitted`, `running` or `committed`."""
        record = self.record
        return ToolExecution(
            call_id=record.call_id,
            operation_id=record.operation_id,
            tool=record.tool,
            args=record.args,
            args_hash=record.args_hash,
            effect=record.effect,
            state="admitted" if state == "admitted" else "running" if state == "running" else "committed",
            status=status,
            target=record.target,
            before_hash=record.before_hash,
            intended_hash=record.intended_hash,
        )


def operation(
    call: ToolCall, tool: Tool, admission: Admission, scene: ToolScene, operation_id: str, now_ms: int
) -> Operation:
    """The operation of an admitted call."""
    record = Execution(
        operation_id, scene.session_id, scene.turn_id, scene.run_id, call.id, call.name,
        canonical(admission.args), args_hash(call.name, admission.args), tool.effect, "running", now_ms,
        target=admission.target, before_hash=admission.before_hash, intended_hash=admission.intended_hash,
    )  # fmt: skip
    return Operation(call, tool, admission, record)
