"""What analysis needs from others: somebody who takes facts, and somebody who takes crystal terms.

Both are wired by `app` once those packages exist; until then offers and terms wait in their tables and nothing is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.text import RedactedText

FactKind = Literal["project", "reference", "feedback", "user"]
Outcome = Literal["added", "duplicate", "rejected", "deferred"]


@dataclass(frozen=True, slots=True)
class OfferedFact:
    """A candidate that passed all checks; `key` is `segment:<id>:<n>`, so that it is taken once; `anchors` are the
    segment and its frames."""

    key: str
    kind: FactKind
    content: RedactedText
    why: RedactedText
    anchors: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True)
class FactOutcome:
    """What became of an offer; `deferred` is tried again by a later sweep (no index for the duplicate check yet)."""

    outcome: Outcome
    reason: str = ""
    fact_id: str | None = None


class FactSink(Protocol):
    """Takes facts; decides by its own rules (spec 04). The semantic duplicate check is required."""

    def offer(self, fact: OfferedFact) -> FactOutcome:
        """Take, refuse or defer one offer."""
        ...


@dataclass(frozen=True, slots=True)
class CrystalTerm:
    """A term of a segment that occurs verbatim in its text; `day` is the local day of the segment."""

    segment_id: int
    term: str
    kind: str
    day: str


class CrystalSink(Protocol):
    """Takes terms that may become crystals (spec 07)."""

    def take(self, terms: Sequence[CrystalTerm]) -> None:
        """Count these mentions. After a kill the same term of the same segment may come again; it counts once."""
        ...
