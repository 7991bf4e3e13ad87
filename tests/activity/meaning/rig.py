"""A home with both vector indexes, the sweep and the search over a fake embedder."""

from dataclasses import dataclass, field

from biny_desktop.activity.meaning.rows import FrameRows, SegmentRows
from biny_desktop.activity.meaning.search import MeaningSearch
from biny_desktop.activity.meaning.sweep import EmbeddingSweep
from biny_desktop.activity.segments import index as segment_index
from biny_desktop.activity.segments import store as segment_store
from biny_desktop.models.model import Embedder
from biny_desktop.models.vector_index import VectorIndex
from tests.fakes.activity import ActivityHome
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.segment_days import a_segment

BUDGET = "the budget of the next quarter was discussed in the meeting this morning"
WEATHER = "heavy rain and strong wind are expected along the coast tonight"
RECIPE = "boil the potatoes with salt and serve them with butter and parsley"


@dataclass
class Meaning:
    """Everything of meaning search over an `ActivityHome`; `embedder` may be changed or taken away."""

    home: ActivityHome
    fake: FakeEmbedder = field(default_factory=FakeEmbedder)
    idle_ms: int | None = None

    def __post_init__(self) -> None:
        self.embedder: Embedder | None = self.fake
        db, clock, events = self.home.db, self.home.clock, self.home.events
        segment_index.prepare_segment_index(db)
        self.frames = VectorIndex(FrameRows(self.pick), db, self.pick, clock, events)
        self.segments = VectorIndex(SegmentRows(self.pick), db, self.pick, clock, events)
        self.sweep = EmbeddingSweep(db, self.frames, self.segments, self.pick, clock)
        self.search = MeaningSearch(
            db, self.frames, self.segments, lambda: self.home.redactor, lambda: self.home.settings, clock
        )

    def pick(self) -> Embedder | None:
        return self.embedder

    def swept(self) -> str:
        """Run the sweep to its end."""
        return self.sweep.run(lambda: True, lambda: self.idle_ms)

    def found(self, text: str, limit: int = 20, *, every_frame: bool = False) -> list[int]:
        """Ids of the frames found, in their order."""
        return [hit.frame.id for hit in self.search.search(text, limit, every_frame=every_frame).hits]

    def state(self, frame_id: int) -> str:
        """What was decided for a frame's text."""
        with self.home.db.read() as r:
            row = r.one("SELECT state FROM frame_passages WHERE frame_id = :id", {"id": frame_id})
        return row.text("state") if row else "gone"

    def vectors(self, kind: str = "frame") -> list[tuple[int, int]]:
        """(row, revision) of every vector."""
        with self.home.db.read() as r:
            rows = r.query(f"SELECT row_id, revision FROM {kind}_vectors ORDER BY row_id, part")
        return [(row.int("row_id"), row.int("revision")) for row in rows]

    def segment(self, title: str, *frames: int, **changes: object) -> int:
        """Write a segment around these frames; returns its id."""
        made = a_segment(start_ms=self.home.clock.now_ms(), title=title, **changes)
        with self.home.db.write() as w:
            segment_id = segment_store.insert(w, made, self.home.clock.now_ms())
            segment_index.add(w, segment_id)
            for frame_id in frames:
                w.run("UPDATE frames SET segment_id = :s WHERE id = :id", {"s": segment_id, "id": frame_id})
        return segment_id
