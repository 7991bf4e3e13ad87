"""Memories of other tools: redacted, once each, answered once each."""

import pytest

from biny_desktop.conversation.importers.memories import statements
from biny_desktop.conversation.importers.source import FoundMemory
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.events import ApprovalsChanged
from tests.fakes.conversations import redactor
from tests.fakes.import_home import SAMPLES, ImportHome


def add(home: ImportHome, *texts: str) -> int:
    made = home.memories.ready(FoundMemory("bio", text, 1_741_600_000.0, "a place") for text in texts)
    with home.db.write() as w:
        return home.memories.add_in(w, 1, "chatgpt", made)


def test_equal_ones_come_in_once_and_secrets_never(home: ImportHome) -> None:
    secret = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5q" * 2
    assert add(home, "Likes tea", "likes  TEA".replace("  ", " "), f"Key {secret}") == 2
    assert add(home, "Likes tea") == 0
    assert {str(each.text) for each in home.memories.open()} == {"Likes tea", "Key [hidden: token]"}
    assert home.memories.count_open() == 2
    assert home.memories.open()[0].observed_at_ms == 1_741_600_000_000


def test_an_answer_is_given_once_and_may_change_the_words(home: ImportHome) -> None:
    add(home, "Likes tea", "Lives in Rome", "Has a cat")
    cat, rome, tea = home.memories.open()
    assert home.memories.answer(tea.id, "accepted", tea.revision, "Likes green tea").text == "Likes green tea"
    assert home.memories.answer(rome.id, "never", rome.revision).status == "never"
    with pytest.raises(InvalidInputError):
        home.memories.answer(tea.id, "refused", tea.revision + 1)
    with pytest.raises(StaleRevisionError):
        home.memories.answer(cat.id, "refused", cat.revision + 5)
    with pytest.raises(InvalidInputError):
        home.memories.answer(cat.id, "accepted", cat.revision, " ")
    with pytest.raises(NotFoundError):
        home.memories.answer(999, "refused", 1)
    assert [each.id for each in home.memories.open()] == [cat.id]
    assert [each.status for each in home.memories.page("answered")] == ["never", "accepted"]
    assert len(home.memories.page("all", 2)) == 2


def test_what_was_answered_does_not_come_back_and_outlives_a_rollback(home: ImportHome) -> None:
    heard: list[object] = []
    home.events.subscribe(ApprovalsChanged, heard.append)
    batch = home.bring(SAMPLES / "chatgpt").batch_id
    first = home.memories.open()[0]
    home.memories.answer(first.id, "never", first.revision)
    assert home.imports.rollback(batch).memories == 3
    assert home.memories.one(first.id).status == "never"
    assert home.bring(SAMPLES / "chatgpt").counts.memories == 3
    assert heard


def test_a_key_over_several_lines_is_hidden_before_lines_become_memories(home: ImportHome) -> None:
    begin, end = (f"-----{word} RSA PRIVATE KEY-----" for word in ("BEGIN", "END"))
    body = "\n".join("kUIdHF+DpYFPtq53g1xWIF4WMmF/nezq7M4Pft7q1JcwDRL1ls9YXEvEDvRrBgJ"[: 60 - n] for n in range(4))
    text = f"Likes tea\n{begin}\n{body}\n{end}\nHas a cat"
    for holds in ("one", "lines", "statements"):
        made = home.memories.ready([FoundMemory("bio", text, None, "", holds)])  # type: ignore[arg-type]
        assert not any("kUIdHF" in each.text for each in made.values())


def test_statements_are_paragraphs_and_items_without_headings() -> None:
    redacted = redactor().redact(
        ["# Work", "Runs a ferry", "office.", "", "**Home**", "- Has a cat", "  and a dog", "* Likes tea"]
    )
    assert statements(redacted.lines) == ["Runs a ferry office.", "Has a cat and a dog", "Likes tea"]
