"""Trees out of anything: parents first, no loops, nothing lost that should stay."""

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.drafts import TEXT_MAX
from biny_desktop.conversation.importers import tidy as module
from biny_desktop.conversation.importers.source import Said, SourceConversation, SourceNode, Tally
from biny_desktop.conversation.importers.tidy import TidyConversation, tidy

NAMES = [str(n) for n in range(8)]
NODES = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.none() | st.sampled_from([*NAMES, "nowhere"]),
        st.sampled_from(["keep", "keep", "skip", "empty"]),
        st.none() | st.sampled_from([1.7e9, 1.6e9, "2026-01-01T00:00:00Z", "never", 5]),
    ),
    max_size=12,
)


def made(*nodes: tuple[str, str | None, str, object], current: str | None = None) -> tuple[TidyConversation, Tally]:
    found = SourceConversation("c", current=current)
    for name, parent, what, time in nodes:
        said = None if what == "skip" else Said("user", "" if what == "empty" else f"text {name}")
        found.nodes.append(SourceNode(name, parent, said, "tool" if said is None else "", time))  # type: ignore[arg-type]
    tally = Tally()
    return tidy(found, tally, 1_700_000_000_000), tally


@given(NODES, st.none() | st.sampled_from([*NAMES, "nowhere"]))
def test_every_kept_message_stands_once_after_its_parent(
    nodes: list[tuple[str, str | None, str, object]], current: str | None
) -> None:
    found, _tally = made(*nodes, current=current)
    first = {name: what for name, _parent, what, _time in reversed(nodes)}
    assert sorted(each.id for each in found.messages) == sorted(n for n, what in first.items() if what == "keep")
    seen: set[str] = set()
    for each in found.messages:
        assert each.parent is None or each.parent in seen
        seen.add(each.id)
    parents = {each.id: each.parent for each in found.messages}
    assert bool(found.path) == bool(found.messages)
    for above, below in zip((None, *found.path), found.path, strict=False):
        assert parents[below] == above
    if current in parents:
        assert found.path[-1] == current


def test_children_of_what_is_left_out_move_to_the_nearest_kept_ancestor() -> None:
    found, tally = made(
        ("a", None, "keep", 1.7e9), ("s", "a", "skip", None), ("t", "s", "skip", None), ("b", "t", "keep", None)
    )
    assert [(each.id, each.parent) for each in found.messages] == [("a", None), ("b", "a")]
    assert tally.skipped == {"tool": 2}


def test_a_missing_time_is_that_of_the_message_before_and_flagged() -> None:
    found, tally = made(("a", None, "keep", 1.7e9), ("b", "a", "keep", None), ("c", "b", "keep", "soon"))
    assert [(each.at_ms, each.estimated, each.raw_time) for each in found.messages] == [
        (1_700_000_000_000, False, "1700000000.0"), (1_700_000_000_000, True, ""), (1_700_000_000_000, True, "soon"),
    ]  # fmt: skip
    assert tally.faults == {"bad_time": 1}


def test_a_root_without_a_time_takes_the_first_that_is_known() -> None:
    found, _tally = made(("a", None, "keep", None), ("b", "a", "keep", 1.6e9))
    assert [each.at_ms for each in found.messages] == [1_600_000_000_000] * 2


def test_a_message_that_hangs_on_nothing_follows_the_one_before_it() -> None:
    found, tally = made(("a", None, "keep", 1.6e9), ("b", "gone", "keep", 1.7e9))
    assert [(each.id, each.parent) for each in found.messages] == [("a", None), ("b", "a")]
    assert tally.faults == {"dangling_parent": 1}


def test_a_loop_is_cut_once_and_told_once() -> None:
    found, tally = made(
        ("a", "c", "keep", 1.6e9), ("b", "a", "keep", None), ("c", "b", "keep", None), ("d", "d", "keep", None)
    )
    assert {each.id: each.parent for each in found.messages} == {"a": None, "b": "a", "c": "b", "d": None}
    assert tally.faults == {"cycle": 2}


def test_without_a_current_node_the_newest_leaf_shows() -> None:
    nodes = [("a", None, "keep", 1.6e9), ("b", "a", "keep", 1.65e9), ("c", "a", "keep", 1.62e9)]
    assert made(*nodes)[0].path == ("a", "b")  # type: ignore[arg-type]
    assert made(*nodes, current="c")[0].path == ("a", "c")  # type: ignore[arg-type]
    assert made(*nodes, current="gone")[0].path == ("a", "b")  # type: ignore[arg-type]
    assert made(*nodes)[0].branches == 1  # type: ignore[arg-type]


def test_what_is_too_long_or_says_nothing_is_counted() -> None:
    found = SourceConversation("c", nodes=[
        SourceNode("a", None, Said("user", "x" * (TEXT_MAX + 1))), SourceNode("b", "a", Said("user", "\x00 \n")),
        SourceNode("", "a", Said("user", "no id")), SourceNode("c", "b", Said("user", "here")),
    ])  # fmt: skip
    tally = Tally()
    made_ = tidy(found, tally, 1_700_000_000_000)
    assert [(each.id, each.parent) for each in made_.messages] == [("c", None)]
    assert tally.faults == {"too_large": 1, "empty": 1, "no_id": 1}
    assert module.MESSAGES_MAX < 50_000
