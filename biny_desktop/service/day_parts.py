"""The parts that understand a day, put together: segments, account by a model, reports, search by meaning."""

from collections.abc import Callable
from dataclasses import dataclass

from biny_desktop.activity.analysis.analysis import Analysis
from biny_desktop.activity.analysis.offers import Offers
from biny_desktop.activity.meaning.rows import FrameRows, SegmentRows
from biny_desktop.activity.meaning.search import MeaningSearch
from biny_desktop.activity.meaning.sweep import EmbeddingSweep
from biny_desktop.activity.reports.files import MarkdownFiles
from biny_desktop.activity.reports.reports import Reports
from biny_desktop.activity.segments.edits import SegmentEdits
from biny_desktop.activity.segments.keeper import SegmentKeeper
from biny_desktop.activity.segments.reader import Segments
from biny_desktop.activity.segments.search import SegmentSearch
from biny_desktop.core.clock import Clock
from biny_desktop.core.events import EventBus
from biny_desktop.core.settings import Settings
from biny_desktop.models.client import ModelClient
from biny_desktop.models.embedder_choice import EmbedderChoice
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Database
from biny_desktop.storage.folders import Folders


@dataclass(frozen=True, slots=True)
class DayParts:
    """Everything that works on segments, reports and vectors of one home."""

    segments: Segments
    keeper: SegmentKeeper
    segment_edits: SegmentEdits
    segment_search: SegmentSearch
    offers: Offers
    analysis: Analysis
    reports: Reports
    embedder: EmbedderChoice
    frame_vectors: VectorIndex
    segment_vectors: VectorIndex
    meaning: MeaningSearch
    sweep: EmbeddingSweep


def make_day_parts(
    folders: Folders, db: Database, redactor: Callable[[], Redactor], settings: Callable[[], Settings], clock: Clock,
    events: EventBus, client: ModelClient,
) -> DayParts:  # fmt: skip
    """Build them; nothing runs and no model is loaded yet."""
    segments, keeper = Segments(db, settings, clock), SegmentKeeper(db, settings, clock, events)
    embedder, offers = EmbedderChoice(settings), Offers(db, clock)
    frame_vectors = VectorIndex(FrameRows(embedder.current), db, embedder.current, clock, events)
    segment_vectors = VectorIndex(SegmentRows(embedder.current), db, embedder.current, clock, events)
    files = MarkdownFiles(folders.config / "memory" / "reports")
    return DayParts(
        segments=segments,
        keeper=keeper,
        segment_edits=SegmentEdits(db, redactor, clock, events),
        segment_search=SegmentSearch(db, settings, clock),
        offers=offers,
        analysis=Analysis(db, client, redactor, settings, clock, events, offers),
        reports=Reports(db, segments, keeper, client, redactor, settings, clock, events, [files]),
        embedder=embedder,
        frame_vectors=frame_vectors,
        segment_vectors=segment_vectors,
        meaning=MeaningSearch(db, frame_vectors, segment_vectors, redactor, settings, clock),
        sweep=EmbeddingSweep(db, frame_vectors, segment_vectors, embedder.current, clock),
    )
