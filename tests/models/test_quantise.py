"""Vectors as they are kept: what int8 and signs lose, and that both ways to count bits agree."""

import numpy as np
import pytest

from biny_desktop.models.quantise import (
    as_words,
    by_table,
    differing,
    ones,
    quantise,
    restore,
    signed_sums,
    signs,
    unit,
)


@pytest.fixture
def vectors() -> np.ndarray:
    return unit(np.random.default_rng(3).standard_normal((50, 384)).astype(np.float32))


def test_int8_keeps_a_cosine_to_three_thousandths(vectors: np.ndarray) -> None:
    q, scales = quantise(vectors)
    again = restore([row.tobytes() for row in q], 384)
    assert np.abs(again @ again.T - vectors @ vectors.T).max() < 0.003
    assert np.abs(q * scales[:, None] - vectors).max() <= scales.max() / 2 + 1e-7


def test_a_vector_of_zeros_stays_one() -> None:
    q, scales = quantise(np.zeros((1, 8), np.float32))
    assert not q.any()
    assert scales[0] == 1
    assert not restore([q[0].tobytes()], 8).any()


@pytest.mark.parametrize("dims", [8, 64, 100, 384, 768])
def test_signs_fill_whole_words_and_differ_where_the_vectors_do(dims: int) -> None:
    vectors = unit(np.random.default_rng(5).standard_normal((6, dims)).astype(np.float32))
    packed = signs(vectors)
    assert packed.shape == (6, -(-dims // 64) * 8)
    bits = as_words([row.tobytes() for row in packed], dims)
    counted = differing(bits, bits[:1])
    assert counted.tolist() == [int(((row > 0) != (vectors[0] > 0)).sum()) for row in vectors]
    wanted = np.where(vectors > 0, 1, -1) @ vectors[0]
    assert np.allclose(signed_sums(bits, vectors[:1]), wanted, atol=1e-4)


def test_both_ways_to_count_bits_agree() -> None:
    words = np.random.default_rng(9).integers(0, 2**63, (40, 6), dtype=np.uint64)
    assert np.array_equal(ones(words), by_table(words))
    assert np.array_equal(ones(words[:, 2]), by_table(words[:, 2]))


def test_a_damaged_vector_is_zeros_and_leaves_the_others(vectors: np.ndarray) -> None:
    q, _scales = quantise(vectors[:2])
    again = restore([q[0].tobytes(), b"\x01\x02", q[1].tobytes()], 384)
    assert not again[1].any()
    assert np.array_equal(again[[0, 2]], restore([row.tobytes() for row in q], 384))
    bits = signs(vectors[:2])
    words = as_words([bits[0].tobytes(), b"", bits[1].tobytes()], 384)
    assert not words[1].any()
    assert np.array_equal(words[[0, 2]], as_words([row.tobytes() for row in bits], 384))
