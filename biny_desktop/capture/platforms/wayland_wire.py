"""Messages of the Wayland protocol: what a client without file descriptors needs to write and read."""

import struct
import sys
from collections.abc import Iterator
from typing import Literal

HEADER = struct.Struct("=II")
_ORDER: Literal["little", "big"] = sys.byteorder


class BrokenMessageError(OSError):
    """The other side sent something that is no Wayland."""


def request(target: int, opcode: int, *arguments: int | str) -> bytes:
    """A message to object `target`: numbers (also ids) and strings, in order."""
    body = b"".join(_number(each) if isinstance(each, int) else _string(each) for each in arguments)
    return HEADER.pack(target, (HEADER.size + len(body)) << 16 | opcode) + body


def messages(buffer: bytearray) -> Iterator[tuple[int, int, "Arguments"]]:
    """(object, opcode, arguments) of each whole message, which is taken out of the buffer.

    Raises:
        BrokenMessageError: a size that no message has.
    """
    while len(buffer) >= HEADER.size:
        target, word = HEADER.unpack_from(buffer)
        size = word >> 16
        if size < HEADER.size or size % 4:
            raise BrokenMessageError("a message of an impossible size")
        if len(buffer) < size:
            return
        body = bytes(buffer[HEADER.size : size])
        del buffer[:size]
        yield target, word & 0xFFFF, Arguments(body)


class Arguments:
    """The arguments of one message, read in order; raises BrokenMessageError past the end."""

    def __init__(self, body: bytes) -> None:
        self._body, self._place = body, 0

    def uint(self) -> int:
        return int.from_bytes(self._take(4), _ORDER)

    def sint(self) -> int:
        return int.from_bytes(self._take(4), _ORDER, signed=True)

    def array(self) -> bytes:
        size = self.uint()
        data = self._take(size)
        self._take(-size % 4)
        return data

    def string(self) -> str:
        return self.array().rstrip(b"\0").decode("utf-8", "replace")

    def uints(self) -> list[int]:
        data = self.array()
        return [int.from_bytes(data[place : place + 4], _ORDER) for place in range(0, len(data) - 3, 4)]

    def _take(self, size: int) -> bytes:
        end = self._place + size
        if end > len(self._body):
            raise BrokenMessageError("a message that is too short")
        part, self._place = self._body[self._place : end], end
        return part


def _number(value: int) -> bytes:
    return (value & 0xFFFFFFFF).to_bytes(4, _ORDER)


def _string(text: str) -> bytes:
    data = text.encode() + b"\0"
    return _number(len(data)) + data + bytes(-len(data) % 4)
