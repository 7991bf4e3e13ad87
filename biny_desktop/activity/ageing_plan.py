"""What becomes of pictures by their age and by the space they take: pure rules over rows (spec 02 §6)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from biny_desktop.core.settings import PicturesSettings

Tier = Literal["original", "medium", "small", "gone"]
TIERS: Final[tuple[Tier, ...]] = ("original", "medium", "small", "gone")
HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
MB: Final = 1_000_000
"""The unit of `pictures.quota_mb` and `pictures.disk_stop_mb`, bytes: 10,240 of them are 10 GB (spec 02 §6.4)."""
READING_GRACE_MS: Final = 48 * HOUR_MS
"""A picture that waits to be read is not made smaller before this age (spec 02 §6.3)."""
SLACK: Final = 1.1
"""How far the quota may be passed while the first deletion waits (spec 02 §6.6)."""
MAX_FAULTS: Final = 3
"""After this many failed tries to decode it a picture is left as it is until it is deleted by age (spec 02 §6.2)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Ages in ms, sizes in bytes; `delete_ms` None keeps for ever."""

    medium_ms: int
    small_ms: int
    delete_ms: int | None
    quota_bytes: int
    quota_to_bytes: int

    def tier_at(self, age_ms: int) -> Tier:
        """The tier of that age; where limits are out of order the later tier wins."""
        if self.delete_ms is not None and age_ms > self.delete_ms:
            return "gone"
        if age_ms > self.small_ms:
            return "small"
        return "medium" if age_ms > self.medium_ms else "original"

    def with_slack(self, known_bytes: int) -> "Limits":
        """The limits while the first deletion waits: 10 % beyond the quota, or beyond what there was at its preview."""
        allowed = int(max(self.quota_bytes, known_bytes) * SLACK)
        return replace(self, quota_bytes=allowed, quota_to_bytes=allowed)


def limits_of(pictures: PicturesSettings) -> Limits:
    """The limits that the settings ask for."""
    quota = pictures.quota_mb * MB
    delete = None if pictures.delete_days == "keep" else pictures.delete_days * DAY_MS
    return Limits(
        pictures.medium_h * HOUR_MS, pictures.small_days * DAY_MS, delete, quota, quota * pictures.quota_to // 100
    )


@dataclass(frozen=True, slots=True)
class AgedPicture:
    """A picture as the rules see it: `newest_ms` UTC ms of the newest frame that uses it, `live` its file is there,
    `waiting` a frame of it is queued for reading, `faults` failed tries to decode it."""

    id: int
    bytes: int
    tier: Tier
    newest_ms: int
    live: bool = True
    pinned: bool = False
    waiting: bool = False
    faults: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is due, oldest first: `gone` deleted by age, `shrink` made smaller (with the tier), `quota` deleted for
    space. `quota` is counted with the sizes of now and may name pictures of `shrink`, which that may spare."""

    gone: tuple[AgedPicture, ...]
    shrink: tuple[tuple[AgedPicture, Tier], ...]
    quota: tuple[AgedPicture, ...]
    pinned_over_quota: bool

    @property
    def empty(self) -> bool:
        return not (self.gone or self.shrink or self.quota)


def plan(pictures: Iterable[AgedPicture], limits: Limits, now_ms: int, *, draining: bool = False) -> Plan:
    """What is due at `now_ms`. Pinned pictures are in none of it; if they alone pass the quota it deletes nothing.

    `draining`: the quota was passed and is being come down from, so it goes on to `quota_to`.
    """
    ordered = sorted(pictures, key=lambda each: (each.newest_ms, each.id))
    free = [each for each in ordered if not each.pinned]
    pinned_bytes = sum(each.bytes for each in ordered if each.pinned and each.live)
    gone: list[AgedPicture] = []
    shrink: list[tuple[AgedPicture, Tier]] = []
    kept: list[AgedPicture] = []
    for each in free:
        tier = limits.tier_at(now_ms - each.newest_ms)
        if tier == "gone":
            gone.append(each)
        elif each.live:
            kept.append(each)
            if _may_shrink(each, tier, now_ms):
                shrink.append((each, tier))
    over = pinned_bytes > limits.quota_bytes
    return Plan(tuple(gone), tuple(shrink), () if over else tuple(_beyond(kept, limits, draining=draining)), over)


def _may_shrink(each: AgedPicture, tier: Tier, now_ms: int) -> bool:
    if TIERS.index(tier) <= TIERS.index(each.tier) or each.faults >= MAX_FAULTS:
        return False
    return not (each.waiting and now_ms - each.newest_ms <= READING_GRACE_MS)


def _beyond(kept: list[AgedPicture], limits: Limits, *, draining: bool) -> list[AgedPicture]:
    """The oldest of these, until the rest is no more than `quota_to`; none while the quota is kept."""
    total = sum(each.bytes for each in kept)
    out: list[AgedPicture] = []
    if total <= limits.quota_bytes and not draining:
        return out
    for each in kept:
        if total <= limits.quota_to_bytes:
            break
        out.append(each)
        total -= each.bytes
    return out
