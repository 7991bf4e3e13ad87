"""Our own export read back: one record a line, every version, its exact spans and times (spec 05 §10)."""

from collections.abc import Iterator
from typing import Final, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from biny_desktop.conversation.drafts import AttachedFile
from biny_desktop.conversation.importers import values
from biny_desktop.conversation.importers.detect import OWN_KEY
from biny_desktop.conversation.importers.files import Counted, SourceFile
from biny_desktop.conversation.importers.source import OwnParts, OwnSession, Said, SourceConversation, SourceNode, Tally
from biny_desktop.conversation.importers.streaming import lines
from biny_desktop.conversation.importers.times import RAW_MAX
from biny_desktop.conversation.importers.values import Item
from biny_desktop.conversation.model import Role, Span, ToolStatus, Trust, Usage
from biny_desktop.core.text import clean
from biny_desktop.models.model import ToolCall
from biny_desktop.storage.rows import JsonValue

VERSION: Final = 1
"""Of the lines of an export; higher ones are read as far as they are understood."""
_ROLES: Final[tuple[Role, ...]] = get_args(Role)
_STATUSES: Final[tuple[ToolStatus, ...]] = get_args(ToolStatus)
_TRUSTS: Final[tuple[Trust, ...]] = get_args(Trust)
_TITLES: Final[tuple[Literal["rule", "user", "import"], ...]] = ("rule", "user", "import")


def read(file: SourceFile, stream: Counted, tally: Tally) -> Iterator[SourceConversation]:
    """The sessions of an export, one at a time."""
    found: SourceConversation | None = None
    for piece in lines(stream):
        place = f"{file.name}, line {piece.n}"
        record = values.item(piece.value)
        kind = record.get("type")
        if piece.trouble == "cut":
            tally.skip("still_being_written")
        elif piece.trouble is not None:
            tally.fault(piece.trouble, place)
        elif kind == "session":
            if found is not None:
                yield found
            found = _session(record, place)
        elif kind == "message" and found is not None:
            _message(found, record, place, tally)
        elif OWN_KEY not in record and kind != "end":
            tally.fault("bad_json", place)
    if found is not None:
        yield found


def _session(record: Item, place: str) -> SourceConversation:
    selected, by = record.get("selected"), record.get("title_by")
    learn, recall = record.get("learn"), record.get("recall")
    own = OwnSession(
        title_by=next((each for each in _TITLES if each == by), "import"),
        project=values.text(record, "project"),
        learn=learn if isinstance(learn, bool) else None,
        recall=recall if isinstance(recall, bool) else None,
        selected=[each for each in selected if isinstance(each, str)] if isinstance(selected, list) else [],
    )
    return SourceConversation(
        clean(values.text(record, "id")) or values.digest(record.get("created"), place), values.text(record, "title"),
        record.get("created"), values.text(record, "folder"), place=place, own=own,
    )  # fmt: skip


def _message(found: SourceConversation, record: Item, place: str, tally: Tally) -> None:
    name, role = values.text(record, "id"), record.get("role")
    if not name:
        tally.fault("no_id", place)
        return
    parent = values.text(record, "parent") or None
    node = SourceNode(name, parent, time=record.get("sent"), place=place)
    found.nodes.append(node)
    kind = next((each for each in _ROLES if each == role), None)
    if kind is None:
        tally.fault("unknown_role", place)
        return
    content = record.get("content")
    text = content if isinstance(content, str) else ""
    files = tuple(
        AttachedFile(
            values.text(e, "name"), values.text(e, "mime"), values.text(e, "path"), values.number(e.get("size"))
        )
        for e in values.items(record.get("attachments"))
    )  # fmt: skip
    node.said = Said(kind, text, files, model=values.text(record, "model") or None, own=_parts(record, text))


def _parts(record: Item, text: str) -> OwnParts:
    status, usage = record.get("status"), record.get("usage")
    return OwnParts(
        spans=_spans(record.get("spans"), text),
        zone=_zone(values.text(record, "zone")),
        estimated=record.get("estimated") is True,
        raw_time=values.text(record, "raw_time")[:RAW_MAX],
        turn_id=values.text(record, "turn") or None,
        run_id=values.text(record, "run") or None,
        reasoning=values.text(record, "reasoning"),
        tool_calls=tuple(
            ToolCall(values.text(each, "id"), values.text(each, "name"), values.text(each, "arguments"))
            for each in values.items(record.get("calls"))
        ),
        call_id=values.text(record, "call") or None,
        tool_status=next((each for each in _STATUSES if each == status), None),
        state="stopped" if record.get("state") == "stopped" else "complete",
        reply_to=values.text(record, "reply_to") or None,
        retry_of=values.text(record, "retry_of") or None,
        usage=Usage(*(each if isinstance(each, int) else None for each in usage))
        if isinstance(usage, list) and len(usage) == 2
        else None,
    )


def _zone(name: str) -> str:
    """A zone that there is, else nothing: the field could hold anything."""
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ""


def _spans(value: JsonValue, text: str) -> tuple[Span, ...]:
    """Spans that cover the text without gaps; none if these do not."""
    out: list[Span] = []
    place = 0
    for each in value if isinstance(value, list) else []:
        if not isinstance(each, list) or len(each) != 3 or each[0] != place or not isinstance(each[1], int):
            return ()
        trust = next((name for name in _TRUSTS if name == each[2]), None)
        if trust is None or each[1] <= place:
            return ()
        out.append(Span(place, each[1], trust))
        place = each[1]
    return tuple(out) if place == len(text) else ()
