"""One text at a time, questions before passages: a person who searches never waits for a whole batch."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """A lock that whoever asks a question gets next. A plain lock is given back and taken again by the same thread."""

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._busy = False
        self._questions = 0

    @contextmanager
    def take(self, *, question: bool) -> Iterator[None]:
        """Hold it during the block."""
        with self._free:
            self._questions += question
            while self._busy or (self._questions and not question):
                self._free.wait()
            self._questions -= question
            self._busy = True
        try:
            yield
        finally:
            with self._free:
                self._busy = False
                self._free.notify_all()
