"""`Imports`: plan, preview, apply and the list of batches; one transaction a conversation (spec 05 §10)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from biny_desktop.conversation.importers import matching, store
from biny_desktop.conversation.importers.bringing import Bringer, compared
from biny_desktop.conversation.importers.detect import choose
from biny_desktop.conversation.importers.files import check_members, found_files, hash_of
from biny_desktop.conversation.importers.memories import ImportedMemories
from biny_desktop.conversation.importers.model import (
    BatchState,
    Counts,
    ImportBatch,
    ImportPlan,
    ImportPreview,
    ImportReport,
    RollbackReport,
)
from biny_desktop.conversation.importers.rollback import Rollback
from biny_desktop.conversation.importers.run import Run, count
from biny_desktop.conversation.importers.source import Tally
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.projects import Projects
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.events import ApprovalsChanged, EventBus, SessionsChanged
from biny_desktop.core.i18n import mark
from biny_desktop.core.ids import new_id
from biny_desktop.core.text import clean
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Database
from biny_desktop.storage.file_lock import FileLock
from biny_desktop.storage.progress import UNWATCHED, CancelledError, Watch

LOCK_NAME: Final = "import.lock"


class Imports:
    """Imports of one home. Thread-safe; one import at a time over all processes."""

    def __init__(
        self, db: Database, log: SessionLog, projects: Projects, memories: ImportedMemories, rollback: Rollback,
        redactor: Callable[[], Redactor], clock: Clock, events: EventBus, ids: Callable[[int], str] = new_id,
    ) -> None:  # fmt: skip
        self._db, self._memories, self._rollback = db, memories, rollback
        self._redactor, self._clock, self._events = redactor, clock, events
        self._bringer = Bringer(db, log, projects, memories, redactor, clock, events, ids)

    def plan(self, path: Path) -> ImportPlan:
        """Which format a file, folder or zip is in, and what of it would be read.

        Raises:
            NotFoundError: there is nothing. InvalidInputError: there are no chats in it, or it is damaged.
            UnsafePathError: an archive that points outside itself.
        """
        left_out = Tally()
        format_, files = choose(found_files(path), left_out)
        check_members(files)
        return ImportPlan(format_, clean(path.resolve().name or str(path)), files, format_ != "plain", left_out)

    def preview(self, plan: ImportPlan, *, mine: bool | None = None, watch: Watch = UNWATCHED) -> ImportPreview:
        """What an import would do; nothing is written.

        Args:
            mine: whether the user turns are the person's own; None: as the format suggests.

        Raises:
            CancelledError: the person stopped it. StorageError: the database cannot be read.
        """
        run = Run(plan, watch, "import_preview")
        met: set[str] = set()
        sessions: set[str] = set()
        remembered: set[str] = set()
        times: list[int] = []
        for found in run.conversations():
            remembered |= self._memories.unknown(self._memories.ready(run.memories))
            here, delta = compared(self._db, plan, found, bring_back=False)
            fresh = {
                key: each
                for each in delta.new
                if (key := matching.message_key(plan.format, found.id, each.id)) not in met
            }
            met.update(fresh)
            repeated = len(delta.new) - len(fresh)
            count(run, replace(delta, new=tuple(fresh.values())), here, sessions, found)
            run.counts["already_here"] += repeated
            ends = [each.at_ms for each in found.messages]
            times = [min([*times, *ends]), max([*times, *ends])] if ends else times
        run.counts["memories"] = len(remembered)
        first, last = (times[0], times[1]) if times else (None, None)
        return ImportPreview(
            plan, plan.mine if mine is None else mine, run.met, Counts(**run.counts), first, last,
            dict(run.tally.skipped), dict(run.tally.faults), tuple(run.tally.problems),
        )  # fmt: skip

    def apply(
        self, plan: ImportPlan, *, mine: bool | None = None, bring_back: bool = False, watch: Watch = UNWATCHED
    ) -> ImportReport:
        """Bring in what is new. Stopped by the person it ends with a report `cancelled`; killed, the same import again
        goes on where it was.

        Args:
            mine: whether the user turns are the person's own; None: as the format suggests. bring_back: also what the
                user deleted since.

        Raises:
            UnavailableError: another import runs. StorageError: a write failed; what was brought in before stays.
        """
        own = plan.mine if mine is None else mine
        run = Run(plan, watch, "import")
        with self._alone():
            hashes = [hash_of(file) for file in plan.files]
            with self._db.write() as w:
                source = self._redactor().plain(plan.source)
                now = self._clock.now_ms()
                batch = store.begin_batch(w, plan.format, source, hashes, mine=own, now_ms=now)
            state: BatchState = "failed"
            try:
                self._bringer.bring_all(run, batch, mine=own, bring_back=bring_back)
                state = "done"
            except CancelledError:
                state = "cancelled"
            finally:
                self._end(run, batch, state)
        return ImportReport(
            batch, plan.format, state, own, run.met, Counts(**run.counts), dict(run.tally.skipped),
            dict(run.tally.faults), tuple(run.tally.problems),
        )  # fmt: skip

    def batches(self) -> tuple[ImportBatch, ...]:
        """Every import, newest first; one that a kill ended is told as failed."""
        with self._db.read() as r:
            found = store.batches(r)
        if any(each.state == "running" for each in found) and not self._busy():
            found = [replace(each, state="failed") if each.state == "running" else each for each in found]
        return tuple(found)

    def newest(self, batch_id: int) -> str | None:
        """The newest session of a batch, to be opened; None where nothing of it is here."""
        with self._db.read() as r:
            return store.newest_of(r, batch_id)

    def rollback(self, batch_id: int, watch: Watch = UNWATCHED) -> RollbackReport:
        """Take what a batch brought in out again; sessions that the user wrote on in stay.

        Raises:
            NotFoundError, InvalidInputError: there is no such batch, or it was rolled back. UnavailableError: an import
                runs. CancelledError: the same again goes on. StorageError: what was taken out is gone, the rest stays.
        """
        with self._alone():
            return self._rollback.run(batch_id, watch)

    # -- one import at a time ------------------------------------------------------------------------------------------

    @contextmanager
    def _alone(self) -> Iterator[None]:
        lock = FileLock(self._db.path.with_name(LOCK_NAME))
        if not lock.take():
            raise UnavailableError(
                mark("Another import runs"), mark("There is one at a time."), mark("Wait for it, or stop it.")
            )
        try:
            yield
        finally:
            lock.release()

    def _busy(self) -> bool:
        lock = FileLock(self._db.path.with_name(LOCK_NAME))
        free = lock.take()
        lock.release()
        return not free

    def _end(self, run: Run, batch: int, state: BatchState) -> None:
        redactor = self._redactor()
        problems = [{**asdict(each), "place": redactor.plain(each.place)} for each in run.tally.problems]
        with self._db.write() as w:
            store.end_batch(w, batch, state, problems, self._clock.now_ms())
        self._events.publish(SessionsChanged(()))
        if run.counts["memories"]:
            self._events.publish(ApprovalsChanged())
