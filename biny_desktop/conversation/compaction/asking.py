"""The question for a summary: within one deadline, asked once more where the answer was cut off (spec 05 §3.1.3)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.compaction.answer import TEXT_MAX, SummaryAnswer
from biny_desktop.conversation.compaction.cut import Division
from biny_desktop.conversation.compaction.material import Material, escaped
from biny_desktop.conversation.model import CompactionFault
from biny_desktop.core.clock import Clock
from biny_desktop.core.text import RedactedText
from biny_desktop.models.client import ModelClient
from biny_desktop.models.model import Answer, Failure, Slot, Task
from biny_desktop.models.prompts import Part
from biny_desktop.redaction import cut, from_row, joined, safe_constant

PROMPT: Final = "conversation_compaction"
TIMEOUT_S: Final = 300.0
IDLE_S: Final = 30.0
"""Spec 05 §3.1.3: for all of it, and without a token."""
ITEMS_MAX: Final = 16
ITEM_TOKENS: Final = 120
"""A field is asked for as many items as would fill the summary with items of this length, at most 16."""
_SHORTER: Final = safe_constant(
    "Your last answer was cut off. Answer with at most half as many items, and shorter ones."
)
_FAULTS: Final[dict[str, CompactionFault]] = {
    "no_model": "no_model", "truncated": "output_truncated", "invalid_json": "invalid_structure",
    "invalid_shape": "invalid_structure", "empty": "empty_summary",
}  # fmt: skip
_DETAILS: Final[dict[str, CompactionFault]] = {
    "stream": "incomplete_response", "disconnected": "incomplete_response", "idle": "incomplete_response",
    "too_long": "input_budget",
}  # fmt: skip
"""Faults in which a part of an answer may have come, or the question was too long."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of which model; `tokens` of the answer at most."""

    slot: Slot
    material: Material
    division: Division
    tokens: int
    go_on: Callable[[], bool]


def ask(client: ModelClient, clock: Clock, question: Question) -> Answer[SummaryAnswer] | CompactionFault:
    """What the model answers, unchecked, or why there is nothing."""
    limits = _limits(question.division, question.tokens)
    end_ms = clock.mono_ms() + round(TIMEOUT_S * 1000)
    for wishes in ((limits,), (limits, _SHORTER)):
        left_s = (end_ms - clock.mono_ms()) / 1000
        task = Task(PROMPT, question.slot, question.tokens, left_s, idle_s=IDLE_S)
        parts = [
            Part("limits", joined(wishes)),
            Part("previous", question.material.previous),
            Part("material", question.material.text),
        ]
        heard = client.ask(task, SummaryAnswer, [each for each in parts if each.text], question.go_on)
        if isinstance(heard, Answer):
            return heard
        if heard.kind != "truncated":
            return fault_of(heard)
    return "output_truncated"


def fault_of(failure: Failure) -> CompactionFault:
    """A failure of a model as one of a summary."""
    return _DETAILS.get(failure.detail) or _FAULTS.get(failure.kind, "provider_error")


def _limits(division: Division, tokens: int) -> RedactedText:
    """What the model is told of its room, and of the request that is being worked on where the cut parts a turn."""
    items = max(1, min(ITEMS_MAX, tokens // ITEM_TOKENS))
    lines = [safe_constant("At most this many items a field: "), from_row(str(items))]
    if division.kept and division.kept[0].role != "user":
        request = next((each for each in reversed(division.covered) if each.role == "user"), None)
        if request is not None:
            said = escaped(cut(request.content, 0, TEXT_MAX))
            lines += [safe_constant("\nThe request that is being worked on: "), said]
    return joined(lines, "")
