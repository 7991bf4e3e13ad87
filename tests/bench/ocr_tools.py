"""What the OCR benches share: arguments, pictures from files, output."""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from biny_desktop.reading.ports import Picture


@dataclass(frozen=True)
class Arguments:
    """The command line: the data folder and whether to print JSON."""

    data: Path
    json: bool


def arguments(about: str | None) -> Arguments:
    """The parsed command line."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parsed = parser.parse_args()
    return Arguments(parsed.data, parsed.json)


def read_json(path: Path) -> Any:
    """The content of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def load(path: Path) -> Picture:
    """A picture from a file, BGR."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise SystemExit(f"{path} is no picture")
    return picture


def note(text: str) -> None:
    """Progress, on stderr."""
    print(text, file=sys.stderr, flush=True)


def show(result: dict[str, Any], as_json: bool) -> None:
    """One JSON object on stdout, or a small table."""
    if as_json:
        print(json.dumps(result, ensure_ascii=False))
        return
    for key, value in result.items():
        if isinstance(value, dict):
            print(key)
            for name, part in value.items():
                print(f"  {name:<28} {part}")
        else:
            print(f"{key:<30} {value}")
