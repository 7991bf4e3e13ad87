"""Frames and segments as their vector indexes see them: which rows belong, at which revision, with which passages."""

from collections.abc import Sequence

from biny_desktop.activity.meaning import passage_store, segment_text_store
from biny_desktop.activity.meaning.passage_store import FrameText
from biny_desktop.activity.meaning.passages import frame_passages, segment_passages
from biny_desktop.activity.meaning.segment_text_store import SegmentText
from biny_desktop.models.embedding_rounds import PickEmbedder
from biny_desktop.models.model import IndexRow
from biny_desktop.models.passage_tokens import CountTokens, counter
from biny_desktop.storage.database import Reader


def frame_row(text: FrameText, count_tokens: CountTokens) -> IndexRow:
    """A frame as the index takes it."""
    return IndexRow(text.frame_id, text.revision, frame_passages(text.title, text.text, count_tokens))


def segment_row(text: SegmentText, count_tokens: CountTokens) -> IndexRow:
    """A segment as the index takes it."""
    made = segment_passages(text.title, text.summary, text.description, count_tokens)
    return IndexRow(text.segment_id, text.revision, made)


class FrameRows:
    """`IndexedRows` of the frames whose texts were decided to be embedded."""

    kind = "frame"
    present = passage_store.PRESENT

    def __init__(self, embedder: PickEmbedder) -> None:
        self._embedder = embedder

    def rows_after(self, r: Reader, row_id: int, limit: int) -> list[IndexRow]:
        count = counter(self._embedder)
        return [frame_row(text, count) for text in passage_store.embedded_after(r, row_id, limit)]

    def revisions(self, r: Reader, ids: Sequence[int]) -> dict[int, int]:
        return passage_store.revisions(r, ids)

    def count(self, r: Reader) -> int:
        return passage_store.count(r, "embedded")


class SegmentRows:
    """`IndexedRows` of the closed segments that are shown."""

    kind = "segment"
    present = segment_text_store.PRESENT

    def __init__(self, embedder: PickEmbedder) -> None:
        self._embedder = embedder

    def rows_after(self, r: Reader, row_id: int, limit: int) -> list[IndexRow]:
        count = counter(self._embedder)
        return [segment_row(text, count) for text in segment_text_store.after(r, row_id, limit)]

    def revisions(self, r: Reader, ids: Sequence[int]) -> dict[int, int]:
        return segment_text_store.revisions(r, ids)

    def count(self, r: Reader) -> int:
        return segment_text_store.count(r)
