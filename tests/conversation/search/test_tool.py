"""`session_search` as the agent uses it."""

import json

import pytest

from biny_desktop.conversation.ports import Admission, ToolAnswer, ToolScene
from biny_desktop.conversation.search.tool import SessionSearch
from tests.conversation.search.rig import Rig
from tests.fakes.conversations import redactor


def scene(rig: Rig, session_id: str) -> ToolScene:
    return ToolScene(rig.log, session_id, "t", "r")


def test_the_tool_tells_chat_time_role_and_text(rig: Rig) -> None:
    made = rig.talk()
    found = made.user("the northern ferry leaves at noon")
    tool = SessionSearch(rig.search, redactor, rig.clock)
    admitted = tool.admit(json.dumps({"query": "ferry", "from": "2026-01-01"}), scene(rig, made.session_id))
    assert isinstance(admitted, Admission)
    answer = tool.run(admitted, scene(rig, made.session_id))
    assert answer.status == "succeeded"
    assert f"[message {found} of chat {made.session_id}]" in answer.content
    assert "the northern ferry leaves at noon" in answer.content
    later = tool.admit(json.dumps({"query": "ferry", "from": "2027-01-01"}), scene(rig, made.session_id))
    assert isinstance(later, Admission)
    assert tool.run(later, scene(rig, made.session_id)).content == "No message was found."


@pytest.mark.parametrize(
    "raw", ['{"query": ""}', '{"query": "x", "from": "soon"}', "[]", '{"query": "x", "limit": 99}']
)
def test_bad_arguments_are_an_answer_that_says_so(rig: Rig, raw: str) -> None:
    refused = SessionSearch(rig.search, redactor, rig.clock).admit(raw, scene(rig, "s"))
    assert isinstance(refused, ToolAnswer)
    assert refused.status == "failed"
