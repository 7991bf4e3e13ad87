"""New events checked against their session and numbered: the rules that both logs share (spec 05 §1)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from biny_desktop.conversation.log.records import as_json
from biny_desktop.conversation.model import EVENT_BYTES_MAX, EVENTS_MAX, Event
from biny_desktop.conversation.session_events import (
    EventPayload,
    NewEvent,
    NodePayload,
    SpansChanged,
    UserMessage,
    VersionSelected,
)
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import mark
from biny_desktop.core.ids import new_id
from biny_desktop.storage.rows import dump_json

Numbered = tuple[Event, EventPayload]


class Places(Protocol):
    """What is in a session already, as far as new events need to know."""

    def has(self, message_id: str) -> bool:
        """Whether a node of that id is in the session."""
        ...

    def slot_under(self, parent_id: str | None) -> str | None:
        """The slot under a node."""
        ...

    def slot_of(self, message_id: str) -> str | None:
        """The slot of a node; None if it is not in the session."""
        ...


@dataclass
class Drafting:
    """Numbers events of one session; `seq` of the last one that it has."""

    session_id: str
    seq: int
    places: Places
    clock: Clock
    ids: Callable[[int], str] = new_id

    def number(self, events: Sequence[NewEvent]) -> list[Numbered]:
        """The events with number, id, time and slot.

        Raises:
            InvalidInputError: one is too large, the session is full, or a message it names is not in the session.
        """
        if self.seq >= EVENTS_MAX and any(isinstance(each.payload, UserMessage) for each in events):
            raise _full()
        now = self.clock.stamp()
        slots: dict[str | None, str] = {}
        fresh: dict[str, str] = {}
        out = []
        for n, new in enumerate(events, self.seq + 1):
            payload = self._placed(new.payload, slots, fresh)
            data = as_json(payload)
            if len(dump_json(data).encode()) > EVENT_BYTES_MAX:
                raise InvalidInputError(
                    mark("That is too long"), mark("A message may have 16 MB at most; nothing was stored."),
                    mark("Give it as a file, or in pieces."),
                )  # fmt: skip
            event = Event(
                self.session_id,
                n,
                self.ids(now.at_ms),
                payload.type,
                data,
                now.at_ms,
                now.zone,
                new.turn_id,
                new.run_id,
            )
            out.append((event, payload))
        return out

    def _placed(self, payload: EventPayload, slots: dict[str | None, str], fresh: dict[str, str]) -> EventPayload:
        if isinstance(payload, NodePayload):
            parent = payload.parent_id
            if parent is not None and parent not in fresh and not self.places.has(parent):
                raise _unknown()
            slot = slots.get(parent)
            if slot is None:
                found = None if parent in fresh else self.places.slot_under(parent)
                slot = slots[parent] = found or payload.message_id
            fresh[payload.message_id] = slot
            return payload.model_copy(update={"slot_id": slot})
        if isinstance(payload, VersionSelected):
            slot = fresh.get(payload.message_id) or self.places.slot_of(payload.message_id)
            if slot is None:
                raise _unknown()
            return payload.model_copy(update={"slot_id": slot})
        if isinstance(payload, SpansChanged) and not self.places.has(payload.message_id):
            raise _unknown()
        return payload


def _full() -> InvalidInputError:
    return InvalidInputError(
        mark("This chat is full"),
        mark("It has 50,000 events; nothing more is added."),
        mark("Fork it and go on there."),
    )


def _unknown() -> InvalidInputError:
    return InvalidInputError(
        mark("There is no such message in this chat"), mark("Nothing was stored."), mark("Read the chat again.")
    )
