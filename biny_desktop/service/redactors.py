"""The redactor of the present settings and the user's patterns, made anew only when they change."""

import logging
from collections.abc import Callable

from biny_desktop.activity.redaction_store import patterns
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidSettingError, StorageError
from biny_desktop.core.settings import Settings
from biny_desktop.redaction.custom import check_custom
from biny_desktop.redaction.redact import Redactor
from biny_desktop.redaction.result import RedactionOptions
from biny_desktop.storage.database import Database

log = logging.getLogger(__name__)
FRESH_MS = 1_000
"""Patterns are read again after this long; another process may have changed them (monotonic ms)."""


class CurrentRedactor:
    """Callable: gives the `Redactor` of this moment. Thread-safe: a race only makes one twice."""

    def __init__(self, settings: Callable[[], Settings], database: Database, clock: Clock) -> None:
        self._settings, self._database, self._clock = settings, database, clock
        self._patterns: tuple[str, ...] = ()
        self._read_ms: int | None = None
        self._made: tuple[RedactionOptions, Redactor] | None = None

    def __call__(self) -> Redactor:
        redact = self._settings().redact
        wanted = RedactionOptions(email=redact.email, phone=redact.phone, custom=self._custom())
        made = self._made
        if made is None or made[0] != wanted:
            made = (wanted, Redactor(wanted))
            self._made = made
        return made[1]

    def look_again(self) -> None:
        """The patterns were changed in this process."""
        self._read_ms = None

    def _custom(self) -> tuple[str, ...]:
        now = self._clock.mono_ms()
        if self._read_ms is not None and now - self._read_ms < FRESH_MS:
            return self._patterns
        self._read_ms = now
        try:
            found = tuple(each.pattern for each in patterns(self._database) if each.enabled)
        except StorageError:  # those of before go on
            return self._patterns
        if self._made is None or found != self._made[0].custom:
            found = tuple(each for each in found if _usable(each))
        self._patterns = found
        return found


def _usable(pattern: str) -> bool:
    """Whether a stored pattern is still one; a damaged row must not end all redaction."""
    try:
        check_custom(pattern)
    except InvalidSettingError:
        log.warning("a redaction pattern in the database cannot be used and is passed over")
        return False
    return True
