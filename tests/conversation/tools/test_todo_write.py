"""The list is written as a whole, with the result; what the person changed meanwhile stays."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.conversation import todos
from biny_desktop.conversation.log.memory_log import MemoryLog
from biny_desktop.conversation.model import Todo
from biny_desktop.conversation.ports import ConversationLog, ToolAnswer, ToolScene
from biny_desktop.conversation.session_events import (
    AssistantMessage,
    CallData,
    NewEvent,
    SessionCreated,
    ToolResult,
    UserMessage,
)
from biny_desktop.conversation.tools.todo_write import TodoWrite
from tests.conversation.tools.scenes import admitted, execution, redactor, refusal
from tests.fakes.turn_home import TurnHome

TOOL = TodoWrite(redactor)


@pytest.fixture(params=["stored", "memory"])
def at(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ToolScene]:
    """A scene after an answer with a call of the tool."""
    home = TurnHome(tmp_path)
    log: ConversationLog = home.stored if request.param == "stored" else MemoryLog(home.clock, home.events)
    session = log.create(SessionCreated()).id
    scene = ToolScene(log, session, "turn1", "run1")
    log.append(session, [NewEvent(UserMessage(message_id="u1", parent_id=None, content="do it"), "turn1")])
    step(scene, "a1", "u1")
    yield scene
    home.close()


def step(at: ToolScene, message_id: str, parent: str) -> None:
    call = CallData(id="c0", name="todo_write", arguments="{}")
    said = AssistantMessage(message_id=message_id, parent_id=parent, content="", tool_calls=(call,))
    at.log.append(at.session_id, [NewEvent(said, "turn1", "run1")])


def write(at: ToolScene, *items: object) -> ToolAnswer:
    found = TOOL.admit(json.dumps({"items": items}), at)
    if isinstance(found, ToolAnswer):
        return found
    answer = TOOL.run(found, at)
    if answer.events:
        at.log.append(at.session_id, list(answer.events))
    return answer


def by_user(at: ToolScene, *contents: str) -> None:
    present = at.log.todos(at.session_id)
    items = tuple(Todo(redactor().plain(each)) for each in contents)
    at.log.append(at.session_id, [todos.replacing(present, items, present.revision, "user")])


def test_the_list_is_replaced_as_a_whole(at: ToolScene) -> None:
    first = write(at, {"content": "look", "status": "completed"}, {"content": "mail bob@example.org"})
    assert (first.status, first.content) == ("succeeded", "Written: 2 items, 1 completed.")
    assert at.log.todos(at.session_id).items == (Todo("look", "completed"), Todo("mail [hidden: email]", "pending"))
    assert write(at).status == "succeeded"
    assert at.log.todos(at.session_id).items == ()
    assert at.log.todos(at.session_id).revision == 2


def test_nothing_is_written_before_the_result_is_committed(at: ToolScene) -> None:
    answer = TOOL.run(admitted(TOOL.admit('{"items": [{"content": "look"}]}', at)), at)
    assert len(answer.events) == 1
    assert at.log.todos(at.session_id).revision == 0


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([{"content": ""}], "items.0.content: "), ([{"content": "x" * 501}], "items.0.content: "),
        ([{"content": "x"}, {"content": "y", "status": "done"}], "items.1.status: "), ([{"content": " "}], "1 to 500"),
        ([{"content": "x", "status": "in_progress"}] * 2, "Only one item"), ([{"content": "x"}] * 51, "items: "),
        ([{"content": "x", "more": 1}], "items.0.more: "), (["x"], "items.0: "),
    ],
)  # fmt: skip
def test_a_bad_item_leaves_the_old_list(at: ToolScene, items: list[object], words: str) -> None:
    write(at, {"content": "old"})
    assert words in refusal(write(at, *items))
    assert at.log.todos(at.session_id).items == (Todo("old"),)


def test_what_the_person_changed_since_the_step_began_stays_and_is_shown(at: ToolScene) -> None:
    by_user(at, "mine")
    said = refusal(write(at, {"content": "the agent's"}))
    assert "changed the list" in said
    assert "[ ] mine" in said
    assert at.log.todos(at.session_id).items == (Todo("mine"),)
    result = ToolResult(message_id="t1", parent_id="a1", content=said, call_id="c0", status="failed")
    at.log.append(at.session_id, [NewEvent(result, "turn1", "run1")])
    step(at, "a2", "t1")
    assert write(at, {"content": "mine"}, {"content": "the agent's"}).status == "succeeded"


def test_a_list_cleared_by_the_person_is_not_filled_unseen(at: ToolScene) -> None:
    write(at, {"content": "old"})
    by_user(at)
    assert refusal(write(at, {"content": "old", "status": "completed"})).endswith("Nothing was written.")


def test_the_agents_own_change_in_the_same_step_is_none_of_the_persons(at: ToolScene) -> None:
    write(at, {"content": "one"})
    result = ToolResult(message_id="t1", parent_id="a1", content="ok", call_id="c0", status="succeeded")
    at.log.append(at.session_id, [NewEvent(result, "turn1", "run1")])
    assert write(at, {"content": "two"}).status == "succeeded"


def test_the_model_is_told_of_items(at: ToolScene) -> None:
    properties = TOOL.spec.parameters["properties"]
    assert isinstance(properties, dict)
    items = properties["items"]
    assert isinstance(items, dict)
    assert items["maxItems"] == 50
    assert items["items"] == {
        "type": "object", "additionalProperties": False, "required": ["content"], "description": "One item.",
        "properties": {
            "content": {
                "type": "string", "minLength": 1, "maxLength": 500, "description": "What is to be done.",
            },
            "status": {
                "type": "string", "enum": ["pending", "in_progress", "completed"],
                "description": "At most one item is in_progress.",
            },
        },
    }  # fmt: skip
    assert TOOL.effect == "local"
    assert TOOL.found(replace(execution("todo_write"), effect="local")) == "cancelled"
