"""Service calls off the GUI thread: run on a pool, the result comes back by a Qt signal, dropped when nobody waits.

Python threads are used instead of `QThreadPool`: the database keeps one read connection a thread, and these threads
live as long as the window.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot
from shiboken6 import isValid

from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _

log = logging.getLogger(__name__)
T = TypeVar("T")
POOL_THREADS = 3
"""One for a slow call (a delete), two left for pages and pictures."""


@dataclass
class _Waiting:
    on_done: Callable[..., None] | None
    on_error: Callable[[BinyError], None] | None
    owner: QObject | None
    latest: tuple[int, str] | None
    future: Future[None] | None = None


class Call:
    """A call on its way."""

    def __init__(self, calls: "Calls", number: int) -> None:
        self._calls = calls
        self._number = number

    def cancel(self) -> None:
        """Do not start it if it has not begun, and forget its result."""
        self._calls.forget(self._number)


class Calls(QObject):
    """Runs functions on pool threads for widgets. `failed` carries errors that the caller does not handle itself."""

    failed = Signal(object)
    closing = Signal()
    """The window goes away: long work should stop at its next safe place."""
    _finished = Signal(int, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(POOL_THREADS, thread_name_prefix="biny-ui")
        self._waiting: dict[int, _Waiting] = {}
        self._latest: dict[tuple[int, str], int] = {}
        self._numbers = count(1)
        self._closed = False
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        fn: Callable[[], T],
        on_done: Callable[[T], None] | None = None,
        on_error: Callable[[BinyError], None] | None = None,
        owner: QObject | None = None,
        *,
        latest: str = "",
    ) -> Call:
        """Run `fn` on a pool thread; `on_done(result)` or `on_error(error)` follow in the GUI thread.

        Args:
            fn: takes nothing; must not touch widgets.
            on_error: without it the error is shown by the window (`failed`). A bug arrives as a BinyError too, its
                traceback is in the log.
            owner: nothing is called back once it is gone.
            latest: a name; of the calls with this name and owner only the newest calls back.
        """
        number = next(self._numbers)
        waiting = _Waiting(on_done, on_error, owner, (id(owner), latest) if latest else None)
        if waiting.latest is not None:
            self.forget(self._latest.get(waiting.latest, 0))
            self._latest[waiting.latest] = number
        self._waiting[number] = waiting
        if not self._closed:
            waiting.future = self._pool.submit(self._work, number, fn)
        return Call(self, number)

    def forget(self, number: int) -> None:
        """Drop a call: it is not started if it has not begun, its result goes nowhere."""
        waiting = self._take(number)
        if waiting is not None and waiting.future is not None:
            waiting.future.cancel()

    def busy(self) -> bool:
        """Whether any call is on its way."""
        return bool(self._waiting)

    def close(self) -> None:
        """Wait for what has begun, drop the rest; nothing is called back any more."""
        self._closed = True
        self.closing.emit()
        self._waiting.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work(self, number: int, fn: Callable[[], object]) -> None:
        result: object = None
        error: BinyError | None = None
        try:
            result = fn()
        except BinyError as known:
            error = known
        except Exception:  # a bug: kept with its traceback, shown as one
            log.exception("a call from the window failed")
            error = BinyError(_("Something went wrong"), _("Nothing else was touched."), _("The log has the details."))
        if isValid(self):
            self._finished.emit(number, result, error)

    @Slot(int, object, object)
    def _on_finished(self, number: int, result: object, error: BinyError | None) -> None:
        waiting = self._take(number)
        if waiting is None or (waiting.owner is not None and not isValid(waiting.owner)):
            return
        if error is None:
            if waiting.on_done is not None:
                waiting.on_done(result)
        elif waiting.on_error is not None:
            waiting.on_error(error)
        else:
            self.failed.emit(error)

    def _take(self, number: int) -> _Waiting | None:
        waiting = self._waiting.pop(number, None)
        if waiting is not None and waiting.latest is not None and self._latest.get(waiting.latest) == number:
            del self._latest[waiting.latest]
        return waiting
