"""The events that bring new messages into a session: texts redacted, trust told, versions chosen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from biny_desktop.conversation.drafts import Draft, prepare_draft
from biny_desktop.conversation.importers.matching import Delta, Here, message_key
from biny_desktop.conversation.importers.source import Format, Said
from biny_desktop.conversation.importers.tidy import TidyConversation, TidyMessage
from biny_desktop.conversation.model import EVENTS_MAX, Attachment, Span
from biny_desktop.conversation.session_events import (
    AssistantMessage,
    AttachmentData,
    CallData,
    NewEvent,
    NodePayload,
    SpanData,
    ToolResult,
    UsageData,
    UserMessage,
    VersionSelected,
)
from biny_desktop.conversation.trust import spans_of
from biny_desktop.redaction import Redactor

SPANS_MAX: Final = 10_000
"""Spans of one message: with more of them its event could be larger than 16 MiB, so all of it is untrusted (own)."""
MODEL_MAX: Final = 200
"""Characters of the name of a model (own)."""
_ROOM: Final = 2_000
"""Events left for what the user does in a session that came by an import (own)."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A new message whose text may be stored."""

    message: TidyMessage
    content: str = field(repr=False)
    spans: tuple[Span, ...]
    attachments: tuple[Attachment, ...]
    reasoning: str = field(repr=False, default="")
    calls: tuple[CallData, ...] = ()
    raw_time: str = ""

    def under(self, parent: str | None) -> "Ready":
        """The same below that message of the source: where it hangs may change while texts are made ready."""
        return replace(self, message=replace(self.message, parent=parent))


def ready(message: TidyMessage, redactor: Redactor, *, mine: bool) -> Ready:
    """Redact a message and tell whose words it has; the slow part, done outside of any transaction."""
    said, own = _worded(message.said, redactor), message.said.own
    raw_time = redactor.plain(message.raw_time) if message.raw_time else ""
    message = replace(message, said=said)
    if own is not None:
        text = redactor.redact(said.text.split("\n")).text if said.text else ""
        spans = own.spans if text == said.text and mine else ()
        attachments = tuple(
            Attachment(redactor.plain(each.name), each.mime, redactor.plain(each.path), each.size)
            for each in said.attachments
        )
        calls = tuple(
            CallData(
                id=redactor.plain(each.id), name=redactor.plain(each.name), arguments=redactor.plain(each.arguments)
            )
            for each in own.tool_calls
        )
        reasoning = redactor.redact(own.reasoning.split("\n")).text if own.reasoning else ""
        return Ready(message, text, spans or spans_of(text, (), own=False), attachments, reasoning, calls, raw_time)
    if said.role != "user":
        return Ready(message, redactor.redact(said.text.rstrip().split("\n")).text, (), (), raw_time=raw_time)
    made = prepare_draft(Draft(said.text, (), said.attachments), redactor)
    spans = made.spans
    if not (mine and said.mine) or len(spans) > SPANS_MAX:
        spans = spans_of(made.content, (), own=False)
    return Ready(message, made.content, spans, made.attachments, raw_time=raw_time)


def _worded(said: Said, redactor: Redactor) -> Said:
    """The same with its small words fit to be stored: names of models, kinds of files, ids of calls."""
    files = tuple(replace(each, mime=redactor.plain(each.mime)) if each.mime else each for each in said.attachments)
    own = said.own
    if own is not None and own.call_id:
        own = replace(own, call_id=redactor.plain(own.call_id))
    model = redactor.plain(said.model)[:MODEL_MAX] if said.model else None
    return replace(said, attachments=files, model=model, own=own)


def room(here: Here) -> int:
    """How many messages a session still takes, each with a selection."""
    return max(0, (EVENTS_MAX - _ROOM - here.last_seq) // 2 if here.last_seq else EVENTS_MAX - _ROOM)


class Bringing:
    """Makes the events of one conversation. `ids`: of the source's messages, what they are here."""

    def __init__(self, format_: Format, found: TidyConversation, here: Here, new_id: Callable[[], str]) -> None:
        self._format, self._found, self._here, self._new_id = format_, found, here, new_id
        self.ids: dict[str, str] = dict(here.ids)
        self._turns: dict[str, str | None] = {place.id: place.turn_id for place in here.places}
        self._own_names: dict[str, str] = {}

    def events(self, new: Sequence[Ready], delta: Delta) -> list[NewEvent]:
        """All of them, parents before children, then what is selected."""
        for each in delta.new:
            self.ids[each.id] = self._new_id()
        out = [self._node(each) for each in new]
        return [*out, *(NewEvent(VersionSelected(slot_id="", message_id=each)) for each in self._selected(delta))]

    def _node(self, ready_: Ready) -> NewEvent:
        message = ready_.message
        said, own = message.said, message.said.own
        parent = None if message.parent is None else self.ids[message.parent]
        message_id = self.ids[message.id]
        turn = self._named(own.turn_id) if own else None
        if own is None:
            turn = self._new_id() if said.role == "user" else self._turns.get(parent or "")
        self._turns[message_id] = turn
        payload = self._payload(ready_, message_id, parent)
        return NewEvent(payload, turn, self._named(own.run_id) if own else None)

    def _payload(self, ready_: Ready, message_id: str, parent: str | None) -> NodePayload:
        message, said = ready_.message, ready_.message.said
        shared: dict[str, object] = {
            "message_id": message_id,
            "parent_id": parent,
            "content": str(ready_.content),
            "sent_at": message.at_ms,
            "time_zone": message.zone,
            "estimated": message.estimated,
            "raw_time": str(ready_.raw_time),
            "source_key": message_key(self._format, self._found.id, message.id),
        }
        if said.role == "user":
            spans = tuple(SpanData(start=each.start, end=each.end, trust=each.trust) for each in ready_.spans)
            files = tuple(
                AttachmentData(name=each.name, mime=each.mime, path=each.path, size=each.size)
                for each in ready_.attachments
            )
            return UserMessage.model_validate({**shared, "spans": spans, "attachments": files})
        if said.role == "tool":
            return self._result(said, shared)
        return self._answer(ready_, shared)

    def _result(self, said: Said, shared: dict[str, object]) -> ToolResult:
        own = said.own
        status = (own.tool_status if own else None) or "unknown"
        return ToolResult.model_validate({**shared, "call_id": (own.call_id if own else None) or "", "status": status})

    def _answer(self, ready_: Ready, shared: dict[str, object]) -> AssistantMessage:
        said = ready_.message.said
        own = said.own
        more: dict[str, object] = {"model": said.model}
        if own is not None:
            usage = own.usage
            more |= {
                "reply_to": self.ids.get(own.reply_to or ""),
                "retry_of": self.ids.get(own.retry_of or ""),
                "reasoning": str(ready_.reasoning),
                "tool_calls": ready_.calls,
                "state": own.state,
                "usage": UsageData(tokens_in=usage.tokens_in, tokens_out=usage.tokens_out) if usage else None,
            }
        return AssistantMessage.model_validate({**shared, **more})

    def _named(self, name: str | None) -> str | None:
        """A turn or run of the export by a name of this home."""
        if not name:
            return None
        return self._own_names.setdefault(name, self._new_id())

    def _selected(self, delta: Delta) -> list[str]:
        """What has to be selected so that the right path shows.

        In a new session that is the source's, as in one that nobody wrote in when its path got longer; else the path
        that shows now stays.
        """
        own = self._found.own
        if own is not None and not self._here.places:
            return [self.ids[each] for each in own.selected if each in self.ids]
        children: dict[str | None, int] = {}
        parents = {place.id: place.parent_id for place in self._here.places}
        for each in delta.new:
            parents[self.ids[each.id]] = None if each.parent is None else self.ids[each.parent]
        for parent in parents.values():
            children[parent] = children.get(parent, 0) + 1
        added = {each.id for each in delta.new}
        path = [each for each in self._found.path if each in self.ids]
        if not self._here.written_on and added.intersection(path):
            wanted = [self.ids[each] for each in path]
        else:
            wanted = [place.id for place in self._here.places if place.active]
        return [each for each in wanted if children.get(parents[each], 0) > 1]


def within(delta: Delta, most: int) -> tuple[Delta, int]:
    """The first `most` messages of what is new, and how many are left out. Parents stand before children."""
    return replace(delta, new=delta.new[:most]), max(0, len(delta.new) - most)
