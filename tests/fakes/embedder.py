"""An embedder without a model: texts that share words (or pairs of CJK characters) lie near each other."""

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from biny_desktop.core.text import RedactedText, index_text
from biny_desktop.models.model import Fingerprint, Vectors

DIMS = 384
SQUEEZE = 2.0
"""How much all vectors have in common, against the part of a text's own words (e5 models: much)."""


class FakeEmbedder:
    """`models.model.Embedder`: deterministic, quick, without a file. `seen` holds every text it embedded.

    Args:
        revision: another one is another fingerprint with other vectors. dims: length of the vectors.
        before: called with the texts of every call before they are embedded (to change rows meanwhile, or to raise).
    """

    def __init__(
        self, revision: str = "1", dims: int = DIMS, before: Callable[[Sequence[RedactedText]], None] | None = None
    ) -> None:
        self.fingerprint = Fingerprint("fake", revision, "none", dims, "passage: ", "query: ")
        self.before = before
        self.seen: list[RedactedText] = []
        self._words: dict[str, npt.NDArray[np.float32]] = {}

    def passages(self, texts: Sequence[RedactedText]) -> Vectors:
        return self._embed(texts, "passage: ")

    def questions(self, texts: Sequence[RedactedText]) -> Vectors:
        return self._embed(texts, "query: ")

    def count_tokens(self, text: str) -> int:
        return len(index_text(text).split())

    def _embed(self, texts: Sequence[RedactedText], prefix: str) -> Vectors:
        if self.before is not None:
            self.before(texts)
        self.seen += texts
        out = np.empty((len(texts), self.fingerprint.dims), np.float32)
        for place, text in enumerate(texts):
            out[place] = SQUEEZE * self._word("always") + 0.3 * self._word(prefix)
            words = index_text(text).split()
            if words:
                own = np.sum([self._word(word) for word in words], axis=0)
                out[place] += own / np.linalg.norm(own)
        return out / np.linalg.norm(out, axis=1, keepdims=True)

    def _word(self, word: str) -> npt.NDArray[np.float32]:
        if word not in self._words:
            seed = hashlib.blake2b(f"{self.fingerprint.revision}/{word}".encode(), digest_size=8).digest()
            vector = np.random.default_rng(int.from_bytes(seed, "little")).standard_normal(self.fingerprint.dims)
            self._words[word] = (vector / np.linalg.norm(vector)).astype(np.float32)
        return self._words[word]
