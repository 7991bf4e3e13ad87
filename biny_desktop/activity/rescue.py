"""After a rescue of damaged rows: picture files whose rows were lost are found again by the moment in their names."""

import io
import re
from collections import defaultdict
from hashlib import blake2b
from typing import Final

from PIL import Image

from biny_desktop.activity import picture_store
from biny_desktop.core.errors import BinyError
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles

_MOMENT: Final = re.compile(r"-([0-9a-f]{11})[0-9a-f]{12}\.jpg(?:\.sealed)?$")
"""The random part of a file name is a `core.ids` id, which begins with the UTC milliseconds of the picture."""
_QUALITY_UNKNOWN: Final = 0
_THUMB_PX: Final = (160, 90)
"""As every thumbnail: squeezed, so that all four edges show (spec 02 §5.11)."""


def relink_pictures(db: Database, files: PictureFiles) -> int:
    """Make rows again for lost pictures; returns how many. Where two of one moment cannot be told apart, none is made.

    Without it the sweep of files without rows would remove what the damage has spared.

    Raises:
        StorageError: the database cannot be written.
    """
    with db.read() as r:
        known = picture_store.known_paths(r)
        lost = picture_store.lost_pictures(r)
    frames: dict[int, list[picture_store.LostPicture]] = defaultdict(list)
    for each in lost:
        frames[each.at_ms].append(each)
    paths: dict[int, list[str]] = defaultdict(list)
    for path in files.listed() if files.available() else ():
        moment = _MOMENT.search(path)
        if moment and path not in known:
            paths[int(moment.group(1), 16)].append(path)
    done = 0
    for at_ms, candidates in frames.items():
        if len(candidates) == len(paths[at_ms]) == 1:
            done += _relink(db, files, candidates[0], paths[at_ms][0])
    return done


def _relink(db: Database, files: PictureFiles, lost: picture_store.LostPicture, path: str) -> int:
    try:
        jpeg = files.read(path)
        with Image.open(io.BytesIO(jpeg)) as image:
            width, height = image.size
            thumb = _thumb(image)
    except (BinyError, OSError):  # the file is damaged too
        return 0
    row = picture_store.PictureRow(
        path=path, size_bytes=len(jpeg), width=width, height=height, quality=_QUALITY_UNKNOWN,
        sealed=path.endswith(".sealed"), file_hash=blake2b(jpeg, digest_size=16).hexdigest(), pixel_hash="", phash="",
        thumb=thumb, monitor_key=lost.monitor_key, at_ms=lost.at_ms,
    )  # fmt: skip
    with db.write(free=True) as w:
        picture_store.restore_picture(w, lost.id, picture_store.insert_picture(w, row))
    return 1


def _thumb(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.convert("RGB").resize(_THUMB_PX).save(out, "JPEG")
    return out.getvalue()
