"""The ten fields of a new summary: the old one goes on, user messages and files are the program's (spec 05 §3).

Old items stay unless a new one of their field names them as its source; of what changes by the hour (`in_progress`,
`blocked`, `next_steps`) only what is said again stays.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from biny_desktop.conversation.compaction.answer import TEXT_MAX, Checked
from biny_desktop.conversation.compaction.material import Source
from biny_desktop.conversation.model import FIELDS, Checkpoint, FieldName, Message, SummaryItem
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import cut, from_row

State = Mapping[FieldName, tuple[SummaryItem, ...]]
USER_CHARS: Final = 300
"""Characters of each user message (spec 05 §3.1)."""
VOLATILE: Final[frozenset[FieldName]] = frozenset(("in_progress", "blocked", "next_steps"))
_READ, _WRITTEN = "Files read: ", "Files written: "
_FILE_TOOLS: Final = {"read_file": _READ, "write_file": _WRITTEN}


def merged(
    said: Checked, sources: Mapping[str, Source], covered: Sequence[Message], before: Checkpoint | None,
    redact: Callable[[str], RedactedText],
) -> State:  # fmt: skip
    """The state of a checkpoint from a checked answer."""
    old = before.state if before else {}
    fields: dict[FieldName, tuple[SummaryItem, ...]] = {}
    for name in FIELDS:
        new = tuple(
            SummaryItem(redact(each.text.strip()), _evidence(each.evidence, sources)) for each in said.get(name, ())
        )
        named = {source for each in said.get(name, ()) for source in each.evidence}
        kept = () if name in VOLATILE or (name == "goal" and new) else _unnamed(name, old.get(name, ()), named)
        fields[name] = (*kept, *new)
    return _with_program(fields, covered, old)


def by_program(covered: Sequence[Message], before: Checkpoint | None, last_user: Message | None) -> State:
    """A state without a model, when a request is too long: old items carried on, nothing new marked done."""
    old = before.state if before else {}
    fields: dict[FieldName, tuple[SummaryItem, ...]] = {name: tuple(old.get(name, ())) for name in FIELDS}
    if last_user is not None:
        fields["goal"] = (SummaryItem(cut(last_user.content, 0, TEXT_MAX), (last_user.id,)),)
    return _with_program(fields, covered, old)


def _unnamed(name: FieldName, items: Sequence[SummaryItem], named: set[str]) -> tuple[SummaryItem, ...]:
    return tuple(item for n, item in enumerate(items, 1) if f"p.{name}.{n}" not in named)


def _evidence(ids: Iterable[str], sources: Mapping[str, Source]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(message for each in ids for message in sources[each].evidence))


def _with_program(
    fields: dict[FieldName, tuple[SummaryItem, ...]], covered: Sequence[Message], old: State
) -> State:  # fmt: skip
    said = [
        SummaryItem(cut(each.content, 0, USER_CHARS), (each.id,))
        for each in covered
        if each.role == "user" and each.content.strip()
    ]
    fields["user_messages"] = (*old.get("user_messages", ()), *said)
    context = [each for each in fields["critical_context"] if not _is_list(each)]
    fields["critical_context"] = (*context, *_files(covered, old.get("critical_context", ())))
    return {name: fields[name] for name in FIELDS}


def _is_list(item: SummaryItem) -> bool:
    return item.text.startswith((_READ, _WRITTEN))


def _files(covered: Sequence[Message], old: Sequence[SummaryItem]) -> list[SummaryItem]:
    """The lists of files that were read and written, the newest names where not all have room."""
    names: dict[str, dict[str, None]] = {_READ: {}, _WRITTEN: {}}
    evidence: dict[str, dict[str, None]] = {_READ: {}, _WRITTEN: {}}
    for item in old:
        for head, found in names.items():
            if item.text.startswith(head):
                found.update(dict.fromkeys(item.text.removeprefix(head).split(", ")))
                evidence[head].update(dict.fromkeys(item.evidence))
    for message in covered:
        for j, call in enumerate(message.tool_calls, 1):
            named = _FILE_TOOLS.get(call.name)
            path = _path(call.arguments) if named else None
            if named and path:
                names[named][path] = None
                evidence[named][f"{message.id}.call{j}"] = None
    out = []
    for head, found in names.items():
        text = head + ", ".join(found)
        while len(text) > TEXT_MAX and len(found) > 1:
            del found[next(iter(found))]
            text = head + ", ".join(found)
        if found:
            out.append(SummaryItem(cut(from_row(text), 0, TEXT_MAX), tuple(evidence[head])))
    return out


def _path(arguments: str) -> RedactedText | None:
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    path = given.get("path") if isinstance(given, dict) else None
    return from_row(path.replace(", ", " ")) if isinstance(path, str) and path else None
