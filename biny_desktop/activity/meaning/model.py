"""What readers of a search by meaning get; all text already redacted."""

from dataclasses import dataclass

from biny_desktop.activity.model import Frame
from biny_desktop.activity.segments.model import Segment
from biny_desktop.models.model import NothingReason


@dataclass(frozen=True, slots=True)
class MeaningHit:
    """A frame near the question: the passage that is (≤ 200 characters of it), both similarities, where it belongs."""

    frame: Frame
    passage: str
    centred: float
    raw: float
    picture_tier: str
    segment_id: int | None


@dataclass(frozen=True, slots=True)
class MeaningPage:
    """Hits, best first; `reason` says why there are none, `notice` when the query itself is empty."""

    hits: tuple[MeaningHit, ...]
    reason: NothingReason | None = None
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class SegmentMeaningHit:
    """A segment near the question, with both similarities."""

    segment: Segment
    centred: float
    raw: float
