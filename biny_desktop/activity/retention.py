"""Ageing at work: pictures are made smaller and deleted by their age and for space, in steps that a kill cannot harm.

Texts, search and everything else of a frame stay; only its picture and thumbnail go (spec 02 §6).
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Final

from biny_desktop.activity import ageing_store, delete_store, first_deletion
from biny_desktop.activity.ageing_model import AgeingPreview, AgeingRun, Part, RetentionState
from biny_desktop.activity.ageing_plan import MAX_FAULTS, AgedPicture, Limits, Plan, Tier, limits_of, plan
from biny_desktop.activity.ageing_store import Use
from biny_desktop.activity.first_deletion import FirstDeletion
from biny_desktop.activity.rewrite import Rewriter
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, DiskFullError, InvalidInputError
from biny_desktop.core.events import EventBus, FirstDeletionPlanned, PicturesAged, PinsOverQuota
from biny_desktop.core.ids import RandomHex
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.rows import JsonValue

log = logging.getLogger(__name__)
STEP: Final = 500
"""Pictures of one step at most (spec 02 §6.2); between two steps everything is looked at anew."""
LAST_RUN_KEY: Final = "retention.last_run"
_PINNED_KEY: Final = "retention.pinned_over"


def _always() -> bool:
    return True


class Retention:
    """Ageing of one home. One run at a time (the schedule sees to it); readers from any thread.

    Args: as `FrameWriter`.
    """

    def __init__(
        self,
        db: Database,
        files: PictureFiles,
        settings: Callable[[], Settings],
        clock: Clock,
        events: EventBus,
        random_hex: RandomHex = secrets.token_hex,
    ) -> None:
        self._db, self._files, self._settings = db, files, settings
        self._clock, self._events = clock, events
        self._rewriter = Rewriter(db, files, clock, random_hex)

    def run(self, go_on: Callable[[], bool] = _always) -> AgeingRun:
        """Do what is due in steps of 500 pictures; `go_on` is asked before each picture and ends it early.

        With the pictures folder gone nothing happens.

        Raises:
            StorageError: the database cannot be used; what was done is done.
        """
        run = AgeingRun()
        if not self._files.available():
            return run
        before = self._use()
        self._remove_files(run)
        tried: set[int] = set()
        while go_on() and self._step(run, tried, go_on):
            pass
        if run.touched:
            self._remember(run, before)
            self._events.publish(PicturesAged(run.shrunk, run.by_age + run.by_quota, run.bytes_freed))
            log.info(
                "ageing: %d smaller, %d deleted by age, %d for space, %d bytes freed, %d written, %d files pending",
                run.shrunk, run.by_age, run.by_quota, run.bytes_freed, run.bytes_written, run.pending,
            )  # fmt: skip
        return run

    def preview(self) -> AgeingPreview:
        """What is due when ageing starts, or now when it is at work."""
        with self._db.read() as r:
            first = first_deletion.load(r)
            pictures, texts = ageing_store.aged_pictures(r), ageing_store.texts(r)
        now = self._clock.now_ms()
        at = now if first.starts_at_ms is None or first.phase == "running" else max(now, first.starts_at_ms)
        due = plan(pictures, self._limits(), at)
        condemned = {each.id for each in due.quota}
        shrink = [each for each, _ in due.shrink if each.id not in condemned]
        times = [each.newest_ms for each in (*due.gone, *due.quota, *shrink)]
        return AgeingPreview(
            at, _part(shrink), _part(due.gone), _part(due.quota), min(times, default=None), max(times, default=None),
            texts.pictures, _part([each for each in pictures if each.pinned and each.live]),
        )  # fmt: skip

    def state(self) -> RetentionState:
        """Where ageing is."""
        with self._db.read() as r:
            first, over = first_deletion.load(r), ageing_store.saved(r, _PINNED_KEY)
        return RetentionState(first.phase, first.planned_at_ms, first.starts_at_ms, first.postponed, over is True)

    def postpone(self) -> int:
        """Put the first deletion off by seven days; returns when it starts (UTC ms). May be done again.

        Raises:
            InvalidInputError: nothing waits.
        """
        with self._db.write() as w:
            first = _waiting(first_deletion.load(w)).put_off(self._clock.now_ms())
            first_deletion.store(w, first)
        assert first.starts_at_ms is not None
        return first.starts_at_ms

    def agree_now(self) -> None:
        """End the wait: the next run begins with it.

        Raises:
            InvalidInputError: nothing waits.
        """
        with self._db.write() as w:
            first = replace(_waiting(first_deletion.load(w)), starts_at_ms=self._clock.now_ms())
            first_deletion.store(w, first.begun())

    def _limits(self) -> Limits:
        return limits_of(self._settings().pictures)

    def _use(self) -> Use:
        with self._db.read() as r:
            return ageing_store.use(r, MAX_FAULTS)

    def _step(self, run: AgeingRun, tried: set[int], go_on: Callable[[], bool]) -> bool:
        """One step: deleted by age, made smaller, and when nothing of that is left deleted for space, so that what
        shrinking saves is not deleted. True when there is more to do at once."""
        due = self._due(run, tried)
        work = [partial(self._by_age, run, each) for each in due.gone]
        work += [partial(self._smaller, run, tried, each, tier) for each, tier in due.shrink]
        whole = _do(work[:STEP], go_on)
        more = not whole or len(work) > STEP
        if whole and not more:
            over = (due if run.waiting else self._due(run, tried)).quota
            room = STEP - len(work)
            whole = _do([partial(self._by_quota, run, each) for each in over[:room]], go_on)
            run.draining = len(over) > room
            more = not whole or run.draining
        self._remove_files(run)
        run.more = more
        return more and whole

    def _by_age(self, run: AgeingRun, each: AgedPicture) -> None:
        run.by_age += self._retire(each)

    def _by_quota(self, run: AgeingRun, each: AgedPicture) -> None:
        run.by_quota += self._retire(each)

    def _smaller(self, run: AgeingRun, tried: set[int], each: AgedPicture, tier: Tier) -> None:
        """Make a picture smaller; once the disk is full only deleting goes on."""
        tried.add(each.id)
        if run.disk_full or tier not in ("medium", "small"):
            return
        try:
            run.add(self._rewriter.rewrite(each, tier))
        except DiskFullError:
            run.disk_full = True
            log.warning("no space to make pictures smaller")

    def _retire(self, each: AgedPicture) -> bool:
        with self._db.write() as w:
            return ageing_store.retire(w, each, self._clock.now_ms())

    def _remove_files(self, run: AgeingRun) -> None:
        freed = delete_store.finish_files(self._db, self._files, self._clock.now_ms())
        run.bytes_freed += freed.bytes_freed
        run.pending = freed.pending

    def _due(self, run: AgeingRun, tried: set[int]) -> Plan:
        """What may be done now: all that is due and was not tried in this run, or while the first deletion waits only
        what passes the slack."""
        now, limits = self._clock.now_ms(), self._limits()
        with self._db.read() as r:
            pictures, first = ageing_store.aged_pictures(r), first_deletion.load(r)
        due = plan(pictures, limits, now, draining=run.draining)
        due = replace(due, shrink=tuple(pair for pair in due.shrink if pair[0].id not in tried))
        self._tell_of_pins(pictures, limits, over=due.pinned_over_quota)
        if first.phase == "running":
            return due
        known = sum(each.bytes for each in pictures if each.live and not each.pinned)
        first = self._first(first, due, known, limits)
        if first.phase == "running":
            return due
        run.waiting = first.phase == "waiting"
        quota: tuple[AgedPicture, ...] = ()
        if run.waiting and first.planned_at_ms != now:
            quota = plan(pictures, limits.with_slack(first.known_bytes), now).quota
        return Plan((), (), quota, due.pinned_over_quota)

    def _first(self, first: FirstDeletion, due: Plan, known: int, limits: Limits) -> FirstDeletion:
        """The wait as it is now: announced when something is due for the first time or by other limits, begun at its
        end, forgotten when other limits leave nothing to do."""
        now = self._clock.now_ms()
        changed = first.phase == "waiting" and first.limits != limits
        if due.empty and (first.phase == "none" or changed):
            new = FirstDeletion()
        elif first.phase == "none" or changed:
            new = first_deletion.announced(now, known, limits)
        else:
            new = first.begun() if first.over_at(now) else first
        if new != first:
            with self._db.write() as w:
                first_deletion.store(w, new)
            if new.phase == "waiting" and new.starts_at_ms is not None:
                log.info("the first deletion of pictures is announced; it starts in 24 hours")
                self._events.publish(FirstDeletionPlanned(new.starts_at_ms))
        return new

    def _tell_of_pins(self, pictures: list[AgedPicture], limits: Limits, *, over: bool) -> None:
        """One notice each time the pinned pictures alone pass the quota."""
        with self._db.read() as r:
            told = ageing_store.saved(r, _PINNED_KEY) is True
        if over == told:
            return
        with self._db.write() as w:
            ageing_store.save(w, _PINNED_KEY, True if over else None)
        if over:
            pinned = sum(each.bytes for each in pictures if each.pinned and each.live)
            self._events.publish(PinsOverQuota(pinned, limits.quota_bytes))

    def _remember(self, run: AgeingRun, before: Use) -> None:
        value: JsonValue = {
            **asdict(run), "at_ms": self._clock.now_ms(), "before": _by_tier(before), "after": _by_tier(self._use()),
        }  # fmt: skip
        try:
            with self._db.write() as w:
                ageing_store.save(w, LAST_RUN_KEY, value)
        except BinyError as error:
            log.warning("the last run of ageing cannot be noted (%s)", error.kind)


def _do(work: Sequence[Callable[[], None]], go_on: Callable[[], bool]) -> bool:
    """Do all of it; False when it had to stop."""
    for each in work:
        if not go_on():
            return False
        each()
    return True


def _waiting(first: FirstDeletion) -> FirstDeletion:
    if first.phase != "waiting":
        raise InvalidInputError("Nothing waits", "No first deletion is announced, or it has begun already.")
    return first


def _part(pictures: list[AgedPicture] | tuple[AgedPicture, ...]) -> Part:
    return Part(len(pictures), sum(each.bytes for each in pictures))


def _by_tier(use: Use) -> dict[str, JsonValue]:
    return {tier: [found.pictures, found.bytes] for tier, found in use.tiers.items()}
