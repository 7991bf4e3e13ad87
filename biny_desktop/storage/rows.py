"""Rows with typed getters, so that no store hands out untyped values."""

import builtins
import json
from collections.abc import Mapping
from typing import TypeAlias

SqlValue: TypeAlias = int | float | str | bytes | None
Params: TypeAlias = Mapping[str, SqlValue]
JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"


class Row:
    """One result row; columns by name. A getter that meets another type is a bug and raises TypeError."""

    __slots__ = ("_values",)

    def __init__(self, names: tuple[str, ...], values: tuple[SqlValue, ...]) -> None:
        self._values = dict(zip(names, values, strict=True))

    def value(self, name: str) -> SqlValue:
        """The value as SQLite gave it."""
        return self._values[name]

    def int(self, name: str) -> builtins.int:
        """An integer that is not null."""
        value = self._values[name]
        if not isinstance(value, builtins.int):
            raise TypeError(f"{name} is not an integer")
        return value

    def float(self, name: str) -> builtins.float:
        """A number that is not null."""
        value = self._values[name]
        if not isinstance(value, builtins.int | builtins.float):
            raise TypeError(f"{name} is not a number")
        return builtins.float(value)

    def text(self, name: str) -> str:
        """Text that is not null."""
        value = self._values[name]
        if not isinstance(value, str):
            raise TypeError(f"{name} is not text")
        return value

    def blob(self, name: str) -> bytes:
        """Bytes that are not null."""
        value = self._values[name]
        if not isinstance(value, bytes):
            raise TypeError(f"{name} is not a blob")
        return value

    def flag(self, name: str) -> bool:
        """0 or 1 as a truth value."""
        return bool(self.int(name))

    def maybe_int(self, name: str) -> builtins.int | None:
        """An integer or null."""
        return None if self._values[name] is None else self.int(name)

    def maybe_text(self, name: str) -> str | None:
        """Text or null."""
        return None if self._values[name] is None else self.text(name)

    def maybe_blob(self, name: str) -> bytes | None:
        """Bytes or null."""
        return None if self._values[name] is None else self.blob(name)

    def json(self, name: str) -> JsonValue:
        """A JSON column, decoded; null, and text that is damaged, give None."""
        return read_json(self.maybe_text(name))


def read_json(text: str | None) -> JsonValue:
    """Decoded JSON; None for what is none: a row with a damaged column must not hide all the others."""
    if text == "[]":  # most of the JSON columns of a long chat
        return []
    try:
        value: JsonValue = None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def dump_json(value: object) -> str:
    """Compact JSON for a column: UTF-8 kept, keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
