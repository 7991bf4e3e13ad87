"""`Reports`: gives, makes and exports the reports of days and weeks, and keeps them in step with what they tell of."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import date, timedelta
from typing import Final, Literal

from biny_desktop.activity.reports import report_store, words
from biny_desktop.activity.reports.due import NO_TRIES, TODAY_VALID_MS, due
from biny_desktop.activity.reports.making import Made, ReportMaker, Wish, living, tries_of
from biny_desktop.activity.reports.model import NOT_WRITTEN, Report, ReportKind, ReportMark
from biny_desktop.activity.reports.narrative import slot_for
from biny_desktop.activity.reports.passing import Sinks, section_text
from biny_desktop.activity.reports.ports import ActivitySections, Asked, DayReader, Keeper, ReportSink
from biny_desktop.activity.reports.weeks import days_of, week_before, week_of
from biny_desktop.core.clock import Clock
from biny_desktop.core.days import activity_day
from biny_desktop.core.errors import InvalidInputError, UnavailableError
from biny_desktop.core.events import ActivityDeleted, DayDeleted, EventBus, ReportMade
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.core.settings import Settings
from biny_desktop.redaction import Redactor, from_row
from biny_desktop.storage.database import Database

STALE_A_CHECK: Final = 10
"""Older reports that one check makes anew."""
FILE_ROUNDS: Final = 5
"""How often a report that others write at the same time is passed on."""
EXPORT_DAYS: Final = 1_100
"""Longest range of an export, days."""


class Reports:
    """Reports of days and weeks. Thread-safe; one is made at a time.

    Args:
        segments, keeper: the segments, and who keeps them up to date. client: asks models. redactor: reads over what a
            model wrote. sinks, sections: who keeps reports and Activity sections as files, while `reports.to_vault`.
    """

    def __init__(
        self, db: Database, segments: DayReader, keeper: Keeper, client: Asked, redactor: Callable[[], Redactor],
        settings: Callable[[], Settings], clock: Clock, events: EventBus, sinks: Sequence[ReportSink] = (),
        sections: Sequence[ActivitySections] = (),
    ) -> None:  # fmt: skip
        self._db, self._client, self._settings, self._clock, self._events = db, client, settings, clock, events
        self._keeper = keeper
        self._maker = ReportMaker(db, segments, keeper, client, redactor, settings, clock)
        self._sinks = Sinks(sinks, sections)
        self._lock = threading.Lock()
        events.subscribe(ActivityDeleted, lambda event: self._forget(event.days))
        events.subscribe(DayDeleted, lambda event: self._forget((event.day,)))

    def get(self, kind: ReportKind, key: str) -> Report | None:
        """A report as it is kept; links to what was deleted meanwhile are the text "deleted"."""
        with self._db.read() as r:
            kept = report_store.find(r, kind, key)
            if kept is None:
                return None
            narrative = None if kept.narrative is None else living(r, kept.narrative)
            return replace(kept.report, markdown=living(r, kept.markdown), narrative=narrative)

    def make(
        self, kind: ReportKind, key: str, *, narrative: bool | None = None, asked: bool = True,
        go_on: Callable[[], bool] | None = None,
    ) -> Report:  # fmt: skip
        """Make a report now, or anew; returns it.

        Args:
            key: ISO date or `YYYY-Www`, not in the future. narrative: None: as the setting says. asked: a person asked.
            go_on: False gives up a narrative under way; the report is then written without one.

        Raises:
            InvalidInputError: no such day or week, or it has not begun. UnavailableError: a delete is going on.
            StorageError: it could not be written.
        """
        checked = self._checked(kind, key)
        with self._lock:
            return self._make(Wish(kind, checked, narrative, asked, go_on=go_on))

    def today(self, *, narrative: bool = False) -> Report:
        """The report of the present day, at most 10 minutes old. Raises as `make`."""
        key = self._today()
        kept = self.get("day", key)
        usable = kept is not None and not narrative and kept.state != "failed"
        if kept is not None and usable and 0 <= self._clock.now_ms() - kept.made_at_ms < TODAY_VALID_MS:
            return kept
        return self.make("day", key, narrative=narrative)

    def fresh(self, kind: ReportKind, key: str, *, narrative: bool = False) -> Report:
        """A report as somebody wants to read it now: the kept one if nothing changed since, else a new one.

        Args:
            narrative: one with an account by a model is wanted, whatever the setting says.

        Raises: as `make`.
        """
        key = self._checked(kind, key)
        if kind == "day" and key == self._today():
            return self.today(narrative=narrative)
        self._keeper.catch_up(lambda: True)
        kept = self.get(kind, key)
        good = kept is not None and not kept.stale and kept.state in ("done", "done_no_model", "empty_day")
        whole = kept is not None and kept.made_at_ms >= kept.statistics.end_ms
        if kept is not None and good and whole and (kept.narrative is not None or not narrative):
            return kept
        return self.make(kind, key, narrative=narrative or None)

    def check(self, go_on: Callable[[], bool], quiet: Callable[[], bool] = lambda: True) -> str:
        """The job: yesterday's report and last week's, when missing, stale, failed or still without a narrative; and
        older ones whose day changed.

        Args:
            go_on: False ends it, also a call under way. quiet: whether nobody needs the machine, asked before each
                report; it ends a call only of a model on this machine, another is not asked twice for a key pressed.

        Returns what came of it in words, nothing if it made way before anything was made.

        Raises:
            StorageError, UnavailableError: as `make`.
        """
        settings = self._settings().reports
        if not settings.enabled:
            return _("off")
        if not self._lock.acquire(blocking=False):
            return ""
        slot = slot_for(self._client)
        here = slot is not None and self._client.is_here(slot)
        call_on = (lambda: go_on() and quiet()) if here else go_on
        try:
            done = 0
            self._keeper.catch_up(go_on)
            for wish in self._wanted(call_on, weekly=settings.weekly):
                if not (go_on() and quiet()):
                    if not done:
                        return ""
                    break
                self._make(wish)
                done += 1
        finally:
            self._lock.release()
        return ngettext("{n} report written", "{n} reports written", done).format(n=done) if done else _("up to date")

    def marks(self, first_day: str, last_day: str) -> tuple[ReportMark, ...]:
        """What a calendar shows of the days of that range, both ends included, and of the weeks that begin in it."""
        with self._db.read() as r:
            return tuple(report_store.marks(r, first_day, last_day))

    def export(self, first_day: str, last_day: str, form: Literal["md", "json"]) -> str:
        """All reports of a range of days, oldest first; days with activities that have none yet get one first, without
        a model.

        Raises:
            InvalidInputError: not two days in order, or more than three years. Others as `make`.
        """
        first, last = _day(first_day), _day(last_day)
        if not 0 <= (last - first).days < EXPORT_DAYS:
            raise InvalidInputError("Not a range of days", f"{first_day} to {last_day} cannot be exported.")
        ends = (first.isoformat(), min(last.isoformat(), self._today()))
        with self._db.read() as r:
            have = {kept.report.key for kept in report_store.between(r, *ends)}
            missing = [day for day in report_store.days_with_segments(r, *ends) if day not in have]
        for day in missing:
            self.make("day", day, narrative=False)
        with self._db.read() as r:
            found = [kept.report for kept in report_store.between(r, *ends)]
            texts = [living(r, report.markdown) for report in found]
        if form == "md":
            return "\n".join(texts)
        return json.dumps({"reports": [_plain(*each) for each in zip(found, texts, strict=True)]}, ensure_ascii=False)

    def _make(self, wish: Wish) -> Report:
        made = self._maker.make(wish, _title(wish.kind, wish.key))
        report = made.kept.report
        error = self._keep_files(made) if report.file_error else ""
        # One that is only brought up to date is no news either.
        self._events.publish(ReportMade(wish.kind, wish.key, report.state, wish.asked or made.again))
        return replace(report, file_error=error)

    def _keep_files(self, made: Made) -> str:
        """Pass a report on until what was passed on is what its row says: another process may write it meanwhile, or
        take words out of it. Killed on the way, the row still says that its file is not written."""
        kind, key, error = made.kept.report.kind, made.kept.report.key, NOT_WRITTEN
        for _round in range(FILE_ROUNDS):
            error = self._pass_on(made)
            with self._db.write() as w:
                present = report_store.find(w, kind, key)
                if present is None or present.markdown == made.kept.markdown:
                    report_store.set_file_error(w, kind, key, error)
                    break
            made = replace(made, kept=present, draft=None)
        return error

    def _pass_on(self, made: Made) -> str:
        report = made.kept.report
        if report.state == "empty_day":
            return self._sinks.drop(report.kind, report.key)
        section = None
        if report.kind == "day" and made.draft is not None and made.draft.document is not None:
            section = from_row(section_text(made.draft.document))  # of the same redacted lines as the report
        return self._sinks.put(report.kind, report.key, made.kept.markdown, section)

    def _wanted(self, go_on: Callable[[], bool], *, weekly: bool) -> Iterator[Wish]:
        """What a check makes, most wanted first."""
        today = self._today()
        newest: list[tuple[ReportKind, str]] = [("day", _before(today))]
        newest += [("week", week_before(today))] if weekly else []
        with self._db.read() as r:
            first = report_store.first_segment_day(r)
            open_now = {("day", today), ("week", week_of(today))}
            older = [each for each in report_store.keys(r) if each not in newest]
        left = STALE_A_CHECK
        for kind, key in [*newest, *older]:
            with self._db.read() as r:
                kept = report_store.find(r, kind, key)
            if (kind, key) in open_now and (kept is None or not kept.report.file_error):
                continue  # it changes all the time, and is made when somebody looks at it
            is_newest = (kind, key) in newest
            if kept is None and (first is None or (key if kind == "day" else days_of(key)[6]) < first):
                continue  # nothing was recorded yet at that time
            had = kept is not None and kept.narrative is not None
            wanted = self._settings().reports.narrative and slot_for(self._client) is not None
            tries = NO_TRIES if kept is None else tries_of(kept)
            report = None if kept is None else kept.report
            now_ms = self._clock.now_ms()
            if due(report, tries, today, now_ms, model_wanted=wanted, newest=is_newest) and left:
                left -= not is_newest
                yield Wish(kind, key, None if is_newest or had else False, asked=False, go_on=go_on)

    def _forget(self, days: Sequence[str]) -> None:
        """Something of these days was deleted: no report quotes it any more from now on.

        The words go at once; the reports are made anew if none is being made right now, else by the next check.
        """
        keys: set[tuple[ReportKind, str]] = {("day", day) for day in days} | {("week", week_of(day)) for day in days}
        with self._db.write() as w:
            touched = [each for each in sorted(keys) if report_store.blank(w, *each, _title(*each))]
        if not touched:
            return
        if self._lock.acquire(blocking=False):
            try:
                for kind, key in touched:
                    with suppress(UnavailableError):  # the delete goes on: the next check makes it
                        self._make(Wish(kind, key, False, asked=True))
            finally:
                self._lock.release()
        else:
            for kind, key in touched:
                self._sinks.drop(kind, key)
        self._db.truncate_wal()

    def _checked(self, kind: ReportKind, key: str) -> str:
        today = self._today()
        key = _day(key).isoformat() if kind == "day" else week_of(days_of(key)[0])
        if key > (today if kind == "day" else week_of(today)):
            raise InvalidInputError("That day has not come yet", f"There is no report of {key}.")
        return key

    def _today(self) -> str:
        stamp = self._clock.stamp()
        return activity_day(stamp.at_ms, stamp.zone, self._settings().day.start)


def _before(day: str) -> str:
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InvalidInputError("No such day", f"{text!r} is no date.", "Write it as 2026-03-12.") from error


def _title(kind: ReportKind, key: str) -> str:
    return key if kind == "week" else f"{key} {words.weekday(key)}"


def _plain(report: Report, markdown: str) -> dict[str, object]:
    return {
        "kind": report.kind, "key": report.key, "state": report.state, "reason": report.reason, "model": report.model,
        "made_at_ms": report.made_at_ms, "statistics": asdict(report.statistics), "markdown": markdown,
    }  # fmt: skip
