"""How often a tool was called in a turn, over all its runs, so that a turn has a limit (spec 06 §13)."""

import threading
from collections import OrderedDict
from typing import Final

from biny_desktop.conversation.ports import ToolScene

_RUNS_KEPT: Final = 64


class TurnCounts:
    """Counts calls of this run here, those of earlier runs of the turn from the log. Thread-safe."""

    def __init__(self, tool: str, limit: int) -> None:
        self._tool, self._limit = tool, limit
        self._lock = threading.Lock()
        self._runs: OrderedDict[str, int] = OrderedDict()

    def take(self, scene: ToolScene) -> bool:
        """Count one call; False when the turn had all of its calls."""
        with self._lock:
            if self._used(scene) >= self._limit:
                return False
            self._runs[scene.run_id] = self._runs.get(scene.run_id, 0) + 1
            self._runs.move_to_end(scene.run_id)
            while len(self._runs) > _RUNS_KEPT:
                self._runs.popitem(last=False)
            return True

    def left(self, scene: ToolScene) -> bool:
        """Whether the turn has one more; counts nothing."""
        with self._lock:
            return self._used(scene) < self._limit

    def _used(self, scene: ToolScene) -> int:
        noted = scene.log.executions(scene.session_id, scene.turn_id)
        earlier = sum(1 for each in noted if each.tool == self._tool and each.run_id != scene.run_id)
        return earlier + self._runs.get(scene.run_id, 0)
