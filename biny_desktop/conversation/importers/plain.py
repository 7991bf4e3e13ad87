"""Plain transcripts: Markdown with a line for each speaker, JSON and JSON Lines of roles and contents (spec 05 §10)."""

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from biny_desktop.conversation.importers import values
from biny_desktop.conversation.importers.files import Counted, SourceFile
from biny_desktop.conversation.importers.source import Said, SourceConversation, SourceNode, Tally, in_line
from biny_desktop.conversation.importers.speakers import MARKER, Speaking, speaking, unescaped
from biny_desktop.conversation.importers.streaming import ITEM_MAX, Piece, array, lines
from biny_desktop.conversation.importers.values import Item
from biny_desktop.storage.rows import JsonValue

_ROLES: Final = {
    **dict.fromkeys(("user", "human", "you", "me"), "user"),
    **dict.fromkeys(("assistant", "ai", "bot", "model", "gpt", "chatgpt", "claude"), "assistant"),
}  # fmt: skip
_OTHER_ROLES: Final = ("system", "tool", "function", "developer", "observation")
_FENCE: Final = re.compile(r"[ \t]*(```+|~~~+)")


def read(file: SourceFile, stream: Counted, tally: Tally) -> Iterator[SourceConversation]:
    """The conversation of a transcript; of JSON with `messages` in each record, all of them."""
    name = file.base.lower()
    if name.endswith((".json", ".jsonl")):
        pieces = lines(stream) if name.endswith(".jsonl") else array(stream)
        yield from _of_records(file, pieces, tally)
        return
    raw = stream.read(ITEM_MAX + 1)
    if len(raw) > ITEM_MAX:
        tally.fault("too_large", file.name)
        return
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    found = _of_markdown(file, raw.decode("utf-16" if wide else "utf-8-sig", "replace"), tally)
    if found.nodes:
        yield _named(found, file)


# -- JSON --------------------------------------------------------------------------------------------------------------


def _of_records(file: SourceFile, pieces: Iterable[Piece], tally: Tally) -> Iterator[SourceConversation]:
    line = SourceConversation("", place=file.name)
    for piece in pieces:
        place = f"{file.name}, record {piece.n}"
        record = values.item(piece.value)
        messages = record.get("messages")
        if piece.trouble == "cut":
            tally.skip("still_being_written")
        elif piece.trouble is not None or not isinstance(piece.value, dict):
            tally.fault("too_large" if piece.trouble == "too_large" else "bad_json", place)
        elif isinstance(messages, list):
            found = SourceConversation(values.text(record, "id", "uuid"), values.text(record, "title", "name"))
            found.created, found.place = record.get("time", record.get("created_at")), place
            for n, each in enumerate(messages, 1):
                _message(found, values.item(each), f"{place}, message {n}", tally)
            if found.nodes:
                yield _named(found, file)
        else:
            _message(line, record, place, tally)
    if line.nodes:
        yield _named(line, file)


def _message(found: SourceConversation, record: Item, place: str, tally: Tally) -> None:
    role = str(record.get("role") or "").casefold()
    if role in _OTHER_ROLES:
        tally.skip("other_role")
    elif role not in _ROLES:
        tally.fault("unknown_role", place)
    else:
        time: JsonValue = None
        for name in ("time", "timestamp", "created_at", "create_time", "date"):
            time = record.get(name) if time is None else time
        said = Said("user" if _ROLES[role] == "user" else "assistant", _content(record.get("content")))
        found.nodes.append(SourceNode(values.text(record, "id", "uuid"), None, said, time=time, place=place))


def _content(content: JsonValue) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(text for block in values.items(content) if (text := values.text(block, "text")))


# -- Markdown ----------------------------------------------------------------------------------------------------------


def _of_markdown(file: SourceFile, text: str, tally: Tally) -> SourceConversation:
    found = SourceConversation("", place=file.name)
    all_lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    code = frozenset[int]() if all_lines[0].strip() == MARKER else _code_lines(all_lines)
    speaker: Speaking | None = None
    said: list[str] = []
    began = 0
    for n, line in enumerate([*all_lines, ""], 1):
        last = n > len(all_lines)
        following = None if n in code else speaking(line)
        if following is None and not last:
            if speaker is None:
                found.title = found.title or _heading(unescaped(line))
            else:
                said.append(line if n in code else unescaped(line))
            continue
        if speaker is not None:
            _end(found, speaker, "\n".join(said).strip("\n"), f"{file.name}, line {began}", tally)
        speaker, said, began = following, [following.rest] if following and following.rest else [], n
    return found


def _end(found: SourceConversation, speaker: Speaking, text: str, place: str, tally: Tally) -> None:
    if speaker.who == "other":
        tally.skip("other_role")
    else:
        said = Said("user" if speaker.who == "user" else "assistant", text)
        found.nodes.append(SourceNode("", None, said, time=speaker.time or None, place=place))


def _heading(line: str) -> str:
    return line[2:].strip() if line.startswith("# ") else ""


def _code_lines(all_lines: list[str]) -> frozenset[int]:
    """Lines, from 1, inside fences that are closed: what stands there is nobody speaking."""
    out: list[int] = []
    opening: tuple[int, str] | None = None
    for n, line in enumerate(all_lines, 1):
        fence = _FENCE.match(line)
        if fence is None:
            continue
        if opening is None:
            opening = (n, fence[1])
        elif fence[1].startswith(opening[1]) and not line[fence.end() :].strip():
            out += range(opening[0], n + 1)
            opening = None
    return frozenset(out)


# -- names -------------------------------------------------------------------------------------------------------------


def _named(found: SourceConversation, file: SourceFile) -> SourceConversation:
    """Give ids to what has none. A conversation is named by its file and first words, so that a file that grew is still
    the same one."""
    counts: Counter[tuple[str, ...]] = Counter()
    for node in found.nodes:
        assert node.said is not None
        key = (str(node.time), node.said.role, node.said.text)
        counts[key] += 1
        node.id = node.id or values.digest(*key, counts[key])
    first = found.nodes[0].said
    assert first is not None
    found.id = found.id or values.digest(file.base, first.role, first.text)
    in_line(found.nodes)
    return found
