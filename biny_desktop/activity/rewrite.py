"""One picture made smaller: decode, check, new file, reopen and verify, swap of the row; killed anywhere, it converges.

Before the swap the new file has no row and the sweep at the next start removes it; after it the old file is on the
delete list.
"""

import contextlib
import logging
import secrets
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from biny_desktop.activity import ageing_store, shrink
from biny_desktop.activity.ageing_plan import AgedPicture
from biny_desktop.activity.ageing_store import NewFile, Source
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, DiskFullError, NotFoundError, StorageError
from biny_desktop.core.ids import RandomHex, new_id
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles, StoredFile

log = logging.getLogger(__name__)
Outcome = Literal["shrunk", "kept", "missing", "damaged", "skipped"]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What became of a picture; `bytes_written` of a new file."""

    outcome: Outcome
    bytes_written: int = 0


class Rewriter:
    """Makes pictures smaller, one at a time.

    Args: the database, the pictures folder, time and randomness.
    """

    def __init__(
        self, db: Database, files: PictureFiles, clock: Clock, random_hex: RandomHex = secrets.token_hex
    ) -> None:
        self._db, self._files, self._clock, self._random_hex = db, files, clock, random_hex

    def rewrite(self, picture: AgedPicture, tier: shrink.SmallTier) -> Rewritten:
        """Bring a picture into that tier.

        `kept`: it would not get smaller, the file stays. `missing`: there is no file. In both the tier advances.
        `damaged`: it cannot be decoded, counted. `skipped`: changed meanwhile, or its disk failed; tried again.

        Raises:
            DiskFullError: nothing changed. StorageError: the database cannot be used.
        """
        with self._db.read() as r:
            source = ageing_store.source_of(r, picture.id)
        if source is None:
            return Rewritten("skipped")
        try:
            jpeg = self._files.read(source.path)
            small = shrink.shrunk(jpeg, tier)
        except NotFoundError:
            return self._missing(source, tier)
        except BinyError as error:
            return self._fault(source, error)
        now = self._clock.now_ms()
        if len(small.jpeg) >= len(jpeg):
            with self._db.write() as w:
                ageing_store.advance(w, picture.id, tier, now)
            return Rewritten("kept")
        return self._replace(picture, source, small, tier)

    def _replace(self, picture: AgedPicture, source: Source, small: shrink.Shrunk, tier: shrink.SmallTier) -> Rewritten:
        file = self._files.write(small.jpeg, source.created_ms, new_id(source.created_ms, self._random_hex))
        try:
            swapped = self._verified(file, small) and self._swap(picture, source, file, small, tier)
        except BaseException:
            self._discard(file)
            raise
        if swapped:
            return Rewritten("shrunk", file.bytes)
        self._discard(file)
        return Rewritten("skipped")

    def _verified(self, file: StoredFile, small: shrink.Shrunk) -> bool:
        """Whether the new file, opened again, is the picture that was made."""
        try:
            again = self._files.read(file.path)
        except BinyError as error:
            log.warning("a smaller picture cannot be read again (%s)", error.kind)
            return False
        return again == small.jpeg and shrink.is_whole(again, small.width, small.height)

    def _swap(
        self, picture: AgedPicture, source: Source, file: StoredFile, small: shrink.Shrunk, tier: shrink.SmallTier
    ) -> bool:
        digest = blake2b(small.jpeg, digest_size=16).hexdigest()
        new = NewFile(file.path, file.bytes, small.width, small.height, shrink.QUALITY[tier], digest)
        with self._db.write() as w:
            return ageing_store.swap(w, picture, source, new, tier, self._clock.now_ms())

    def _discard(self, file: StoredFile) -> None:
        with contextlib.suppress(BinyError):  # the sweep at the next start removes it
            self._files.delete(file.path)

    def _missing(self, source: Source, tier: shrink.SmallTier) -> Rewritten:
        if not self._files.available():  # the whole disk went; nothing is known of this picture
            return Rewritten("skipped")
        with self._db.write() as w:
            ageing_store.lose(w, source.id, tier, self._clock.now_ms())
        return Rewritten("missing")

    def _fault(self, source: Source, error: BinyError) -> Rewritten:
        """Count what the picture itself is to blame for; a fault of the disk may be over next time."""
        if isinstance(error, DiskFullError) or (isinstance(error, StorageError) and error.__cause__ is not None):
            log.warning("picture %d cannot be read now (%s)", source.id, error.kind)
            return Rewritten("skipped")
        log.warning("picture %d cannot be decoded (%s)", source.id, error.kind)
        with self._db.write() as w:
            ageing_store.count_fault(w, source.id, self._clock.now_ms())
        return Rewritten("damaged")
