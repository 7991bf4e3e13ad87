"""ChatGPT exports: conversations as a mapping of nodes; what the person reads of them stays (spec 05 §10)."""

import re
from collections.abc import Iterator
from typing import Final, Literal

from biny_desktop.conversation.drafts import AttachedFile
from biny_desktop.conversation.importers import values
from biny_desktop.conversation.importers.files import Counted, SourceFile
from biny_desktop.conversation.importers.source import FoundMemory, Said, SourceConversation, SourceNode, Tally
from biny_desktop.conversation.importers.streaming import array
from biny_desktop.conversation.importers.values import Item
from biny_desktop.storage.rows import JsonValue

_MARKS: Final = re.compile("\ue200[^\ue201]{0,400}\ue201|[\ue200-\ue2ff]")
"""Marks of citations in private characters; nobody can read them."""
_SKIPPED_KINDS: Final = {
    "code": "code", "execution_output": "execution_output", "system_error": "tool", "thoughts": "thoughts",
    "reasoning_recap": "thoughts", "tether_browsing_display": "browsing", "tether_quote": "browsing",
    "sonic_webpage": "browsing", "search_results": "browsing", "browsing": "browsing",
}  # fmt: skip
_SPOKEN: Final = ("text", "multimodal_text")
_IMAGE: Final = "image"


def read(file: SourceFile, stream: Counted, tally: Tally) -> Iterator[SourceConversation]:
    """The conversations of one `conversations.json`, one at a time."""
    for piece in array(stream):
        place = f"{file.name}, conversation {piece.n}"
        if piece.trouble is not None:
            tally.fault("too_large" if piece.trouble == "too_large" else "bad_json", place)
        elif isinstance(piece.value, dict) and isinstance(piece.value.get("mapping"), dict):
            yield _conversation(piece.value, place, tally)
        else:
            tally.fault("empty" if isinstance(piece.value, dict) else "bad_json", place)


def _conversation(raw: Item, place: str, tally: Tally) -> SourceConversation:
    mapping = values.item(raw["mapping"])
    name = values.text(raw, "conversation_id", "id")
    found = SourceConversation(
        id=name or values.digest(raw.get("create_time"), next(iter(mapping), "")),
        title=values.text(raw, "title"),
        created=raw.get("create_time"),
        current=values.text(raw, "current_node") or None,
        place=place,
    )
    for key, value in mapping.items():
        where = f"{place}, message {len(found.nodes) + 1}"
        if not isinstance(value, dict):
            tally.fault("no_id", where)
            continue
        parent = value.get("parent")
        node = SourceNode(key, parent if isinstance(parent, str) and parent else None, place=where)
        found.nodes.append(node)
        message = value.get("message")
        if isinstance(message, dict):  # the root of a mapping has none
            node.time = message.get("create_time")
            _take(node, message, found, tally)
    return found


def _take(node: SourceNode, message: Item, found: SourceConversation, tally: Tally) -> None:
    role = values.item(message.get("author")).get("role")
    content = values.item(message.get("content"))
    kind = content.get("content_type")
    if _remembers(node, message, content, found):
        return
    reason = _left_out(message, role, kind)
    if reason:
        node.skip = reason
    elif role not in ("user", "assistant"):
        tally.fault("unknown_role", node.place)
    elif kind not in _SPOKEN and "parts" not in content and "text" not in content:
        node.skip = "other_content"
    else:
        node.said = _said(message, content, "user" if role == "user" else "assistant")


def _left_out(message: Item, role: JsonValue, kind: JsonValue) -> str:
    """Why a message is not part of what the person reads."""
    if role in ("system", "tool"):
        return str(role)
    if message.get("recipient") not in (None, "", "all"):
        return "tool_call"
    metadata = values.item(message.get("metadata"))
    if message.get("weight") == 0 or metadata.get("is_visually_hidden_from_conversation"):
        return "hidden"
    if message.get("channel") == "analysis":
        return "thoughts"
    return _SKIPPED_KINDS.get(str(kind), "")


def _remembers(node: SourceNode, message: Item, content: Item, found: SourceConversation) -> bool:
    """Whether a message is what the tool keeps of the person: custom instructions, or a note to its memory."""
    kind, author = content.get("content_type"), values.item(message.get("author"))
    holds: Literal["one", "lines"] = "lines"
    if kind == "user_editable_context":
        name, holds = "custom_instructions", "one"
        texts = [values.text(content, field) for field in ("user_profile", "user_instructions")]
    elif kind == "model_editable_context":
        name, texts = "bio", [values.text(content, "model_set_context")]
    elif message.get("recipient") == "bio" and author.get("role") == "assistant":
        name, texts = "bio", [_text(content)]
    else:
        return False
    node.skip = "memory"
    time = message.get("create_time")
    found.memories += [FoundMemory(name, text, time, node.place, holds) for text in texts if text.strip()]
    return True


def _said(message: Item, content: Item, role: str) -> Said:
    text = _MARKS.sub("", _text(content))
    images = [part for part in values.items(content.get("parts")) if _is_image(part)]
    metadata = values.item(message.get("metadata"))
    files = [
        AttachedFile(
            values.text(each, "name") or "file", values.text(each, "mimeType", "mime_type"), "",
            values.number(each.get("size")),
        )
        for each in values.items(metadata.get("attachments"))
    ]  # fmt: skip
    unnamed = images[sum(each.mime.startswith(_IMAGE) for each in files) :]
    files += [AttachedFile(_IMAGE, "image/*", "", values.number(part.get("size_bytes"))) for part in unnamed]
    model = values.text(metadata, "model_slug") or None
    if role == "user":
        return Said("user", text, tuple(files))
    shown = "\n\n".join(["[image]"] * len(images))
    return Said("assistant", "\n\n".join(part for part in (text, shown) if part), model=model)


def _text(content: Item) -> str:
    """Texts of the parts; of audio what was said in it."""
    parts = content.get("parts")
    if not isinstance(parts, list):
        return values.text(content, "text")
    spoken = [part if isinstance(part, str) else _transcript(part) for part in parts]
    return "\n".join(part for part in spoken if part)


def _transcript(part: JsonValue) -> str:
    found = values.item(part)
    if "transcription" in str(found.get("content_type")) or str(found.get("content_type")).startswith("audio"):
        return values.text(found, "text", "transcription", "transcript")
    return values.text(found, "text") if found.get("content_type") == "text" else ""


def _is_image(part: Item) -> bool:
    return "image" in str(part.get("content_type"))
