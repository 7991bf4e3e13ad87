"""What the users of the importers handle: a plan, its preview, what an import did, batches, what a rollback took."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from biny_desktop.conversation.importers.files import SourceFile
from biny_desktop.conversation.importers.source import Format, Problem, Tally
from biny_desktop.storage.progress import Progress

BatchState = Literal["running", "done", "cancelled", "failed", "rolled_back"]
Count = Literal[
    "sessions_new", "sessions_grown", "messages_new", "already_here", "changed", "deleted_here", "branches", "memories"
]
COUNTS: Final[tuple[Count, ...]] = (
    "sessions_new", "sessions_grown", "messages_new", "already_here", "changed", "deleted_here", "branches", "memories",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What there is at a path. `mine`: what "the user turns are mine" begins with. `size` in bytes, unpacked."""

    format: Format
    source: str
    files: tuple[SourceFile, ...]
    mine: bool
    left_out: Tally = field(repr=False, compare=False)

    @property
    def size(self) -> int:
        """Bytes that have to be read."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Counts:
    """What an import does, or would do.

    `sessions_new` conversations that are not here, `sessions_grown` those that get more messages; `messages_new`;
    messages `already_here`, of them those whose text is `changed` in the source (ours stays); `deleted_here` by the
    user, so not brought back; `branches` versions beside the first of their slot, `memories` for Approvals.
    """

    sessions_new: int = 0
    sessions_grown: int = 0
    messages_new: int = 0
    already_here: int = 0
    changed: int = 0
    deleted_here: int = 0
    branches: int = 0
    memories: int = 0


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import would do. `conversations` in the source; times of its messages UTC ms; `skipped` by reason,
    `malformed` by kind, `problems` the first places of each."""

    plan: ImportPlan
    mine: bool
    conversations: int
    counts: Counts
    first_ms: int | None
    last_ms: int | None
    skipped: Mapping[str, int]
    malformed: Mapping[str, int]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `cancelled`: what was brought in stays; the same import again goes on in the same batch."""

    batch_id: int
    format: Format
    state: BatchState
    mine: bool
    conversations: int
    counts: Counts
    skipped: Mapping[str, int]
    malformed: Mapping[str, int]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class ImportBatch:
    """An import of the past, all its runs together. Times UTC ms."""

    id: int
    format: str
    source: str
    state: BatchState
    mine: bool
    counts: Counts
    started_at_ms: int
    ended_at_ms: int | None


@dataclass(frozen=True, slots=True)
class RollbackReport:
    """What a rollback took; `stayed` are sessions that the user wrote on in (id, title)."""

    batch_id: int
    sessions: int
    messages: int
    memories: int
    stayed: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ImportProgress(Progress):
    """Bytes read of all, and how many conversations were met."""

    conversations: int = 0
