"""An embedder from a folder the user names: `model.onnx`, `tokenizer.json`, and what its configuration says about it.

Prefixes: those of `config_sentence_transformers.json`, else those of e5 when the configuration names an e5 model.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import Any, Final

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.i18n import mark
from biny_desktop.models.embedders.checked import TOKENS_MAX
from biny_desktop.models.embedders.onnx_model import OnnxEmbedder, OnnxFiles, Pooling

MODEL: Final = "model.onnx"
TOKENIZER: Final = "tokenizer.json"
_E5 = re.compile(r"(?<![a-z0-9])e5(?![a-z0-9])", re.IGNORECASE)
_ODD_POSITIONS: Final = 2
"""Positions that the XLM-RoBERTa family keeps for itself."""


def onnx_folder(folder: str) -> OnnxEmbedder:
    """The embedder in that folder.

    Raises:
        UnavailableError: no folder is named, a file is missing or wrong.
    """
    if not folder.strip():
        raise UnavailableError(
            mark("No folder with an embedding model"),
            mark("The embedder onnx needs a folder with model.onnx and tokenizer.json."),
            mark("Choose the folder on the Models page."),
        )
    path = Path(folder).expanduser()
    config, sentence = _json(path / "config.json"), _json(path / "config_sentence_transformers.json")
    name = str(config.get("_name_or_path") or path.name)
    passage, query = _prefixes(sentence, name, path.name)
    positions = config.get("max_position_embeddings")
    limit = positions - _ODD_POSITIONS if isinstance(positions, int) and positions > _ODD_POSITIONS else TOKENS_MAX
    return OnnxEmbedder(
        OnnxFiles(
            path / MODEL, path / TOKENIZER, name, _digest(path / MODEL, path / TOKENIZER), "onnx", passage, query,
            _pooling(path), min(limit, TOKENS_MAX),
        )
    )  # fmt: skip


def signature(folder: str) -> tuple[tuple[int, int], ...]:
    """Changes when a file of the folder does: size and time of each, cheap to ask."""
    out = []
    for name in (MODEL, TOKENIZER):
        try:
            state = (Path(folder).expanduser() / name).stat()
            out.append((state.st_size, state.st_mtime_ns))
        except OSError:
            out.append((-1, 0))
    return tuple(out)


def _prefixes(sentence: dict[str, Any], *names: str) -> tuple[str, str]:
    prompts = sentence.get("prompts")
    if isinstance(prompts, dict) and isinstance(prompts.get("query"), str):
        passage = prompts.get("passage", prompts.get("document", ""))
        return (passage if isinstance(passage, str) else ""), prompts["query"]
    if any(_E5.search(name) for name in names):
        return "passage: ", "query: "
    return "", ""


def _pooling(path: Path) -> Pooling:
    return "cls" if _json(path / "1_Pooling" / "config.json").get("pooling_mode_cls_token") is True else "mean"


def _json(path: Path) -> dict[str, Any]:
    """A configuration file; an empty one when it is missing or no configuration."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _digest(*paths: Path) -> str:
    """16 hexadecimal digits over the files; a missing one counts as empty (the embedder says that it is missing)."""
    digest = hashlib.blake2b(digest_size=8)
    for path in paths:
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError:
            digest.update(b"-")
    return digest.hexdigest()
