"""What the sweeps of all kinds share: whom they make way for, and who is blamed for what fails."""

from collections.abc import Sequence

import pytest

from biny_desktop.core.text import RedactedText
from biny_desktop.models.embedding_rounds import GROUP, HEAL_EVERY_MS, IDLE_MS, PAUSE_S, EmbeddingRounds, SweepCall
from biny_desktop.models.model import IndexRow
from tests.fakes.embedder import FakeEmbedder
from tests.models.conftest import IndexHome


def rounds(home: IndexHome) -> EmbeddingRounds:
    return EmbeddingRounds((home.index,), lambda: home.embedder, home.clock)


def call(idle_ms: int | None = None, *, go_on: bool = True) -> SweepCall:
    return SweepCall(lambda: go_on, lambda: idle_ms)


@pytest.mark.parametrize(("idle_ms", "may"), [(None, True), (IDLE_MS, True), (IDLE_MS - 1, False), (0, False)])
def test_somebody_who_uses_the_machine_is_not_disturbed(index_home: IndexHome, idle_ms: int | None, may: bool) -> None:
    done: list[str] = []
    said = rounds(index_home).run(call(idle_ms), lambda: done.append("work"))
    assert (said, done) == ((None, ["work"]) if may else ("", []))


def test_without_an_embedder_nothing_is_done_and_it_is_said(index_home: IndexHome) -> None:
    index_home.embedder = None
    assert rounds(index_home).run(call(), lambda: pytest.fail("no work")) == "no embedder"


def test_texts_come_in_groups_with_a_pause_after_each_until_it_is_stopped(index_home: IndexHome) -> None:
    index_home.clock.waits.clear()
    seen: list[Sequence[int]] = []
    texts = list(range(2 * GROUP + 1))
    assert rounds(index_home).groups(texts, call(), seen.append)
    assert [len(group) for group in seen] == [GROUP, GROUP, 1]
    assert index_home.clock.waits == [PAUSE_S] * 3
    assert not rounds(index_home).groups(texts, call(go_on=False), lambda _group: pytest.fail("stopped"))


@pytest.mark.logs_warning("cannot be embedded")
def test_the_text_that_fails_is_blamed_and_the_others_are_kept(index_home: IndexHome) -> None:
    def before(texts: Sequence[RedactedText]) -> None:
        if any("poison" in text for text in texts):
            raise ValueError("the model stumbles")

    rows = added(index_home, "one", "poison", "three")
    index_home.fake.before = before
    blamed: list[int] = []
    one = call()
    written = rounds(index_home).embed(index_home.index, rows, None, lambda row: blamed.append(row.id), one)
    assert (written, blamed, one.failed) == (2, [rows[1].id], 1)


def test_an_embedder_that_fails_at_everything_is_said_and_nobody_is_blamed(index_home: IndexHome) -> None:
    def before(texts: Sequence[RedactedText]) -> None:
        raise ValueError("broken")

    rows = added(index_home, "one", "two")
    all_rounds = rounds(index_home)
    index_home.fake.before = before
    said = all_rounds.run(
        call(), lambda: all_rounds.embed(index_home.index, rows, None, lambda _row: pytest.fail("blamed"), call())
    )
    assert said == "the embedder fails"


def test_the_index_is_healed_once_an_hour(index_home: IndexHome) -> None:
    one = rounds(index_home)
    one.run(call(), lambda: None)
    added(index_home, "a text that was missed")
    one.run(call(), lambda: None)
    assert index_home.vectors() == []
    index_home.clock.advance(HEAL_EVERY_MS)
    one.run(call(), lambda: None)
    assert len(index_home.vectors()) == 1


def test_vectors_of_another_embedder_are_left_alone(index_home: IndexHome) -> None:
    index_home.index.add(added(index_home, "one"))
    index_home.embedder = FakeEmbedder(revision="2")
    assert rounds(index_home).run(call(), lambda: pytest.fail("no work")) == "the index is of another embedder"


def added(home: IndexHome, *texts: str) -> list[IndexRow]:
    """Rows with these texts, as the index takes them."""
    return home.rows.put(dict(enumerate(texts, 1)))
