"""Event rows: equal reasons close together extend one row, private time is told without saying what it was."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity import event_store
from biny_desktop.activity.safe_fields import SafeFields, bare
from biny_desktop.capture.ports import Note
from biny_desktop.core.clock import Stamp
from biny_desktop.core.days import activity_day
from biny_desktop.core.settings import Settings
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import RULES_VERSION
from biny_desktop.storage.database import Writer
from biny_desktop.storage.rows import dump_json

EXTEND_MS: Final = 5_000
"""Equal reasons of one app within this extend one row; placeholders are at least this far apart (spec 02 §2, §3)."""
PRIVATE_REASONS: Final = frozenset(
    {"private_app", "private_window", "private_url", "user_rule", "password_prompt", "private_text"}
)
"""Reasons whose rows never hold a title or an address, whatever kind they are noted as."""

_Key = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class _Open:
    """A row that may still grow: when it began and last grew, monotonic ms of one boot."""

    event_id: int
    key: _Key
    boot_id: str
    began_ms: int
    grew_ms: int


class NoteWriter:
    """Writes notes inside the caller's transaction; `committed` is called once that transaction is on disk."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._open: dict[_Key, _Open] = {}
        self._next: _Open | None = None

    def write(self, w: Writer, note: Note, safe: SafeFields) -> int:
        """Write a row or extend an open one; returns its id."""
        self._next = None
        private = note.kind == "private" or note.reason in PRIVATE_REASONS
        app_id, app_name, title, detail = self._texts(note, safe, private=private)
        event_store.bump_day(w, activity_day(note.stamp.at_ms, note.stamp.zone, self._settings().day.start))
        key = (note.kind, note.reason, app_id)
        growing = note.kind in ("skip", "private")
        found = self._find(key, note.stamp, private=note.kind == "private") if growing else None
        until = note.stamp.at_ms if note.until_ms is None else note.until_ms
        if found is not None and event_store.extend_event(w, found.event_id, note.count, until):
            self._next = _Open(found.event_id, found.key, found.boot_id, found.began_ms, note.stamp.mono_ms)
            return found.event_id
        event_id = event_store.insert_event(
            w,
            event_store.NewEvent(
                note.stamp, note.kind, note.reason, note.count, note.until_ms, app_id, app_name, title, detail
            ),
        )
        event_store.insert_redactions(w, "event", event_id, safe.counts, RULES_VERSION, note.stamp.at_ms)
        if growing:
            self._next = _Open(event_id, key, note.stamp.boot_id, note.stamp.mono_ms, note.stamp.mono_ms)
        return event_id

    def committed(self) -> None:
        """Remember the row of the last `write` as one that may grow; forget those that are too old."""
        if self._next is not None:
            newest = self._next
            self._open = {
                key: row for key, row in self._open.items()
                if row.boot_id == newest.boot_id and newest.grew_ms - row.grew_ms <= EXTEND_MS
            }  # fmt: skip
            self._open[newest.key] = newest

    def _find(self, key: _Key, stamp: Stamp, *, private: bool) -> _Open | None:
        def near(row: _Open, since_ms: int) -> bool:
            return row.boot_id == stamp.boot_id and 0 <= stamp.mono_ms - since_ms <= EXTEND_MS

        same = self._open.get(key)
        if same is not None and near(same, same.grew_ms):
            return same
        if private:  # at most one placeholder in 5 s, even when the reason changes
            return next(
                (row for row in self._open.values() if row.key[0] == "private" and near(row, row.began_ms)), None
            )
        return None

    def _texts(
        self, note: Note, safe: SafeFields, *, private: bool
    ) -> tuple[RedactedText | None, RedactedText | None, RedactedText | None, str]:
        """(app id, app name, title, detail JSON) as they may be stored."""
        if private:
            named = self._settings().privacy.name_private_apps and note.app_id is not None
            app_id = safe.line("app_id", note.app_id) if named and note.app_id is not None else None
            return app_id, None, None, dump_json(safe.detail("detail", bare(note.detail)))
        return (
            None if note.app_id is None else safe.line("app_id", note.app_id),
            None if note.app_name is None else safe.line("app_name", note.app_name),
            None if note.title is None else safe.line("title", note.title),
            dump_json(safe.detail("detail", note.detail)),
        )
