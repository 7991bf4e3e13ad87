"""The sweep: what it embeds and in which order, whom it makes way for, and what it drops."""

from collections.abc import Sequence

import pytest

from biny_desktop.activity.deletes import Selection
from biny_desktop.core.text import RedactedText
from biny_desktop.models.embedding_rounds import GROUP, PAUSE_S, TRIES_MAX
from biny_desktop.storage.progress import UNWATCHED
from tests.activity.meaning.rig import BUDGET, RECIPE, WEATHER, Meaning
from tests.fakes.embedder import FakeEmbedder

MINUTE = 60_000


def test_texts_get_vectors_newest_first_and_are_not_taken_twice(meaning: Meaning) -> None:
    ids = [meaning.home.seen(f"title {n}", text) for n, text in enumerate((BUDGET, WEATHER, RECIPE))]
    assert meaning.swept().startswith("3 screens, 0 activities, 0 left out")
    assert meaning.vectors() == [(each, 1) for each in ids]
    assert {meaning.state(each) for each in ids} == {"embedded"}
    passages = [text for text in meaning.fake.seen if text.startswith("title")]
    assert passages == [f"title 2\n{RECIPE}", f"title 1\n{WEATHER}", f"title 0\n{BUDGET}"]
    assert meaning.swept().startswith("0 screens")
    assert meaning.frames.status().pending == 0


def test_short_and_repeated_texts_get_no_vectors(meaning: Meaning) -> None:
    meaning.home.seen("a", "short")
    same = meaning.home.seen("b", BUDGET)
    kept = meaning.home.seen("b", BUDGET)
    assert meaning.swept().startswith("1 screens, 0 activities, 2 left out")
    assert meaning.vectors() == [(kept, 1)]
    assert meaning.state(same) == "same"


def test_it_pauses_after_each_four_and_goes_on_in_rounds(meaning: Meaning) -> None:
    for n in range(37):
        meaning.home.seen(f"title {n}", f"{n} {BUDGET}")
    meaning.home.clock.waits.clear()
    assert meaning.swept().startswith("37 screens")
    assert meaning.home.clock.waits == [PAUSE_S] * 10


def test_it_waits_for_somebody_who_uses_the_machine(meaning: Meaning) -> None:
    frame = meaning.home.seen("a", BUDGET)
    meaning.idle_ms = 5_999
    assert meaning.swept() == ""
    assert meaning.state(frame) == "pending"
    meaning.idle_ms = 6_000
    assert meaning.swept().startswith("1 screens")


def test_it_stops_between_groups_when_somebody_comes_back(meaning: Meaning) -> None:
    for n in range(12):
        meaning.home.seen(f"title {n}", f"{n} {BUDGET}")

    def idle() -> int:
        return 0 if len(meaning.vectors()) >= GROUP else 60_000

    assert meaning.sweep.run(lambda: True, idle) == "", "asked for again soon"
    assert len(meaning.vectors()) == GROUP
    assert meaning.swept().startswith("8 screens")


def test_it_stops_when_the_app_ends(meaning: Meaning) -> None:
    frame = meaning.home.seen("a", BUDGET)
    meaning.sweep.run(lambda: False, lambda: None)
    assert meaning.state(frame) == "pending"


@pytest.mark.logs_warning("cannot be embedded")
def test_a_text_that_cannot_be_embedded_is_parked_and_holds_up_nobody(meaning: Meaning) -> None:
    def before(texts: Sequence[RedactedText]) -> None:
        if any("poison" in text for text in texts):
            raise ValueError("the model stumbles")

    others = [meaning.home.seen("a", BUDGET), meaning.home.seen("b", WEATHER)]
    poison = meaning.home.seen("c", "poison for the model in this line")
    meaning.fake.before = before
    for _ in range(TRIES_MAX):
        meaning.swept()
    assert meaning.state(poison) == "parked"
    assert [meaning.state(each) for each in others] == ["embedded", "embedded"]
    meaning.home.read(poison, "the words are other ones after it was read again")
    assert meaning.swept().startswith("1 screens")
    assert meaning.state(poison) == "embedded"


@pytest.mark.logs_warning("cannot be embedded")
def test_a_segment_that_cannot_be_embedded_is_left_alone_after_three_tries(meaning: Meaning) -> None:
    def before(texts: Sequence[RedactedText]) -> None:
        if any("poison" in text for text in texts):
            raise ValueError("the model stumbles")

    meaning.fake.before = before
    meaning.segment("poison for the model")
    good = meaning.segment("budget meeting with the council")
    for _ in range(TRIES_MAX):
        meaning.swept()
    assert {row for row, _ in meaning.vectors("segment")} == {good}
    assert "failed" not in meaning.swept()


def test_no_text_is_blamed_for_an_embedder_that_fails_at_everything(meaning: Meaning) -> None:
    def before(texts: Sequence[RedactedText]) -> None:
        raise OSError("the weights are gone")

    frame = meaning.home.seen("a", BUDGET)
    meaning.fake.before = before
    for _ in range(TRIES_MAX + 1):
        assert meaning.swept() == "the embedder fails"
    assert meaning.state(frame) == "pending"


def test_without_an_embedder_everything_waits(meaning: Meaning) -> None:
    frame = meaning.home.seen("a", BUDGET)
    meaning.embedder = None
    assert meaning.swept() == "no embedder"
    assert meaning.state(frame) == "pending"
    meaning.embedder = meaning.fake
    assert meaning.swept().startswith("1 screens")


def test_vectors_of_a_frame_deleted_meanwhile_are_dropped(meaning: Meaning) -> None:
    frame, other = meaning.home.seen("a", BUDGET), meaning.home.seen("b", WEATHER)

    def before(texts: Sequence[RedactedText]) -> None:
        meaning.fake.before = None
        meaning.home.deletes.run(Selection.of_frames(frame))

    meaning.fake.before = before
    meaning.swept()
    assert meaning.vectors() == [(other, 1)]
    assert meaning.home.bytes_holding("quarter") == []


def test_vectors_of_words_that_were_read_anew_meanwhile_are_dropped(meaning: Meaning) -> None:
    frame = meaning.home.seen("a", BUDGET)

    def before(texts: Sequence[RedactedText]) -> None:
        meaning.fake.before = None
        meaning.home.read(frame, WEATHER)

    meaning.fake.before = before
    meaning.swept()
    meaning.swept()
    assert meaning.vectors() == [(frame, 2)]
    assert meaning.state(frame) == "embedded"


@pytest.mark.parametrize("lines", [("short",), ()])
def test_vectors_go_when_the_new_words_say_too_little(meaning: Meaning, lines: tuple[str, ...]) -> None:
    frame = meaning.home.seen("a", BUDGET)
    meaning.swept()
    meaning.home.read(frame, *lines)
    meaning.swept()
    assert meaning.vectors() == []
    assert meaning.state(frame) == "short"
    assert meaning.found("budget") == []


def test_after_a_delete_the_copies_of_the_deleted_text_get_their_own_vectors(meaning: Meaning) -> None:
    copy = meaning.home.seen("plan", BUDGET)
    frame = meaning.home.seen("plan", BUDGET)
    meaning.swept()
    assert (meaning.state(copy), meaning.state(frame)) == ("same", "embedded")
    meaning.home.deletes.run(Selection.of_frames(frame))
    meaning.swept()
    assert meaning.vectors() == [(copy, 1)]
    assert meaning.found("budget meeting") == [copy]


def test_segments_come_after_frames_and_again_when_they_change(meaning: Meaning) -> None:
    meaning.home.seen("a", BUDGET)
    segment = meaning.segment("Editor – budget.md")
    meaning.segment("", open=True)
    meaning.segment("Bank", kind="private")
    meaning.segment("Terminal", hidden=True)
    meaning.segment("Terminal", trivial=True)
    meaning.segment("Terminal – still going on", open=True)
    assert meaning.swept().startswith("1 screens, 1 activities")
    assert meaning.vectors("segment") == [(segment, 1)]
    titles = [text.split("\n")[0] for text in meaning.fake.seen]
    assert titles.index("a") < titles.index("Editor – budget.md")
    with meaning.home.db.write() as w:
        w.run("UPDATE segments SET title = 'Planning', revision = 2 WHERE id = :id", {"id": segment})
    assert meaning.swept().startswith("0 screens, 1 activities")
    assert meaning.vectors("segment") == [(segment, 2)]


def test_an_index_of_another_embedder_is_not_mixed(meaning: Meaning) -> None:
    old = meaning.home.seen("a", BUDGET)
    meaning.swept()
    meaning.embedder = FakeEmbedder(revision="2")
    new = meaning.home.seen("b", WEATHER)
    assert meaning.swept() == "the index is of another embedder"
    assert meaning.state(new) == "pending"
    assert meaning.search.search("budget").reason == "index_mismatch"
    meaning.frames.rebuild(UNWATCHED)
    meaning.swept()
    assert sorted(meaning.found("budget meeting weather rain")) == [old, new]


def test_the_indexes_are_healed_now_and_then(meaning: Meaning) -> None:
    segment = meaning.segment("Editor – budget.md")
    meaning.swept()
    with meaning.home.db.write() as w:
        w.run("UPDATE segments SET hidden = 1, revision = 2 WHERE id = :id", {"id": segment})
    meaning.swept()
    assert meaning.vectors("segment") == [(segment, 1)], "not within the hour"
    meaning.home.clock.advance(60 * MINUTE)
    meaning.swept()
    assert meaning.vectors("segment") == []
