"""Whatever a source holds at whatever place: no import fails for it, and the second one adds nothing."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.core.errors import BinyError
from tests.fakes.import_home import SAMPLES, ImportHome

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, float("nan"), 10**400, "", " ", "\ud800", "\x00", "a\udfffb", "x" * 5_000, [], {}, [[]],
    ["\ud800"], {"\ud800": "\ud800"}, "User: me", "2026-13-99T99:99", "../../etc/passwd", "sk-" + "aB3" * 20,
)  # fmt: skip
FILES = {
    "chatgpt/conversations.json": "conversations.json",
    "claude/conversations.json": "conversations.json",
    "claude/memories.json": "memories.json",
    "claude_code/-home-ada-boats/5f0c0c1e-0000-4000-8000-00000000aaaa.jsonl": "s.jsonl",
    "codex/2026/03/02/rollout-2026-03-02T10-00-00-0199aaaa.jsonl": "rollout-1.jsonl",
    "codex/2025/08/01/rollout-2025-08-01T10-00-00-old.jsonl": "rollout-2.jsonl",
    "plain/talk.json": "talk.json",
    "plain/lines.jsonl": "lines.jsonl",
}


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a value of JSON."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [above, *(place for key, each in inner for place in places(each, (*above, key)))]


def changed(value: Any, chance: random.Random) -> Any:
    """The value with one to three places replaced or removed."""
    for _ in range(chance.randint(1, 3)):
        place = chance.choice(places(value))
        if not place:
            continue
        at = value
        for key in place[:-1]:
            at = at[key]
        if chance.random() < 0.25:
            del at[place[-1]]
        else:
            at[place[-1]] = chance.choice(ODD)
    return value


def records(raw: str, name: str) -> list[Any]:
    if name.endswith(".jsonl"):
        found = []
        for line in raw.splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return found
    return json.loads(raw)  # type: ignore[no-any-return]


def written(path: Path, value: Any) -> None:
    if path.suffix == ".jsonl":
        lines = value if isinstance(value, list) else [value]
        path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    else:
        path.write_text(json.dumps(value))


def brought(home: ImportHome, path: Path) -> int | None:
    """How many messages came in; None where a person is told that it cannot be read."""
    try:
        return home.bring(path).counts.messages_new
    except BinyError:
        return None


@pytest.mark.parametrize("sample", FILES)
def test_odd_values_anywhere_break_no_import(home: ImportHome, tmp_path: Path, sample: str) -> None:
    chance = random.Random(sample)
    raw = (SAMPLES / sample).read_text()
    path = tmp_path / FILES[sample]
    for _round in range(40):
        written(path, changed(records(raw, sample), chance))
        brought(home, path)
        assert brought(home, path) in (0, None)


def test_odd_values_in_an_export_of_ours_break_no_import(home: ImportHome, tmp_path: Path) -> None:
    home.bring(SAMPLES / "chatgpt")
    path = tmp_path / "chats.jsonl"
    home.exports.write_lines(path, home.exports.all_ids())
    raw = path.read_text()
    chance = random.Random(11)
    for _round in range(80):
        written(path, changed(records(raw, path.name), chance))
        brought(home, path)
        assert brought(home, path) in (0, None)


@pytest.mark.parametrize("sample", FILES)
def test_a_file_that_ends_anywhere_breaks_no_import(home: ImportHome, tmp_path: Path, sample: str) -> None:
    chance = random.Random(sample)
    raw = (SAMPLES / sample).read_bytes()
    path = tmp_path / FILES[sample]
    for _round in range(15):
        path.write_bytes(raw[: chance.randrange(len(raw))])
        brought(home, path)
        assert brought(home, path) in (0, None)
    path.write_bytes(raw)
    brought(home, path)
    assert brought(home, path) in (0, None)
