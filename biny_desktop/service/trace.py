"""From an anchor to its source: what "Show source" opens."""

from dataclasses import dataclass
from typing import Protocol

from biny_desktop.activity.model import FrameDetail
from biny_desktop.activity.segments.model import SegmentDetail
from biny_desktop.activity.timeline import Timeline
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import NotFoundError
from biny_desktop.service.chat.model import FoundMessage


class SegmentReader(Protocol):
    """Gives a segment with its frames and edits (`activity.segments`)."""

    def detail(self, segment_id: int) -> SegmentDetail:
        """Raises NotFoundError."""
        ...


class MessageReader(Protocol):
    """Gives a message of a stored chat (`service.chat`)."""

    def found(self, message_id: str) -> FoundMessage:
        """Raises NotFoundError."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """An opened source; exactly the field of the anchor's kind is set."""

    anchor: Anchor
    frame: FrameDetail | None = None
    segment: SegmentDetail | None = None
    message: FoundMessage | None = None


def trace(
    anchor: Anchor, timeline: Timeline, segments: SegmentReader | None = None, messages: MessageReader | None = None
) -> Source:
    """Open the source of a memory.

    Raises:
        NotFoundError: the source was deleted, or its kind is not known to this version.
    """
    if anchor.kind == "frame" and anchor.ref.isdigit():
        return Source(anchor, frame=timeline.frame(int(anchor.ref)))
    if anchor.kind == "segment" and anchor.ref.isdigit() and segments is not None:
        return Source(anchor, segment=segments.detail(int(anchor.ref)))
    if anchor.kind == "message" and messages is not None:
        return Source(anchor, message=messages.found(anchor.ref))
    raise NotFoundError("The source cannot be opened", f"There is no {anchor.kind} {anchor.ref!r}.")
