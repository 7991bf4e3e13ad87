"""The ten fields of a new summary: the old one goes on, user messages and files are the program's (spec 05 §3.1).

Old items stay unless a new one of their field names them as its source; of what changes by the hour (`in_progress`,
`blocked`, `next_steps`) only what is said again stays, and of that not what is said to be done. User messages and files
are read from the whole covered path each time, so that an old summary that was shortened shortens nothing for good.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from biny_desktop.conversation.compaction.answer import TEXT_MAX, AnswerItem, Checked
from biny_desktop.conversation.compaction.material import Source
from biny_desktop.conversation.model import FIELDS, Checkpoint, FieldName, Message, SummaryItem
from biny_desktop.core.text import RedactedText, normalise
from biny_desktop.redaction import cut, from_row
from biny_desktop.storage.rows import read_json

State = Mapping[FieldName, tuple[SummaryItem, ...]]
USER_CHARS: Final = 300
"""Characters of each user message (spec 05 §3.1)."""
VOLATILE: Final[frozenset[FieldName]] = frozenset(("in_progress", "blocked", "next_steps"))
_NUMBER: Final = re.compile(r"^\s*\(?\d{1,3}[.):]\s+")
_OPEN: Final = tuple(f"p.{name}." for name in sorted(VOLATILE))
_READ, _WRITTEN = "Files read: ", "Files written: "
_FILE_TOOLS: Final = {"read_file": _READ, "write_file": _WRITTEN}


def merged(
    said: Checked, sources: Mapping[str, Source], covered: Sequence[Message], before: Checkpoint | None,
    redact: Callable[[str], RedactedText],
) -> State:  # fmt: skip
    """The state of a checkpoint from a checked answer.

    Args:
        covered: all of the path that the new checkpoint stands for, from the root. before: the one it goes on from.
    """
    old = before.state if before else {}
    fields: dict[FieldName, tuple[SummaryItem, ...]] = {}
    for name in FIELDS:
        stated = said.get(name, ()) if name not in VOLATILE else _unfinished(said.get(name, ()), said.get("done", ()))
        new = tuple(SummaryItem(redact(_plain(each.text)), _evidence(each.evidence, sources)) for each in stated)
        named = {source for each in stated for source in each.evidence}
        kept = () if name in VOLATILE or (name == "goal" and new) else _unnamed(name, old.get(name, ()), named)
        fields[name] = (*kept, *new)
    steps = enumerate(fields["next_steps"], 1)
    fields["next_steps"] = tuple(
        SummaryItem(from_row(f"{n}. {_NUMBER.sub('', each.text)}"), each.evidence) for n, each in steps
    )
    return _with_program(fields, covered)


def by_program(covered: Sequence[Message], before: Checkpoint | None, last_user: Message | None) -> State:
    """A state without a model, when a request is too long: old items carried on, nothing new marked done."""
    old = before.state if before else {}
    fields: dict[FieldName, tuple[SummaryItem, ...]] = {name: tuple(old.get(name, ())) for name in FIELDS}
    if last_user is not None:
        fields["goal"] = (SummaryItem(cut(last_user.content, 0, TEXT_MAX), (last_user.id,)),)
    return _with_program(fields, covered)


def _unfinished(items: Sequence[AnswerItem], done: Sequence[AnswerItem]) -> tuple[AnswerItem, ...]:
    """Those that are not among what is done: by their words, or as the old item that `done` names."""
    words = {_same(each.text) for each in done}
    named = {source for each in done for source in each.evidence if source.startswith(_OPEN)}
    return tuple(each for each in items if _same(each.text) not in words and not set(each.evidence) <= named)


def _same(text: str) -> str:
    return normalise(_NUMBER.sub("", text)).strip(" .")


def _plain(text: str) -> str:
    """An item's text with the brackets that the model read as entities."""
    return text.strip().replace("&lt;", "<").replace("&gt;", ">")


def _unnamed(name: FieldName, items: Sequence[SummaryItem], named: set[str]) -> tuple[SummaryItem, ...]:
    return tuple(item for n, item in enumerate(items, 1) if f"p.{name}.{n}" not in named)


def _evidence(ids: Iterable[str], sources: Mapping[str, Source]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(message for each in ids for message in sources[each].evidence))


def _with_program(fields: dict[FieldName, tuple[SummaryItem, ...]], covered: Sequence[Message]) -> State:
    said = [
        SummaryItem(cut(each.content, 0, USER_CHARS), (each.id,))
        for each in covered
        if each.role == "user" and each.content.strip()
    ]
    fields["user_messages"] = tuple(said)
    context = [each for each in fields["critical_context"] if not _is_list(each)]
    fields["critical_context"] = (*context, *_files(covered))
    return {name: fields[name] for name in FIELDS}


def _is_list(item: SummaryItem) -> bool:
    return item.text.startswith((_READ, _WRITTEN))


def _files(covered: Sequence[Message]) -> list[SummaryItem]:
    """The lists of files that were read and written, as results show it; the newest names where not all have room."""
    found: dict[str, dict[str, str]] = {_READ: {}, _WRITTEN: {}}
    calls: dict[str, tuple[str, str]] = {}
    for message in covered:
        for call in message.tool_calls:
            path = _path(call.arguments)
            if call.name in _FILE_TOOLS and path:
                calls[call.id] = (_FILE_TOOLS[call.name], path)
        if message.call_id in calls and message.tool_status == "succeeded":
            head, path = calls.pop(message.call_id)
            found[head].pop(path, None)
            found[head][path] = message.id
    return [_list(head, files) for head, files in found.items() if files]


def _list(head: str, files: dict[str, str]) -> SummaryItem:
    names = list(files)
    while len(head) + sum(len(name) + 1 for name in names) > TEXT_MAX and len(names) > 1:
        del names[0]
    text = cut(from_row(head + "\n".join(names)), 0, TEXT_MAX)
    return SummaryItem(text, tuple(dict.fromkeys(files[name] for name in names)))


def _path(arguments: str) -> str | None:
    given = read_json(arguments)
    path = given.get("path") if isinstance(given, dict) else None
    return path if isinstance(path, str) and path else None
