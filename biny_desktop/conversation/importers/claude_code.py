"""Claude Code logs: one JSON Lines file a session, a tree by `uuid` and `parentUuid` (spec 05 §10)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from biny_desktop.conversation.drafts import AttachedFile
from biny_desktop.conversation.importers import values
from biny_desktop.conversation.importers.files import Counted, SourceFile
from biny_desktop.conversation.importers.source import Said, SourceConversation, SourceNode, Tally
from biny_desktop.conversation.importers.streaming import lines
from biny_desktop.conversation.importers.values import Item

_TAGS: Final = r"(?:command|local-command|bash)-[a-z-]+|system-reminder|task-notification|ide_[a-z_]+"
_CUT: Final = re.compile(rf"<({_TAGS})(?:\s[^>]*)?>.*?(?:</\1>|\Z)", re.DOTALL)
_INTERRUPTED: Final = re.compile(r"\[Request interrupted by user(?: for tool use)?\]")
_CONTINUED: Final = "This session is being continued from a previous conversation"
"""How a summary begins that older versions did not flag; a model wrote it."""
_SYNTHETIC: Final = "<synthetic>"
_FLAGS: Final = {
    "isSidechain": "sidechain", "isMeta": "meta", "isCompactSummary": "summary",
    "isVisibleInTranscriptOnly": "meta", "isApiErrorMessage": "error",
}  # fmt: skip
_TITLES: Final = {"custom-title": ("customTitle", 3), "ai-title": ("aiTitle", 2), "summary": ("summary", 1)}


@dataclass
class _Session:
    """A file as far as it was read. `answers`: the node that holds the text of each `message.id`."""

    found: SourceConversation
    names: list[str] = field(default_factory=list)
    answers: dict[str, SourceNode] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    title_rank: int = 0


def read(file: SourceFile, stream: Counted, tally: Tally) -> Iterator[SourceConversation]:
    """The session of one file; nothing if it holds none."""
    session = _Session(SourceConversation("", place=file.name))
    for piece in lines(stream):
        place = f"{file.name}, line {piece.n}"
        if piece.trouble == "cut":
            tally.skip("still_being_written")
        elif piece.trouble is not None:
            tally.fault(piece.trouble, place)
        elif isinstance(piece.value, dict):
            _line(session, piece.value, place, tally)
        else:
            tally.fault("bad_json", place)
    found = session.found
    stem = file.base.rsplit(".", 1)[0]
    found.id = stem if stem in session.names or not session.names else session.names[0]
    if found.nodes:
        yield found


def _line(session: _Session, line: Item, place: str, tally: Tally) -> None:
    found, kind = session.found, line.get("type")
    name = values.text(line, "sessionId")
    if name and name not in session.names:
        session.names.append(name)
    found.folder = found.folder or values.text(line, "cwd")
    _title(session, line)
    uuid = values.text(line, "uuid")
    if not uuid:
        if kind in ("user", "assistant"):
            tally.fault("no_id", place)
        return
    if uuid in session.seen:
        tally.skip("repeated")
        return
    session.seen.add(uuid)
    parent = values.text(line, "parentUuid") or values.text(line, "logicalParentUuid")
    node = SourceNode(uuid, parent or None, time=line.get("timestamp"), place=place)
    found.nodes.append(node)
    flag = next((word for name, word in _FLAGS.items() if line.get(name)), "")
    if flag:
        node.skip = flag
    elif kind == "user":
        _user(node, line)
    elif kind == "assistant":
        _answer(session, node, line)
    else:
        node.skip = "other_type"


def _title(session: _Session, line: Item) -> None:
    name, rank = _TITLES.get(str(line.get("type")), ("", 0))
    if name and rank >= session.title_rank and (title := values.text(line, name)):
        session.found.title, session.title_rank = title, rank


def _user(node: SourceNode, line: Item) -> None:
    content = values.item(line.get("message")).get("content")
    if isinstance(content, str):
        blocks: list[Item] = [{"type": "text", "text": content}]
    else:
        blocks = values.items(content)
    results = any(block.get("type") == "tool_result" for block in blocks)
    raw = "\n\n".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text")
    text = _INTERRUPTED.sub("", _CUT.sub("", raw)).strip()
    files = tuple(
        AttachedFile(kind, "image/*" if kind == "image" else "")
        for kind in (str(block.get("type")) for block in blocks)
        if kind in ("image", "document")
    )
    if text.startswith(_CONTINUED):
        node.skip = "summary"
    elif not text and not (files and not results):
        node.skip = "tool" if results else "command" if raw.strip() else ""
        node.said = None if node.skip else Said("user", "")  # an empty one is told as such
    else:
        node.said = Said("user", text, files, mine=not results and "toolUseResult" not in line)


def _answer(session: _Session, node: SourceNode, line: Item) -> None:
    message = values.item(line.get("message"))
    content = message.get("content")
    blocks = values.items(content)
    parts = [str(block.get("text") or "") for block in blocks if block.get("type") == "text"]
    if isinstance(content, str):
        parts = [content]
    text = "\n\n".join(part for part in parts if part.strip())
    if message.get("model") == _SYNTHETIC:
        node.skip = "error"
        return
    if not text:
        node.skip = "thoughts" if any("thinking" in str(block.get("type")) for block in blocks) else "tool_call"
        return
    name = values.text(message, "id")
    first = session.answers.get(name)
    if name and first is not None and first.said is not None:
        first.said = replace(first.said, text=f"{first.said.text}\n\n{text}")
        return  # the lines of one answer are one message; this one stands for nothing of its own
    node.said = Said("assistant", text, model=values.text(message, "model") or None)
    if name:
        session.answers[name] = node
