"""The retrieval bench: its keys, both kinds of folder, smaller stores, and a folder with nothing in it."""

import json
from pathlib import Path

import pytest

from tests.bench import retrieval
from tests.bench.retrieval_data import QUESTION_CHARS, load

TEXTS = [
    "The cat is called Saffron.", "Jonas counts seals near Halifax.", "The rent goes up in January.",
    "Olga teaches the accordion.", "The van was sold in spring.", "年会的主题是复古校园。", "路由器放在客厅。",
]  # fmt: skip
QUERIES = [("Who teaches the accordion?", [3]), ("What is the name of the cat?", [0]), ("路由器在哪里？", [6])]


def plain(folder: Path) -> None:
    rows = [{"id": f"m{place}", "text": text, "time": "2026-03-01"} for place, text in enumerate(TEXTS)]
    rows[1]["before"] = "x" * 1_000 + " Where is he?"
    asked = [{"query": text, "gold": [f"m{place}" for place in gold]} for text, gold in QUERIES]
    (folder / "memories.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked), "utf-8")


def test_every_route_has_a_row_at_each_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain(tmp_path)
    assert retrieval.main(["--data", str(tmp_path), "--sizes", "3,all", "--seeds", "1", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {(row["route"], row["size"]) for row in rows} == {
        (route, size)
        for route in ("default", "vector", "vector_raw", "lexical", "fused")
        for size in ("3", "all")
    }  # fmt: skip
    assert all(set(row) == {"set", "route", "n", "size", "r1", "r3", "r5", "r10", "mrr"} for row in rows)
    assert all(row["n"] == 3 for row in rows)
    assert all(row["r1"] == 1.0 for row in rows if row["route"] in ("default", "lexical"))


def test_text_is_embedded_with_its_date_and_the_end_of_the_message_before(tmp_path: Path) -> None:
    plain(tmp_path)
    memory = load(tmp_path)[0].memories[1]
    assert memory.words == "[2026-03-01] Jonas counts seals near Halifax."
    assert memory.passage.endswith(" Where is he?\n[2026-03-01] Jonas counts seals near Halifax.")
    assert len(memory.passage) == 300 + 1 + len(memory.words)


def test_question_of_a_dialogue_is_the_three_turns_before_its_first_test_turn(tmp_path: Path) -> None:
    memory = {"7": {"time": "2026-01-02", "event": "Jonas counted seals."}}
    (tmp_path / "Set-en-memory.json").write_text(json.dumps(memory) + "\n", "utf-8")
    turns = ["<BOD>\n", "one\n", "two " + "x" * 700 + "\n", "three\n", "four\n", "five\n", "<EOD>\n"]
    dialogue = {"dialogue": turns, "test-turn": [4, 5], "relevant-id": [7, 99]}
    (tmp_path / "Set-en-dialogue.json").write_text(json.dumps(dialogue) + "\n", "utf-8")
    found = load(tmp_path)[0]
    assert (found.name, len(found.questions)) == ("Set-en", 1)
    assert found.questions[0].text.endswith("x\nthree")
    assert len(found.questions[0].text) == QUESTION_CHARS
    assert found.questions[0].gold == {0}


def test_folder_without_data_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert retrieval.main(["--data", str(tmp_path), "--json"]) == 2
    assert "no memories.jsonl" in capsys.readouterr().err
