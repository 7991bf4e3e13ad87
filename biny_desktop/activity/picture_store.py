"""SQL of picture rows: written with their first frame, marked when their file goes."""

from dataclasses import dataclass

from biny_desktop.core.text import RedactedText
from biny_desktop.storage.database import Reader, Writer


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A written picture file: `path` relative to the pictures folder, `size_bytes` on disk, hashes in hex."""

    path: str
    size_bytes: int
    width: int
    height: int
    quality: int
    sealed: bool
    file_hash: str
    pixel_hash: str
    phash: str
    thumb: bytes
    monitor_key: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture row as far as its file is concerned."""

    id: int
    path: str
    size_bytes: int
    state: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class LostPicture:
    """A picture that frames point at and that has no row: its id, and of the oldest such frame moment and monitor."""

    id: int
    at_ms: int
    monitor_key: str


def insert_picture(w: Writer, picture: PictureRow) -> int:
    """Write the row of a file that is on disk; returns its id."""
    return w.insert(
        "INSERT INTO pictures(path, bytes, original_bytes, width, height, quality, tier_at, sealed, file_hash, "
        "pixel_hash, phash, thumb, monitor_key, created_at, updated_at) VALUES(:path, :bytes, :bytes, :width, :height, "
        ":quality, :at, :sealed, :file_hash, :pixel_hash, :phash, :thumb, :monitor_key, :at, :at)",
        {
            "path": picture.path, "bytes": picture.size_bytes, "width": picture.width, "height": picture.height,
            "quality": picture.quality, "at": picture.at_ms, "sealed": int(picture.sealed),
            "file_hash": picture.file_hash, "pixel_hash": picture.pixel_hash, "phash": picture.phash,
            "thumb": picture.thumb, "monitor_key": picture.monitor_key,
        },
    )  # fmt: skip


def file_of_frame(r: Reader, frame_id: int) -> PictureFile | None:
    """The picture a frame points at; None when the frame is gone or has none."""
    row = r.one(
        "SELECT p.id, p.path, p.bytes, p.state, p.width, p.height FROM frames f JOIN pictures p ON p.id = f.picture_id "
        "WHERE f.id = :id",
        {"id": frame_id},
    )
    if row is None:
        return None
    return PictureFile(
        row.int("id"), row.text("path"), row.int("bytes"), row.text("state"), row.int("width"), row.int("height")
    )


def known_paths(r: Reader) -> set[str]:
    """The paths of all rows whose file is there or still has to go."""
    return {row.text("path") for row in r.query("SELECT path FROM pictures WHERE state IN ('live', 'pending_delete')")}


def live_files(r: Reader, after: int, limit: int) -> list[PictureFile]:
    """Live pictures above that id, lowest first."""
    rows = r.query(
        "SELECT id, path, bytes, state, width, height FROM pictures WHERE state = 'live' AND id > :after "
        "ORDER BY id LIMIT :limit",
        {"after": after, "limit": limit},
    )
    return [
        PictureFile(
            row.int("id"), row.text("path"), row.int("bytes"), row.text("state"), row.int("width"), row.int("height")
        )
        for row in rows
    ]


def pending_files(r: Reader, after: int, limit: int) -> list[tuple[int, str]]:
    """(id, path) of pictures whose file has to go, above that id, lowest first."""
    rows = r.query(
        "SELECT id, path FROM pictures WHERE state = 'pending_delete' AND id > :after ORDER BY id LIMIT :limit",
        {"after": after, "limit": limit},
    )
    return [(row.int("id"), row.text("path")) for row in rows]


def remove_picture(w: Writer, picture_id: int) -> None:
    """Drop the row of a deleted picture whose file is gone and which no frame uses."""
    w.run(
        "DELETE FROM pictures WHERE id = :id AND state = 'pending_delete' "
        "AND NOT EXISTS(SELECT 1 FROM frames WHERE picture_id = :id)",
        {"id": picture_id},
    )


def mark_gone(w: Writer, picture_id: int, at_ms: int) -> None:
    """Note that the file of a picture on the delete list is gone, while frames of it stay."""
    w.run(
        "UPDATE pictures SET state = 'gone', bytes = 0, updated_at = :at, revision = revision + 1 "
        "WHERE id = :id AND state = 'pending_delete'",
        {"id": picture_id, "at": at_ms},
    )


def mark_missing(w: Writer, picture_id: int, at_ms: int) -> None:
    """Note that a live picture's file is not there."""
    w.run(
        "UPDATE pictures SET state = 'missing', updated_at = :at, revision = revision + 1 "
        "WHERE id = :id AND state = 'live'",
        {"id": picture_id, "at": at_ms},
    )


def set_pin(w: Writer, picture_id: int, at_ms: int, *, pinned: bool, note: RedactedText | None) -> None:
    """Pin a picture, with the person's note, or let it age again."""
    w.run(
        "UPDATE pictures SET pinned = :pinned, pin_note = :note, updated_at = :at, revision = revision + 1 "
        "WHERE id = :id AND (pinned OR :pinned)",
        {"id": picture_id, "pinned": int(pinned), "note": note, "at": at_ms},
    )


def frames_using(r: Reader, picture_id: int) -> list[int]:
    """The frames that point at a picture, oldest first."""
    rows = r.query("SELECT id FROM frames WHERE picture_id = :id ORDER BY id", {"id": picture_id})
    return [row.int("id") for row in rows]


def kept_files(r: Reader, after: int, limit: int) -> list[tuple[int, str]]:
    """(id, path) of pictures whose file is there or still has to go, above that id, lowest first."""
    rows = r.query(
        "SELECT id, path FROM pictures WHERE state IN ('live', 'pending_delete') AND id > :after "
        "ORDER BY id LIMIT :limit",
        {"after": after, "limit": limit},
    )
    return [(row.int("id"), row.text("path")) for row in rows]


def move_file(w: Writer, picture_id: int, old_path: str, new_path: str, size_bytes: int, at_ms: int) -> None:
    """Note that a picture lies in another file, sealed or not by its name; nothing when the row changed meanwhile."""
    w.run(
        "UPDATE pictures SET path = :new, bytes = :bytes, sealed = :sealed, updated_at = :at, revision = revision + 1 "
        "WHERE id = :id AND path = :old",
        {
            "id": picture_id, "old": old_path, "new": new_path, "bytes": size_bytes, "at": at_ms,
            "sealed": int(new_path.endswith(".sealed")),
        },
    )  # fmt: skip


def resealed_to(r: Reader) -> int:
    """The id up to which a change of keys has done the pictures; 0 when it has not begun."""
    row = r.one("SELECT value FROM meta WHERE key = 'pictures.resealed_to'")
    return int(row.text("value")) if row else 0


def set_resealed_to(w: Writer, picture_id: int | None) -> None:
    """Remember how far it is, or forget it."""
    if picture_id is None:
        w.run("DELETE FROM meta WHERE key = 'pictures.resealed_to'")
        return
    w.run(
        "INSERT INTO meta(key, value) VALUES('pictures.resealed_to', :value) "
        "ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        {"value": str(picture_id)},
    )


def lost_pictures(r: Reader) -> list[LostPicture]:
    """What frames point at in vain, after damage."""
    rows = r.query(
        "SELECT picture_id, min(captured_at) AS at, monitor_key FROM frames WHERE picture_id IS NOT NULL "
        "AND picture_id NOT IN (SELECT id FROM pictures) GROUP BY picture_id"
    )
    return [LostPicture(row.int("picture_id"), row.int("at"), row.text("monitor_key")) for row in rows]


def restore_picture(w: Writer, lost_id: int, new_id: int) -> None:
    """Give a row that was made again the id that frames know it by."""
    w.run("UPDATE pictures SET id = :lost WHERE id = :new", {"lost": lost_id, "new": new_id})
