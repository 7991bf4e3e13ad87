"""What every embedder does to texts before the model and to vectors after it: nothing odd goes in or comes out."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from biny_desktop.core.text import clean
from biny_desktop.models.embedders.turns import Turns
from biny_desktop.models.model import Vectors
from biny_desktop.models.quantise import unit

TOKENS_MAX: Final = 512
"""Tokens that the models read at once, prefix and special ones included; what comes after is not embedded."""
CHARS_MAX: Final = 8_000
"""Characters looked at: no text of 512 tokens is longer."""


class NoVectorError(ValueError):
    """The model gave no vector for a text; the others are not to blame, and nor is the machine."""


EmbedOne = Callable[[str], Sequence[float] | np.ndarray]


def embed_each(texts: Sequence[str], one: EmbedOne, dims: int, turns: Turns, *, question: bool) -> Vectors:
    """Embed texts one after the other, each in a turn of its own.

    Raises:
        NoVectorError: the model gave something that is no vector. Whatever else the model's library raises.
    """
    out = np.empty((len(texts), dims), np.float32)
    for place, text in enumerate(texts):
        plain = clean(text)[:CHARS_MAX]
        with turns.take(question=question):
            vector = np.asarray(one(plain), np.float32)
        if vector.shape != (dims,) or not np.isfinite(vector).all() or not vector.any():
            raise NoVectorError("the model gave no vector")
        out[place] = vector
    return unit(out)
