"""Exact calls of all chats in the inbox, from real rows of the log."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.conversation.approvals import VALID_MS
from biny_desktop.conversation.model import Approval
from biny_desktop.conversation.ports import Admission
from biny_desktop.conversation.session_events import SessionChanged
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ToolCall
from biny_desktop.redaction import safe_constant
from biny_desktop.service.approvals import Approvals
from biny_desktop.service.approvals.calls import ExactCallKind
from tests.fakes.turn_home import RUN, TURN, TurnHome


class Rig:
    """An inbox over one stored chat; answers are noted without a desk that would go on with the turn."""

    def __init__(self, home: TurnHome) -> None:
        self.home, self.clock = home, home.clock
        self.inbox = Approvals([ExactCallKind(home.db, self, home.clock)])
        home.say("tidy the note")

    def answer(self, session_id: str, approval_id: str, *, approve: bool, revision: int) -> None:
        self.home.exact.answer(session_id, approval_id, approve, revision)

    def ask(self, n: int = 0, tool: str = "write_file") -> Approval:
        (call,) = self.home.calls(tool)
        self.clock.advance(1_000)
        admission = Admission(
            {"path": f"notes/{n}.md", "text": "x"}, approval=safe_constant("--- a\n+++ a\n+x"), reason="you asked"
        )
        made = ToolCall(call.id, tool, call.arguments)
        return self.home.exact.ask(self.home.session, TURN, RUN, made, admission)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    home = TurnHome(tmp_path)
    yield Rig(home)
    home.close()


def test_a_call_is_shown_with_its_change_its_reason_and_its_message(rig: Rig) -> None:
    rig.home.put(SessionChanged(title="Notes", title_by="user"))
    asked = rig.ask(7)
    message = rig.home.leaf
    item = rig.inbox.show(f"call:{asked.id}")
    assert (item.title, item.why, item.comes_from) == ("Write notes/7.md", "you asked", "Notes")
    assert (item.evidence, item.form) == ("--- a\n+++ a\n+x", "diff")
    assert isinstance(item.evidence, RedactedText)
    assert "+x" not in repr(item)
    assert (item.status, item.expires_at_ms) == ("open", asked.asked_at_ms + VALID_MS)
    assert item.source is not None
    assert (item.source.kind, item.source.ref) == ("message", message)
    assert (item.editable, item.never, item.turn_id) == (False, False, TURN)
    assert rig.inbox.page().items == (item,)


def test_the_message_is_the_one_that_made_the_call_though_ids_of_calls_repeat(rig: Rig) -> None:
    asked = rig.ask(1)
    first = rig.home.leaf
    rig.clock.advance(1_000)
    rig.home.calls("write_file")
    source = rig.inbox.show(f"call:{asked.id}").source
    assert source is not None
    assert source.ref == first != rig.home.leaf


def test_another_tool_is_named(rig: Rig) -> None:
    item = rig.inbox.show(f"call:{rig.ask(tool='look').id}")
    assert (item.title, item.form) == ("Use the tool look", "text")
    assert item.comes_from


def test_pages_are_newest_first(rig: Rig) -> None:
    asked = [rig.ask(n).id for n in range(5)]
    first = rig.inbox.page(limit=2)
    second = rig.inbox.page(limit=2, before=first.next)
    third = rig.inbox.page(limit=2, before=second.next)
    ids = [each.id for page in (first, second, third) for each in page.items]
    assert ids == [f"call:{each}" for each in reversed(asked)]
    assert (third.next, third.open) == (None, 5)


def test_a_call_is_allowed_or_refused_once(rig: Rig) -> None:
    one, other = (rig.inbox.show(f"call:{rig.ask(n).id}") for n in range(2))
    assert rig.inbox.accept(one.id, one.revision).status == "accepted"
    assert rig.inbox.refuse(other.id, other.revision).status == "refused"
    assert rig.inbox.count_open() == 0
    assert [each.status for each in rig.inbox.page(which="answered").items] == ["refused", "accepted"]
    for each in (one, other):
        with pytest.raises(InvalidInputError):
            rig.inbox.accept(each.id, rig.inbox.show(each.id).revision)


def test_a_used_one_says_so(rig: Rig) -> None:
    item = rig.inbox.show(f"call:{rig.ask().id}")
    rig.inbox.accept(item.id, item.revision)
    (approval,) = rig.home.stored.approvals(rig.home.session)
    rig.home.stored.append(rig.home.session, [rig.home.exact.used(approval, TURN, RUN)])
    assert rig.inbox.show(item.id).status == "used"


def test_an_expired_one_is_shown_as_such_and_cannot_be_used(rig: Rig) -> None:
    item = rig.inbox.show(f"call:{rig.ask().id}")
    rig.clock.advance(VALID_MS)
    assert rig.inbox.show(item.id).status == "expired"
    assert rig.inbox.page().items == ()
    assert rig.inbox.count_open() == 0
    assert [each.id for each in rig.inbox.page(which="answered").items] == [item.id]
    with pytest.raises(InvalidInputError):
        rig.inbox.accept(item.id, item.revision)


def test_a_call_is_neither_edited_nor_refused_for_ever(rig: Rig) -> None:
    item = rig.inbox.show(f"call:{rig.ask().id}")
    with pytest.raises(InvalidInputError):
        rig.inbox.accept(item.id, item.revision, "other text")
    with pytest.raises(InvalidInputError):
        rig.inbox.never(item.id, item.revision)
    with pytest.raises(StaleRevisionError):
        rig.inbox.accept(item.id, item.revision + 1)
    assert rig.inbox.show(item.id).status == "open"


def test_what_was_deleted_is_gone(rig: Rig) -> None:
    with pytest.raises(NotFoundError):
        rig.inbox.show("call:none")


def test_an_approval_without_readable_arguments_is_still_shown(rig: Rig) -> None:
    asked = rig.ask()
    with rig.home.db.write() as w:
        w.run("UPDATE approvals SET args = 'damaged'")
    assert rig.inbox.show(f"call:{asked.id}").title == "Write …"
