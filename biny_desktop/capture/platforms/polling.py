"""A thread that looks again and again where the system sends no notices, and tells when the view changed."""

import logging
import threading
from collections.abc import Callable

from biny_desktop.capture.ports import Notify

STOP_S = 2.0

log = logging.getLogger(__name__)


class Poller:
    """Calls `look` every `every_s` seconds in a thread of its own and notifies at the first and each other value."""

    def __init__(self, name: str, look: Callable[[], object], every_s: float) -> None:
        self._name, self._look, self._every_s = name, look, every_s
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    def start(self, notify: Notify) -> None:
        if self._thread is None:
            self._stopping = threading.Event()
            self._thread = threading.Thread(
                target=self._run, args=(notify, self._stopping), name=self._name, daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """End; may be called twice."""
        thread, self._thread = self._thread, None
        self._stopping.set()
        if thread is not None:
            thread.join(STOP_S)

    def _run(self, notify: Notify, stopping: threading.Event) -> None:
        before: object = self  # the first look is told: whoever began the watch may have looked before it
        while not stopping.is_set():
            now = self._safely()
            if now != before:
                before = now
                notify()
            stopping.wait(self._every_s)

    def _safely(self) -> object:
        try:
            return self._look()
        except Exception as error:  # the thread must live on: the recorder asks by itself and sees the fault too
            log.info("%s failed: %s", self._name, type(error).__name__)
            return None
