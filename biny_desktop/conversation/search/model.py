"""What a search of messages takes and gives: filters, hits, pages."""

from dataclasses import dataclass, field
from typing import Literal

from biny_desktop.conversation.model import Role
from biny_desktop.core.marks import Marks

Mode = Literal["keyword", "meaning", "both"]


@dataclass(frozen=True, slots=True)
class MessageFilters:
    """What may be found; None: everything. `source` as in `Session.source`, or its part before the colon (`import`).

    `from_ms` ≤ sent < `to_ms`, UTC. `all_versions`: also nodes off the active path of their session.
    `not_session_id`: a session that is left out.
    """

    session_id: str | None = None
    project_id: str | None = None
    role: Role | None = None
    source: str | None = None
    from_ms: int | None = None
    to_ms: int | None = None
    all_versions: bool = False
    not_session_id: str | None = None


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A message that was found: `snippet` cut from its stored text, `marks` places in it.

    `words`: how many different terms it holds (0: found by meaning alone); `centred`, `raw`: its similarities, None
    when it was found by words alone.
    """

    message_id: str
    session_id: str
    session_title: str
    role: Role
    sent_at_ms: int
    time_zone: str
    snippet: str = field(repr=False)
    marks: Marks
    active: bool
    words: int = 0
    centred: float | None = None
    raw: float | None = None


@dataclass(frozen=True, slots=True)
class MessageIndexed:
    """How a message can be found: whether its `words` are indexed, and its vectors: `stale` those of earlier words or
    another embedder, `none` when it is too short or of a tool."""

    words: bool
    meaning: Literal["indexed", "pending", "stale", "none"]


@dataclass(frozen=True, slots=True)
class IndexCounts:
    """The text index of messages: rows in it, messages that are `missing`, rows that are of no message."""

    indexed: int
    missing: int
    stray: int

    @property
    def whole(self) -> bool:
        return not self.missing and not self.stray


@dataclass(frozen=True, slots=True)
class MessagePage:
    """Hits, best first. `mode` that was used (keyword where there is no embedder); `notice`: why there are none, or why
    another mode was used, a word of the program (untranslated) or None. `next`: offset of the next page."""

    hits: tuple[MessageHit, ...]
    mode: Mode
    notice: str | None = None
    next: int | None = None
