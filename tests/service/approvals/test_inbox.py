"""One inbox over several kinds: one order, whole pages, answers to whom they belong."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.errors import NotFoundError
from biny_desktop.redaction import safe_constant
from biny_desktop.service.approvals import ApprovalItem, Approvals, Cursor, Which
from biny_desktop.service.approvals.model import below


@dataclass
class FakeKind:
    """Items by number, asked at the given times; `done` is what was answered."""

    name: str
    times: Sequence[int] = (1,)
    done: list[tuple[str, str, int, str | None]] = field(default_factory=list)

    def item(self, n: int) -> ApprovalItem:
        answered = any(ref == str(n) for _act, ref, _revision, _text in self.done)
        return ApprovalItem(
            id=f"{self.name}:{n}", kind=self.name, title=f"{self.name} {n}", evidence=safe_constant("evidence"),
            form="text", status="refused" if answered else "open", asked_at_ms=self.times[n - 1], time_zone="UTC",
            effect="",
        )  # fmt: skip

    def page(self, which: Which, limit: int, before: Cursor | None) -> Sequence[ApprovalItem]:
        edge = below(before, self.name)
        items = [self.item(n) for n in range(1, len(self.times) + 1)]
        found = [
            each
            for each in items
            if edge is None or (each.asked_at_ms, number(each.id)) < (edge[0], int(edge[1] or 0))
            if which == "all" or (which == "open") == (each.status == "open")
        ]
        return sorted(found, key=lambda each: (each.asked_at_ms, number(each.id)), reverse=True)[:limit]

    def count_open(self) -> int:
        return len(self.page("open", 1_000, None))

    def show(self, ref: str) -> ApprovalItem:
        return self.item(int(ref))

    def accept(self, ref: str, revision: int, text: str | None) -> None:
        self.done.append(("accept", ref, revision, text))

    def refuse(self, ref: str, revision: int) -> None:
        self.done.append(("refuse", ref, revision, None))

    def never(self, ref: str, revision: int) -> None:
        self.done.append(("never", ref, revision, None))


def number(item_id: str) -> int:
    return int(item_id.partition(":")[2])


@given(
    st.lists(st.integers(1, 4), max_size=12), st.lists(st.integers(1, 4), max_size=12),
    st.lists(st.integers(1, 4), max_size=3), st.integers(1, 5),
)  # fmt: skip
def test_pages_follow_each_other_without_loss_or_repeat(
    calls: list[int], memories: list[int], cards: list[int], limit: int
) -> None:
    kinds = [FakeKind("memory", memories), FakeKind("call", calls), FakeKind("card", cards)]
    inbox, before, seen = Approvals(kinds), None, []
    while True:
        page = inbox.page(limit=limit, before=before)
        assert page.open == inbox.count_open() == len(calls) + len(memories) + len(cards)
        seen += page.items
        if page.next is None:
            break
        assert len(page.items) == limit
        before = page.next
    assert len({each.id for each in seen}) == len(seen) == page.open
    times = [each.asked_at_ms for each in seen]
    assert times == sorted(times, reverse=True)


def test_one_kind_alone_can_be_looked_at() -> None:
    inbox = Approvals([FakeKind("call", (1, 2)), FakeKind("memory", (3,))])
    page = inbox.page("call")
    assert ([each.id for each in page.items], page.open) == (["call:2", "call:1"], 2)


def test_answers_go_to_the_kind_that_asked() -> None:
    call, memory = FakeKind("call", (1, 2)), FakeKind("memory")
    inbox = Approvals([call, memory])
    assert inbox.accept("call:2", 7).status == "refused"
    assert inbox.accept("memory:1", 1, "in other words").id == "memory:1"
    inbox.refuse("call:1", 3)
    inbox.never("memory:1", 2)
    assert call.done == [("accept", "2", 7, None), ("refuse", "1", 3, None)]
    assert memory.done == [("accept", "1", 1, "in other words"), ("never", "1", 2, None)]
    assert inbox.page().items == ()
    assert {each.id for each in inbox.page(which="answered").items} == {"memory:1", "call:2", "call:1"}
    assert inbox.count_open() == 0


@pytest.mark.parametrize("item_id", ["", "call", "other:1", ":1"])
def test_what_there_is_not_is_said_so(item_id: str) -> None:
    inbox = Approvals([FakeKind("memory")])
    for act in (inbox.show, lambda each: inbox.accept(each, 1), lambda each: inbox.refuse(each, 1)):
        with pytest.raises(NotFoundError):
            act(item_id)
    with pytest.raises(NotFoundError):
        inbox.page("other")
