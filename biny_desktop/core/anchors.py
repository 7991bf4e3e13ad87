"""Anchors: where a memory came from, in a form that can be stored, shown and opened again."""

from dataclasses import dataclass
from typing import Literal

AnchorKind = Literal["message", "frame", "segment", "report", "file", "card", "user", "client"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A pointer to a source (spec 01, Provenance).

    `ref` is the id or path of the source inside its kind; `quote` is verbatim, already redacted text cut from it by the
    program; `observed_at_ms` UTC milliseconds of the source itself, `time_zone` its IANA zone.
    """

    kind: AnchorKind
    ref: str
    observed_at_ms: int
    time_zone: str
    quote: str | None = None
