"""Making all vectors anew: the old ones are found until the swap, whatever happens on the way; killed, it goes on."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest

from biny_desktop.core.errors import DiskFullError, UnavailableError
from biny_desktop.models.vector_parts import LEASE_MS
from biny_desktop.redaction import from_row
from biny_desktop.storage.progress import UNWATCHED, CancelledError, Progress, Watch
from tests.fakes.embedder import FakeEmbedder
from tests.models.conftest import SECRET, IndexHome

TEXTS = {n: f"note {n} about {word}" for n, word in enumerate(["cats", "ships", "trains", "bread"] * 25, 1)}


class Killed(BaseException):
    """Ends the work at once, as a kill does: nothing after it runs but what the operating system undoes."""


@pytest.fixture
def mismatched(index_home: IndexHome) -> IndexHome:
    """An index of the first embedder, while the second one is chosen."""
    index_home.index.add(index_home.rows.put(TEXTS))
    index_home.embedder = FakeEmbedder("2")
    return index_home


def first(home: IndexHome, question: str) -> int:
    return home.index.search(from_row(question), 1).hits[0].id


def generations(home: IndexHome) -> set[int]:
    return {generation for *_, generation in home.vectors()}


def stop_after(calls: int, error: BaseException):
    """`before` of a fake embedder: that many calls work, then the error."""
    left = [calls]

    def before(_texts: Sequence[str]) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise error

    return before


def test_a_rebuild_embeds_every_row_and_swaps(mismatched: IndexHome) -> None:
    steps: list[Progress] = []
    done = mismatched.index.rebuild(Watch(steps.append))
    assert (done.rows, done.vectors, done.left) == (100, 100, 0)
    assert first(mismatched, "note 7 about trains") == 7
    assert generations(mismatched) == {2}
    status = mismatched.index.status()
    assert (status.state, status.indexed, status.pending, status.stale) == ("ready", 100, 0, 0)
    assert status.own_means == ("passage/other",)
    assert steps[0].step == "embed"
    assert steps[-1].step == "centre"
    assert all(0 <= step.done <= step.total == 100 for step in steps)
    assert max(step.done for step in steps if step.step == "embed") == 100
    assert mismatched.changed[-1] == "segment"


def test_the_old_vectors_are_found_while_new_ones_are_made(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(TEXTS))
    seen: list[tuple[int, str]] = []
    watch = Watch(lambda _: seen.append((first(index_home, "note 7 about trains"), index_home.index.state())))
    index_home.index.rebuild(watch)
    assert set(seen) == {(7, "rebuilding")}
    assert index_home.index.status().state == "ready"


def test_a_cancelled_rebuild_leaves_the_index_as_it_was(mismatched: IndexHome) -> None:
    before = mismatched.vectors()
    asked = [0]

    def cancelled() -> bool:
        asked[0] += 1
        return asked[0] > 6

    with pytest.raises(CancelledError):
        mismatched.index.rebuild(Watch(cancelled=cancelled))
    assert mismatched.vectors() == before
    assert mismatched.index.status().state == "mismatch"
    mismatched.embedder = mismatched.fake
    assert first(mismatched, "note 7 about trains") == 7


def test_one_cancelled_while_it_centres_leaves_the_index_as_it_was(mismatched: IndexHome) -> None:
    before = mismatched.vectors()
    steps: list[Progress] = []
    with pytest.raises(CancelledError):
        mismatched.index.rebuild(Watch(steps.append, lambda: steps[-1].step == "centre"))
    assert mismatched.vectors() == before


def test_a_killed_rebuild_goes_on_where_it_was(mismatched: IndexHome) -> None:
    mismatched.embedder = FakeEmbedder("2", before=stop_after(9, Killed()))  # 4 of them embed the reference texts
    with pytest.raises(Killed):
        mismatched.index.rebuild(UNWATCHED)
    staged = len([row for row in mismatched.vectors() if row[3] == 2])
    assert staged == 40
    assert mismatched.index.status().state == "mismatch"
    mismatched.embedder = mismatched.fake
    assert first(mismatched, "note 7 about trains") == 7
    fresh = mismatched.embedder = FakeEmbedder("2")
    assert mismatched.index.rebuild(UNWATCHED).rows == 100
    assert len(fresh.seen) == 60
    assert generations(mismatched) == {2}


def test_half_a_rebuild_keeps_healing_from_nothing(index_home: IndexHome) -> None:
    index_home.index.add(index_home.rows.put(TEXTS))
    index_home.fake.before = stop_after(5, Killed())
    with pytest.raises(Killed):
        index_home.index.rebuild(UNWATCHED)
    index_home.fake.before = None
    assert index_home.index.heal(lambda: True).recentred
    assert len(generations(index_home)) == 1
    assert index_home.index.rebuild(UNWATCHED).rows == 100


def test_healing_leaves_half_a_rebuild_for_another_embedder(mismatched: IndexHome) -> None:
    mismatched.embedder = FakeEmbedder("2", before=stop_after(9, Killed()))
    with pytest.raises(Killed):
        mismatched.index.rebuild(UNWATCHED)
    mismatched.index.heal(lambda: True)
    fresh = mismatched.embedder = FakeEmbedder("2")
    assert mismatched.index.rebuild(UNWATCHED).rows == 100
    assert len(fresh.seen) == 60


def test_one_killed_for_an_embedder_that_is_no_longer_used_starts_anew(mismatched: IndexHome) -> None:
    mismatched.embedder = FakeEmbedder("2", before=stop_after(9, Killed()))
    with pytest.raises(Killed):
        mismatched.index.rebuild(UNWATCHED)
    mismatched.embedder = FakeEmbedder("3")
    assert mismatched.index.rebuild(UNWATCHED).rows == 100
    assert len(generations(mismatched)) == 1
    assert first(mismatched, "note 7 about trains") == 7


def test_one_killed_between_the_last_vector_and_the_swap_swaps_at_the_next_call(
    mismatched: IndexHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    from biny_desktop.models import staging

    def dies(*_args: object) -> None:
        raise Killed

    monkeypatch.setattr(staging, "swap", dies)
    with pytest.raises(Killed):
        mismatched.index.rebuild(UNWATCHED)
    assert generations(mismatched) == {1, 2}
    monkeypatch.undo()
    fresh = mismatched.embedder = FakeEmbedder("2")
    assert mismatched.index.rebuild(UNWATCHED).rows == 100
    assert fresh.seen == []
    assert generations(mismatched) == {2}


def test_rows_that_change_or_come_while_they_are_embedded_are_right_in_the_end(mismatched: IndexHome) -> None:
    second = FakeEmbedder("2")
    mismatched.embedder = second
    done: list[str] = []

    def meanwhile(texts: Sequence[str]) -> None:
        if not done and any("note 50 " in text for text in texts):
            done.append("changed")
            mismatched.rows.put({50: "wholly different words", 3: "changed after its turn", 200: "a late row"})
            mismatched.rows.delete(10, 51)

    second.before = meanwhile
    rebuilt = mismatched.index.rebuild(UNWATCHED)
    assert (rebuilt.rows, rebuilt.left) == (99, 0)
    kept = {row: revision for row, _part, revision, _generation in mismatched.vectors()}
    assert (kept[50], kept[3], kept[200]) == (2, 2, 1)
    assert not {10, 51} & set(kept)
    assert first(mismatched, "wholly different words") == 50


def test_a_row_that_always_changes_is_left_to_healing(mismatched: IndexHome) -> None:
    second = FakeEmbedder("2")
    mismatched.embedder = second
    count = [0]

    def meanwhile(texts: Sequence[str]) -> None:
        if any("restless" in text for text in texts):
            count[0] += 1
            mismatched.rows.put({5: f"restless {count[0]}"})

    mismatched.rows.put({5: "restless"})
    second.before = meanwhile
    assert mismatched.index.rebuild(UNWATCHED).left == 1
    assert first(mismatched, "note 7 about trains") == 7
    second.before = None
    assert mismatched.index.heal(lambda: True).added == 1


@pytest.mark.logs_warning("cannot be embedded")
def test_a_text_the_model_stumbles_over_is_left_out(mismatched: IndexHome) -> None:
    def before(texts: Sequence[str]) -> None:
        if any(text.startswith("note 7 ") for text in texts):
            raise ValueError

    mismatched.embedder = FakeEmbedder("2", before=before)
    done = mismatched.index.rebuild(UNWATCHED)
    assert (done.rows, done.left) == (99, 1)
    assert first(mismatched, "note 8 about bread") == 8


@pytest.mark.logs_warning("cannot be embedded")
def test_an_embedder_that_fails_for_every_text_leaves_the_index_as_it_was(mismatched: IndexHome) -> None:
    mismatched.rows.put({n: f"note {n}" for n in range(200, 300)})
    reference = FakeEmbedder("2")
    mismatched.embedder = reference

    def before(texts: Sequence[str]) -> None:
        if any(text.startswith("note") for text in texts):
            raise ValueError

    reference.before = before
    with pytest.raises(UnavailableError):
        mismatched.index.rebuild(UNWATCHED)
    mismatched.embedder = mismatched.fake
    assert first(mismatched, "note 7 about trains") == 7


def test_two_processes_do_not_rebuild_at_once(mismatched: IndexHome) -> None:
    other = mismatched.another()
    errors: list[UnavailableError] = []

    def tell(step: Progress) -> None:
        if step.done == 24 and step.step == "embed":
            with pytest.raises(UnavailableError) as caught:
                other.rebuild(UNWATCHED)
            errors.append(caught.value)

    mismatched.index.rebuild(Watch(tell))
    assert len(errors) == 1
    assert first(mismatched, "note 7 about trains") == 7


def test_one_that_was_silent_too_long_gives_way(mismatched: IndexHome) -> None:
    other = mismatched.another()
    second = FakeEmbedder("2")
    mismatched.embedder = second
    done: list[int] = []

    def asleep(texts: Sequence[str]) -> None:
        if any("note 50 " in text for text in texts) and not done:
            done.append(1)
            mismatched.clock.advance(LEASE_MS + 1)
            done.append(other.rebuild(UNWATCHED).rows)

    second.before = asleep
    with pytest.raises(UnavailableError):
        mismatched.index.rebuild(UNWATCHED)
    assert done == [1, 100]
    assert mismatched.index.status().state == "ready"
    assert len(generations(mismatched)) == 1


def test_a_rebuild_without_an_embedder_is_refused(index_home: IndexHome) -> None:
    index_home.embedder = None
    with pytest.raises(UnavailableError):
        index_home.index.rebuild(UNWATCHED)


def test_a_rebuild_of_nothing_is_an_empty_index_of_that_embedder(index_home: IndexHome) -> None:
    done = index_home.index.rebuild(UNWATCHED)
    assert (done.rows, done.vectors, done.left) == (0, 0, 0)
    assert index_home.index.status().state == "empty"


def test_a_full_disk_ends_it_and_the_old_vectors_stay(mismatched: IndexHome) -> None:
    with mismatched.db.write() as w:
        pages = w.one("PRAGMA page_count")
        assert pages is not None
        w.query(f"PRAGMA max_page_count={pages.int('page_count') + 4}")
    with pytest.raises(DiskFullError):
        mismatched.index.rebuild(UNWATCHED)
    with mismatched.db.write() as w:
        w.query("PRAGMA max_page_count=1000000")
    second, mismatched.embedder = mismatched.embedder, mismatched.fake
    assert first(mismatched, "note 7 about trains") == 7
    mismatched.embedder = second
    assert mismatched.index.rebuild(UNWATCHED).rows == 100


def test_a_process_killed_in_a_rebuild_leaves_what_the_next_one_ends(mismatched: IndexHome, tmp_path: Path) -> None:
    code = textwrap.dedent(
        f"""
        import os, signal, sys
        from pathlib import Path
        from biny_desktop.storage.database import open_database
        from biny_desktop.storage.progress import Watch
        from tests.fakes.embedder import FakeEmbedder
        from tests.fakes.indexed_rows import TextRows
        from tests.models.conftest import IndexHome

        db = open_database(Path(sys.argv[1]), bytes.fromhex("{SECRET.hex()}"))
        home = IndexHome(db, TextRows(db))
        home.embedder = FakeEmbedder("2")

        def tell(step):
            if step.done == 48:
                os.kill(os.getpid(), signal.SIGKILL)

        home.index.rebuild(Watch(tell))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "biny.db")], check=False, env={**os.environ, "PYTHONPATH": "."}
    )
    assert done.returncode == -signal.SIGKILL
    assert len([row for row in mismatched.vectors() if row[3] == 2]) == 48
    with pytest.raises(UnavailableError):
        mismatched.index.rebuild(UNWATCHED)
    mismatched.clock.advance(LEASE_MS + 1)
    assert mismatched.index.rebuild(UNWATCHED).rows == 100
    assert len([text for text in mismatched.embedder.seen if text.startswith("note")]) == 52
