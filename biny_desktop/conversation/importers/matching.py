"""What of a conversation is here already, what the user deleted, and what is new (spec 05 §10, "idempotent")."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from biny_desktop.conversation.importers import store, values
from biny_desktop.conversation.importers.source import Format
from biny_desktop.conversation.importers.tidy import TidyConversation, TidyMessage
from biny_desktop.storage.database import Reader

HASH_DIGITS = 16
"""Hexadecimal digits that tell a changed text."""


def conversation_key(format_: Format, conversation_id: str) -> str:
    """The key of a conversation; ids of sources may hold anything, so they are hashed."""
    return f"{format_}:{values.digest('conversation', conversation_id)}"


def message_key(format_: Format, conversation_id: str, message_id: str) -> str:
    """The key (format, conversation id, message id)."""
    return f"{format_}:{values.digest('message', conversation_id, message_id)}"


def content_hash(message: TidyMessage) -> str:
    """By what a changed text is known."""
    said = message.said
    return values.digest(said.text, *(each.text for each in said.attachments))[:HASH_DIGITS]


@dataclass(frozen=True, slots=True)
class Here:
    """What is here of a conversation. `ids`: of messages of the source, those they are here; `hashes` of their texts in
    the source when they were imported; `deleted` by the user; `gone`: the whole session was."""

    session_id: str | None = None
    gone: bool = False
    ids: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    deleted: frozenset[str] = frozenset()
    places: tuple[store.Place, ...] = ()
    last_seq: int = 0

    @property
    def written_on(self) -> bool:
        """Whether somebody wrote in it here."""
        return any(place.key is None for place in self.places)


@dataclass(frozen=True, slots=True)
class Delta:
    """What an import adds: messages in order, each `parent` an id of the source that is here or stands before it."""

    new: tuple[TidyMessage, ...]
    already: int
    changed: int
    deleted: int


def look(r: Reader, format_: Format, found: TidyConversation) -> Here:
    """Find a conversation here."""
    key = conversation_key(format_, found.id)
    keys = {message_key(format_, found.id, each.id): each.id for each in found.messages}
    seen = store.seen(r, [key, *keys])
    session_id = store.session_by_key(r, key)
    known = seen.get(key)
    own = format_ == "own" and session_id is None
    if own and store.session_exists(r, found.id):
        session_id = found.id  # an export of this home
    places = tuple(store.places(r, session_id)) if session_id else ()
    by_key = {place.key: place.id for place in places if place.key is not None}
    live = {place.id for place in places}
    ids: dict[str, str] = {}
    deleted: set[str] = set()
    said = store.ever_said(r, found.id) if own else set()
    for each_key, source_id in keys.items():
        old = seen.get(each_key)
        here = by_key.get(each_key) or (old.message_id if old else None) or (source_id if own else None)
        if here in live:
            ids[source_id] = str(here)
        elif old is not None or source_id in said:
            deleted.add(source_id)
    gone = session_id is None and ((known is not None and known.deleted) or bool(said))
    hashes = {keys[each]: old.content_hash for each, old in seen.items() if each in keys}
    last_seq = store.last_seq(r, session_id) if session_id else 0
    return Here(session_id, gone, ids, hashes, frozenset(deleted), places, last_seq)


def compare(found: TidyConversation, here: Here, *, bring_back: bool) -> Delta:
    """What is new of a conversation. Children of what stays away move to the nearest message that is here."""
    new: list[TidyMessage] = []
    stands: dict[str, str | None] = {}
    already = changed = deleted = 0
    for message in found.messages:
        above = None if message.parent is None else stands[message.parent]
        if message.id in here.ids:
            already += 1
            old = here.hashes.get(message.id, "")
            changed += bool(old) and old != content_hash(message)
            stands[message.id] = message.id
        elif (here.gone or message.id in here.deleted) and not bring_back:
            deleted += 1
            stands[message.id] = above
        else:
            new.append(message if above == message.parent else replace(message, parent=above))
            stands[message.id] = message.id
    return Delta(tuple(new), already, changed, deleted)
