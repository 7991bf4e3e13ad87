"""Answers to the question for a summary, made of the ids that stand in the request."""

import json
import re
from typing import Any

_ID = re.compile(r"^\[((?:m\d+(?:\.(?:call|result)\d+)?)|(?:p\.[a-z_]+\.\d+))\]", re.MULTILINE)


def source_ids(request: dict[str, Any]) -> list[str]:
    """The ids that a request for a summary offers, in order."""
    return _ID.findall(str(request["messages"][-1]["content"]))


def is_summary(request: dict[str, Any]) -> bool:
    """Whether a request asks for a summary."""
    return "You sum up the older part of a conversation" in str(request["messages"][0]["content"])


def summary(request: dict[str, Any], **fields: list[dict[str, Any]]) -> str:
    """A valid answer: a goal from the first message, a decision from the last; `fields` replace what they name."""
    ids = source_ids(request)
    messages = [each for each in ids if re.fullmatch(r"m\d+", each)] or ids
    made: dict[str, Any] = {
        "goal": [{"text": "what the person wants", "evidence": [messages[0]]}],
        "decisions": [{"text": "as the last message says", "evidence": [messages[-1]]}],
        "next_steps": [{"text": "1. go on", "evidence": [messages[-1]]}],
    }
    return json.dumps({**made, **fields})
