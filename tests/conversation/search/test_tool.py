"""`session_search` as the agent uses it."""

import json

import pytest

from biny_desktop.conversation.ports import Admission, ToolAnswer, ToolScene
from biny_desktop.conversation.search.tool import SessionSearch
from tests.conversation.search.rig import Rig
from tests.fakes.conversations import redactor


def scene(rig: Rig, session_id: str) -> ToolScene:
    return ToolScene(rig.log, session_id, "t", "r")


def told(rig: Rig, arguments: dict[str, object], session_id: str = "other") -> str:
    tool = SessionSearch(rig.search, redactor, rig.clock)
    admitted = tool.admit(json.dumps(arguments), scene(rig, session_id))
    assert isinstance(admitted, Admission)
    answer = tool.run(admitted, scene(rig, session_id))
    assert answer.status == "succeeded"
    return answer.content


def test_the_tool_tells_chat_time_role_and_text(rig: Rig) -> None:
    made = rig.talk(title="Ferries")
    found = made.user("the northern ferry leaves at noon")
    words = told(rig, {"query": "ferry", "from": "2026-01-01"})
    assert words.startswith(f"[message {found} of chat {made.session_id}] 2026-01-0")
    assert "| user | Ferries\nthe northern ferry leaves at noon" in words
    assert told(rig, {"query": "ferry", "from": "2027-01-01"}) == "No message was found."


def test_the_chat_that_asks_is_left_out_unless_it_is_named(rig: Rig) -> None:
    asking, other = rig.talk("a-"), rig.talk("b-")
    own, old = asking.user("when does the ferry leave"), other.user("the ferry leaves at noon")
    assert old in told(rig, {"query": "ferry"}, asking.session_id)
    assert f"message {own} " not in told(rig, {"query": "ferry"}, asking.session_id)
    assert f"message {own} " in told(rig, {"query": "ferry", "session": asking.session_id}, asking.session_id)
    assert f"message {old} " in told(rig, {"query": "ferry", "session": other.session_id}, asking.session_id)


def test_so_many_messages_are_told_as_were_asked_for(rig: Rig) -> None:
    made = rig.talk()
    for n in range(60):
        made.user(f"ferry number {n}")
    assert told(rig, {"query": "ferry", "limit": 50}).count("[message ") == 50
    assert told(rig, {"query": "ferry"}).count("[message ") == 10


@pytest.mark.parametrize(
    "raw", ['{"query": ""}', '{"query": "x", "from": "soon"}', "[]", '{"query": "x", "limit": 99}']
)
def test_bad_arguments_are_an_answer_that_says_so(rig: Rig, raw: str) -> None:
    refused = SessionSearch(rig.search, redactor, rig.clock).admit(raw, scene(rig, "s"))
    assert isinstance(refused, ToolAnswer)
    assert refused.status == "failed"
