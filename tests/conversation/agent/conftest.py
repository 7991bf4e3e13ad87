"""A rig of the agent for each test; `make_rig` for one with other parts."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.agent_rig import AgentRig, FakeTool
from tests.fakes.model_server import ModelServer

MakeRig = Callable[..., AgentRig]


@pytest.fixture
def make_rig(tmp_path: Path, model_server: ModelServer) -> Iterator[MakeRig]:
    made: list[AgentRig] = []

    def make(*tools: FakeTool, **how: Any) -> AgentRig:
        made.append(AgentRig(tmp_path / str(len(made)), model_server, *tools, **how))
        return made[-1]

    yield make
    model_server.release()
    for rig in made:
        rig.close()
