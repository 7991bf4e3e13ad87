"""Making one report: figures, narrative, the row, all or nothing (spec 03 §5).

A report is made outside of any transaction (a narrative takes up to two minutes) and written in one that looks first
whether anything was deleted meanwhile; if so it is made again. Statistics never wait for a model: without one, or when
it fails, the report says so in one line.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity import event_store
from biny_desktop.activity.reports import report_store, words
from biny_desktop.activity.reports.draft import Draft, draft, markdown_of
from biny_desktop.activity.reports.due import NO_TRIES, Tries
from biny_desktop.activity.reports.markdown import linked_ids, without_dead_links
from biny_desktop.activity.reports.model import NOT_WRITTEN, NOTHING, ReportKind, ReportState
from biny_desktop.activity.reports.narrative import Narrative, slot_for, write_narrative
from biny_desktop.activity.reports.ports import Asked, DayReader, Keeper
from biny_desktop.activity.reports.report_store import Kept, NewReport
from biny_desktop.core.clock import Clock
from biny_desktop.core.days import activity_day
from biny_desktop.core.errors import BinyError, UnavailableError
from biny_desktop.core.i18n import _
from biny_desktop.core.settings import Settings
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import Redactor, from_row
from biny_desktop.storage.database import Database, Reader

log = logging.getLogger(__name__)
ROUNDS: Final = 3
"""How often a report is begun anew because something was deleted while it was made."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Which report, and how.

    `narrative` True or False: as somebody asked, None: as the setting says. `asked`: a person waits for it, so that
    earlier failures are no reason not to try. `go_on` gives up a narrative under way.
    """

    kind: ReportKind
    key: str
    narrative: bool | None
    asked: bool
    go_on: Callable[[], bool] | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """What was written, and the draft it was made of (None: it could not be made).

    `again`: there was a report of that whole day or week already.
    """

    kept: Kept
    draft: Draft | None
    again: bool


@dataclass(frozen=True, slots=True)
class _Account:
    """How the narrative of a report came out."""

    state: ReportState
    reason: str = ""
    narrative: RedactedText | None = None
    hash: str | None = None
    model: str | None = None
    tries: Tries = NO_TRIES


@dataclass(frozen=True, slots=True)
class _Before:
    """How things were when the making began."""

    generation: str
    data_revision: str
    old: Kept | None
    today: str

    @property
    def complete(self) -> bool:
        """Whether the whole time was told already."""
        old = None if self.old is None else self.old.report
        return old is not None and old.state != "failed" and old.made_at_ms >= old.statistics.end_ms

    @property
    def tries(self) -> Tries:
        """Failed tries so far."""
        return NO_TRIES if self.old is None else tries_of(self.old)


class ReportMaker:
    """Makes and writes reports; one at a time is the caller's care.

    Args:
        reader: gives the days. keeper: brings segments up to date first. client: asks models. redactor: reads over what
            a model wrote.
    """

    def __init__(
        self, db: Database, reader: DayReader, keeper: Keeper, client: Asked, redactor: Callable[[], Redactor],
        settings: Callable[[], Settings], clock: Clock,
    ) -> None:  # fmt: skip
        self._db, self._reader, self._keeper, self._client = db, reader, keeper, client
        self._redactor, self._settings, self._clock = redactor, settings, clock

    def make(self, wish: Wish, title: str) -> Made:
        """Make and write a report; a fault in the making is written as a report that failed.

        Args:
            title: the heading of one that has no document (empty, failed).

        Raises:
            UnavailableError: a delete is going on; nothing was written. StorageError: it could not be written.
        """
        account: _Account | None = None
        for _round in range(ROUNDS):
            before = self._before(wish)
            found, why = self._draft(wish)
            if found is None:
                tries = before.tries.failed(before.today, self._clock.now_ms())
                account = _Account("failed", why, tries=tries)
            elif account is None or account.hash is None or account.hash != found.skeleton.hash:
                account = self._account(wish, found, before)
            written = self._write(wish, title, found, account, before)
            if written is not None:
                return Made(written, found, before.complete)
        raise UnavailableError("The report was not made", "Something is being deleted right now.", "Try again soon.")

    def _before(self, wish: Wish) -> _Before:
        stamp = self._clock.stamp()
        self._keeper.catch_up(wish.go_on or (lambda: True))
        with self._db.read() as r:
            return _Before(
                event_store.generation(r), report_store.data_revision(r, wish.kind, wish.key),
                report_store.find(r, wish.kind, wish.key),
                activity_day(stamp.at_ms, stamp.zone, self._settings().day.start),
            )  # fmt: skip

    def _draft(self, wish: Wish) -> tuple[Draft | None, str]:
        try:
            analysing = self._client.ready("small") and self._settings().activity.analysis
            return draft(self._db, self._reader, wish.kind, wish.key, analysing=analysing), ""
        except BinyError as error:
            log.warning("a report could not be made (%s)", error.kind)
            return None, error.kind
        except Exception as error:  # a bug met by one day's rows must not hide from the person nor stop the other days
            log.exception("a report could not be made")
            return None, type(error).__name__

    def _account(self, wish: Wish, found: Draft, before: _Before) -> _Account:
        """The old narrative if the facts under it are the same, else a new one if it is wanted and may be tried."""
        if found.document is None:
            return _Account("empty_day")
        skeleton, old = found.skeleton, before.old
        wanted = self._settings().reports.narrative if wish.narrative is None else wish.narrative
        keeps = wanted or self._settings().reports.narrative
        if keeps and old is not None and old.narrative is not None and old.narrative_hash == skeleton.hash:
            return _Account("done", "", old.narrative, skeleton.hash, old.report.model)
        slot = slot_for(self._client)
        if slot is None:
            return _Account("done_no_model", hash=skeleton.hash)
        if not wanted:
            return _Account("done", hash=skeleton.hash)
        now_ms = self._clock.now_ms()
        failed = old is not None and old.report.state == "narrative_failed" and not wish.asked
        if old is not None and failed and not before.tries.may_try(before.today, now_ms):
            return _Account("narrative_failed", old.report.reason, hash=skeleton.hash, tries=before.tries)
        got = write_narrative(self._client, skeleton, self._redactor(), wish.go_on)
        if isinstance(got, Narrative):
            log.info("a narrative was written, %d of %d sentences stand", got.left, got.told)
            return _Account("done", "", got.markdown, skeleton.hash, got.model)
        log.info("no narrative (%s), %d of %d sentences stood", got.reason, got.left, got.told)
        tries = before.tries if got.reason == "stopped" else before.tries.failed(before.today, self._clock.now_ms())
        return _Account("narrative_failed", got.reason, None, skeleton.hash, got.model, tries)

    def _write(
        self, wish: Wish, title: str, found: Draft | None, account: _Account, before: _Before
    ) -> Kept | None:  # fmt: skip
        """Write the row; None when something was deleted since `before`."""
        text = _text(title, found, account)
        with self._db.write() as w:
            if event_store.generation(w) != before.generation:
                return None
            statistics = found.statistics if found else before.old.report.statistics if before.old else NOTHING
            # All of it was redacted: titles and texts are read from their rows, the narrative was read over.
            markdown = from_row(living(w, text))
            narrative = None if account.narrative is None else from_row(living(w, account.narrative))
            report_store.save(
                w,
                NewReport(
                    wish.kind, wish.key, account.state, account.reason, statistics, markdown, narrative,
                    account.hash if narrative is not None else None, account.model, before.data_revision,
                    account.tries.count, account.tries.day, account.tries.next_at_ms, self._clock.now_ms(),
                    NOT_WRITTEN if self._settings().reports.to_vault else "",
                ),
            )  # fmt: skip
            return report_store.find(w, wish.kind, wish.key)


def tries_of(kept: Kept) -> Tries:
    """The failed tries that its row tells of."""
    return Tries(kept.report.tries, kept.tries_day, kept.report.next_try_at_ms)


def living(r: Reader, markdown: str) -> str:
    """The text without links to what is gone (spec 03 §5.1)."""
    ids = linked_ids(markdown)
    there = {
        "segment": report_store.existing(r, "segment", ids["segment"]),
        "frame": report_store.existing(r, "frame", ids["frame"]),
    }
    return without_dead_links(markdown, lambda kind, number: number in there[kind])


def _text(title: str, found: Draft | None, account: _Account) -> str:
    if found is None:
        line = _("The report could not be made ({reason}). It is tried again.").format(reason=account.reason)
        return f"# {title}\n\n*{line}*\n"
    failure = None
    if account.state == "narrative_failed":
        failure = _("The account by a model is missing: {why} ({reason}).").format(
            why=words.why(account.reason), reason=account.reason
        )
    return markdown_of(found, title, model=account.model, narrative=account.narrative, failure=failure)
