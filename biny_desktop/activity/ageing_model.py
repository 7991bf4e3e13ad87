"""What ageing tells: what is due, where it is, what a run did."""

from dataclasses import dataclass, field

from biny_desktop.activity.rewrite import Outcome, Rewritten


@dataclass(frozen=True, slots=True)
class Part:
    """Pictures and their bytes of now."""

    pictures: int
    bytes: int


@dataclass(frozen=True, slots=True)
class AgeingPreview:
    """What is due at `at_ms` (UTC ms) if nothing changes: made smaller, deleted by age, deleted for space.

    `first_ms` to `last_ms`: when the frames of those pictures were taken. What stays: `frames` with all their text,
    and the pinned pictures.
    """

    at_ms: int
    shrink: Part
    by_age: Part
    by_quota: Part
    first_ms: int | None
    last_ms: int | None
    frames: int
    pinned: Part


@dataclass(frozen=True, slots=True)
class RetentionState:
    """Where ageing is: `phase` none, waiting (until `starts_at_ms`) or running; times UTC ms."""

    phase: str
    planned_at_ms: int | None
    starts_at_ms: int | None
    postponed: int
    pinned_over_quota: bool


@dataclass
class AgeingRun:
    """What a run did. `waiting`: only the preview was made; `rewrites` what became of pictures to be made smaller;
    `bytes_freed` of files really removed, `bytes_written` of
    the smaller ones; `pending` files that could not be removed yet; `more` is due, but it had to stop.
    `disk_full`: nothing could be made smaller; `draining`: the quota is being come down from."""

    waiting: bool = False
    rewrites: dict[Outcome, int] = field(default_factory=dict)
    by_age: int = 0
    by_quota: int = 0
    bytes_freed: int = 0
    bytes_written: int = 0
    pending: int = 0
    more: bool = False
    disk_full: bool = False
    draining: bool = False

    @property
    def shrunk(self) -> int:
        """Pictures that were made smaller."""
        return self.rewrites.get("shrunk", 0)

    def add(self, done: Rewritten) -> None:
        """Count one rewrite."""
        self.rewrites[done.outcome] = self.rewrites.get(done.outcome, 0) + 1
        self.bytes_written += done.bytes_written

    @property
    def touched(self) -> bool:
        return bool(self.shrunk or self.by_age or self.by_quota)
