"""What the users of `models` handle: slots, tasks, answers and failures, fingerprints, hits."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from biny_desktop.core.text import RedactedText
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import JsonValue

ValueT = TypeVar("ValueT")
Slot = Literal["chat", "small", "rewrite"]
SLOTS: Final[tuple[Slot, ...]] = ("chat", "small", "rewrite")
FailureKind = Literal[
    "no_model", "no_prompt", "timeout", "http", "refused", "empty", "truncated", "invalid_json", "invalid_shape",
    "stopped",
]  # fmt: skip
"""`no_prompt`: a file of the program is missing. `stopped`: the caller's `go_on` said no; nothing is wrong with the
model, and it is no try."""
Vectors: TypeAlias = npt.NDArray[np.float32]
"""n × dims, each row of length 1 unless said otherwise."""
Script = Literal["cjk", "other"]
"""The script group of a text: Han, kana, hangul, or everything else (spec 01, Similarity)."""


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of question: `name` is the stem of its prompt file (`<package>_<task>`), `timeout_s` for one call.

    `repair`: whether an answer of bad JSON or shape is asked for once more in the same try. `idle_s`: longest silence
    of the server, also before its first token; None: as long as the call may take.
    """

    name: str
    slot: Slot
    max_tokens: int
    timeout_s: float
    repair: bool = True
    idle_s: float | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer. `detail` holds no captured text: a status, a field path. `status` of HTTP, if any."""

    kind: FailureKind
    detail: str = ""
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Answer(Generic[ValueT]):
    """A value that passed its schema, and what it took; tokens are None where the server does not count them."""

    value: ValueT
    model: str
    prompt_version: str
    tokens_in: int | None
    tokens_out: int | None
    ms: int


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What vectors were made with; vectors of different fingerprints are never compared."""

    model: str
    revision: str
    quantisation: str
    dims: int
    passage_prefix: str
    query_prefix: str

    @property
    def id(self) -> str:
        """16 hexadecimal digits, as rows keep it."""
        parts = (self.model, self.revision, self.quantisation, str(self.dims), self.passage_prefix, self.query_prefix)
        return hashlib.blake2b("\x1f".join(parts).encode(), digest_size=8).hexdigest()


class Embedder(Protocol):
    """Turns texts into unit vectors, on this machine. Thread-safe."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What its vectors are made with."""
        ...

    def passages(self, texts: Sequence[RedactedText]) -> Vectors:
        """Raw (uncentred) unit vectors of stored texts, one row each."""
        ...

    def questions(self, texts: Sequence[RedactedText]) -> Vectors:
        """Raw (uncentred) unit vectors of questions, one row each."""
        ...

    def count_tokens(self, text: str) -> int:
        """How many tokens the model reads for a text, without prefix and special tokens."""
        ...


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A row that wants vectors: its present revision and its passages (none: it belongs in no index)."""

    id: int
    revision: int
    passages: tuple[RedactedText, ...]


class IndexedRows(Protocol):
    """The rows of one kind, as the index of that kind sees them; implemented by the package that owns the rows."""

    @property
    def kind(self) -> str:
        """Lower-case letters: `frame`; the vectors are in the table `<kind>_vectors`."""
        ...

    @property
    def present(self) -> str:
        """A SELECT of `id` and `revision` of every row that `revisions` knows, to look at all of them in one go."""
        ...

    def rows_after(self, r: Reader, row_id: int, limit: int) -> list[IndexRow]:
        """Rows that belong in the index, by ascending id above `row_id`, with their passages."""
        ...

    def revisions(self, r: Reader, ids: Sequence[int]) -> dict[int, int]:
        """The present revision by id; rows that are gone or do not belong in the index are left out."""
        ...

    def count(self, r: Reader) -> int:
        """How many rows belong in the index."""
        ...


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A passage near a question: `centred` is the similarity of all thresholds, `raw` the plain cosine."""

    id: int
    part: int
    centred: float
    raw: float


NothingReason = Literal["no_embedder", "no_vectors", "index_mismatch", "below_floor"]


@dataclass(frozen=True, slots=True)
class VectorFound:
    """Hits, best first (several parts of one row possible); `reason` says why there are none."""

    hits: tuple[VectorHit, ...]
    reason: NothingReason | None = None


IndexState = Literal["ready", "empty", "no_embedder", "mismatch", "rebuilding"]


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """How an index is: rows that belong in it, rows with current vectors, rows without, vectors of no present row.

    `fingerprint`, `calibration_id` as stored (empty: none yet); `built_at_ms` UTC ms of the last calibration or
    rebuild; `own_means` which of `passage/cjk`, `passage/other`, `question/cjk`, `question/other` come from the store
    itself and not from the bundled reference texts.
    """

    kind: str
    state: IndexState
    rows: int
    indexed: int
    pending: int
    stale: int
    vectors: int
    fingerprint: str
    calibration_id: str
    own_means: tuple[str, ...]
    built_at_ms: int | None


# -- conversation with tools -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model wants: `arguments` is its raw JSON text, unchecked."""

    id: str
    name: str
    arguments: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told of it; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat request; its text is redacted and never part of its `repr`.

    `call_id` only with role `tool`; `tool_calls` only with role `assistant`.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: RedactedText = field(repr=False)
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class ChatReply:
    """An answer as it came, not redacted yet. `finish`: `stop`, `tool_calls`, `length`, …; `cut`: the stream broke or
    the person stopped it after the first token (`stopped`), so the text is a part. Tokens None where the server counts
    none. `tools_refused`: the server takes no tools, it was asked without them.
    """

    text: str = field(repr=False)
    reasoning: str = field(repr=False)
    tool_calls: tuple[ToolCall, ...]
    finish: str
    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    tools_refused: bool = False
    cut: Literal["", "stopped", "broken", "timeout"] = ""


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What is known of the model in a slot: tokens of its context window and of an answer at most, and of its own
    reference line for compaction (None: not known)."""

    window: int | None
    output: int
    reference_line: int | None
