"""A summary made to fit: fewer and shorter items a field, the newest kept (spec 05 §3.1.4)."""

from collections.abc import Callable
from typing import Final

from biny_desktop.conversation.agent.fencing import first
from biny_desktop.conversation.compaction.merge import State
from biny_desktop.conversation.model import FieldName, SummaryItem
from biny_desktop.redaction import from_row

STEPS: Final = ((16, 160), (8, 120), (4, 80), (2, 40), (1, 20), (1, 8))
"""Items a field (and sources an item) and tokens an item, tried in order; the last is taken whatever it takes."""


def shrunk(state: State, tokens: Callable[[State], int], limit: int) -> State:
    """The state itself if it fits, else the first step that does.

    Args:
        tokens: what a state takes as it is sent. limit: what it may take.
    """
    made = state
    for step in (None, *STEPS):
        made = state if step is None else _cut(state, *step)
        if tokens(made) <= limit:
            break
    return made


def _cut(state: State, items: int, tokens: int) -> State:
    made: dict[FieldName, tuple[SummaryItem, ...]] = {}
    for name, found in state.items():
        # Of steps the first is what comes next; everywhere else the newest stands last.
        kept = found[:items] if name == "next_steps" else found[-items:]
        made[name] = tuple(SummaryItem(first(from_row(each.text), tokens), each.evidence[:items]) for each in kept)
    return made
