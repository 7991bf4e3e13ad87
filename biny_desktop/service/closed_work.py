"""Work that needs the home closed, asked for while it is open: the app closes it, does the work, and opens it again."""

from collections.abc import Callable
from dataclasses import dataclass

from biny_desktop.storage.progress import Watch


@dataclass(frozen=True, slots=True)
class ClosedWork:
    """`what` in words; `work(watch)` does it and returns what to say when it is done, or raises BinyError."""

    what: str
    work: Callable[[Watch], str]
