"""Where the pictures lie, and a move that is under way: one small file beside the database, written whole or not."""

import json
from dataclasses import dataclass
from pathlib import Path

from biny_desktop.core.errors import StorageError
from biny_desktop.storage.atomic import FileOps, write_atomic
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import Folders


@dataclass(frozen=True, slots=True)
class Place:
    """`folder` of the pictures; `moving_to` is being filled and not in use yet; `left` is to be emptied."""

    folder: Path
    moving_to: Path | None = None
    left: Path | None = None


def load(folders: Folders) -> Place:
    """The place of the pictures.

    Raises:
        StorageError: the file cannot be read.
    """
    with explained("Reading where the pictures are"):
        try:
            raw = json.loads(folders.place_file.read_bytes())
            moving_to, left = raw.get("moving_to"), raw.get("left")
        except FileNotFoundError:
            return Place(folders.pictures)
        except (ValueError, AttributeError) as error:
            raise StorageError(
                "pictures.json is damaged", "It does not say where the pictures are.", "Restore a backup."
            ) from error
    return Place(folders.pictures, Path(moving_to) if moving_to else None, Path(left) if left else None)


def save(folders: Folders, place: Place, ops: FileOps | None = None) -> None:
    """Remember it. Raises DiskFullError, StorageError: as before."""
    content = {
        "folder": str(place.folder) if place.folder != folders.data / "pictures" else None,
        "moving_to": str(place.moving_to) if place.moving_to else None,
        "left": str(place.left) if place.left else None,
    }
    write_atomic(folders.place_file, json.dumps(content).encode(), ops)
