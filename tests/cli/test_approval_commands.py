"""`biny approvals` on a real home: what waits is listed, read, allowed or refused, never without being asked."""

from pathlib import Path

import pytest

from biny_desktop.app import open_product
from biny_desktop.conversation.approvals import ExactCalls
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.ports import Admission
from biny_desktop.conversation.session_events import (
    AssistantMessage,
    CallData,
    NewEvent,
    SessionCreated,
    TurnEnded,
    UserMessage,
)
from biny_desktop.models.model import ToolCall
from biny_desktop.redaction import safe_constant
from tests.cli.test_commands import biny, told


@pytest.fixture
def home(tmp_path: Path) -> tuple[Path, list[str]]:
    """A home with three calls that wait; their ids, oldest first."""
    path, ids = tmp_path / "home", []
    product = open_product(path)
    log = SessionLog(product.database, product.clock, product.events)
    exact = ExactCalls(lambda _session: log, product.clock, product.events)
    session = log.create(SessionCreated(title="Notes", title_by="user")).id
    calls = [ToolCall(f"c{n}", "write_file", "{}") for n in range(3)]
    data = tuple(CallData(id=each.id, name=each.name, arguments=each.arguments) for each in calls)
    said = UserMessage(message_id="u1", parent_id=None, content="tidy up")
    asked = AssistantMessage(message_id="a1", parent_id="u1", content="", tool_calls=data)
    log.append(session, [NewEvent(said, "turn1"), NewEvent(asked, "turn1", "run1")])
    for n, call in enumerate(calls):
        admission = Admission({"path": f"notes/{n}.md"}, approval=safe_constant("+new line"), reason="you asked")
        ids.append(f"call:{exact.ask(session, 'turn1', 'run1', call, admission).id}")
    log.append(session, [NewEvent(TurnEnded(status="blocked", stop_reason="approval"), "turn1", "run1")])
    product.close()
    return path, ids


def test_what_waits_is_listed_in_pages(home: tuple[Path, list[str]]) -> None:
    path, ids = home
    first = told(biny("approvals", "list", "--limit", "2", "--json", home=path))
    assert len(first["items"]) == 2
    assert first["open"] == 3
    second = told(biny("approvals", "list", "--before", first["next"], "--json", home=path))
    assert second["next"] is None
    assert {each["id"] for each in first["items"] + second["items"]} == set(ids)
    assert "Write notes/0.md" in biny("approvals", "list", home=path).stdout
    assert told(biny("approvals", "list", "--which", "answered", "--json", home=path))["items"] == []
    assert biny("approvals", "list", "--before", "x", home=path).returncode == 1


def test_one_is_shown_with_its_change(home: tuple[Path, list[str]]) -> None:
    path, ids = home
    shown = told(biny("approvals", "show", ids[0], "--json", home=path))
    assert (shown["title"], shown["evidence"], shown["status"]) == ("Write notes/0.md", "+new line", "open")
    assert "+new line" in biny("approvals", "show", ids[0], home=path).stdout
    missing = told(biny("approvals", "show", "call:none", "--json", home=path))
    assert missing["error"]["kind"] == "not_found"


def test_nothing_is_answered_without_being_asked(home: tuple[Path, list[str]]) -> None:
    path, ids = home
    for act in ("accept", "refuse"):
        done = biny("approvals", act, ids[0], home=path)
        assert done.returncode == 1
        assert "--yes" in done.stderr
    assert told(biny("approvals", "list", "--json", home=path))["open"] == 3


def test_answers_are_given_once(home: tuple[Path, list[str]]) -> None:
    path, ids = home
    assert told(biny("approvals", "accept", ids[0], "--yes", "--json", home=path))["status"] == "accepted"
    assert biny("approvals", "refuse", ids[1], "--yes", home=path).stdout == "Refused.\n"
    again = told(biny("approvals", "accept", ids[1], "--yes", "--json", home=path))
    assert again["error"]["kind"] == "invalid_input"
    never = told(biny("approvals", "refuse", ids[2], "--never", "--yes", "--json", home=path))
    assert "once only" in never["error"]["message"]
    assert told(biny("approvals", "list", "--json", home=path))["open"] == 1
