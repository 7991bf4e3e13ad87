"""A search of messages over a real database, without an embedder at first."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.conversation.search.rows import MessageRows
from biny_desktop.core.events import EventBus
from biny_desktop.core.settings import build
from biny_desktop.models.vector_index import VectorIndex
from tests.conversation.search.rig import Rig
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import open_log


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    clock, events = FakeClock(), EventBus()
    db, log = open_log(tmp_path, clock, events)
    made: list[Rig] = []
    rows = MessageRows(lambda: made[0].embedder)
    index = VectorIndex(rows, db, lambda: made[0].embedder, clock, events)
    made.append(Rig(db, log, clock, rows, index, None, build({})))
    yield made[0]
    db.close()
