"""Means of the bundled reference texts, used until a store has enough texts of its own (spec 01, Means).

Those of the default embedder are shipped (`packaging/calibrate.py` makes the file); another embedder embeds the texts
once and the means are kept in the database.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from biny_desktop.core.resources import resource
from biny_desktop.core.text import RedactedText
from biny_desktop.models import vector_store
from biny_desktop.models.centring import GROUPS, Calibration, Group, from_json
from biny_desktop.models.model import Embedder
from biny_desktop.redaction import safe_constant
from biny_desktop.storage.database import Database

FOLDER: Final = "calibration"
MEANS: Final = "means.json"
_FILES: Final = {"passage": "statements", "question": "questions"}


@dataclass(frozen=True, slots=True)
class ReferenceTexts:
    """The texts of each side and script group."""

    texts: Mapping[Group, tuple[RedactedText, ...]]

    @property
    def id(self) -> str:
        """16 hexadecimal digits that name these texts."""
        parts = "\x1e".join("\x1f".join(self.texts[group]) for group in GROUPS)
        return hashlib.blake2b(parts.encode(), digest_size=8).hexdigest()


def reference_texts() -> ReferenceTexts:
    """The shipped texts: one a line, `#` begins a comment."""
    out: dict[Group, tuple[RedactedText, ...]] = {}
    for side, script in GROUPS:
        lines = resource(FOLDER, f"{_FILES[side]}_{script}.txt").read_text(encoding="utf-8").splitlines()
        out[side, script] = tuple(safe_constant(line.strip()) for line in lines if line.strip() and line[0] != "#")
    return ReferenceTexts(out)


def compute(embedder: Embedder, texts: ReferenceTexts) -> Calibration:
    """The means of the texts under an embedder: some seconds to half a minute, once for each embedder."""
    means = {}
    for group in GROUPS:
        embed = embedder.passages if group[0] == "passage" else embedder.questions
        means[group] = np.asarray(embed(texts.texts[group]).mean(axis=0), np.float32)
    return Calibration(means)


def shipped(fingerprint: str) -> Calibration | None:
    """The shipped means of an embedder, if there are any."""
    try:
        kept = json.loads(resource(FOLDER, MEANS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    found = kept.get(fingerprint)
    return from_json(found["means"]) if found else None


def known_means(db: Database, fingerprint: str) -> Calibration | None:
    """The reference means of an embedder as far as they need no embedding; None when it has never computed them.

    Raises:
        StorageError: the database cannot be read.
    """
    found = shipped(fingerprint)
    if found is None:
        with db.read() as r:
            found = vector_store.kept_means(r, fingerprint)
    return found


def reference_means(db: Database, embedder: Embedder) -> Calibration:
    """The reference means of an embedder, computed and kept when they are not known yet.

    Raises:
        StorageError: the database cannot be read or written.
    """
    name = embedder.fingerprint.id
    found = known_means(db, name)
    if found is None or found.dims != embedder.fingerprint.dims:
        found = compute(embedder, reference_texts())
        with db.write() as w:
            vector_store.keep_means(w, name, found)
    return found
