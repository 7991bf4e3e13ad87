"""Reading X properties: many requests sent before the first answer is awaited, any bytes turned into safe values."""

import codecs
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from biny_desktop.capture.platforms.x11_thread import Connection

Cookie = object
"""An unanswered request of `xcffib`; opaque here."""

TEXT_WORDS = 4096
"""Longest property read, in 4-byte words: far more than 256 graphemes of a title."""

_HEADER = struct.Struct("=BBHIIII")
_HEADER_BYTES = 32
_ESCAPE = re.compile(rb"\x1b[\x20-\x2f]*[\x30-\x7e]")
_UTF8_PART = re.compile(rb"\x1b%G(.*?)\x1b%@", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Property:
    """One property: the atom of its type, bits of an item (8, 16, 32), its bytes, and whether more was left unread."""

    kind: int
    bits: int
    data: bytes
    cut: bool

    def numbers(self) -> tuple[int, ...]:
        """Unsigned 32-bit items; empty when it holds something else."""
        if self.bits != 32:
            return ()
        return struct.unpack(f"={len(self.data) // 4}I", self.data[: len(self.data) // 4 * 4])


class Properties:
    """Properties by name over one connection; atoms are asked for once."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn
        self._atoms: dict[str, int] = {}

    def atoms(self, *names: str) -> list[int]:
        """The atoms of these names, made when they did not exist."""
        missing = [name for name in names if name not in self._atoms]
        cookies = [self._conn.core.InternAtom(False, len(name), name) for name in missing]
        for name, cookie in zip(missing, cookies, strict=True):
            self._atoms[name] = cookie.reply().atom
        return [self._atoms[name] for name in names]

    def atom(self, name: str) -> int:
        return self.atoms(name)[0]

    def get(self, window: int, *names: str) -> list[Property | None]:
        """These properties of one window, in one round trip; None where absent, all None for a dead window."""
        return self.get_all([(window, name) for name in names])

    def get_all(self, wanted: Sequence[tuple[int, str]]) -> list[Property | None]:
        """The same for any pairs of window and name.

        Raises:
            ConnectionException: the connection broke.
        """
        self.atoms(*{name for _, name in wanted})
        ask = self._conn.core.GetProperty
        cookies = [ask(False, window, self._atoms[name], 0, 0, TEXT_WORDS) for window, name in wanted]
        return [self._read(cookie) for cookie in cookies]

    def numbers(self, window: int, name: str) -> tuple[int, ...]:
        """A property of 32-bit items; empty when absent."""
        found = self.get(window, name)[0]
        return found.numbers() if found else ()

    def text(self, found: Property | None) -> str:
        """The text of a property in the encoding its type names; may hold anything a person can type."""
        if found is None or found.bits != 8:
            return ""
        string, compound = self.atoms("STRING", "COMPOUND_TEXT")
        if found.kind == string:
            return found.data.decode("latin-1")
        if found.kind == compound:
            return decode_compound(found.data)
        return decode_utf8(found.data, cut=found.cut)

    def _read(self, cookie: Cookie) -> Property | None:
        data = raw_reply(self._conn, cookie)
        if data is None:
            return None
        _, bits, _, _, kind, left, count = _HEADER.unpack_from(data)
        if bits == 0:
            return None
        return Property(kind, bits, data[_HEADER_BYTES : _HEADER_BYTES + count * bits // 8], left > 0)


def raw_reply(conn: Connection, cookie: Cookie) -> bytes | None:
    """The bytes of an answer with its 32-byte header; None when the server answered with an error (a window is gone).

    Bytes, since `xcffib` makes a Python object of every item of a list.

    Raises:
        ConnectionException: the connection broke.
    """
    import xcffib
    from xcffib.ffi import ffi

    try:
        unpacker = conn.wait_for_reply(cookie.sequence)  # type: ignore[attr-defined]
    except xcffib.ConnectionException:
        raise
    except xcffib.XcffibException:
        return None
    return bytes(ffi.buffer(unpacker.cdata, unpacker.known_max))


def answers(cookies: Sequence[Cookie]) -> list[object | None]:
    """The parsed answers of plain requests, None for each error; all are read, or XCB would keep them for ever.

    Raises:
        ConnectionException: the connection broke.
    """
    import xcffib

    found: list[object | None] = []
    for cookie in cookies:
        try:
            found.append(cookie.reply())  # type: ignore[attr-defined]
        except xcffib.ConnectionException:
            raise
        except xcffib.XcffibException:
            found.append(None)
    return found


def decode_utf8(data: bytes, *, cut: bool = False) -> str:
    """UTF-8, or Latin-1 when it is not; a character cut at the end of a longer text goes."""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data, final=not cut)
    except UnicodeDecodeError:
        return data.decode("latin-1")


def decode_compound(data: bytes) -> str:
    """Text in X's compound encoding: UTF-8 parts, the East Asian sets of ISO 2022, else Latin-1 without escapes."""
    if b"\x1b" not in data:
        return data.decode("latin-1")
    if b"\x1b%G" in data:
        joined = b"".join(_UTF8_PART.findall(data + b"\x1b%@"))
        return decode_utf8(joined)
    plain = data.replace(b"\x1b$(A", b"\x1b$A").replace(b"\x1b$(B", b"\x1b$B").replace(b"\x1b(J", b"\x1b(B")
    try:
        text = plain.decode("iso2022_jp_2")
    except UnicodeDecodeError:
        text = "\x1b"
    return _ESCAPE.sub(b"", data).decode("latin-1") if "\x1b" in text else text
