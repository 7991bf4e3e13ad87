"""Makes what a page shows of a chat out of its log: nodes of the active path with versions, tools, dividers, faults."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence

from biny_desktop.conversation.model import Checkpoint, Message
from biny_desktop.conversation.ports import ConversationLog
from biny_desktop.conversation.session_events import ErrorNoted
from biny_desktop.service.chat.model import ShownDivider, ShownMessage, ShownTool

Items = tuple[ShownMessage | ShownDivider, ...]


def shown_items(log: ConversationLog, session_id: str, running_turn: str | None = None) -> Items:
    """The active path as it is shown.

    Args:
        running_turn: the turn whose answer is still to come; it has no fault yet.

    Raises:
        NotFoundError: there is no such session.
    """
    nodes = log.messages(session_id)
    path = [node for node in nodes if node.active]  # of one reading: a turn may write meanwhile
    versions = _versions(nodes)
    dividers = _dividers(log.checkpoints(session_id), path)
    items: list[ShownMessage | ShownDivider] = []
    for place, node in enumerate(path):
        if node.role != "tool":
            ids = versions[node.slot_id]
            fault = ""
            if node.role == "user" and _unanswered(path, place) and node.turn_id not in (None, running_turn):
                fault = _fault(log, session_id, str(node.turn_id))
            items.append(ShownMessage(node, ids.index(node.id) + 1, ids, _tools(path, place), fault))
        if node.id in dividers:
            items.append(ShownDivider(dividers[node.id]))
    return tuple(items)


def _versions(nodes: Sequence[Message]) -> Mapping[str, tuple[str, ...]]:
    slots: dict[str, list[str]] = defaultdict(list)
    for node in sorted(nodes, key=lambda each: each.seq):
        slots[node.slot_id].append(node.id)
    return {slot: tuple(ids) for slot, ids in slots.items()}


def _tools(path: Sequence[Message], place: int) -> tuple[ShownTool, ...]:
    """The calls of a step with the results right below it: servers may use the same call ids again in later steps."""
    below = itertools.takewhile(lambda node: node.role == "tool", path[place + 1 :])
    results = {node.call_id: node for node in below}
    shown = []
    for call in path[place].tool_calls:
        result = results.get(call.id)
        status = None if result is None else result.tool_status
        shown.append(ShownTool(call.id, call.name, call.arguments, status, None if result is None else result.content))
    return tuple(shown)


def _dividers(checkpoints: Sequence[Checkpoint], path: Sequence[Message]) -> Mapping[str, Checkpoint]:
    """By the id of the node after which each stands; those of other branches are left out, of two the newer stays."""
    ids = {node.id for node in path}
    return {
        each.covered_until_id: each
        for each in checkpoints
        if each.covered_until_id in ids and (each.first_kept_id is None or each.first_kept_id in ids)
    }


def _unanswered(path: Sequence[Message], place: int) -> bool:
    return place + 1 == len(path) or path[place + 1].role == "user"


def _fault(log: ConversationLog, session_id: str, turn_id: str) -> str:
    found = ""
    for event in log.events(session_id, turn_id=turn_id):
        if event.type == ErrorNoted.type:
            found = str(event.payload.get("kind", ""))
    return found
