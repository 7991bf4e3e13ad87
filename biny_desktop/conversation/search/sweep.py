"""Gives new messages their vectors while nobody needs the machine (spec 05 §9.2).

The index itself knows what is missing; all that is added here is who goes first and what is said of it. Rejected: a
list of messages that wait, as frames have one: messages are few, and none is left out for being like another.
"""

from collections.abc import Callable
from typing import Final

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.models.model import Embedder
from biny_desktop.models.vector_index import VectorIndex

IDLE_MS: Final = 6_000
"""Somebody who used the machine this short ago is not disturbed (as for screens, spec 03 §7)."""


class MessageSweep:
    """The job that fills the index of messages. One `run` at a time."""

    def __init__(self, index: VectorIndex, embedder: Callable[[], Embedder | None]) -> None:
        self._index, self._embedder = index, embedder

    def run(self, go_on: Callable[[], bool], idle_ms: Callable[[], int | None]) -> str:
        """Embed what is missing until nothing is left or somebody needs the machine; what came of it in words, empty
        when it had to make way.

        Raises:
            StorageError: the database cannot be used; everything committed so far stays.
        """

        def may() -> bool:
            idle = idle_ms()
            return (idle is None or idle >= IDLE_MS) and go_on()

        if not may():
            return ""
        if self._embedder() is None:
            return _("no embedder")
        if self._index.state() == "mismatch":
            return _("the index is of another embedder")
        try:
            done = self._index.heal(may)
        except UnavailableError:
            return _("the embedder fails")
        if not done.finished and not done.added:
            return ""
        said = ngettext("{n} message", "{n} messages", done.added).format(n=done.added)
        return said + (" · " + _("{n} failed").format(n=done.failed) if done.failed else "")
