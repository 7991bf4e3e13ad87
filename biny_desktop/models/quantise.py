"""Vectors as they are kept: int8 with a scale for the raw one, one bit a dimension for the centred one."""

from typing import Final

import numpy as np
import numpy.typing as npt

from biny_desktop.models.model import Vectors

LEVELS: Final = 127
"""The largest int8 a component becomes; the error of a cosine is below 0.003 at 384 dims."""
_WORD: Final = 8  # bytes; signs are compared 64 at a time
_ONES: Final = np.array([bin(byte).count("1") for byte in range(256)], np.uint8)

Quantised = npt.NDArray[np.int8]
Bits = npt.NDArray[np.uint64]
"""n × words of 64 signs."""


def quantise(vectors: Vectors) -> tuple[Quantised, npt.NDArray[np.float64]]:
    """n × dims unit vectors as int8, and the scale of each: `q * scale` is the vector again."""
    scales = np.abs(vectors).max(axis=1).astype(np.float64) / LEVELS
    scales[scales == 0] = 1.0
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


def restore(rows: list[bytes], dims: int) -> Vectors:
    """Kept int8 rows as unit vectors, n × dims; their scales do not matter to a direction. A damaged one is zeros."""
    kept = np.frombuffer(b"".join(_of_length(rows, dims)), np.int8).reshape(len(rows), dims)
    return unit(kept.astype(np.float32))


def unit(vectors: Vectors) -> Vectors:
    """Each row made of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    return np.asarray(vectors / lengths, np.float32)


def signs(centred: Vectors) -> npt.NDArray[np.uint8]:
    """n × bytes: a bit a dimension, set where it is positive, padded to whole words of 64 (48 bytes at 384 dims)."""
    packed = np.packbits(centred > 0, axis=1)
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % _WORD)))


def as_words(rows: list[bytes], dims: int) -> Bits:
    """Kept signs as words of 64, n × words; damaged ones are zeros."""
    length = bits_length(dims)
    return np.frombuffer(b"".join(_of_length(rows, length)), np.uint64).reshape(len(rows), length // _WORD)


def bits_length(dims: int) -> int:
    """Bytes of the signs of one vector."""
    return -(-dims // (8 * _WORD)) * _WORD


def _of_length(rows: list[bytes], length: int) -> list[bytes]:
    return [row if len(row) == length else bytes(length) for row in rows]


def differing(bits: Bits, question: Bits) -> npt.NDArray[np.uint16]:
    """In how many signs each row differs from the question's (1 × words); word by word, a sum along six is slow."""
    total = np.zeros(len(bits), np.uint16)
    for word in range(bits.shape[1]):
        total += ones(bits[:, word] ^ question[0, word])
    return total


def signed_sums(bits: Bits, question: Vectors) -> npt.NDArray[np.float32]:
    """The question's values (1 × dims), each added where a row's sign is set and taken off where it is not."""
    flags = np.unpackbits(np.ascontiguousarray(bits).view(np.uint8), axis=1, count=question.shape[1])
    return np.asarray(2 * dots(flags.astype(np.float32), question[0]) - question.sum(), np.float32)


def dots(vectors: Vectors, one: Vectors) -> npt.NDArray[np.float32]:
    """The product of each row (n × dims) with one vector (dims), on this thread alone.

    `@` shares it among threads that wait for each other by spinning: 36 ms of the processor for 1 ms of work at
    4,000 × 384 while something else needs a core.
    """
    return np.asarray(np.einsum("ij,j->i", vectors, one), np.float32)


def ones(words: Bits) -> npt.NDArray[np.uint8]:
    """How many bits are set in each word; numpy 1 has no count of its own."""
    count = getattr(np, "bitwise_count", None)
    return by_table(words) if count is None else np.asarray(count(words), np.uint8)


def by_table(words: Bits) -> npt.NDArray[np.uint8]:
    """The same by a table of bytes."""
    each = _ONES[np.ascontiguousarray(words).view(np.uint8)]
    return np.asarray(each.reshape(*words.shape, _WORD).sum(axis=-1), np.uint8)
