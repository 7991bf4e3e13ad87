"""Leases between processes: who may do a named job now, until when; a dead holder's lease runs out by itself."""

from dataclasses import dataclass

from biny_desktop.core.clock import Clock
from biny_desktop.storage.database import Database, Reader


@dataclass(frozen=True, slots=True)
class Lease:
    """A job held by `holder` until `until_ms` (UTC); `fence` rises with every new holder."""

    name: str
    holder: str
    until_ms: int
    fence: int


def acquire(database: Database, clock: Clock, name: str, holder: str, ttl_ms: int) -> Lease | None:
    """Take or renew a lease; None while somebody else holds it.

    Args:
        name: the job. holder: an id of this process and thread. ttl_ms: how long it lasts without renewal.

    Raises:
        StorageError: the database cannot be written.
    """
    now = clock.now_ms()
    with database.write() as w:
        w.run(
            "INSERT INTO leases(name, holder, until_ms, fence) VALUES(:name, :holder, :until, 1) "
            "ON CONFLICT(name) DO UPDATE SET fence = fence + (holder <> excluded.holder), "
            "holder = excluded.holder, until_ms = excluded.until_ms WHERE until_ms <= :now OR holder = excluded.holder",
            {"name": name, "holder": holder, "until": now + ttl_ms, "now": now},
        )
        row = w.one("SELECT holder, until_ms, fence FROM leases WHERE name = :name", {"name": name})
    if row is None or row.text("holder") != holder:
        return None
    return Lease(name, holder, row.int("until_ms"), row.int("fence"))


def release(database: Database, lease: Lease) -> None:
    """Give a lease back; nothing happens when it is somebody else's by now."""
    with database.write() as w:
        w.run(
            "DELETE FROM leases WHERE name = :name AND holder = :holder AND fence = :fence",
            {"name": lease.name, "holder": lease.holder, "fence": lease.fence},
        )


def held(r: Reader, clock: Clock, name: str) -> bool:
    """Whether somebody holds that lease now."""
    row = r.one(
        "SELECT 1 AS x FROM leases WHERE name = :name AND until_ms > :now", {"name": name, "now": clock.now_ms()}
    )
    return row is not None
