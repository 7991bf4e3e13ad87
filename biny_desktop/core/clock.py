"""Time as an argument: wall clock, monotonic clock, zone and boot, behind one protocol."""

import functools
import time
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@dataclass(frozen=True, slots=True)
class Stamp:
    """One moment as every row keeps it (spec 03 §1.1).

    `at_ms` UTC milliseconds since 1970 (a label only), `zone` IANA name at that moment, `mono_ms` monotonic ms
    inside one boot (lengths come from here), `boot_id` names the boot that `mono_ms` belongs to.
    """

    at_ms: int
    zone: str
    mono_ms: int
    boot_id: str


class Clock(Protocol):
    """The only source of time; tests pass a fake."""

    def stamp(self) -> Stamp:
        """All four parts of now, read together."""
        ...

    def now_ms(self) -> int:
        """UTC milliseconds since 1970."""
        ...

    def mono_ms(self) -> int:
        """Monotonic milliseconds; never goes back inside one boot."""
        ...

    def wait(self, seconds: float) -> None:
        """Let that much time pass."""
        ...


class SystemClock:
    """The clock of this machine."""

    def stamp(self) -> Stamp:
        return Stamp(self.now_ms(), local_zone(), self.mono_ms(), boot_id())

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def mono_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)


@functools.cache
def boot_id() -> str:
    """An id that is the same for all processes of one boot; made up once a process where the system gives none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return f"process-{uuid.uuid4()}"


def local_zone() -> str:
    """IANA name of the zone this machine is in now; `UTC` where it cannot be told.

    Read anew on each call, since people travel: `TZ`, then the link `/etc/localtime`, then `/etc/timezone`.
    """
    import os

    name = os.environ.get("TZ", "").lstrip(":")
    if name and _known(name):
        return name
    try:
        target = str(Path("/etc/localtime").readlink())
        if "zoneinfo/" in target:
            name = target.split("zoneinfo/", 1)[1]
            if _known(name):
                return name
    except OSError:
        pass
    try:
        name = Path("/etc/timezone").read_text(encoding="ascii").strip()
        if _known(name):
            return name
    except (OSError, UnicodeDecodeError):
        pass
    return "UTC"


@functools.cache
def _known(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def to_local(at_ms: int, zone: str) -> datetime:
    """The aware local time of a UTC instant in an IANA zone; an unknown zone is read as UTC."""
    tz = ZoneInfo(zone) if _known(zone) else UTC
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(tz)
