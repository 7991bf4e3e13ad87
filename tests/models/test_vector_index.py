"""The vector index over a real database: adding, finding, what is late or gone, other embedders, memory."""

import pytest

from biny_desktop.core.errors import UnavailableError
from biny_desktop.models.model import Fingerprint
from biny_desktop.models.vector_index import Added
from biny_desktop.redaction import from_row
from tests.fakes.embedder import FakeEmbedder
from tests.models.conftest import IndexHome

TEXTS = {
    1: "the cat sleeps on the warm stove",
    2: "budget of the storage project",
    3: "猫在炉子上睡觉",
    4: "train to Berlin",
}


def ids(home: IndexHome, question: str, k: int = 2, **more: object) -> list[int]:
    return [hit.id for hit in home.index.search(from_row(question), k, **more).hits]


def test_what_shares_words_with_the_question_is_found_first(index_home: IndexHome) -> None:
    assert index_home.index.add(index_home.rows.put(TEXTS)) == Added(4, 0)
    assert ids(index_home, "where does the cat sleep")[0] == 1
    assert ids(index_home, "炉子上睡")[0] == 3
    found = index_home.index.search(from_row("storage budget"), 4)
    assert found.reason is None
    assert found.hits[0].id == 2
    assert all(a.centred >= b.centred for a, b in zip(found.hits, found.hits[1:], strict=False))
    assert found.hits[0].raw > 0.8 > found.hits[0].centred
    assert index_home.changed == ["segment"]


def test_another_embedder_is_never_compared(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(TEXTS))
    index_home.embedder = FakeEmbedder("2")
    assert index_home.index.search(from_row("cat"), 2).reason == "index_mismatch"
    assert index_home.index.status().state == "mismatch"
    with pytest.raises(UnavailableError):
        index_home.index.add(index_home.rows.put({9: "new words"}))
    assert isinstance(index_home.fake.fingerprint, Fingerprint)
