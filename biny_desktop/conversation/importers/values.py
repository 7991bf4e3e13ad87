"""Parts of decoded JSON of other programs, where anything may be missing or of another type."""

import hashlib

from biny_desktop.storage.rows import JsonValue

Item = dict[str, JsonValue]


def text(item: Item, *names: str) -> str:
    """The first of these fields that is a text with something in it; else nothing."""
    for name in names:
        value = item.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def item(value: JsonValue) -> Item:
    """An object; empty for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: JsonValue) -> list[Item]:
    """The objects of a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def number(value: JsonValue) -> int:
    """A count that is not negative; 0 for anything else."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53 else 0


def digest(*parts: object) -> str:
    """A stable name for parts that have none."""
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "replace")).hexdigest()[:32]
