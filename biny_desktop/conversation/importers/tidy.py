"""Trees out of what sources hold: nodes that are left out, loops, missing parents and missing times put right.

Children of a node that is left out move to its nearest kept ancestor. A parent that is not there is replaced by the
message before it, so that a log whose beginning is elsewhere still reads as one conversation.
"""

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from biny_desktop.conversation.drafts import TEXT_MAX
from biny_desktop.conversation.importers.source import OwnSession, Said, SourceConversation, SourceNode, Tally
from biny_desktop.conversation.importers.times import UNKNOWN_ZONE, Instant, missing, raw_time, read_time
from biny_desktop.core.text import clean

MESSAGES_MAX: Final = 45_000
"""Messages of one conversation, so that with what is selected in it it stays below the 50,000 events of spec 05 §1."""


@dataclass(frozen=True, slots=True)
class TidyMessage:
    """A message that stays; `parent` is the id of another one that stands before it, or None. Times UTC ms."""

    id: str
    parent: str | None
    said: Said
    at_ms: int
    zone: str = UNKNOWN_ZONE
    estimated: bool = False
    raw_time: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class TidyConversation:
    """Messages, parents before children and else by time; `path` are the ids from the root to what the source shows
    last. `created_ms` UTC, None where nothing says it."""

    id: str
    title: str = field(repr=False)
    folder: str
    created_ms: int | None
    messages: tuple[TidyMessage, ...]
    path: tuple[str, ...]
    own: OwnSession | None = None

    @property
    def branches(self) -> int:
        """Versions beside the first one of their slot."""
        return len(self.messages) - len({message.parent for message in self.messages})


def tidy(source: SourceConversation, tally: Tally, fallback_ms: int) -> TidyConversation:
    """Make the tree of a conversation; what is left out is told to `tally`.

    Args:
        fallback_ms: the time of a message where nothing else gives one, UTC ms.
    """
    nodes = _by_id(source, tally)
    parents = _parents(nodes, tally)
    created = read_time(source.created)
    if created is None and not missing(source.created):
        tally.fault("bad_time", source.place)
    messages = _ordered(source, nodes, parents, tally, created.at_ms if created else fallback_ms)
    return TidyConversation(
        source.id, source.title, source.folder, created.at_ms if created else None, messages,
        _path(source.current, nodes, {each.id: each for each in messages}), source.own,
    )  # fmt: skip


def _by_id(source: SourceConversation, tally: Tally) -> dict[str, SourceNode]:
    out: dict[str, SourceNode] = {}
    kept = 0
    for node in source.nodes:
        if not node.id:
            tally.fault("no_id", node.place)
        elif node.id in out:
            tally.skip("repeated")
        else:
            out[node.id] = node
            node.kept = _keeps(node, tally, kept)
            kept += node.kept
    return out


def _keeps(node: SourceNode, tally: Tally, kept: int) -> bool:
    said = node.said
    if said is None:
        if node.skip:
            tally.skip(node.skip)
        return False
    own = said.own
    if not clean(said.text).strip() and not said.attachments and not (own and (own.tool_calls or own.call_id)):
        tally.fault("empty", node.place)
        return False
    if kept >= MESSAGES_MAX or len(said.text) + sum(len(each.text) for each in said.attachments) > TEXT_MAX:
        tally.fault("too_large", node.place)
        return False
    return True


def _parents(nodes: Mapping[str, SourceNode], tally: Tally) -> dict[str, str | None]:
    """The nearest kept ancestor of every kept node, without loops."""
    above: dict[str, str | None] = {}
    out: dict[str, str | None] = {}
    before: str | None = None
    for node in nodes.values():
        if not node.kept:
            continue
        out[node.id], fault = _kept_above(node, nodes, above)
        if fault is not None:
            tally.fault("cycle" if fault == "cycle" else "dangling_parent", node.place)
        if fault == "dangling":
            out[node.id] = before
        before = node.id
    for node_id in _closing(out):
        tally.fault("cycle", nodes[node_id].place)
        out[node_id] = None
    return out


def _kept_above(
    node: SourceNode, nodes: Mapping[str, SourceNode], above: dict[str, str | None]
) -> tuple[str | None, str | None]:  # fmt: skip
    """The nearest kept ancestor, and what is wrong on the way up; `above` remembers it of nodes that are left out."""
    passed: list[str] = []
    seen = {node.id}
    at, found, fault = node.parent, None, None
    while at is not None:
        if at in seen:
            fault = "cycle"
            break
        if at in above:
            found = above[at]
            break
        up = nodes.get(at)
        if up is None:
            fault = "dangling"
            break
        if up.kept:
            found = at
            break
        seen.add(at)
        passed.append(at)
        at = up.parent
    if fault is None:
        above.update(dict.fromkeys(passed, found))
    return (None if found == node.id else found), ("cycle" if found == node.id else fault)


def _closing(parents: Mapping[str, str | None]) -> list[str]:
    """Of each loop the node that stands first in the source."""
    state: dict[str, int] = {}
    order = {node_id: n for n, node_id in enumerate(parents)}
    out: list[str] = []
    for number, start in enumerate(parents):
        at: str | None = start
        while at is not None and at not in state:
            state[at] = number
            at = parents[at]
        if at is not None and state[at] == number:  # this walk met itself
            loop, each = [at], parents[at]
            while each is not None and each != at:
                loop.append(each)
                each = parents[each]
            out.append(min(loop, key=order.__getitem__))
    return out


def _ordered(
    source: SourceConversation, nodes: Mapping[str, SourceNode], parents: Mapping[str, str | None], tally: Tally,
    fallback_ms: int,
) -> tuple[TidyMessage, ...]:  # fmt: skip
    """Parents before children, else by time. A missing time is that of the message before; a root without one takes
    that of the conversation, or the first that is known in it."""
    times: dict[str, Instant | None] = {}
    children: dict[str | None, list[str]] = {}
    for node_id, parent in parents.items():
        node = nodes[node_id]
        times[node_id] = found = read_time(node.time)
        if found is None and not missing(node.time):
            tally.fault("bad_time", node.place)
        children.setdefault(parent, []).append(node_id)
    order = {node_id: n for n, node_id in enumerate(parents)}
    by_time = source.own is None  # our own export stands in the order in which it was said
    known = min((each.at_ms for each in times.values() if each is not None), default=fallback_ms)
    first = Instant(known if read_time(source.created) is None else fallback_ms)
    resolved = {node_id: times[node_id] or first for node_id in children.get(None, [])}
    waiting = [(by_time * when.at_ms, order[node_id], node_id) for node_id, when in resolved.items()]
    heapq.heapify(waiting)
    out: list[TidyMessage] = []
    while waiting:
        _at, _n, node_id = heapq.heappop(waiting)
        when = resolved[node_id]
        out.append(_message(nodes[node_id], parents[node_id], when, estimated=times[node_id] is None))
        for child in children.get(node_id, []):
            resolved[child] = times[child] or when
            heapq.heappush(waiting, (by_time * resolved[child].at_ms, order[child], child))
    return tuple(out)


def _message(node: SourceNode, parent: str | None, when: Instant, *, estimated: bool) -> TidyMessage:
    said = node.said
    assert said is not None
    own = said.own
    if own is not None:
        estimated = estimated or own.estimated
        return TidyMessage(
            node.id, parent, said, when.at_ms, own.zone or when.zone, estimated, own.raw_time, node.place
        )  # fmt: skip
    return TidyMessage(node.id, parent, said, when.at_ms, when.zone, estimated, raw_time(node.time), node.place)


def _path(
    current: str | None, nodes: Mapping[str, SourceNode], kept: Mapping[str, TidyMessage]
) -> tuple[str, ...]:  # fmt: skip
    """From the root to the current node; without one, to the newest leaf."""
    seen: set[str] = set()
    at = current
    while at is not None and at not in kept and at not in seen:
        seen.add(at)
        up = nodes.get(at)
        at = up.parent if up is not None else None
    if at is None or at not in kept:
        inner = {message.parent for message in kept.values()}
        leaves = [message for message in kept.values() if message.id not in inner]
        if not leaves:
            return ()
        at = max(reversed(leaves), key=lambda message: message.at_ms).id
    out: list[str] = []
    while at is not None:
        out.append(at)
        at = kept[at].parent
    return tuple(reversed(out))
