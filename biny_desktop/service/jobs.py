"""What the schedule of a running app does by itself: ageing of pictures, left-over files, a look at the free space."""

from collections.abc import Callable
from functools import partial
from typing import Final

from biny_desktop.activity.deletes import Deletes
from biny_desktop.activity.disk import DiskGuard
from biny_desktop.activity.relocate import PictureMove
from biny_desktop.activity.retention import Retention
from biny_desktop.core.i18n import _, mark
from biny_desktop.service.schedule import Job

AGEING_FIRST_S: Final = 60
AGEING_EVERY_S: Final = 1_800
"""Spec 02 §6.2: 60 s after the start, then every 30 min."""
FILES_EVERY_S: Final = 600
"""How often files that could not be removed are tried again."""
DISK_EVERY_S: Final = 60
"""Spec 02 §6.8."""


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


def keeping_jobs(
    retention: Retention, deletes: Deletes, move: PictureMove, guard: DiskGuard, allowed: Callable[[], bool]
) -> tuple[Job, ...]:
    """The jobs that keep a home in order. `allowed`: the person is idle, or the machine on mains."""
    return (
        Job(mark("ageing"), partial(age_pictures, retention, guard, allowed), AGEING_EVERY_S, AGEING_FIRST_S),
        Job(mark("left-over files"), partial(retry_deletes, deletes, move), FILES_EVERY_S, FILES_EVERY_S),
        Job(mark("disk"), partial(check_disk, guard), DISK_EVERY_S, DISK_EVERY_S),
    )
