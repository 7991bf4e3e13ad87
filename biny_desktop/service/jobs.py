"""What the schedule of a running app does by itself: keeping the home in order, and understanding the day."""

from collections.abc import Callable
from functools import partial
from typing import Final

from biny_desktop.activity import index
from biny_desktop.activity.analysis.analysis import Analysis
from biny_desktop.activity.deletes import Deletes
from biny_desktop.activity.disk import DiskGuard
from biny_desktop.activity.meaning.sweep import EmbeddingSweep
from biny_desktop.activity.relocate import PictureMove
from biny_desktop.activity.reports.reports import Reports
from biny_desktop.activity.retention import Retention
from biny_desktop.activity.segments.keeper import SegmentKeeper
from biny_desktop.activity.text_keeping import TextKeeping
from biny_desktop.conversation.search.sweep import MessageSweep
from biny_desktop.core.clock import Clock
from biny_desktop.core.i18n import _, mark, ngettext
from biny_desktop.core.settings import Settings
from biny_desktop.models.embedding_rounds import AGAIN_S
from biny_desktop.service.quiet import Quiet
from biny_desktop.service.schedule import Job
from biny_desktop.storage.database import Database

AGEING_FIRST_S: Final = 60
AGEING_EVERY_S: Final = 1_800
"""Spec 02 §6.2: 60 s after the start, then every 30 min."""
FILES_EVERY_S: Final = 600
"""How often files that could not be removed are tried again."""
DISK_EVERY_S: Final = 60
"""Spec 02 §6.8."""
INDEX_EVERY_S: Final = 30
"""How often the pieces of the text index are joined (own): so many frames are read meanwhile that it stays quick."""
INDEX_PAUSE_S: Final = 0.02
"""After each step of it, so that those who write get their turn."""


def age_pictures(retention: Retention, guard: DiskGuard, allowed: Callable[[], bool], go_on: Callable[[], bool]) -> str:
    """Make pictures smaller and delete them, as long as the person is idle or the machine on mains; then wait.

    A write that failed for want of space has the guard look at once (spec 02 §6.8).
    """
    if not allowed():
        return ""
    with guard.watched():
        run = retention.run(lambda: go_on() and allowed())
    if run.disk_full:
        guard.check()
    if run.waiting and not run.touched:
        return _("first deletion waits")
    words = (
        _("{smaller} smaller, {deleted} deleted, {pending} files pending, more is due")
        if run.more
        else _("{smaller} smaller, {deleted} deleted, {pending} files pending")
    )
    return words.format(smaller=run.shrunk, deleted=run.by_age + run.by_quota, pending=run.pending)


def retry_deletes(deletes: Deletes, move: PictureMove, go_on: Callable[[], bool]) -> str:
    """Try again to remove files that were locked, also those of an old pictures folder."""
    freed = deletes.finish_pending()
    left = move.settle() if go_on() else 0
    return _("{files} files removed, {pending} pending").format(files=freed.files, pending=freed.pending + left)


def check_disk(guard: DiskGuard, go_on: Callable[[], bool]) -> str:
    """Measure the free space; the guard tells when recording stops or goes on."""
    if not go_on():
        return ""
    return _("stopped") if guard.check().stopped else _("enough")


def join_index(db: Database, clock: Clock, go_on: Callable[[], bool]) -> str:
    """Join the pieces of the text index; too little at a time to wait for the person."""
    if not go_on():
        return ""
    steps = index.merge_pieces(db, go_on, lambda: clock.wait(INDEX_PAUSE_S))
    return ngettext("{n} step", "{n} steps", steps).format(n=steps)


def keeping_jobs(
    retention: Retention, deletes: Deletes, move: PictureMove, guard: DiskGuard, db: Database, clock: Clock,
    allowed: Callable[[], bool],
) -> tuple[Job, ...]:  # fmt: skip
    """The jobs that keep a home in order. `allowed`: the person is idle, or the machine on mains."""
    return (
        Job(mark("ageing"), partial(age_pictures, retention, guard, allowed), AGEING_EVERY_S, AGEING_FIRST_S),
        Job(mark("left-over files"), partial(retry_deletes, deletes, move), FILES_EVERY_S, FILES_EVERY_S),
        Job(mark("disk"), partial(check_disk, guard), DISK_EVERY_S, DISK_EVERY_S),
        Job(mark("text index"), partial(join_index, db, clock), INDEX_EVERY_S, INDEX_EVERY_S),
    )


SEGMENTS_FIRST_S: Final = 20
SEGMENTS_EVERY_S: Final = 120
"""How often the day is cut anew (own; with nothing new it costs three small questions)."""
ANALYSIS_FIRST_S: Final = 120
"""Spec 03 §3, schedule."""
REPORTS_FIRST_S: Final = 120
REPORTS_EVERY_S: Final = 900
"""Spec 03 §5, when."""
EMBEDDING_FIRST_S: Final = 300
EMBEDDING_EVERY_S: Final = 300
"""Spec 03 §7, sweep."""
EMBEDDING_APART_S: Final = 30
"""Messages have their turn so long after screens (own)."""
TEXTS_FIRST_S: Final = 900
TEXTS_EVERY_S: Final = 21_600
"""How often texts that are too old are looked for (own)."""


def keep_segments(keeper: SegmentKeeper, go_on: Callable[[], bool]) -> str:
    """Cut the days that have new rows; quick, so it does not wait for the person."""
    if not go_on():
        return ""
    changed = keeper.catch_up(go_on)
    return ngettext("{n} activity changed", "{n} activities changed", changed).format(n=changed)


def analyse(
    analysis: Analysis, settings: Callable[[], Settings], quiet: Quiet, go_on: Callable[[], bool]
) -> str:  # fmt: skip
    """Ask a model about segments while nobody needs the machine; not on battery unless that is wanted."""
    if not quiet.now() or (quiet.on_battery() and not settings().activity.on_battery):
        return ""
    done = analysis.sweep(go_on, quiet.now)
    if done.cut_off and not (done.analysed or done.failed):
        return ""
    if done.waiting:
        return _("no model") if done.waiting == "no_model" else _("off")
    return _("{n} named, {failed} failed, {given_up} given up").format(
        n=done.analysed, failed=done.failed, given_up=done.given_up
    )


def check_reports(reports: Reports, quiet: Quiet, go_on: Callable[[], bool]) -> str:
    """Write the reports that are missing or stale."""
    return reports.check(go_on, quiet.now) if quiet.now() else ""


def embed(
    sweep: EmbeddingSweep | MessageSweep, settings: Callable[[], Settings], quiet: Quiet, go_on: Callable[[], bool]
) -> str:  # fmt: skip
    """Give new texts their vectors."""
    if quiet.on_battery() and not settings().activity.on_battery:
        return ""
    return sweep.run(go_on, quiet.idle_ms)


def drop_old_texts(texts: TextKeeping, quiet: Quiet, go_on: Callable[[], bool]) -> str:
    """Delete texts that are older than the person wants."""
    if not quiet.now():
        return ""
    dropped = texts.run(lambda: go_on() and quiet.now())
    return ngettext("{n} text deleted", "{n} texts deleted", dropped).format(n=dropped)


def day_jobs(
    keeper: SegmentKeeper, analysis: Analysis, reports: Reports, sweep: EmbeddingSweep, messages: MessageSweep,
    texts: TextKeeping, settings: Callable[[], Settings], quiet: Quiet,
) -> tuple[Job, ...]:  # fmt: skip
    """The jobs that understand the day; each that has to wait is tried again half a minute later."""

    def analysis_every_s() -> int:
        return settings().activity.every_min * 60

    return (
        Job(mark("activities"), partial(keep_segments, keeper), SEGMENTS_EVERY_S, SEGMENTS_FIRST_S),
        Job(mark("analysis"), partial(analyse, analysis, settings, quiet), analysis_every_s, ANALYSIS_FIRST_S, AGAIN_S),
        Job(mark("reports"), partial(check_reports, reports, quiet), REPORTS_EVERY_S, REPORTS_FIRST_S, AGAIN_S),
        Job(mark("meaning"), partial(embed, sweep, settings, quiet), EMBEDDING_EVERY_S, EMBEDDING_FIRST_S, AGAIN_S),
        Job(
            mark("chats by meaning"),
            partial(embed, messages, settings, quiet),
            EMBEDDING_EVERY_S,
            EMBEDDING_FIRST_S + EMBEDDING_APART_S,
            AGAIN_S,
        ),
        Job(mark("old texts"), partial(drop_old_texts, texts, quiet), TEXTS_EVERY_S, TEXTS_FIRST_S, AGAIN_S),
    )
