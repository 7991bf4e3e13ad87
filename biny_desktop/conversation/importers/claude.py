"""Claude exports: conversations as lists of messages, with parents in newer ones (spec 05 §10)."""

from collections.abc import Iterator
from typing import Final

from biny_desktop.conversation.drafts import AttachedFile
from biny_desktop.conversation.importers import values
from biny_desktop.conversation.importers.detect import MEMORIES
from biny_desktop.conversation.importers.files import Counted, SourceFile
from biny_desktop.conversation.importers.source import FoundMemory, Said, SourceConversation, SourceNode, Tally, in_line
from biny_desktop.conversation.importers.streaming import array
from biny_desktop.conversation.importers.values import Item
from biny_desktop.storage.rows import JsonValue

_THINKING: Final = {"thinking", "redacted_thinking"}
_DEPTH_MAX: Final = 6


def read(file: SourceFile, stream: Counted, tally: Tally) -> Iterator[SourceConversation]:
    """The conversations of one `conversations.json`, one at a time; of `memories.json` only what is remembered."""
    remembered = file.base.lower() == MEMORIES
    for piece in array(stream):
        place = f"{file.name}, {'item' if remembered else 'conversation'} {piece.n}"
        if piece.trouble is not None:
            tally.fault("too_large" if piece.trouble == "too_large" else "bad_json", place)
        elif remembered:
            found = SourceConversation("", place=place)
            found.memories = [FoundMemory("memory", text, None, place, "statements") for text in _texts(piece.value)]
            yield found
        elif isinstance(piece.value, dict) and isinstance(piece.value.get("chat_messages"), list):
            yield _conversation(piece.value, place, tally)
        else:
            tally.fault("empty" if isinstance(piece.value, dict) else "bad_json", place)


def _conversation(raw: Item, place: str, tally: Tally) -> SourceConversation:
    messages = raw["chat_messages"]
    assert isinstance(messages, list)
    first = values.item(messages[0]) if messages else {}
    found = SourceConversation(
        id=values.text(raw, "uuid") or values.digest(raw.get("created_at"), values.text(first, "uuid")),
        title=values.text(raw, "name"),
        created=raw.get("created_at"),
        current=values.text(raw, "current_leaf_message_uuid") or None,
        place=place,
    )
    for n, message in enumerate(messages, 1):
        _take(found, values.item(message), f"{place}, message {n}", tally)
    if not any(values.text(values.item(each), "parent_message_uuid") for each in messages):
        in_line(found.nodes)
    return found


def _take(found: SourceConversation, message: Item, place: str, tally: Tally) -> None:
    name = values.text(message, "uuid")
    if not name:
        tally.fault("no_id", place)
        return
    parent = values.text(message, "parent_message_uuid")
    if "parent_message_uuid" not in message and found.nodes:
        parent = found.nodes[-1].id
    node = SourceNode(name, None if _is_zero(parent) else parent, time=message.get("created_at"), place=place)
    found.nodes.append(node)
    sender = message.get("sender")
    if sender not in ("human", "assistant"):
        tally.fault("unknown_role", place)
        return
    text, dropped = _text(message)
    for reason in dropped:
        tally.skip(reason)
    files = (*_attachments(message), *_files(message))
    if not text.strip() and not files and dropped:
        return  # nothing but thoughts and calls, which are counted
    node.said = Said("user", text, files) if sender == "human" else Said("assistant", text, model=None)


def _text(message: Item) -> tuple[str, list[str]]:
    """What is said, and of which kinds the blocks are that are left out."""
    content = message.get("content")
    blocks = values.items(content)
    texts = [str(block.get("text") or "") for block in blocks if block.get("type") == "text"]
    dropped = [
        "thoughts" if block.get("type") in _THINKING else "tool" for block in blocks if block.get("type") != "text"
    ]
    spoken = "\n\n".join(text for text in texts if text.strip())
    if not spoken and isinstance(content, str):
        spoken = content
    return spoken or ("" if dropped else values.text(message, "text")), dropped


def _attachments(message: Item) -> Iterator[AttachedFile]:
    for each in values.items(message.get("attachments")):
        name = values.text(each, "file_name") or "pasted text"
        yield AttachedFile(
            name, values.text(each, "file_type"), "", values.number(each.get("file_size")),
            values.text(each, "extracted_content"),
        )  # fmt: skip


def _files(message: Item) -> Iterator[AttachedFile]:
    for key in ("files", "files_v2"):
        found = values.items(message.get(key))
        if found:
            for each in found:
                kind = values.text(each, "file_kind")
                name = values.text(each, "file_name") or kind or "file"
                yield AttachedFile(name, "image/*" if kind == "image" else "", "", values.number(each.get("file_size")))
            return


def _is_zero(uuid: str) -> bool:
    """The id of no message: zeros, but for the digits that name the version."""
    digits = uuid.replace("-", "")
    return not digits or (not digits[:12].strip("0") and not digits[20:].strip("0"))


def _texts(value: JsonValue, depth: int = 0) -> Iterator[str]:
    """Every text of what is remembered; ids, names and times are none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < _DEPTH_MAX:
        for each in value:
            yield from _texts(each, depth + 1)
    elif isinstance(value, dict) and depth < _DEPTH_MAX:
        for key, each in value.items():
            if not any(word in key for word in ("uuid", "_at", "_id", "name", "email")) and key != "id":
                yield from _texts(each, depth + 1)
