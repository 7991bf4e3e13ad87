"""Every hidden string of the case files goes, every kept one stays, also under the stricter reading."""

from pathlib import Path

import pytest

from biny_desktop.redaction import RedactionOptions, Redactor
from tests.bench.redaction import judge, load, run

DATA = Path(__file__).parents[1] / "data"
REDACTOR = Redactor(RedactionOptions())
CASES = [case for name in ("redaction_cases.jsonl", "redaction_more.jsonl") for case in load(DATA / name)]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case_loses_its_secrets_and_nothing_else(case):
    assert judge(REDACTOR, case) == {"leaked": [], "lost": []}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case_redacted_twice_is_the_same_as_once(case):
    once = REDACTOR.redact(case["text"].split("\n"))
    twice = REDACTOR.redact(once.lines)
    assert (twice.text, dict(twice.counts), twice.spans) == (once.text, {}, ())


def test_look_alikes_report_nothing():
    found = {case["id"]: dict(REDACTOR.redact(case["text"].split("\n")).counts) for case in CASES if not case["hide"]}
    assert {name: counts for name, counts in found.items() if counts} == {}


def test_bench_counts_every_string_of_the_file():
    result = run(DATA / "redaction_cases.jsonl", rounds=1)
    assert result["hide_ok"] == result["hide_total"] > 50
    assert result["keep_ok"] == result["keep_total"] > 40
    assert result["failures"] == []


def test_bench_tells_what_leaked_and_what_was_lost():
    case = {"text": "harmless words", "hide": ["harmless"], "keep": ["missing"]}
    assert judge(REDACTOR, case) == {"leaked": ["harmless"], "lost": ["missing"]}
