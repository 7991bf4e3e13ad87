"""Several pieces of work at once in threads of their own, given up as soon as nobody wants to go on."""

import threading
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

ResultT = TypeVar("ResultT")
LOOK_S: Final = 0.03
GRACE_S: Final = 0.05
"""So long work that hears of the stop has to end by itself; with `LOOK_S` well under 0.2 s (spec 05 §12)."""


class AtOnce(Generic[ResultT]):
    """Runs work in at most `threads` daemon threads; what is given up runs to its end and its result is dropped.

    The threads are daemons since work that ignores the stop must not hold up the end of the program.
    """

    def __init__(self, work: Sequence[Callable[[], ResultT]], threads: int, stopped: threading.Event) -> None:
        self._work, self._stopped = work, stopped
        self._next = 0
        self._ended = threading.Condition()
        self._results: list[ResultT | None] = [None] * len(work)
        self._open = len(work)
        self._threads = min(threads, len(work))

    def run(self, go_on: Callable[[], bool] | None) -> list[ResultT | None]:
        """Results in the order of the work; None for what was given up.

        Args:
            go_on: asked every 0.03 s in this thread; None: everything is waited for.
        """
        for n in range(self._threads):
            threading.Thread(target=self._main, name=f"tool-{n}", daemon=True).start()
        try:
            while not self._done(LOOK_S):
                if go_on is not None and not go_on():
                    self._stopped.set()
                    self._done(GRACE_S)
                    break
        except BaseException:
            self._stopped.set()
            raise
        with self._ended:
            return list(self._results)

    def _done(self, seconds: float) -> bool:
        with self._ended:
            return self._ended.wait_for(lambda: self._open == 0, seconds)

    def _main(self) -> None:
        while not self._stopped.is_set():
            with self._ended:
                n = self._next
                self._next += 1
            if n >= len(self._work):
                return
            result = self._work[n]()
            with self._ended:
                self._results[n] = result
                self._open -= 1
                self._ended.notify_all()
