"""From an anchor to its source: what "Show source" opens."""

from dataclasses import dataclass

from biny_desktop.activity.model import FrameDetail
from biny_desktop.activity.timeline import Timeline
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import NotFoundError


@dataclass(frozen=True, slots=True)
class Source:
    """An opened source; exactly the field of the anchor's kind is set."""

    anchor: Anchor
    frame: FrameDetail


def trace(anchor: Anchor, timeline: Timeline) -> Source:
    """Open the source of a memory.

    Raises:
        NotFoundError: the source was deleted, or its kind is not known to this version.
    """
    if anchor.kind == "frame" and anchor.ref.isdigit():
        return Source(anchor, timeline.frame(int(anchor.ref)))
    raise NotFoundError("The source cannot be opened", f"There is no {anchor.kind} {anchor.ref!r}.")
