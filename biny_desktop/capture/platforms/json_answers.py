"""JSON that compositors and extensions answer with: parsed with care, since it comes from outside."""

import json
from typing import Any

JSON_MAX = 8_000_000
"""Longest answer that is looked at (characters); a thousand windows with long titles stay far below."""


def parse(text: Any) -> Any:
    """The value; None for anything that is no JSON, too long, or nested beyond reason."""
    if not isinstance(text, str | bytes) or len(text) > JSON_MAX:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def field(record: Any, name: str) -> str:
    """A text field; "" when it is missing or something else."""
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, str) else ""


def number(record: Any, name: str) -> int | None:
    """A whole number; None when it is missing or something else."""
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; other elements, and other values, are left out."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
