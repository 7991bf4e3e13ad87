"""How far a long piece of work is, and the person's wish to stop it; asked between steps that are safe to end at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from biny_desktop.core.errors import BinyError


class CancelledError(BinyError):
    """The person stopped the work; what was begun was undone or goes on where it stopped."""

    kind = "cancelled"


@dataclass(frozen=True, slots=True)
class Progress:
    """`step` a fixed word (database, pictures, vault, check …), `done` of `total` in the unit of that step."""

    step: str
    done: int
    total: int


def _silent(_progress: Progress) -> None:
    """Nobody watches."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Watch:
    """What the caller of long work hands in: `tell` is called often and has to be quick, `cancelled` too."""

    tell: Callable[[Progress], None] = _silent
    cancelled: Callable[[], bool] = _never

    def at(self, step: str, done: int, total: int) -> None:
        """Say how far it is.

        Raises:
            CancelledError: the person wants to stop; nothing after this point was begun.
        """
        self.tell(Progress(step, done, total))
        if self.cancelled():
            raise CancelledError("Stopped", "Nothing was changed that could not be undone.")


UNWATCHED: Final = Watch()
"""For work that nobody watches."""
