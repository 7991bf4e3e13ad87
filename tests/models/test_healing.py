"""Healing: stale vectors out, missing ones in, means followed by arithmetic alone, all in small steps."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from biny_desktop.models import staging, vector_store
from biny_desktop.models.centring import OWN_MIN
from biny_desktop.models.healing import FAILURES_MAX, Healed
from biny_desktop.models.quantise import restore, signs
from biny_desktop.redaction import from_row
from tests.fakes.embedder import FakeEmbedder
from tests.models.conftest import IndexHome


def always() -> bool:
    return True


def times(count: int) -> Callable[[], bool]:
    """Yes that often, then no."""
    left = [count]

    def go_on() -> bool:
        left[0] -= 1
        return left[0] >= 0

    return go_on


def some(count: int, word: str = "cats", start: int = 1) -> dict[int, str]:
    return {n: f"note {n} about {word}" for n in range(start, start + count)}


def test_stale_vectors_go_and_missing_ones_come(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(some(10)))
    index_home.rows.put({1: "changed", **some(40, "ships", 50)})
    index_home.rows.delete(2, 3)
    healed = index_home.index.heal(always)
    assert (healed.removed, healed.added, healed.failed, healed.finished) == (3, 41, 0, True)
    status = index_home.index.status()
    assert (status.rows, status.indexed, status.pending, status.stale) == (48, 48, 0, 0)
    assert index_home.index.heal(always) == Healed(finished=True)


def test_nothing_to_heal_reads_no_texts(index_home: IndexHome, monkeypatch: pytest.MonkeyPatch) -> None:
    index_home.index.add(index_home.rows.put(some(3)))
    index_home.index.heal(always)
    monkeypatch.setattr(index_home.rows, "rows_after", lambda *_args: pytest.fail("texts were read"))
    assert index_home.index.heal(always).finished


def test_healing_stops_when_told_and_goes_on_next_time(index_home: IndexHome) -> None:
    index_home.rows.put(some(40))
    assert not index_home.index.heal(lambda: False).finished
    assert index_home.vectors() == []
    part = index_home.index.heal(times(6))
    assert 0 < part.added < 40
    assert not part.finished
    assert index_home.index.heal(always).added == 40 - part.added


def test_without_an_embedder_stale_vectors_go_all_the_same(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(some(5)))
    index_home.rows.delete(1)
    index_home.embedder = None
    assert index_home.index.heal(always).removed == 1
    index_home.embedder = FakeEmbedder("2")
    index_home.rows.put({9: "new"})
    assert index_home.index.heal(always).added == 0


@pytest.mark.logs_warning("cannot be embedded")
def test_a_text_the_model_stumbles_over_keeps_no_other_out(index_home: IndexHome) -> None:
    def before(texts: Sequence[str]) -> None:
        if any("note 7 " in text for text in texts):
            raise ValueError

    index_home.rows.put(some(12))
    index_home.fake.before = before
    healed = index_home.index.heal(always)
    assert (healed.added, healed.failed) == (11, 1)


@pytest.mark.logs_warning("cannot be embedded")
def test_a_broken_embedder_is_not_asked_for_every_row(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(some(1)))

    def before(_texts: Sequence[str]) -> None:
        raise ValueError

    index_home.rows.put(some(100, "ships", 10))
    index_home.fake.before = before
    assert index_home.index.heal(always).failed <= 2 * FAILURES_MAX


def test_vectors_left_over_from_something_given_up_are_removed(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(some(5)))
    with index_home.db.write() as w:
        w.run(
            "INSERT INTO segment_vectors SELECT row_id, part, 9, revision, script, q, scale, bits, fingerprint, 0 "
            "FROM segment_vectors"
        )
    index_home.index.heal(always)
    assert {generation for *_, generation in index_home.vectors()} == {1}


def bits_are_right(home: IndexHome) -> bool:
    with home.db.read() as r:
        record = vector_store.record(r, "segment")
        assert record is not None
        kept = vector_store.after(r, "segment", record.generation, staging.START, 10_000)
    raw = restore([each.q for each in kept], record.calibration.dims)
    wanted = signs(record.calibration.passages(raw, [each.script for each in kept]))
    return all(each.bits == wanted[n].tobytes() for n, each in enumerate(kept))


def test_enough_texts_give_means_of_their_own_without_embedding(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(some(OWN_MIN - 1)))
    assert not index_home.index.heal(always).recentred
    index_home.index.add(index_home.rows.put({99: "one more"}))
    before, calibration = len(index_home.fake.seen), index_home.index.status().calibration_id
    assert index_home.index.heal(always).recentred
    assert len(index_home.fake.seen) == before
    status = index_home.index.status()
    assert status.own_means == ("passage/other",)
    assert status.calibration_id != calibration
    assert (status.vectors, status.indexed) == (OWN_MIN, OWN_MIN)
    assert bits_are_right(index_home)
    assert index_home.index.search(from_row("one more"), 1).hits[0].id == 99
    assert not index_home.index.heal(always).recentred


def test_a_mean_that_hardly_moves_is_left(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(some(200)))
    index_home.index.heal(always)
    calibration = index_home.index.status().calibration_id
    index_home.index.add(index_home.rows.put(some(1, "cats", 900)))
    assert not index_home.index.heal(always).recentred
    assert index_home.index.status().calibration_id == calibration
    index_home.index.add(index_home.rows.put(some(200, "ships in a storm at sea", 1000)))
    assert index_home.index.heal(always).recentred
    assert bits_are_right(index_home)


def test_questions_have_a_mean_of_their_own_and_no_vector_is_touched(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(some(5)))
    index_home.index.heal(always)
    before = index_home.vectors()
    for n in range(OWN_MIN):
        index_home.index.note_question(from_row(f"what did I write about {n}"))
    assert index_home.index.heal(always).recentred
    assert index_home.index.status().own_means == ("question/other",)
    assert index_home.vectors() == before
    assert not index_home.index.heal(always).recentred


def test_centring_anew_stopped_half_way_goes_on_and_takes_what_came_meanwhile(
    index_home: IndexHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "BATCH", 10)
    index_home.index.add(index_home.rows.put(some(60)))
    steps = 0
    while not (vectors := index_home.vectors()) or len({g for *_, g in vectors}) == 1:
        steps += 1
        assert not index_home.index.heal(times(steps)).recentred
    assert index_home.index.search(from_row("note 7 about cats"), 1).hits[0].id == 7
    index_home.rows.delete(1)
    index_home.rows.put({2: "changed"})
    index_home.index.add(index_home.rows.put({3: "note 3 about dogs", 99: "a new one"}))
    assert index_home.index.heal(always).recentred
    assert len({g for *_, g in index_home.vectors()}) == 1
    status = index_home.index.status()
    assert (status.indexed, status.pending, status.stale) == (60, 0, 0)
    assert bits_are_right(index_home)
    assert index_home.index.search(from_row("note 3 about dogs"), 1).hits[0].id == 3


def test_two_processes_do_not_heal_at_once(index_home: IndexHome) -> None:
    index_home.rows.put(some(8))
    other = index_home.another()
    seen: list[Healed] = []

    def go_on() -> bool:
        if not seen:
            seen.append(other.heal(always))
        return True

    assert index_home.index.heal(go_on).added == 8
    assert seen == [Healed()]


def test_both_scripts_are_centred_by_their_own_means(index_home: IndexHome) -> None:
    chinese = {n: f"第{n}条笔记讲的是猫和炉子" for n in range(100, 130)}
    index_home.index.add(index_home.rows.put({**some(30), **chinese}))
    index_home.index.heal(always)
    assert index_home.index.status().own_means == ("passage/cjk", "passage/other")
    with index_home.db.read() as r:
        record = vector_store.record(r, "segment")
    assert record is not None
    assert float(np.linalg.norm(record.calibration.means["passage", "cjk"])) > 0.5
    assert not np.allclose(record.calibration.means["passage", "cjk"], record.calibration.means["passage", "other"])


def test_damaged_vectors_are_made_anew(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(some(6)))
    with index_home.db.write() as w:
        w.run("UPDATE segment_vectors SET q = x'01' WHERE row_id = 2")
        w.run("UPDATE segment_vectors SET bits = x'' WHERE row_id = 4")
    assert index_home.index.status().stale == 2
    done = index_home.index.heal(always)
    assert (done.removed, done.added) == (2, 2)
    assert index_home.index.status().stale == 0


def test_an_index_whose_means_cannot_be_read_begins_anew(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(some(6)))
    with index_home.db.write() as w:
        w.run("UPDATE vector_indexes SET calibration = '{'")
    assert index_home.index.status().state == "empty"
    assert index_home.index.heal(always).added == 6
    index_home.index.heal(always)
    assert {generation for _row, _part, _revision, generation in index_home.vectors()} == {2}
    assert index_home.index.search(from_row("note 3 about dogs"), 1).hits[0].id == 3
