"""Codex logs: a `rollout-….jsonl` a session, a line of events without ids (spec 05 §10).

A session is told twice in it, as events and as response items. Events say best what a person typed, response items what
the model answered; the other telling is used only where that one is missing.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from biny_desktop.conversation.drafts import AttachedFile
from biny_desktop.conversation.importers import values
from biny_desktop.conversation.importers.files import Counted, SourceFile
from biny_desktop.conversation.importers.source import Said, SourceConversation, SourceNode, Tally, in_line
from biny_desktop.conversation.importers.streaming import lines
from biny_desktop.conversation.importers.values import Item
from biny_desktop.storage.rows import JsonValue

_NOT_TYPED: Final = (
    "# AGENTS.md", "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>",
    "<permissions instructions>", "<skill>", "<subagent_notification>", "<user_shell_command>",
    "Another language model started to solve this problem",
)  # fmt: skip
"""How user lines begin that a program or a model wrote."""
_IDE, _REQUEST = "# Context from my IDE setup", "## My request for Codex:"
_NESTED: Final = ("subagent", "internal")

Telling = Literal["event", "item"]


@dataclass
class _Session:
    """A file as far as it was read; both tellings, chosen from at the end."""

    found: SourceConversation
    told: list[tuple[Telling, SourceNode]] = field(default_factory=list)
    begun: bool = False
    nested: bool = False


def read(file: SourceFile, stream: Counted, tally: Tally) -> Iterator[SourceConversation]:
    """The session of one file; nothing if it is one that an agent started."""
    session = _Session(SourceConversation("", place=file.name))
    for piece in lines(stream):
        place = f"{file.name}, line {piece.n}"
        if piece.trouble == "cut":
            tally.skip("still_being_written")
        elif piece.trouble is not None:
            tally.fault(piece.trouble, place)
        elif isinstance(piece.value, dict):
            _line(session, piece.value, place, tally)
            if session.nested:
                tally.skip("subagent")
                return
        else:
            tally.fault("bad_json", place)
    found = session.found
    found.nodes = _chosen(session, tally)
    in_line(found.nodes)
    if not found.id:
        found.id = file.base.rsplit(".", 1)[0]
    if found.nodes:
        yield found


def _line(session: _Session, line: Item, place: str, tally: Tally) -> None:
    kind, payload = line.get("type"), values.item(line.get("payload"))
    if kind == "session_meta" or (not session.begun and "payload" not in line and "role" not in line):
        _begin(session, payload if kind == "session_meta" else line)
    elif kind == "event_msg":
        _event(session, payload, line.get("timestamp"), place, tally)
    elif kind == "response_item":
        _item(session, payload, line.get("timestamp"), place, tally)
    elif "payload" not in line and kind is not None:  # an old line: the item itself
        _item(session, line, line.get("timestamp"), place, tally)
    elif kind is not None:
        tally.skip("other_type")
    session.begun = True


def _begin(session: _Session, meta: Item) -> None:
    """The first one counts: a session that goes on from another repeats the other's."""
    if session.found.id:
        return
    found, source = session.found, meta.get("source")
    found.id = values.text(meta, "id")
    found.created = meta.get("timestamp")
    found.folder = values.text(meta, "cwd")
    names = list(source) if isinstance(source, dict) else [source if isinstance(source, str) else ""]
    session.nested = any(str(name).lower().startswith(_NESTED) for name in names)


def _event(session: _Session, payload: Item, time: JsonValue, place: str, tally: Tally) -> None:
    kind, text = payload.get("type"), values.text(payload, "message")
    if kind == "user_message":
        images = payload.get("images")
        count = len(images) if isinstance(images, list) else 0
        _add(session, "event", _user(text, count), time, place)
    elif kind == "agent_message":
        _add(session, "event", Said("assistant", text), time, place)
    elif kind == "agent_reasoning":
        tally.skip("reasoning")


def _item(session: _Session, payload: Item, time: JsonValue, place: str, tally: Tally) -> None:
    kind, role = payload.get("type"), payload.get("role")
    if kind != "message":
        tally.skip("reasoning" if kind == "reasoning" else "tool_call" if "call" in str(kind) else "other_type")
    elif role in ("developer", "system"):
        tally.skip(str(role))
    elif role in ("user", "assistant"):
        blocks = values.items(payload.get("content"))
        wanted = ("input_text", "text") if role == "user" else ("output_text", "text")
        text = "\n\n".join(str(block.get("text") or "") for block in blocks if block.get("type") in wanted)
        images = sum(block.get("type") == "input_image" for block in blocks)
        said = _user(text, images) if role == "user" else Said("assistant", text)
        _add(session, "item", said, time, place)
    else:
        tally.fault("unknown_role", place)


def _user(text: str, images: int) -> Said | None:
    """What a person typed; None for what others wrote under that role."""
    if text.lstrip().startswith(_NOT_TYPED):
        return None
    files = [AttachedFile("image", "image/*")] * images
    if text.startswith(_IDE) and _REQUEST in text:
        context, _mark, text = text.partition(_REQUEST)
        files.append(AttachedFile("IDE context", "text/markdown", "", 0, context))
    return Said("user", text.strip(), tuple(files))


def _add(session: _Session, telling: Telling, said: Said | None, time: JsonValue, place: str) -> None:
    session.told.append((telling, SourceNode("", None, said, "" if said else "instructions", time, place)))


def _chosen(session: _Session, tally: Tally) -> list[SourceNode]:
    """One telling of each role."""
    _name(session.told)
    tellings = {(telling, _role(node)) for telling, node in session.told}
    user: Telling = "event" if ("event", "user") in tellings else "item"
    answer: Telling = "item" if ("item", "assistant") in tellings else "event"
    out = []
    for telling, node in session.told:
        if telling != (answer if _role(node) == "assistant" else user):
            if node.said is None:
                tally.skip(node.skip)
            continue
        out.append(node)
    return out


def _name(told: Iterable[tuple[Telling, SourceNode]]) -> None:
    """Give ids. The times of both tellings differ a little, so the second is named as the first: read while only one of
    them is in the log, a message is still the same one later."""
    counts: Counter[tuple[str, ...]] = Counter()
    alone: dict[tuple[Telling, str, str], deque[str]] = {}
    for telling, node in told:
        role, text = _role(node), node.said.text if node.said else ""
        other: Telling = "item" if telling == "event" else "event"
        if waiting := alone.get((other, role, text)):
            node.id = waiting.popleft()
            continue
        counts[key := (str(node.time), role, text)] += 1
        node.id = values.digest(*key, counts[key])
        alone.setdefault((telling, role, text), deque()).append(node.id)


def _role(node: SourceNode) -> str:
    return "user" if node.said is None else node.said.role
