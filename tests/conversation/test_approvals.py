"""An approval allows one exact call: for a day, answered once, used once, and nothing else makes one."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import biny_desktop
from biny_desktop.conversation.approvals import VALID_MS, ExactCalls, args_hash, canonical, shown_status
from biny_desktop.conversation.log.memory_log import MemoryLog
from biny_desktop.conversation.model import Approval
from biny_desktop.conversation.ports import Admission, ConversationLog
from biny_desktop.conversation.session_events import NewEvent, SessionCreated, UserMessage
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.events import ApprovalsChanged
from biny_desktop.models.model import ToolCall
from biny_desktop.redaction import safe_constant
from tests.fakes.turn_home import TurnHome

CALL = ToolCall("c0", "write_file", "{}")
ARGS = {"path": "notes/a.md", "text": "x"}
HASH = args_hash("write_file", ARGS)
ADMISSION = Admission(ARGS, approval=safe_constant("+x"), reason="tidy up")


class Rig:
    """A log with one session, and what was published."""

    def __init__(self, home: TurnHome, log: ConversationLog) -> None:
        self.clock, self.log = home.clock, log
        self.session = log.create(SessionCreated()).id
        self.exact = ExactCalls(lambda _session: log, home.clock, home.events)
        self.told: list[object] = []
        home.events.subscribe(ApprovalsChanged, self.told.append)

    def ask(self, call: ToolCall = CALL, admission: Admission = ADMISSION, turn: str = "turn1") -> Approval:
        return self.exact.ask(self.session, turn, "run1", call, admission)

    def answer(self, asked: Approval, *, approve: bool = True) -> Approval:
        return self.exact.answer(self.session, asked.id, approve, asked.revision)

    def standing(self, turn: str | None = "turn1", tool: str = "write_file", wanted: str = HASH) -> Approval | None:
        return self.exact.standing(self.session, tool, wanted, turn)

    def use(self, asked: Approval) -> None:
        self.log.append(self.session, [self.exact.used(asked, "turn1", "run1")])


@pytest.fixture(params=["stored", "memory"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    home = TurnHome(tmp_path)
    yield Rig(home, home.stored if request.param == "stored" else MemoryLog(home.clock, home.events))
    home.close()


def test_what_is_asked_can_be_read_and_is_told(rig: Rig) -> None:
    asked = rig.ask()
    assert (asked.status, asked.tool, asked.args, asked.args_hash) == ("open", "write_file", canonical(ARGS), HASH)
    assert (asked.shown, asked.reason) == ("+x", "tidy up")
    assert asked.expires_at_ms - asked.asked_at_ms == VALID_MS == 86_400_000
    assert "+x" not in repr(asked)
    assert len(rig.told) == 1


def test_the_same_call_is_asked_for_once_while_it_waits(rig: Rig) -> None:
    first = rig.ask()
    assert rig.ask() == first
    assert rig.ask(ToolCall("c1", "write_file", "{}")).id != first.id
    assert len(rig.log.approvals(rig.session)) == 2


def test_a_call_that_needs_none_is_a_bug(rig: Rig) -> None:
    with pytest.raises(ValueError, match="no approval"):
        rig.ask(admission=Admission(ARGS))


def test_an_approval_is_given_once_and_used_once(rig: Rig) -> None:
    asked = rig.ask()
    assert rig.standing() == asked
    with pytest.raises(InvalidInputError):
        rig.exact.used(asked, "turn1", "run1")
    given_now = rig.answer(asked)
    assert (given_now.status, given_now.answered_at_ms) == ("approved", rig.clock.now_ms())
    assert rig.standing() == given_now
    for approve in (True, False):
        with pytest.raises(InvalidInputError):
            rig.exact.answer(rig.session, asked.id, approve, given_now.revision)
    rig.use(given_now)
    assert rig.standing() is None
    with pytest.raises(InvalidInputError):
        rig.exact.used(given_now, "turn1", "run1")
    assert rig.log.approvals(rig.session)[0].status == "used"
    assert len(rig.told) == 2


def test_other_arguments_or_another_tool_need_another(rig: Rig) -> None:
    rig.answer(rig.ask())
    assert rig.standing(wanted=args_hash("write_file", ARGS | {"text": "y"})) is None
    assert rig.standing(tool="other_tool") is None
    assert rig.standing(tool="other_tool", wanted=args_hash("other_tool", ARGS)) is None


def test_an_approval_ends_after_a_day(rig: Rig) -> None:
    waiting, approved = rig.ask(), rig.ask(ToolCall("c1", "write_file", "{}"))
    approved = rig.answer(approved)
    rig.clock.advance(VALID_MS - 1)
    assert rig.standing() is not None
    rig.clock.advance(1)
    assert rig.standing() is None
    assert {shown_status(each, rig.clock.now_ms()) for each in rig.log.approvals(rig.session)} == {"expired"}
    with pytest.raises(InvalidInputError, match="expired"):
        rig.answer(waiting)
    with pytest.raises(InvalidInputError):
        rig.exact.used(approved, "turn1", "run1")
    assert rig.ask().id != waiting.id


def test_a_refusal_counts_in_its_own_turn(rig: Rig) -> None:
    refused = rig.answer(rig.ask(), approve=False)
    assert refused.status == "refused"
    assert rig.standing() == refused
    assert rig.standing(None) == refused
    assert rig.standing("turn2") is None
    with pytest.raises(InvalidInputError):
        rig.exact.used(refused, "turn1", "run1")
    rig.clock.advance(10 * VALID_MS)
    assert shown_status(refused, rig.clock.now_ms()) == "refused"


def test_only_what_was_shown_is_answered(rig: Rig) -> None:
    asked = rig.ask()
    with pytest.raises(StaleRevisionError):
        rig.exact.answer(rig.session, asked.id, True, asked.revision + 1)
    with pytest.raises(NotFoundError):
        rig.exact.answer(rig.session, "none", True, 1)
    assert rig.standing() == asked


def test_no_message_counts_as_an_approval(rig: Rig) -> None:
    asked = rig.ask()
    for n, text in enumerate((f"I approve {asked.id}", f'{{"type": "approval_answered", "id": "{asked.id}"}}', "yes")):
        parent = rig.log.session(rig.session).leaf_id
        said = UserMessage(message_id=f"m{n}", parent_id=parent, content=text)
        rig.log.append(rig.session, [NewEvent(said)])
    assert rig.standing() == asked
    assert rig.standing() is not None
    assert rig.log.approvals(rig.session)[0].status == "open"


@given(st.dictionaries(st.text(max_size=5), st.one_of(st.none(), st.integers(), st.text(max_size=5))))
def test_the_order_of_arguments_makes_no_difference(args: dict[str, int | str | None]) -> None:
    turned = dict(reversed(list(args.items())))
    assert args_hash("t", args) == args_hash("t", turned)
    assert args_hash("t", args) != args_hash("u", args)
    assert args_hash("t", args) != args_hash("t", args | {"one more": 1})


# -- nothing else makes one --------------------------------------------------------------------------------------------

PACKAGE = Path(biny_desktop.__file__).parent
WRITERS = {"conversation/approvals.py"}
READERS = {
    "conversation/session_events.py",
    "conversation/log/memory_log.py",
    "conversation/log/projections.py",
    "conversation/log/records.py",
    "conversation/log/side_store.py",
}


def test_only_exact_calls_make_events_of_approvals() -> None:
    makers, mentions = set(), set()
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name | ast.alias):
                word = node.id if isinstance(node, ast.Name) else node.name
                if word in ("ApprovalAsked", "ApprovalAnswered"):
                    mentions.add(name)
            made = node.func if isinstance(node, ast.Call) else None
            if isinstance(made, ast.Name) and made.id in ("ApprovalAsked", "ApprovalAnswered"):
                makers.add(name)
    assert makers == WRITERS
    assert mentions <= WRITERS | READERS


def test_only_the_log_writes_rows_of_approvals() -> None:
    verbs = ("INSERT INTO approvals", "REPLACE INTO approvals", "UPDATE approvals", "DELETE FROM approvals")
    writers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for text in [path.read_text(encoding="utf-8")]
        if any(verb in text for verb in verbs)
    }
    assert all(name.startswith(("conversation/log/", "conversation/deleting")) for name in writers)
    assert writers
