"""What the long work on an index (rebuild, healing, centring) shares: its rows, its database, who may do it now."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from biny_desktop.core.clock import Clock
from biny_desktop.core.ids import new_id
from biny_desktop.models.model import IndexedRows
from biny_desktop.storage import leases
from biny_desktop.storage.database import Database, Reader

LEASE_MS: Final = 60_000
"""How long one process may be silent in its work on an index before another may take over."""


@dataclass(frozen=True, slots=True)
class IndexParts:
    """The rows of an index and where they are; `changed` is called after a commit that others should hear of."""

    rows: IndexedRows
    db: Database
    clock: Clock
    changed: Callable[[], None]

    @property
    def kind(self) -> str:
        """The kind of rows."""
        return self.rows.kind

    @property
    def _lease(self) -> str:
        return f"vectors.{self.kind}"

    def worked_on(self, r: Reader) -> bool:
        """Whether somebody works on this index now."""
        return leases.held(r, self.clock, self._lease)

    @contextmanager
    def alone(self) -> Iterator[Callable[[], bool] | None]:
        """Be the only one who works on this index; gives what says "still there" (and False when it was lost), or
        None while somebody else works on it."""
        name = self._lease
        holder = f"{os.getpid()}-{threading.get_ident()}-{new_id(self.clock.now_ms())}"
        lease = leases.acquire(self.db, self.clock, name, holder, LEASE_MS)
        if lease is None:
            yield None
            return

        def still() -> bool:
            return leases.acquire(self.db, self.clock, name, holder, LEASE_MS) is not None

        try:
            yield still
        finally:
            leases.release(self.db, lease)
