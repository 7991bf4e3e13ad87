"""The wait before the very first shrinking or deletion: announced, 24 hours, postponed or agreed to (spec 02 §6.6)."""

from dataclasses import asdict, dataclass, replace
from typing import Final, Literal

from biny_desktop.activity import ageing_store
from biny_desktop.activity.ageing_plan import DAY_MS, Limits
from biny_desktop.storage.database import Reader, Writer

WAIT_MS: Final = DAY_MS
"""From the preview to the first deletion (spec 02 §6.6)."""
POSTPONE_MS: Final = 7 * DAY_MS
"""How far the person puts it off each time (spec 02 §6.6)."""
_KEY: Final = "retention.first"


@dataclass(frozen=True, slots=True)
class FirstDeletion:
    """`phase` none: nothing was ever due; waiting: announced; running: ageing is at work. Times UTC ms.

    `postponed` how often, `known_bytes` what unpinned pictures took at the preview, `limits` those it was made for.
    """

    phase: Literal["none", "waiting", "running"] = "none"
    planned_at_ms: int | None = None
    starts_at_ms: int | None = None
    postponed: int = 0
    known_bytes: int = 0
    limits: Limits | None = None

    def over_at(self, now_ms: int) -> bool:
        """Whether the wait is over."""
        return self.phase == "running" or (self.starts_at_ms is not None and now_ms >= self.starts_at_ms)

    def put_off(self, now_ms: int) -> "FirstDeletion":
        """Seven days later than planned, and at least seven days from now."""
        starts = max(now_ms, self.starts_at_ms or now_ms) + POSTPONE_MS
        return replace(self, starts_at_ms=starts, postponed=self.postponed + 1)

    def begun(self) -> "FirstDeletion":
        """At work from now on."""
        return replace(self, phase="running")


def announced(now_ms: int, known_bytes: int, limits: Limits) -> FirstDeletion:
    """The wait that begins now."""
    return FirstDeletion("waiting", now_ms, now_ms + WAIT_MS, 0, known_bytes, limits)


def load(r: Reader) -> FirstDeletion:
    """What was remembered; a value that cannot be read counts as none, so that the wait begins again."""
    raw = ageing_store.saved(r, _KEY)
    if not isinstance(raw, dict):
        return FirstDeletion()
    limits = raw.get("limits")
    try:
        return FirstDeletion(**{**raw, "limits": Limits(**limits) if isinstance(limits, dict) else None})  # type: ignore[arg-type]
    except TypeError:
        return FirstDeletion()


def store(w: Writer, first: FirstDeletion) -> None:
    """Remember it."""
    ageing_store.save(w, _KEY, None if first.phase == "none" else dict(asdict(first)))
