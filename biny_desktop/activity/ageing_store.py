"""SQL of ageing: pictures with the age of their newest frame, the change of tiers, and the space that tiers take."""

from collections.abc import Mapping
from dataclasses import dataclass

from biny_desktop.activity import index, picture_store, read_store
from biny_desktop.activity.ageing_plan import AgedPicture, Tier
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import JsonValue, dump_json, read_json

_NEWEST = "(SELECT max(f.captured_at) FROM frames f WHERE f.picture_id = p.id)"
_SAME_AS_PLANNED = (
    "id = :id AND pinned = 0 AND NOT EXISTS("
    "SELECT 1 FROM frames f WHERE f.picture_id = pictures.id AND f.captured_at > :newest)"
)


@dataclass(frozen=True, slots=True)
class Source:
    """The file of a picture that is to be made smaller."""

    id: int
    path: str
    width: int
    height: int
    created_ms: int


@dataclass(frozen=True, slots=True)
class NewFile:
    """The smaller file of a picture: `path` relative, `size_bytes` on disk, size in px, hash of its JPEG in hex."""

    path: str
    size_bytes: int
    width: int
    height: int
    quality: int
    file_hash: str


@dataclass(frozen=True, slots=True)
class TierUse:
    """How many pictures and how many bytes on disk."""

    pictures: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Use:
    """The space of pictures: live ones by tier without the pinned, the pinned, and what is none of them."""

    tiers: Mapping[Tier, TierUse]
    pinned: TierUse
    pending: TierUse
    missing: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class Span:
    """Pictures made since a moment: `bytes` as they were written, `first_ms` UTC ms of the oldest of all pictures."""

    pictures: int
    bytes: int
    first_ms: int | None


@dataclass(frozen=True, slots=True)
class Cohort:
    """Pictures of one tier and one age."""

    tier: Tier
    age_days: int
    pictures: int
    bytes: int


def aged_pictures(r: Reader) -> list[AgedPicture]:
    """Every picture that is not gone or going."""
    rows = r.query(
        f"SELECT p.id, p.bytes, p.tier, p.state, p.pinned, p.tier_error, coalesce({_NEWEST}, p.created_at) AS newest, "
        "EXISTS(SELECT 1 FROM frames f WHERE f.picture_id = p.id AND f.read_state IN ('queued', 'reading', 'failed')) "
        "AS waiting FROM pictures p WHERE p.state IN ('live', 'missing')"
    )
    return [
        AgedPicture(
            row.int("id"), row.int("bytes"), row.text("tier"), row.int("newest"),  # type: ignore[arg-type]  # a CHECK
            row.text("state") == "live", row.flag("pinned"), row.flag("waiting"), row.int("tier_error"),
        )
        for row in rows
    ]  # fmt: skip


def source_of(r: Reader, picture_id: int) -> Source | None:
    """The file of a live picture; None when it is not live any more."""
    row = r.one(
        "SELECT id, path, width, height, created_at FROM pictures WHERE id = :id AND state = 'live'", {"id": picture_id}
    )
    if row is None:
        return None
    return Source(row.int("id"), row.text("path"), row.int("width"), row.int("height"), row.int("created_at"))


def retire(w: Writer, picture: AgedPicture, at_ms: int) -> bool:
    """Put a picture on the delete list: thumbnail and search for its picture end, text and all else of its frames stay.

    False when it was pinned or used again since it was looked at; nothing changed then.
    """
    frames = picture_store.frames_using(w, picture.id)
    with index.reindexed(w, frames):
        changed = w.run(
            "UPDATE pictures SET state = 'pending_delete', tier = 'gone', tier_at = :at, thumb = NULL, "
            f"updated_at = :at, revision = revision + 1 WHERE {_SAME_AS_PLANNED} AND state IN ('live', 'missing')",
            {"id": picture.id, "newest": picture.newest_ms, "at": at_ms},
        )
        if changed:
            read_store.give_up(w, frames)
    return changed == 1


def advance(w: Writer, picture_id: int, tier: Tier, at_ms: int) -> None:
    """Note the tier of a picture whose file stays as it is."""
    w.run(
        "UPDATE pictures SET tier = :tier, tier_at = :at, updated_at = :at, revision = revision + 1 WHERE id = :id",
        {"id": picture_id, "tier": tier, "at": at_ms},
    )


def lose(w: Writer, picture_id: int, tier: Tier, at_ms: int) -> None:
    """Note that the file to be made smaller is not there; the tier advances all the same."""
    frames = picture_store.frames_using(w, picture_id)
    with index.reindexed(w, frames):
        picture_store.mark_missing(w, picture_id, at_ms)
        read_store.give_up(w, frames)
    advance(w, picture_id, tier, at_ms)


def count_fault(w: Writer, picture_id: int, at_ms: int) -> None:
    """One more failed try to decode a picture."""
    w.run(
        "UPDATE pictures SET tier_error = tier_error + 1, updated_at = :at, revision = revision + 1 WHERE id = :id",
        {"id": picture_id, "at": at_ms},
    )


def swap(w: Writer, picture: AgedPicture, old: Source, new: NewFile, tier: Tier, at_ms: int) -> bool:
    """Give a picture its smaller file; the old one goes to the delete list as a row of its own that no frame uses.

    The boxes of its frames' texts follow the new size. False when the picture was pinned, deleted or used again since
    it was looked at; nothing changed then.
    """
    before = w.one("SELECT * FROM pictures WHERE id = :id", {"id": old.id})
    changed = w.run(
        "UPDATE pictures SET path = :path, bytes = :bytes, width = :width, height = :height, quality = :quality, "
        "tier = :tier, tier_at = :at, tier_error = 0, sealed = :sealed, file_hash = :hash, updated_at = :at, "
        f"revision = revision + 1 WHERE {_SAME_AS_PLANNED} AND state = 'live' AND path = :old",
        {
            "id": old.id, "newest": picture.newest_ms, "old": old.path, "path": new.path, "bytes": new.size_bytes,
            "width": new.width, "height": new.height, "quality": new.quality, "tier": tier, "at": at_ms,
            "sealed": int(new.path.endswith(".sealed")), "hash": new.file_hash,
        },
    )  # fmt: skip
    if before is None or changed != 1:
        return False
    w.run(
        "INSERT INTO pictures(path, bytes, original_bytes, width, height, quality, tier, tier_at, sealed, file_hash, "
        "pixel_hash, phash, monitor_key, state, created_at, updated_at) VALUES(:path, :bytes, :bytes, :width, :height, "
        "0, 'gone', :at, :sealed, '', '', '', '', 'pending_delete', :created, :at)",
        {
            "path": old.path, "bytes": before.int("bytes"), "width": old.width, "height": old.height, "at": at_ms,
            "sealed": before.int("sealed"), "created": old.created_ms,
        },
    )  # fmt: skip
    _scale_boxes(w, old, new)
    return True


def _scale_boxes(w: Writer, old: Source, new: NewFile) -> None:
    rows = w.query(
        "SELECT frame_id, lines FROM frame_text WHERE frame_id IN (SELECT id FROM frames WHERE picture_id = :id)",
        {"id": old.id},
    )
    for row in rows:
        lines = row.json("lines")
        scaled = [_scaled(line, old, new) for line in lines] if isinstance(lines, list) else []
        w.run(
            "UPDATE frame_text SET lines = :lines, revision = revision + 1 WHERE frame_id = :id",
            {"id": row.int("frame_id"), "lines": dump_json(scaled)},
        )


def _scaled(line: JsonValue, old: Source, new: NewFile) -> JsonValue:
    """A line of a text with its box in pixels of the smaller picture, never empty and never cut."""
    box = line.get("box") if isinstance(line, dict) else None
    if not isinstance(line, dict) or not isinstance(box, list):
        return line
    x, y, wide, high = (int(str(number)) for number in box)
    left, top = x * new.width // old.width, y * new.height // old.height
    right, bottom = -(-(x + wide) * new.width // old.width), -(-(y + high) * new.height // old.height)
    return {**line, "box": [left, top, right - left, bottom - top]}


def use(r: Reader, max_faults: int) -> Use:
    """Count pictures and bytes."""
    rows = r.query(
        "SELECT state, tier, pinned, count(*) AS n, sum(bytes) AS bytes, sum(tier_error >= :max) AS faulty "
        "FROM pictures WHERE state IN ('live', 'pending_delete', 'missing') GROUP BY state, tier, pinned",
        {"max": max_faults},
    )
    tiers: dict[Tier, TierUse] = {"original": TierUse(0, 0), "medium": TierUse(0, 0), "small": TierUse(0, 0)}
    pinned = pending = TierUse(0, 0)
    missing = faulty = 0
    for row in rows:
        found = TierUse(row.int("n"), row.int("bytes"))
        faulty += row.int("faulty") if row.text("state") == "live" else 0
        if row.text("state") == "pending_delete":
            pending = TierUse(pending.pictures + found.pictures, pending.bytes + found.bytes)
        elif row.text("state") == "missing":
            missing += found.pictures
        elif row.flag("pinned"):
            pinned = TierUse(pinned.pictures + found.pictures, pinned.bytes + found.bytes)
        else:
            tiers[row.text("tier")] = found  # type: ignore[index]  # held by a CHECK of the table
    return Use(tiers, pinned, pending, missing, faulty)


def made_since(r: Reader, since_ms: int) -> Span:
    """Pictures written since then that were not deleted by the person."""
    row = r.one(
        "SELECT count(*) AS n, coalesce(sum(original_bytes), 0) AS bytes, "
        "(SELECT created_at FROM pictures WHERE state <> 'pending_delete' ORDER BY id LIMIT 1) AS first FROM pictures "
        # Every column of the index is named, so that only the last days are read.
        "WHERE state IN ('live', 'gone', 'missing') AND tier IN ('original', 'medium', 'small', 'gone') "
        "AND pinned IN (0, 1) AND created_at >= :since",
        {"since": since_ms},
    )
    assert row is not None
    return Span(row.int("n"), row.int("bytes"), row.maybe_int("first"))


def cohorts(r: Reader, now_ms: int) -> list[Cohort]:
    """Live pictures that are not pinned, by tier and age in whole days. The age is that of the picture itself: frames
    that saw it again would cost a look at each."""
    rows = r.query(
        "SELECT tier, (:now - created_at) / 86400000 AS days, count(*) AS n, sum(bytes) AS bytes FROM pictures "
        "WHERE state = 'live' AND pinned = 0 GROUP BY tier, days",
        {"now": now_ms},
    )
    return [
        Cohort(row.text("tier"), row.int("days"), row.int("n"), row.int("bytes"))  # type: ignore[arg-type]  # a CHECK
        for row in rows
    ]


def texts(r: Reader) -> TierUse:
    """Frames that stay when their pictures go: how many, and with how many characters of text."""
    row = r.one(
        "SELECT (SELECT count(*) FROM frames) AS n, (SELECT coalesce(sum(char_count), 0) FROM frame_text) AS chars"
    )
    return TierUse(row.int("n"), row.int("chars")) if row else TierUse(0, 0)


def saved(r: Reader, key: str) -> JsonValue:
    """A value that ageing remembers; None when it remembers none."""
    row = r.one("SELECT value FROM meta WHERE key = :key", {"key": key})
    return read_json(row.text("value")) if row else None


def save(w: Writer, key: str, value: JsonValue) -> None:
    """Remember a value; None forgets it."""
    w.run("DELETE FROM meta WHERE key = :key", {"key": key})
    if value is not None:
        w.run("INSERT INTO meta(key, value) VALUES(:key, :value)", {"key": key, "value": dump_json(value)})
