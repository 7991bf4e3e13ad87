"""The two kinds of data folder of the retrieval bench, read into one shape: texts, questions and what answers them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

QUESTION_CHARS = 600
"""Longest question in characters; the last ones are kept (spec 11)."""
TURNS = 3
"""Turns before the test turn that make the question of a dialogue."""
BEFORE_CHARS = 300
"""Of the message before, this many characters are embedded along (spec 05 §9)."""
MARKS = ("<BOD>", "<EOD>")


@dataclass(frozen=True)
class Memory:
    """A stored text; `group` limits which questions may find it."""

    text: str
    before: str = ""
    time: str = ""
    group: str = ""

    @property
    def words(self) -> str:
        """What is found by words: the text with its date before it."""
        return f"[{self.time}] {self.text}" if self.time else self.text

    @property
    def passage(self) -> str:
        """What is embedded: the end of the message before it, then the text."""
        return f"{self.before[-BEFORE_CHARS:]}\n{self.words}" if self.before else self.words


@dataclass(frozen=True)
class Question:
    """A question; `gold` are places in the list of memories."""

    text: str
    gold: frozenset[int]
    group: str = ""


@dataclass(frozen=True)
class RetrievalSet:
    """Memories and questions of one name."""

    name: str
    memories: tuple[Memory, ...]
    questions: tuple[Question, ...]

    def store(self, group: str) -> list[int]:
        """Places of the memories that a question of this group may find; without a group all."""
        return [place for place, each in enumerate(self.memories) if not group or each.group == group]


def load(data: Path) -> list[RetrievalSet]:
    """The sets of a folder: `memories.jsonl` with `queries.jsonl`, and every MADial pair of files.

    Raises:
        FileNotFoundError: the folder holds neither.
    """
    sets = [_plain(data)] if (data / "memories.jsonl").exists() else []
    sets += [_dialogues(data, file) for file in sorted(data.glob("*-memory.json"))]
    if not sets:
        raise FileNotFoundError(f"no memories.jsonl and no *-memory.json in {data}")
    return sets


def _plain(data: Path) -> RetrievalSet:
    rows = list(_lines(data / "memories.jsonl"))
    places = {row["id"]: place for place, row in enumerate(rows)}
    memories = tuple(
        Memory(row["text"], row.get("before") or "", str(row.get("time") or ""), str(row.get("group") or ""))
        for row in rows
    )
    questions = tuple(
        Question(row["query"][-QUESTION_CHARS:], _gold(row["gold"], places), str(row.get("group") or ""))
        for row in _lines(data / "queries.jsonl")
    )
    return RetrievalSet(data.resolve().name, memories, tuple(each for each in questions if each.gold))


def _dialogues(data: Path, file: Path) -> RetrievalSet:
    """The first test turn of each dialogue: at a later one the turns before it already tell the memory."""
    rows = [(int(key), row) for line in _lines(file) for key, row in line.items()]
    places = {key: place for place, (key, _) in enumerate(rows)}
    questions = []
    for row in _lines(data / file.name.replace("-memory", "-dialogue")):
        if row["test-turn"]:
            end = row["test-turn"][0]
            turns = [turn.strip() for turn in row["dialogue"][max(0, end - TURNS) : end]]
            text = "\n".join(turn for turn in turns if turn not in MARKS)[-QUESTION_CHARS:]
            questions.append(Question(text, _gold(row["relevant-id"], places)))
    return RetrievalSet(
        file.name.removesuffix("-memory.json"),
        tuple(Memory(row["event"], time=row["time"]) for _, row in rows),
        tuple(each for each in questions if each.gold),
    )


def _gold(ids: list[Any], places: dict[Any, int]) -> frozenset[int]:
    return frozenset(places[each] for each in ids if each in places)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
