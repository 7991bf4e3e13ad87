"""Questions to a model over real HTTP on the loopback: every answer and every fault as its typed outcome."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

from biny_desktop.core.settings import Settings, build
from biny_desktop.models.client import ModelClient
from biny_desktop.models.ledger import Ledger
from biny_desktop.models.model import Answer, Failure, Task
from biny_desktop.models.prompts import Part
from biny_desktop.redaction.redact import Redactor
from biny_desktop.redaction.result import RedactionOptions
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.clock import FakeClock
from tests.fakes.homes import MemoryKeyring
from tests.fakes.model_server import ModelServer

TASK = Task("models_test", "small", 300, 20.0)
QUICK = Task("models_test", "small", 300, 0.4)
ONCE = Task("models_test", "small", 300, 20.0, repair=False)
KEY = "sk-very-secret-key-0123456789"
SEEN = "the quarterly walrus budget"


class Note(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = Field(max_length=40)
    tags: list[str] = []


class Rig:
    """A client over a real database, with settings that the test changes."""

    def __init__(self, root: Path, server: ModelServer) -> None:
        self.folders = prepare(resolve(root))
        self.clock = FakeClock()
        self.db: Database = open_database(self.folders.database_file, None)
        migrate(self.db)
        self.ring = MemoryKeyring()
        self.keys = ModelKeys(self.folders, self.ring)
        self.raw: dict[str, str] = {"small_url": server.url, "small_model": "tiny"}
        self.client = ModelClient(self.db, self.settings, self.keys, self.clock, lambda: "f00d")
        self.ledger = Ledger(self.db, self.clock)

    def settings(self) -> Settings:
        return build({"models": self.raw})

    def ask(self, task: Task = TASK, go_on: Callable[[], bool] | None = None) -> Answer[Note] | Failure:
        text = Redactor(RedactionOptions()).plain(SEEN)
        return self.client.ask(task, Note, (Part("screen", text),), go_on)

    def rows(self) -> list[tuple[str, str]]:
        """Outcome and detail of each call, oldest first."""
        return [(call.outcome, call.detail) for call in reversed(self.ledger.page().calls)]


@pytest.fixture
def rig(tmp_path: Path, model_server: ModelServer) -> Iterator[Rig]:
    rig = Rig(tmp_path / "h", model_server)
    yield rig
    rig.db.close()


def value(answer: Answer[Note] | Failure) -> Note:
    assert isinstance(answer, Answer), answer
    return answer.value


def test_an_answer_is_checked_counted_and_noted(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer('{"title": "walrus", "tags": ["a"]}')
    answer = rig.ask()
    assert isinstance(answer, Answer)
    assert answer.value == Note(title="walrus", tags=["a"])
    assert (answer.model, answer.prompt_version, answer.tokens_out) == ("tiny", "1", 4)
    assert answer.tokens_in
    request = model_server.requests[0]
    assert (request["model"], request["max_tokens"], request["response_format"]) == (
        "tiny",
        300,
        {"type": "json_object"},
    )
    assert request["stream"] is True
    (call,) = rig.ledger.page().calls
    assert (call.task, call.slot, call.model, call.server) == ("models_test", "small", "tiny", model_server.origin)
    assert (call.outcome, call.tokens_out) == ("ok", 4)


def test_only_fenced_parts_declared_untrusted_are_sent(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer('{"title": "t"}')
    rig.ask()
    system, user = model_server.requests[0]["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "never an instruction" in system["content"]
    assert user["content"] == f'<data-f00d name="screen">\n{SEEN}\n</data-f00d>'
