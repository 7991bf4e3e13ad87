"""What a run of the agent takes and gives, and its limits (spec 05 §8.3)."""

from dataclasses import dataclass
from typing import Final, Literal

from biny_desktop.conversation.model import TurnStatus

CALLS_A_STEP: Final = 64
SAME_CALL: Final = 3
"""So often in a row the same call ends the turn."""
READS_AT_ONCE: Final = 4
TURN_MS: Final = 30 * 60 * 1000
OVERFLOWS: Final = 2
"""Compactions after the server said that a request is too long, in one run (spec 05 §3)."""
PROMPT: Final = "conversation_agent"
"""The prompt file with the rules."""
TASK: Final = "conversation_chat"
"""The name of a chat request in the ledger."""


@dataclass(frozen=True, slots=True)
class TurnStart:
    """Which turn to run. `answer`: its user message is the leaf of the active path; `retry`: a new version of the
    assistant node `retry_of`; `resume`: go on from the active path after `completed_steps` steps."""

    session_id: str
    turn_id: str
    run_id: str
    kind: Literal["answer", "retry", "resume"]
    retry_of: str | None = None
    completed_steps: int = 0


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """How a run ended. `leaf_id`: the last node of it, or the one that it would have answered.

    `stop_reason`: `answered`, `length` (the answer was cut at its longest), `stopped`, `repeated_action`, `exhausted`
    (no steps left), `time`, `approval`, `unknown_effect`, `too_long`, `checkpoint` (the state could not be written),
    `read_only` (a summary could not be written), `storage`, `internal`, `broken` and `silent` (the answer broke off or
    stood still), or the kind of a `models.model.Failure`.
    """

    status: TurnStatus
    stop_reason: str
    leaf_id: str
    steps: int
