"""The space that pictures take: counts and bytes by tier, what the last ageing saved, and a forecast of 30 days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity import ageing_store
from biny_desktop.activity.ageing_plan import DAY_MS, MAX_FAULTS, TIERS, Limits, Tier, limits_of
from biny_desktop.activity.ageing_store import Cohort, TierUse, Use
from biny_desktop.activity.disk import space_of
from biny_desktop.activity.retention import LAST_RUN_KEY
from biny_desktop.core.settings import PicturesSettings
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.rows import JsonValue

FORECAST_DAYS: Final = 30
RATE_DAYS: Final = 7
"""The rate of new pictures is that of these last days."""
USUAL_PART: Final[dict[Tier, float]] = {"original": 1.0, "medium": 0.36, "small": 0.09, "gone": 0.0}
"""Bytes of a tier as a part of the original, where no picture of that tier is there to be measured (bench/ageing)."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last ageing that changed something: UTC ms, and per tier (pictures, bytes) before and after."""

    at_ms: int
    before: Mapping[str, tuple[int, int]]
    after: Mapping[str, tuple[int, int]]
    bytes_freed: int
    bytes_written: int


@dataclass(frozen=True, slots=True)
class StorageReport:
    """`tiers` live pictures without the `pinned`; `pending` files that have to go; `missing` rows whose file is not
    there; `unreadable` pictures that cannot be decoded; `free_bytes` of their volume (None: it is not there);
    `quota_bytes` for the tiers; `per_day`, `per_day_bytes` new pictures a day; `forecast_bytes` of all pictures in 30
    days; `database_bytes` with its log."""

    tiers: Mapping[Tier, TierUse]
    pinned: TierUse
    pending: TierUse
    missing: int
    unreadable: int
    free_bytes: int | None
    quota_bytes: int
    per_day: float
    per_day_bytes: float
    forecast_bytes: int
    database_bytes: int
    last_run: LastRun | None


def storage_report(db: Database, files: PictureFiles, pictures: PicturesSettings, now_ms: int) -> StorageReport:
    """Count everything now. Raises StorageError."""
    limits = limits_of(pictures)
    with db.read() as r:
        use = ageing_store.use(r, MAX_FAULTS)
        made = ageing_store.made_since(r, now_ms - RATE_DAYS * DAY_MS)
        cohorts = ageing_store.cohorts(r, now_ms)
        last = ageing_store.saved(r, LAST_RUN_KEY)
    days = min(RATE_DAYS, max(1.0, (now_ms - (made.first_ms or now_ms)) / DAY_MS))
    mean = made.bytes / made.pictures if made.pictures else 0.0
    rate = made.pictures / days
    space = space_of(files.folder)
    return StorageReport(
        use.tiers, use.pinned, use.pending, use.missing, use.unreadable, space.free if space else None,
        limits.quota_bytes, rate, rate * mean, forecast(use, cohorts, limits, rate, mean), _size(db), _last_run(last),
    )  # fmt: skip


def forecast(use: Use, cohorts: Sequence[Cohort], limits: Limits, per_day: float, original_bytes: float) -> int:
    """Bytes of all pictures in 30 days, if as many are made a day as now and nothing is pinned or unpinned.

    Each picture of now has by then the tier of its age plus 30 days, each new one that of its age then (one cohort a
    day, taken at midday). A tier's picture has the mean size of that tier now, else the usual part of an original one.
    The sum is at most the quota; the pinned come on top.
    """
    mean = {tier: _mean(use, tier, original_bytes) for tier in TIERS}
    total = 0.0
    for each in cohorts:
        tier = limits.tier_at((each.age_days + FORECAST_DAYS) * DAY_MS + DAY_MS // 2)
        smaller = TIERS.index(tier) > TIERS.index(each.tier)
        total += min(each.bytes, each.pictures * mean[tier]) if smaller else each.bytes
    total += sum(per_day * mean[limits.tier_at(day * DAY_MS + DAY_MS // 2)] for day in range(FORECAST_DAYS))
    return round(min(total, limits.quota_bytes)) + use.pinned.bytes


def _mean(use: Use, tier: Tier, original_bytes: float) -> float:
    found = use.tiers.get(tier)
    if found is not None and found.pictures and tier != "original":
        return found.bytes / found.pictures
    return original_bytes * USUAL_PART[tier]


def _size(db: Database) -> int:
    files = (db.path, db.path.with_name(db.path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.is_file())


def _last_run(raw: JsonValue) -> LastRun | None:
    """What ageing remembered; None when it never changed anything or it cannot be read."""
    if not isinstance(raw, dict):
        return None
    at, freed, written = raw.get("at_ms"), raw.get("bytes_freed"), raw.get("bytes_written")
    if not isinstance(at, int) or not isinstance(freed, int) or not isinstance(written, int):
        return None
    return LastRun(at, _pairs(raw.get("before")), _pairs(raw.get("after")), freed, written)


def _pairs(raw: JsonValue) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for tier, pair in raw.items() if isinstance(raw, dict) else ():
        if isinstance(pair, list) and len(pair) == 2:
            count, size = pair
            if isinstance(count, int) and isinstance(size, int):
                found[tier] = (count, size)
    return found
