"""Summaries made to fit: the steps in their order, the newest kept."""

from typing import Any

from biny_desktop.conversation.compaction.block import block_of
from biny_desktop.conversation.compaction.merge import State
from biny_desktop.conversation.compaction.shrink import STEPS, shrunk
from biny_desktop.conversation.model import SummaryItem
from biny_desktop.conversation.tokens import bare


def test_a_long_summary_loses_the_oldest_items_first() -> None:
    state: State = {"decisions": tuple(SummaryItem(f"decision {n} " + "x" * 300, (f"m{n}",)) for n in range(40))}

    def size(made: Any) -> int:
        return len(block_of("c", made, by_model=True))

    made = shrunk(state, size, 4_000)
    assert size(made) <= 4_000
    assert made["decisions"][-1].text.startswith("decision 39")
    smallest = shrunk(state, size, 1)
    assert len(smallest["decisions"]) == STEPS[-1][0]


def test_the_largest_step_that_fits_is_taken_and_of_steps_the_next_one_stays() -> None:
    items = tuple(SummaryItem(f"{n}. " + "x" * 900, (f"a{n}", f"b{n}")) for n in range(1, 41))

    def count(made: Any) -> int:
        return sum(map(len, made.values()))

    for most, length in STEPS[:-1]:
        made = shrunk({"next_steps": items, "done": items}, count, 2 * most)
        assert [len(each) for each in made.values()] == [most, most]
        assert all(bare(each.text) <= length and each.evidence for each in made["done"])
        assert made["next_steps"][0].text.startswith("1. ")
        assert made["done"][-1].text.startswith("40. ")
