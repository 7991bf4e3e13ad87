"""Where a path is cut: whole steps, the rest fits, and what each reason does where it need not be cut."""

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.compaction.cut import Keep, blocks_of, divide, tokens_of
from biny_desktop.conversation.model import Message
from biny_desktop.models.model import ToolCall
from biny_desktop.redaction import from_row


def message(n: int, role: str, size: int, calls: int = 0) -> Message:
    made = tuple(ToolCall(f"c{n}-{j}", "look", "{}") for j in range(calls))
    return Message(f"m{n}", "s", None, "x", role, n, from_row("x" * size), 0, "UTC", tool_calls=made)  # type: ignore[arg-type]


@st.composite
def histories(draw: st.DrawFn) -> list[Message]:
    out: list[Message] = []
    for _turn in range(draw(st.integers(0, 8))):
        out.append(message(len(out), "user", draw(st.integers(1, 400))))
        for _step in range(draw(st.integers(0, 3))):
            calls = draw(st.integers(0, 3))
            out.append(message(len(out), "assistant", draw(st.integers(0, 400)), calls))
            out.extend(message(len(out) + j, "tool", draw(st.integers(0, 400))) for j in range(calls))
    return out


@given(
    history=histories(), tokens=st.integers(1, 600), most=st.one_of(st.none(), st.integers(1, 10)), auto=st.booleans()
)
def test_a_cut_never_parts_a_call_from_its_results_and_the_rest_fits_or_is_the_last_step(
    history: list[Message], tokens: int, most: int | None, auto: bool
) -> None:
    made = divide(history, Keep(tokens, most), automatic=auto)
    if made is None:
        assert len(blocks_of(history)) < 2
        return
    assert [*made.covered, *made.kept] == history
    assert made.covered
    if made.kept:
        assert made.kept[0].role != "tool"
        assert tokens_of(made.kept) <= tokens or len(blocks_of(made.kept)) == 1
        assert most is None or len(made.kept) <= most or len(blocks_of(made.kept)) == 1
    else:
        assert not auto


@given(history=histories(), tokens=st.integers(1, 600))
def test_it_is_the_earliest_place_whose_rest_fits(history: list[Message], tokens: int) -> None:
    blocks = blocks_of(history)
    made = divide(history, Keep(tokens), automatic=True)
    if made is None or tokens_of(history) <= tokens:
        return
    place = len(blocks_of(made.covered))
    assert place == 1 or tokens_of([each for block in blocks[place - 1 :] for each in block]) > tokens


def test_an_overflow_gives_up_at_least_half_of_what_the_estimate_lets_stay() -> None:
    history = [message(n, "user" if n % 2 == 0 else "assistant", 300) for n in range(8)]
    made = divide(history, Keep(100_000), automatic=True, overflow=True)
    assert made is not None
    assert tokens_of(made.kept) <= tokens_of(history) // 2


def test_by_hand_all_is_summed_up_where_nothing_has_to_be_cut_and_of_itself_nothing() -> None:
    alone = [message(0, "user", 100)]
    made = divide(alone, Keep(1), automatic=False)
    assert made is not None
    assert made.kept == ()
    assert divide(alone, Keep(1), automatic=True) is None
    assert divide([], Keep(1), automatic=False) is None
