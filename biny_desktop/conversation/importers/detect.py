"""Which of the formats a file is in, by its name and its first records (spec 05 §10)."""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from biny_desktop.conversation.importers import values
from biny_desktop.conversation.importers.files import SourceFile, opened
from biny_desktop.conversation.importers.source import FORMATS, Format, Tally
from biny_desktop.conversation.importers.speakers import speaking
from biny_desktop.conversation.importers.streaming import array, lines
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import mark
from biny_desktop.storage.rows import JsonValue

HEAD_RECORDS: Final = 40
"""Records looked at: logs begin with lines of other kinds."""
HEAD_BYTES: Final = 64 * 1024
OWN_KEY: Final = "biny"
"""The first line of our own export has it."""
MEMORIES: Final = "memories.json"
_ACCOUNT: Final = re.compile(r"conversations(?:-\d+)?\.json", re.IGNORECASE)
_CLAUDE_LINES: Final = {
    "user", "assistant", "system", "summary", "attachment", "progress", "file-history-snapshot", "queue-operation",
    "custom-title", "ai-title", "last-prompt", "permission-mode", "mode", "agent-name",
}  # fmt: skip


def choose(files: Sequence[SourceFile], tally: Tally) -> tuple[Format, tuple[SourceFile, ...]]:
    """The format that a choice is read as, and its files; files in other formats are told to `tally`.

    Raises:
        InvalidInputError: there are no chats in any of them.
    """
    by_format: dict[Format, list[SourceFile]] = {}
    memories = []
    for file in files:
        if file.base.lower().endswith(".zst"):
            tally.skip("compressed")
        elif file.base.lower() == MEMORIES:
            memories.append(file)
        elif (found := format_of(file, only=len(files) == 1)) is not None:
            by_format.setdefault(found, []).append(file)
    chosen = next((each for each in FORMATS if by_format.get(each)), None)
    if chosen is None and memories:
        chosen, by_format["claude"] = "claude", []
    if chosen == "chatgpt" and memories and not any(_has_items(file) for file in by_format["chatgpt"]):
        chosen, by_format["claude"] = "claude", by_format.pop("chatgpt")  # only Claude writes what it remembers
    if chosen is None and tally.skipped["compressed"]:
        raise InvalidInputError(
            mark("These logs are compressed"), mark("Nothing was read."), mark("Unpack them first (zstd -d).")
        )
    if chosen is None:
        raise InvalidInputError(
            mark("No chats were found there"),
            mark("What can be read: exports of ChatGPT and Claude, logs of Claude Code and Codex, transcripts."),
            mark("Choose the zip, file or folder that the other tool gave you."),
        )
    others = sum(len(found) for each, found in by_format.items() if each not in (chosen, "plain"))
    if others:
        tally.skip("other_format", others)
    return chosen, (*by_format[chosen], *(memories if chosen == "claude" else ()))


def format_of(file: SourceFile, *, only: bool = True) -> Format | None:
    """The format of one file; None if it is none of them, or one of many and cannot be read.

    Raises:
        InvalidInputError: the only file, or a member of an archive, cannot be read.
    """
    name = file.base.lower()
    try:
        if name.endswith(".jsonl"):
            return "codex" if name.startswith("rollout-") else _of_lines(file)
        if name.endswith(".json"):
            return _of_json(file)
        return "plain" if _is_transcript(file) else None
    except InvalidInputError:
        if only or file.member:
            raise
        return None


def _of_lines(file: SourceFile) -> Format | None:
    with opened(file) as stream:
        for piece in itertools.islice(lines(stream), HEAD_RECORDS):
            record = values.item(piece.value)
            if OWN_KEY in record:
                return "own"
            if record.get("type") in ("session_meta", "response_item", "event_msg"):
                return "codex"
            if ("sessionId" in record or "leafUuid" in record or "uuid" in record) and (
                record.get("type") in _CLAUDE_LINES
            ):
                return "claude_code"
            if _is_message(record) or isinstance(record.get("messages"), list):
                return "plain"
    return None


def _of_json(file: SourceFile) -> Format | None:
    with opened(file) as stream:
        for piece in itertools.islice(array(stream), HEAD_RECORDS):
            record = values.item(piece.value)
            if isinstance(record.get("mapping"), dict):
                return "chatgpt"
            if isinstance(record.get("chat_messages"), list):
                return "claude"
            if _is_message(record) or isinstance(record.get("messages"), list):
                return "plain"
    return "chatgpt" if _ACCOUNT.fullmatch(file.base) else None


def _has_items(file: SourceFile) -> bool:
    with opened(file) as stream:
        return next(array(stream), None) is not None


def _is_message(record: dict[str, JsonValue]) -> bool:
    return isinstance(record.get("role"), str) and "content" in record


def _is_transcript(file: SourceFile) -> bool:
    with opened(file) as stream:
        head = stream.read(HEAD_BYTES).decode("utf-8-sig", "replace")
    return any(speaking(line) is not None for line in head.split("\n"))
