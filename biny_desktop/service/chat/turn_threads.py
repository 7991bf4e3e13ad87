"""The turns that run in this process: a thread each, and a lease that keeps other processes out of the session."""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from biny_desktop.conversation.agent.model import TurnOutcome
from biny_desktop.conversation.ports import Heard
from biny_desktop.conversation.turns.left import TurnLeftError
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError
from biny_desktop.core.ids import new_id
from biny_desktop.service.chat.model import NotSending
from biny_desktop.service.chat.reasons import refused
from biny_desktop.storage import leases
from biny_desktop.storage.database import Database
from biny_desktop.storage.leases import Lease

log = logging.getLogger(__name__)
LEASE_MS: Final = 15_000
"""After so long the session of a killed process is free again."""
RENEW_S: Final = 5.0
CLOSE_S: Final = 20.0
"""A tool that is under way may take so long to end when the app closes."""
_KEPT_OUTCOMES: Final = 64


@dataclass
class Hold:
    """A session held by this process, for a turn or for a change that must not meet one. `turn_id` None: a change."""

    session_id: str
    turn_id: str | None
    lease: Lease | None
    stopped: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    outcome: TurnOutcome | None = None
    text: list[str] = field(default_factory=list)
    """Pieces of the answer that is streamed, not committed yet."""
    last_word: Heard | None = None
    """What is told of the turn once the session is free."""

    def go_on(self) -> bool:
        """False once the person stopped it.

        Raises:
            TurnLeftError: the app closes, or another process has the session.
        """
        if self.left.is_set():
            raise TurnLeftError
        return not self.stopped.is_set()


class TurnThreads:
    """Who works in which session. Thread-safe."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock
        self._holder = f"{os.getpid()}-{new_id(clock.now_ms())}"
        self._lock = threading.Lock()
        self._holds: dict[str, Hold] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._ended: dict[str, Hold] = {}
        self._closing = False

    @property
    def closing(self) -> bool:
        """Whether nothing new begins any more."""
        return self._closing

    def hold(self, session_id: str, turn_id: str | None, *, shared: bool = True) -> Hold:
        """Take a session; give it back with `release`, or `run` a turn in it.

        Args:
            shared: other processes know the session too (not an incognito one).

        Raises:
            UnavailableError: a turn runs in it, here or elsewhere, or the app closes.
        """
        hold = Hold(session_id, turn_id, None)
        with self._lock:
            if self._closing:
                raise refused("closing")
            if session_id in self._holds:
                raise refused("running")
            self._holds[session_id] = hold
        try:
            if shared:
                hold.lease = leases.acquire(self._db, self._clock, _name(session_id), self._holder, LEASE_MS)
                if hold.lease is None:
                    raise refused("running_elsewhere")
        except BaseException:
            self._forget(hold)
            raise
        return hold

    def release(self, hold: Hold) -> None:
        """Give a session back; a fault of the database only makes others wait until the lease runs out."""
        try:
            if hold.lease is not None:
                leases.release(self._db, hold.lease)
        except BinyError:
            log.warning("the lease of a chat could not be given back; it runs out by itself")
        finally:
            self._forget(hold)
            hold.ended.set()

    @contextmanager
    def quiet(self, session_id: str, *, shared: bool = True) -> Iterator[None]:
        """A block in which no turn runs in that session. Raises as `hold`."""
        hold = self.hold(session_id, None, shared=shared)
        try:
            yield
        finally:
            self.release(hold)

    def run(self, hold: Hold, work: Callable[[], TurnOutcome], after: Callable[[], None]) -> None:
        """Run a turn in its thread; the session is given back when it ends, then `after` is called.

        Raises:
            UnavailableError: the app closes; the session is given back, the turn was not begun.
        """
        turn_id = str(hold.turn_id)
        thread = threading.Thread(target=self._main, args=(hold, work, after), name=f"turn-{turn_id}")
        with self._lock:
            if not self._closing:
                self._threads[turn_id] = thread
                thread.start()
                return
        self.release(hold)
        raise refused("closing")

    def turn_in(self, session_id: str) -> Hold | None:
        """The turn that runs in a session here."""
        hold = self._holds.get(session_id)
        return None if hold is None or hold.turn_id is None else hold

    def running(self) -> frozenset[str]:
        """The sessions in which turns run here."""
        with self._lock:
            return frozenset(each.session_id for each in self._holds.values() if each.turn_id is not None)

    def busy(self, session_id: str) -> NotSending | None:
        """Why nothing can begin in a session now, as far as turns go."""
        if self._closing:
            return "closing"
        if session_id in self._holds:
            return "running"
        with self._db.read() as r:
            return "running_elsewhere" if leases.held(r, self._clock, _name(session_id)) else None

    def wait(self, turn_id: str, timeout_s: float) -> TurnOutcome | None:
        """How a turn ended; None when it still runs after that time, or is not known here."""
        with self._lock:
            running = next((each for each in self._holds.values() if each.turn_id == turn_id), None)
            hold = running or self._ended.get(turn_id)
        if hold is None or not hold.ended.wait(timeout_s):
            return None
        return hold.outcome

    def close(self) -> None:
        """Let nothing begin any more, leave every turn where it stands, and wait for the threads."""
        with self._lock:
            self._closing = True
            for hold in self._holds.values():
                hold.left.set()
            threads = list(self._threads.values())
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(CLOSE_S)
                if thread.is_alive():
                    log.warning("a turn did not end in time while closing")

    def _main(self, hold: Hold, work: Callable[[], TurnOutcome], after: Callable[[], None]) -> None:
        renewal = threading.Thread(target=self._renew, args=(hold,), name=f"turn-lease-{hold.turn_id}")
        if hold.lease is not None:
            renewal.start()
        try:
            hold.outcome = work()
        finally:
            with self._lock:
                self._threads.pop(str(hold.turn_id), None)
                self._ended[str(hold.turn_id)] = hold
                while len(self._ended) > _KEPT_OUTCOMES:
                    self._ended.pop(next(iter(self._ended)))
            self.release(hold)
            if hold.lease is not None:
                renewal.join()
            after()

    def _renew(self, hold: Hold) -> None:
        while not hold.ended.wait(RENEW_S):
            try:
                kept = leases.acquire(self._db, self._clock, _name(hold.session_id), self._holder, LEASE_MS)
            except BinyError:
                continue  # the next try may get through before it runs out
            if kept is None or (hold.lease is not None and kept.fence != hold.lease.fence):
                log.warning("another process took over a chat; its turn here is left")
                hold.left.set()
                return

    def _forget(self, hold: Hold) -> None:
        with self._lock:
            if self._holds.get(hold.session_id) is hold:
                del self._holds[hold.session_id]


def _name(session_id: str) -> str:
    return f"turn:{session_id}"
