"""A text model in ONNX with its tokenizer: tokens in, the mean over its last layer out, on one thread."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.i18n import mark
from biny_desktop.core.text import RedactedText, clean
from biny_desktop.models.embedders.checked import TOKENS_MAX, embed_each
from biny_desktop.models.embedders.turns import Turns
from biny_desktop.models.model import Fingerprint, Vectors

Pooling = Literal["mean", "cls"]
_OPTIONS: Final = {
    "intra_op_num_threads": 1, "inter_op_num_threads": 1, "enable_cpu_mem_arena": False, "log_severity_level": 4,
}  # fmt: skip
"""One thread, no memory kept between runs (spec 01, Traps), and no lines of its own on the terminal."""
_INPUTS: Final = {"input_ids", "attention_mask", "token_type_ids"}


@dataclass(frozen=True, slots=True)
class OnnxFiles:
    """Where model and tokenizer are, what the vectors are called, and how the last layer becomes a vector."""

    model: Path
    tokenizer: Path
    name: str
    revision: str
    quantisation: str
    passage_prefix: str = ""
    query_prefix: str = ""
    pooling: Pooling = "mean"
    tokens_max: int = TOKENS_MAX


class OnnxEmbedder:
    """`Embedder` over an ONNX file. Thread-safe.

    Raises:
        UnavailableError: a file is missing or is no text model; onnxruntime or tokenizers are missing.
    """

    def __init__(self, files: OnnxFiles) -> None:
        for path in (files.model, files.tokenizer):
            if not path.is_file():
                raise _wrong(files, f"{path.name} is missing")
        self._files = files
        self._session, self._tokenizer = _load(files)
        names = {each.name for each in self._session.get_inputs()}
        if not names <= _INPUTS or "input_ids" not in names:
            raise _wrong(files, "it is no text model")
        self._inputs = names
        try:
            dims = len(self._one("a"))
        except (RuntimeError, ValueError, TypeError, IndexError) as fault:
            raise _wrong(files, "it cannot embed a word") from fault
        self._turns = Turns()
        self.fingerprint = Fingerprint(
            files.name, files.revision, files.quantisation, dims, files.passage_prefix, files.query_prefix
        )

    def passages(self, texts: Sequence[RedactedText]) -> Vectors:
        """Raw unit vectors of stored texts."""
        prefix = self._files.passage_prefix
        return embed_each(texts, lambda text: self._one(prefix + text), self.fingerprint.dims, self._turns,
                          question=False)  # fmt: skip

    def questions(self, texts: Sequence[RedactedText]) -> Vectors:
        """Raw unit vectors of questions."""
        prefix = self._files.query_prefix
        return embed_each(texts, lambda text: self._one(prefix + text), self.fingerprint.dims, self._turns,
                          question=True)  # fmt: skip

    def count_tokens(self, text: str) -> int:
        """Tokens of a text of any length."""
        return len(self._tokenizer.encode(clean(text), add_special_tokens=False).ids)

    def _one(self, text: str) -> npt.NDArray[np.float32]:
        ids = self._tokenizer.encode(text).ids
        if len(ids) > self._files.tokens_max:
            ids = [*ids[: self._files.tokens_max - 1], ids[-1]]
        row = np.array([ids], np.int64)
        given = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        last = np.asarray(self._session.run(None, {name: given[name] for name in self._inputs})[0], np.float32)
        if last.ndim == 2:  # the file pools by itself
            return np.asarray(last[0])
        return np.asarray(last[0, 0] if self._files.pooling == "cls" else last[0].mean(axis=0))


def _load(files: OnnxFiles) -> tuple[Any, Any]:
    try:
        import onnxruntime
        import tokenizers
    except ImportError as fault:
        raise _wrong(files, "onnxruntime or tokenizers are not installed") from fault
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    for name, value in _OPTIONS.items():
        setattr(options, name, value)
    try:
        session = onnxruntime.InferenceSession(str(files.model), options, providers=["CPUExecutionProvider"])
        tokenizer = tokenizers.Tokenizer.from_file(str(files.tokenizer))
    except Exception as fault:  # both libraries raise bare exceptions of their own for a wrong file
        raise _wrong(files, "a file is damaged or of another kind") from fault
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return session, tokenizer


def _wrong(files: OnnxFiles, why: str) -> UnavailableError:
    return UnavailableError(
        mark("The embedding model cannot be used"),
        f"{files.name}: {why}.",
        mark("Check the folder on the Models page, or choose another embedder."),
    )
