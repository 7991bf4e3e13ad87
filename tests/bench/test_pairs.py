"""The bench of similarity: its keys on a few pairs, and the arithmetic of a threshold."""

import json
from pathlib import Path

import pytest

from tests.bench import pairs

ROWS = [
    {"a": "The user lives in Bristol.", "b": "The user lives in Bristol", "label": "duplicate", "langs": "en"},
    {"a": "The user is allergic to milk.", "b": "Milk makes the user ill.", "label": "paraphrase", "langs": "en"},
    {"a": "用户养了一只猫。", "b": "论文需要大修。", "label": "unrelated", "langs": "zh"},
]


def test_keys_of_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    assert pairs.main(["--data", str(file), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["n"] == 3
    assert set(result["centred"]) >= {"duplicate", "paraphrase/en", "unrelated/zh"}
    assert result["centred"]["duplicate"]["p50"] > result["centred"]["unrelated"]["p50"]
    assert {row["threshold"] for row in result["thresholds"]} == {0.1, 0.3, 0.55, 0.62, 0.75, 0.95}


def test_threshold_counts_what_is_at_it_or_above() -> None:
    found = pairs.at(ROWS, [0.9, 0.5, 0.5], 0.5, pairs.SAME)
    assert (found["precision"], found["recall"]) == (0.667, 1.0)
    assert found["kept"]["unrelated"] == 1.0
    assert pairs.at(ROWS, [0.9, 0.5, 0.2], 0.95, pairs.SAME)["precision"] == 0.0
    assert pairs.best_threshold(ROWS, [0.9, 0.5, 0.2], pairs.SAME) == (0.5, 1.0)
