"""What of a message is embedded: with its neighbour, in passages under the limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.search.rows import BEFORE_MAX, BESIDE_TOKENS, passages
from biny_desktop.models.passage_tokens import PARTS_MAX, TOKENS_MAX, estimate_tokens
from biny_desktop.redaction import from_row
from tests.conversation.search.rig import Rig


def rows(rig: Rig) -> dict[int, tuple[str, ...]]:
    with rig.db.read() as r:
        return {row.id: row.passages for row in rig.rows.rows_after(r, 0, 100)}


def test_a_message_goes_with_the_end_of_the_one_before_it_on_its_path(rig: Rig) -> None:
    made = rig.talk()
    question = made.user("q" * 500)
    first = made.answer("the first answer")
    made.retry(first, "another answer")
    made.step("", [("c", "look", "{}", "what a tool said")])
    last = made.answer("the last answer")
    found = rows(rig)
    assert found[rig.number(question)] == ("q" * 500,)
    assert found[rig.number(first)] == ("q" * BEFORE_MAX + "\nthe first answer",)
    assert found[rig.number(last)] == ("another answer\nthe last answer",), "tools are passed over"


def test_a_long_message_has_three_passages_cut_at_spaces() -> None:
    text = " ".join(f"word{n}" for n in range(2_000))
    made = passages(from_row(text), from_row("before"), estimate_tokens)
    assert len(made) == PARTS_MAX
    assert made[0].startswith("before\nword0 ")
    told = " ".join([made[0].removeprefix("before\n"), *made[1:]])
    assert text.startswith(told)
    assert text[len(told)] == " "


@given(st.text(alphabet="ab 预算é\n[:]", max_size=3_000), st.none() | st.text(alphabet="ab 预算", max_size=400))
def test_any_message_gives_few_passages_that_the_model_reads_whole(text: str, before: str | None) -> None:
    made = passages(from_row(text), None if before is None else from_row(before), estimate_tokens)
    assert len(made) <= PARTS_MAX
    assert bool(made) == bool(text.strip())
    assert all(estimate_tokens(part) <= TOKENS_MAX for part in made[1:])
    assert all(estimate_tokens(part) <= BEFORE_MAX + BESIDE_TOKENS + 5 for part in made[:1])


def test_where_the_embedder_counts_more_tokens_the_passages_are_shorter() -> None:
    made = passages(from_row("x y " * 400), None, len)
    assert all(len(part) <= TOKENS_MAX for part in made)


@pytest.mark.parametrize("text", ["", "  \n "])
def test_a_blank_message_has_none(text: str) -> None:
    assert passages(from_row(text), from_row("before"), estimate_tokens) == ()
