"""The sweep of messages: what it embeds and in which order, whom it makes way for, and what it gives up."""

from collections.abc import Sequence

import pytest

from biny_desktop.conversation.search import sweep
from biny_desktop.core.text import RedactedText
from biny_desktop.models.embedding_rounds import GROUP, TRIES_MAX
from biny_desktop.storage.progress import UNWATCHED
from tests.conversation.search.rig import Rig
from tests.fakes.embedder import FakeEmbedder


def test_a_busy_person_is_not_disturbed(rig: Rig) -> None:
    rig.embedder = FakeEmbedder()
    rig.talk().user("some words to embed")
    assert rig.sweep.run(lambda: True, lambda: 100) == ""
    rig.embedder = None
    assert rig.sweep.run(lambda: True, lambda: None) == "no embedder"


def test_messages_get_vectors_newest_first_and_are_not_taken_twice(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "BATCH", 5)
    fake = rig.embedder = FakeEmbedder()
    made = rig.talk()
    for n in range(12):
        made.user(f"message number {n}", under=None)
    assert rig.swept() == "12 messages"
    assert fake.seen[-12:] == [f"message number {n}" for n in reversed(range(12))]
    fake.seen.clear()
    assert rig.swept() == "0 messages"
    made.user("one more message")
    assert rig.swept() == "1 message"
    assert fake.seen == ["message number 11\none more message"]


def test_what_is_short_or_of_a_tool_gets_none(rig: Rig) -> None:
    rig.embedder = FakeEmbedder()
    made = rig.talk()
    made.user("short")
    made.user(" \n" * 20)
    made.step("", [("c", "look", "{}", "a long result of a tool")])
    assert rig.swept() == "0 messages"
    assert rig.index.status().rows == 0


def test_it_makes_way_between_groups_and_goes_on_later(rig: Rig) -> None:
    rig.embedder = FakeEmbedder()
    made = rig.talk()
    for n in range(10):
        made.user(f"message number {n}")
    assert rig.sweep.run(lambda: True, lambda: 0 if len(rig.embedded()) >= GROUP else 60_000) == ""
    assert len(rig.embedded()) == GROUP
    assert rig.swept() == f"{10 - GROUP} messages"


@pytest.mark.logs_warning("cannot be embedded")
def test_messages_that_cannot_be_embedded_hold_up_nobody_and_are_given_up(rig: Rig) -> None:
    def before(texts: Sequence[RedactedText]) -> None:
        if any("poison" in text for text in texts):
            raise ValueError("the model stumbles")

    made = rig.talk()
    good = made.user("a message as any other")
    for n in range(12):
        made.user(f"poison for the model {n}", under=None)
    rig.embedder = FakeEmbedder(before=before)
    assert rig.swept() == "1 message · 12 failed"
    for _ in range(TRIES_MAX - 1):
        assert rig.swept() == "0 messages · 12 failed"
    assert rig.swept() == "0 messages"
    assert rig.embedded() == [rig.number(good)]


def test_a_broken_embedder_is_said_and_nobody_is_blamed(rig: Rig) -> None:
    def before(texts: Sequence[RedactedText]) -> None:
        raise ValueError("broken")

    rig.talk().user("some words to embed")
    rig.embedder = FakeEmbedder(before=before)
    assert rig.swept() == "the embedder fails"
    rig.embedder = FakeEmbedder()
    assert rig.swept() == "1 message"


def test_vectors_of_another_embedder_are_not_mixed_and_a_rebuild_makes_all_anew(rig: Rig) -> None:
    rig.embedder = FakeEmbedder()
    made = rig.talk()
    made.user("some words to embed")
    assert rig.swept() == "1 message"
    rig.embedder = FakeEmbedder(revision="2")
    assert rig.swept() == "the index is of another embedder"
    rig.index.rebuild(UNWATCHED)
    made.user("some more words to embed")
    assert rig.swept() == "1 message"
    assert rig.index.status().pending == 0
