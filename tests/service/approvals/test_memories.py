"""Memories of other tools in the inbox: pages, answers, what a person reads."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.service.approvals import Approvals
from biny_desktop.service.approvals.memories import ImportedMemoryKind
from tests.fakes.import_home import SAMPLES, ImportHome, import_home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[ImportHome]:
    with import_home(tmp_path / "home") as made:
        made.bring(SAMPLES / "chatgpt")
        made.clock.advance(60_000)
        made.bring(SAMPLES / "claude")
        yield made


@pytest.fixture
def inbox(home: ImportHome) -> Approvals:
    return Approvals([ImportedMemoryKind(home.memories, home.clock)])


def test_pages_hold_every_memory_once_newest_first(inbox: Approvals) -> None:
    whole = inbox.page().items
    assert len(whole) == 8
    assert [each.comes_from.split(",")[0] for each in whole] == ["Claude"] * 4 + ["ChatGPT"] * 4
    found, before = [], None
    while True:
        page = inbox.page(limit=3, before=before)
        found += page.items
        assert page.open == 8
        before = page.next
        if before is None:
            break
    assert found == list(whole)


def test_a_person_reads_the_text_where_it_stood_and_what_accepting_does(inbox: Approvals) -> None:
    item = next(each for each in inbox.page().items if each.evidence == "Answer briefly.")
    assert item.title == "Custom instructions of ChatGPT"
    assert item.comes_from == "ChatGPT, conversations.json, conversation 1, message 3"
    assert (item.status, item.form, item.editable, item.never) == ("open", "text", True, True)
    assert item.effect


def test_answers_are_given_once_and_seen(inbox: Approvals) -> None:
    first, second, third, *_rest = inbox.page().items
    assert inbox.accept(first.id, first.revision, "In other words").evidence == "In other words"
    assert inbox.refuse(second.id, second.revision).status == "refused"
    assert inbox.never(third.id, third.revision).status == "never"
    assert inbox.count_open() == 5
    assert {each.id for each in inbox.page(which="answered").items} == {first.id, second.id, third.id}
    with pytest.raises(InvalidInputError):
        inbox.refuse(first.id, first.revision + 1)
    with pytest.raises(StaleRevisionError):
        inbox.accept(inbox.page().items[0].id, 9)


@pytest.mark.parametrize("ref", ["x", "", "-1", "99", "9" * 40])
def test_what_is_not_there_is_said(inbox: Approvals, ref: str) -> None:
    with pytest.raises(NotFoundError):
        inbox.show(f"memory:{ref}")
