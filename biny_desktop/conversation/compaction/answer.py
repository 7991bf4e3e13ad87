"""A model's summary, checked: every item names sources that exist, what is `done` was shown done (spec 05 §3.1)."""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from biny_desktop.conversation.compaction.material import Source
from biny_desktop.conversation.model import CompactionFault, FieldName
from biny_desktop.core.text import normalise

TEXT_MAX: Final = 400
"""Characters of an item (spec 05 §3.1.1)."""
_NOTHING: Final = frozenset(
    ("", "-", "–", "none", "nothing", "unknown", "n/a", "na", "null", "nil", "tbd", "not applicable", "无", "没有",
     "暂无", "未知", "不适用")
)  # fmt: skip


class AnswerItem(BaseModel):
    """One item as a model writes it."""

    model_config = ConfigDict(extra="ignore")
    text: str = Field(max_length=TEXT_MAX)
    evidence: list[str] = Field(max_length=64)


Items = Annotated[list[AnswerItem], Field(max_length=200)]


class SummaryAnswer(BaseModel):
    """The nine fields that a model fills; a missing one is empty."""

    model_config = ConfigDict(extra="ignore")
    goal: Items = []
    constraints: Items = []
    done: Items = []
    in_progress: Items = []
    blocked: Items = []
    decisions: Items = []
    errors_and_fixes: Items = []
    next_steps: Items = []
    critical_context: Items = []

    def fields(self) -> dict[FieldName, list[AnswerItem]]:
        """Its items by field, in the order of a summary."""
        return {
            "goal": self.goal, "constraints": self.constraints, "done": self.done, "in_progress": self.in_progress,
            "blocked": self.blocked, "decisions": self.decisions, "errors_and_fixes": self.errors_and_fixes,
            "next_steps": self.next_steps, "critical_context": self.critical_context,
        }  # fmt: skip


Checked = Mapping[FieldName, tuple[AnswerItem, ...]]


def checked(answer: SummaryAnswer, sources: Mapping[str, Source]) -> Checked | CompactionFault:
    """The items that say something; one unknown or missing source anywhere rejects all of them."""
    fields: dict[FieldName, tuple[AnswerItem, ...]] = {}
    for name, said in answer.fields().items():
        items = [each for each in said if not _says_nothing(each.text)]
        for item in items:
            if not item.evidence or any(each not in sources for each in item.evidence):
                return "invalid_evidence"
            if name == "done" and not any(sources[each].proves for each in item.evidence):
                return "invalid_evidence"
        fields[name] = tuple(items)
    return fields


def _says_nothing(text: str) -> bool:
    return normalise(text).strip(" .。!！*") in _NOTHING
