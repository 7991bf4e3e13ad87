"""Bench of redaction: how many secrets of a case file go, how many look-alikes stay, and milliseconds per 5,000
characters.

`python -m tests.bench.redaction --data FOLDER_OR_cases.jsonl [--json]`. A case is one JSON object a line with `id`,
`where` (screen, title or url), `text`, `hide` and `keep` lists. An address is read as text on a screen (its query
is shown there), and its stored form must hold no hidden string either.
"""

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from biny_desktop.redaction import RedactionOptions, Redactor

CHARACTERS = 5_000
"""Length of the texts that are timed (spec 02 §8)."""

PIECE = 8
"""No piece of a hidden string of this many characters may survive (stricter reading of the case files)."""

PUBLIC_PREFIXES = ("github_pat_", "sk-proj-", "sk-ant-api03-", "sk_live_", "sk_test_", "-----BEGIN")


def load(data: Path) -> list[dict[str, Any]]:
    """The cases of a file, or of `cases.jsonl` in a folder."""
    path = data / "cases.jsonl" if data.is_dir() else data
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def surviving(output: str, hidden: str) -> str:
    """The first piece of `hidden` that is still in the output; empty when none is."""
    if hidden in output:
        return hidden
    for place in range(len(hidden) - PIECE + 1):
        piece = hidden[place : place + PIECE]
        if piece in output and not any(piece in prefix for prefix in PUBLIC_PREFIXES):
            return piece
    return ""


def judge(redactor: Redactor, case: dict[str, Any]) -> dict[str, Any]:
    """Which hidden strings of a case survived and which kept ones are lost."""
    output = redactor.redact(case["text"].split("\n")).text
    outputs = [output]
    if case.get("where") == "url":
        outputs.append(redactor.redact_url(case["text"]).text)
    if case.get("where") == "title":
        outputs.append(redactor.plain(case["text"]))
    leaked = [hide for hide in case["hide"] if any(surviving(out, hide) for out in outputs)]
    return {"leaked": leaked, "lost": [keep for keep in case["keep"] if keep not in output]}


def milliseconds(redactor: Redactor, cases: list[dict[str, Any]], rounds: int) -> dict[str, float]:
    """Median time per 5,000 characters: of a page of look-alikes, and of one in which every line is a secret."""
    pages = {
        "ordinary": [line for case in cases if not case["hide"] for line in case["text"].split("\n")],
        "secrets": [line for case in cases if case["hide"] for line in case["text"].split("\n")],
    }
    out = {}
    for name, lines in pages.items():
        page: list[str] = []
        while lines and sum(map(len, page)) < CHARACTERS:
            page += lines
        while len(page) > 1 and sum(map(len, page)) - len(page[-1]) > CHARACTERS:
            page.pop()
        took = []
        for _ in range(rounds if page else 0):
            began = time.perf_counter()
            redactor.redact(page)
            took.append((time.perf_counter() - began) * 1_000 * CHARACTERS / max(1, sum(map(len, page))))
        out[name] = round(statistics.median(took), 2) if took else 0.0
    return out


def run(data: Path, rounds: int = 15) -> dict[str, Any]:
    """All figures of the bench."""
    cases = load(data)
    redactor = Redactor(RedactionOptions())
    verdicts = [(case, judge(redactor, case)) for case in cases]
    times = milliseconds(redactor, cases, rounds)
    return {
        "hide_total": sum(len(case["hide"]) for case in cases),
        "hide_ok": sum(len(case["hide"]) - len(verdict["leaked"]) for case, verdict in verdicts),
        "keep_total": sum(len(case["keep"]) for case in cases),
        "keep_ok": sum(len(case["keep"]) - len(verdict["lost"]) for case, verdict in verdicts),
        "failures": [
            {"id": case["id"], **verdict} for case, verdict in verdicts if verdict["leaked"] or verdict["lost"]
        ],
        "ms_per_5000_chars": times["ordinary"],
        "ms_per_5000_chars_of_secrets": times["secrets"],
    }


def main() -> None:
    """Print the figures as JSON or as a small table."""
    parser = argparse.ArgumentParser(description="Bench of redaction")
    parser.add_argument("--data", type=Path, required=True, help="a cases.jsonl or the folder that holds one")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    result = run(args.data)
    if args.json:
        print(json.dumps(result, ensure_ascii=False))
        return
    for name, value in result.items():
        print(f"{name:32} {len(value) if name == 'failures' else value}")
    for failure in result["failures"]:
        print(json.dumps(failure, ensure_ascii=False), file=sys.stderr)


if __name__ == "__main__":
    main()
