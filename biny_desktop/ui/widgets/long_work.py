"""Long work in a strip of its own: what is done, how far it is, how long it may still take, and a working Cancel."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _, listed, mark
from biny_desktop.storage.progress import CancelledError, Progress, Watch
from biny_desktop.ui.calls import Call, Calls
from biny_desktop.ui.formats import duration
from biny_desktop.ui.widgets.labels import label

T = TypeVar("T")
LOOK_MS = 100
"""How often the bar is brought up to date; the work itself tells much more often."""
GUESS_AFTER_S = 2.0
"""Before this a guess of the time left would jump about."""
_STEPS = {
    "database": mark("Database"),
    "pictures": mark("Pictures"),
    "vault": mark("Memory files"),
    "check": mark("Checking"),
    "restore": mark("Putting back"),
    "copies": mark("Copies"),
    "embed": mark("Turning texts into vectors"),
    "centre": mark("Comparing them"),
    "saving": mark("Saving"),
    "import": mark("Bringing in"),
    "import_preview": mark("Reading"),
    "import_rollback": mark("Taking out"),
    "export": mark("Writing"),
}


def step_words(step: str) -> str:
    """A step as a person reads it."""
    known = _STEPS.get(step)
    return _(known) if known else step.replace("_", " ").capitalize()


def time_left(progress: Progress, since_s: float) -> str:
    """A guess in words from how long the step took so far; empty while there is nothing to guess from."""
    if since_s < GUESS_AFTER_S or not 0 < progress.done < progress.total:
        return ""
    left_s = since_s * (progress.total - progress.done) / progress.done
    return _("about {time} left").format(time=duration(max(1_000, round(left_s * 1_000))))


class Watched:
    """What the strip and the working thread share; safe from both."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._progress = Progress("", 0, 0)
        self._began_s = time.monotonic()
        self.watch = Watch(self._tell, self._stop.is_set)

    def stop(self) -> None:
        """Ask the work to end at its next safe place."""
        self._stop.set()

    def now(self) -> tuple[Progress, float]:
        """How far it is, and for how many seconds its step runs."""
        return self._progress, time.monotonic() - self._began_s

    def _tell(self, progress: Progress) -> None:
        if progress.step != self._progress.step:
            self._began_s = time.monotonic()
        self._progress = progress


class LongWork(QWidget):
    """Hidden until `start`; `busy(bool)` tells when work begins and ends; `counted` says more of how far it is."""

    busy = Signal(bool)

    def __init__(self, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._calls = calls
        self._watched: Watched | None = None
        self._call: Call | None = None
        self._lets_go = False
        self.counted: Callable[[Progress], str] = lambda _progress: ""
        self.what, self.how_far = label("", "heading"), label("", "muted")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.cancel = QPushButton(_("Cancel"))
        self.cancel.setAccessibleName(_("Cancel"))
        self.cancel.setToolTip(_("Stop at the next safe place"))
        self.cancel.clicked.connect(self._on_cancel)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.what)
        words.addWidget(self.bar)
        words.addWidget(self.how_far)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addLayout(words, 1)
        row.addWidget(self.cancel)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        calls.closing.connect(self.stop)
        self.hide()

    def running(self) -> bool:
        """Whether work goes on."""
        return self._watched is not None

    def start(
        self,
        what: str,
        work: Callable[[Watch], T],
        on_done: Callable[[T], None],
        on_error: Callable[[BinyError], None],
        *,
        lets_go: bool = False,
        on_stopped: Callable[[], None] = lambda: None,
    ) -> None:
        """Do `work` on a pool thread; one at a time. Stopped by the person it ends with `on_stopped`, not `on_error`.

        Args:
            lets_go: the work cannot be stopped half-way: Cancel stops waiting for it, and its end is told to nobody.
        """
        if self._watched is not None:
            return
        watched = self._watched = Watched()
        self.what.setText(what)
        self.bar.setAccessibleName(what)
        self.cancel.setEnabled(True)
        self._lets_go = lets_go
        tip = _("Stop waiting; what is finished meanwhile is shown") if lets_go else _("Stop at the next safe place")
        self.cancel.setToolTip(tip)
        self._look()
        self.show()
        self._timer.start()
        self.busy.emit(True)

        def done(result: T) -> None:
            self._end()
            on_done(result)

        def failed(error: BinyError) -> None:
            self._end()
            if isinstance(error, CancelledError):
                on_stopped()
            else:
                on_error(error)

        self._call = self._calls.run(lambda: work(watched.watch), done, failed, self)

    def stop(self) -> None:
        """Ask the work to end, when there is any."""
        if self._watched is not None:
            self._watched.stop()

    def _end(self) -> None:
        self._watched = self._call = None
        self._timer.stop()
        self.hide()
        self.busy.emit(False)

    def _on_cancel(self) -> None:
        self.stop()
        if self._lets_go and self._call is not None:
            self._call.cancel()
            self._end()
            return
        self.cancel.setEnabled(False)
        self.how_far.setText(_("Stopping at the next safe place…"))

    def _look(self) -> None:
        if self._watched is None:
            return
        progress, since_s = self._watched.now()
        self.bar.setRange(0, 1_000 if progress.total else 0)
        if progress.total:
            self.bar.setValue(min(1_000, 1_000 * progress.done // progress.total))
        if self.cancel.isEnabled():
            step = step_words(progress.step) if progress.step else _("Starting…")
            self.how_far.setText(listed([step, self.counted(progress), time_left(progress, since_s)]))
