"""Large JSON read piece by piece: the items of an array, the lines of a file; never more than one of them in memory.

An item is decoded by the C decoder from a window of text. Only where that fails (the window ends inside it, or it is
malformed) its end is looked for by brackets, so that a bad item costs itself and not the file.
"""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from biny_desktop.storage.rows import JsonValue

CHUNK: Final = 1 << 20
"""Bytes read at once."""
ITEM_MAX: Final = 24 * 1024 * 1024
"""Characters of one conversation or line (own): with its decoded form, four bytes a character where there is an emoji,
it stays below the 500 MB of spec 05 §12."""
_OUTSIDE: Final = re.compile(r'[\[\]{}"]')
_INSIDE: Final = re.compile(r'["\\]')
_OVER: Final = re.compile(r'[,\[\]{}"]')
_BETWEEN: Final = re.compile(r"[\s,]*")
_DECODER: Final = json.JSONDecoder()

Trouble = Literal["bad_json", "too_large", "cut"]


class Bytes(Protocol):
    """A file that is open for reading."""

    def read(self, size: int = -1, /) -> bytes: ...

    def readline(self, size: int = -1, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Piece:
    """One item or line, counted from 1; `trouble` instead of a value where there is none. `cut`: the last line of a
    file that is still being written."""

    n: int
    value: JsonValue = None
    trouble: Trouble | None = None


def decode(text: str | bytes) -> JsonValue:
    """Decoded JSON. Raises ValueError for what is none, or nested too deeply."""
    try:
        value: JsonValue = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def lines(stream: Bytes, limit: int = ITEM_MAX) -> Iterator[Piece]:
    """The lines of JSON Lines; empty ones are passed over."""
    n = 0
    while raw := stream.readline(limit + 1):
        n += 1
        whole = raw.endswith(b"\n")
        if len(raw) > limit and not whole:
            while rest := stream.readline(CHUNK):
                if rest.endswith(b"\n"):
                    break
            yield Piece(n, trouble="too_large")
            continue
        if not (stripped := raw.strip().removeprefix(codecs.BOM_UTF8)):
            continue
        try:
            yield Piece(n, decode(stripped.decode("utf-8", "replace")))
        except ValueError:
            yield Piece(n, trouble="bad_json" if whole else "cut")


def array(stream: Bytes, limit: int = ITEM_MAX) -> Iterator[Piece]:
    """The items of a JSON array; a file of one object counts as an array of that one."""
    return _Array(stream, limit).items()


class _Brackets:
    """Finds where an object or array ends, over windows that may end anywhere."""

    def __init__(self) -> None:
        self.depth = 0
        self._quoted = False

    def end(self, text: str, place: int) -> tuple[int, bool]:
        """Go on from `place`: where it stopped, and whether that is behind the closing bracket."""
        while True:
            found = (_INSIDE if self._quoted else _OUTSIDE).search(text, place)
            if found is None:
                return len(text), False
            place, char = found.end(), found[0]
            if char == "\\":
                if place == len(text):
                    return place - 1, False  # what it escapes is in the next window
                place += 1
            elif char == '"':
                self._quoted = not self._quoted
            else:
                self.depth += 1 if char in "[{" else -1
                if self.depth <= 0:
                    return place, True


class _Array:
    def __init__(self, stream: Bytes, limit: int) -> None:
        self._stream, self._limit = stream, limit
        self._text, self._place, self._ended = "", 0, False
        head = stream.read(4)
        wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        self._decoder = codecs.getincrementaldecoder("utf-16" if wide else "utf-8-sig")("replace")
        self._text = self._decoder.decode(head)

    def items(self) -> Iterator[Piece]:
        first = self._next_char()
        if first is None:
            return
        if first != "[":
            yield self._item(1)
            return
        self._place += 1
        n = 0
        while self._next_char() not in (None, "]"):
            n += 1
            yield self._item(n)

    def _next_char(self) -> str | None:
        """The first character that belongs to an item, at the place; None at the end."""
        while True:
            found = _BETWEEN.match(self._text, self._place)
            self._place = found.end() if found else self._place
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._more():
                return None

    def _more(self) -> bool:
        """Read on, at least as much again as is waiting, so that a long item is not copied too often."""
        if self._ended:
            return False
        self._text = self._text[self._place :]
        self._place = 0
        raw = self._stream.read(max(CHUNK, len(self._text)))
        self._ended = not raw
        self._text += self._decoder.decode(raw, final=self._ended)
        return True

    def _item(self, n: int) -> Piece:
        """The item at the place."""
        if self._text[self._place] not in "[{":
            return self._scalar(n)
        try:
            value, self._place = _DECODER.raw_decode(self._text, self._place)
        except (ValueError, RecursionError):
            return self._slow(n)
        return Piece(n, value)

    def _slow(self, n: int) -> Piece:
        brackets, looked, dropped = _Brackets(), self._place, False
        while True:
            looked, closed = brackets.end(self._text, looked)
            if closed:
                break
            if looked - self._place > self._limit:
                dropped = True
            if dropped:
                self._place = looked
            waiting = looked - self._place
            if not self._more():
                self._place = len(self._text)
                return Piece(n, trouble="too_large" if dropped else "bad_json")
            looked = waiting
        raw, self._place = self._text[self._place : looked], looked
        if dropped or len(raw) > self._limit:
            return Piece(n, trouble="too_large")
        try:
            return Piece(n, decode(raw))
        except ValueError:
            return Piece(n, trouble="bad_json")

    def _scalar(self, n: int) -> Piece:
        """What is no object is no record of any format: passed over up to the next comma, bracket or end."""
        quoted, place = self._text[self._place] == '"', self._place + 1
        while True:
            found = (_INSIDE if quoted else _OVER).search(self._text, place)
            if found is None or (found[0] == "\\" and found.end() == len(self._text)):
                self._place = found.start() if found else len(self._text)
                if not self._more():
                    self._place = len(self._text)
                    return Piece(n, trouble="bad_json")
                place = 0
            elif found[0] == "\\":
                place = found.end() + 1
            elif found[0] == '"':
                quoted, place = not quoted, found.end()
            else:
                self._place = found.start()
                return Piece(n, trouble="bad_json")
