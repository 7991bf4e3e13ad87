"""`ModelClient`: a question to the model in a slot, answered with a checked value or a typed failure.

In: a task, a schema, redacted parts. Out: `Answer` or `Failure`; a pipeline never sees an exception for a fault of the
world. Retries over time are the pipelines' own; here an answer of bad form is asked for once more, within the same
deadline. Settings and key are looked up for each call, so a change holds at once.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pydantic import BaseModel

from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.settings import Settings
from biny_desktop.models import wire
from biny_desktop.models.heard import Heard, Manners
from biny_desktop.models.ledger import Ledger
from biny_desktop.models.ledger_store import Call
from biny_desktop.models.model import Answer, Failure, Slot, Task
from biny_desktop.models.parsing import read_answer
from biny_desktop.models.prompts import Message, Part, Prompt, compose, load_prompt, repair
from biny_desktop.models.servers import Servers
from biny_desktop.models.slots import SlotConfig, check_url
from biny_desktop.models.wire import Server
from biny_desktop.storage.database import Database
from biny_desktop.storage.model_keys import ModelKeys

log = logging.getLogger(__name__)
PydanticModelT = TypeVar("PydanticModelT", bound=BaseModel)
REPAIRED: Final = ("invalid_json", "invalid_shape")
LIST_S: Final = 10.0
TEST_S: Final = 60.0
"""A local server may have to load its model first."""
TEST_TOKENS: Final = 2_000
"""Room for a model that reasons before it answers."""


@dataclass(frozen=True, slots=True)
class TestResult:
    """What a tiny question to a slot showed: `ok` a usable answer came, within `ms`; else `failure` says why not."""

    __test__ = False  # no test class, whatever pytest reads into its name

    ok: bool
    model: str
    ms: int
    failure: Failure | None = None


class _Okay(BaseModel):
    ok: bool


@dataclass(frozen=True, slots=True)
class _Question:
    """What stays the same over the tries of one `ask`."""

    task: Task
    config: SlotConfig
    server: Server
    prompt: Prompt
    go_on: Callable[[], bool] | None
    begun_ms: int


class ModelClient:
    """Asks models. Thread-safe; every call is on its own. Not to be called inside an event loop or a write."""

    def __init__(
        self,
        db: Database,
        settings: Callable[[], Settings],
        keys: ModelKeys,
        clock: Clock,
        fence: Callable[[], str] = lambda: secrets.token_hex(6),
    ) -> None:
        self._servers = Servers(settings, keys)
        self._clock = clock
        self._fence = fence
        self._ledger = Ledger(db, clock)
        self._lock = threading.Lock()
        self._manners: dict[tuple[str, str], Manners] = {}

    def ready(self, slot: Slot) -> bool:
        """Whether a model stands in the slot; says nothing about its server."""
        return self._servers.ready(slot)

    def model_of(self, slot: Slot) -> str | None:
        """The name of the model in the slot."""
        return self._servers.model_of(slot)

    def is_here(self, slot: Slot) -> bool:
        """Whether the model in the slot works on this machine, so that the person feels a call; False without one."""
        return self._servers.is_here(slot)

    def ask(
        self,
        task: Task,
        schema: type[PydanticModelT],
        parts: Sequence[Part],
        go_on: Callable[[], bool] | None = None,
    ) -> Answer[PydanticModelT] | Failure:
        """Ask the model in the task's slot; `task.timeout_s` holds for all of it.

        Args:
            task: which prompt, slot and limits.
            schema: what the answer has to fit.
            parts: the data, redacted; sent fenced and declared untrusted.
            go_on: looked at all the time; False gives the call up at once, as a failure `stopped`.
        """
        config = self._servers.config(task.slot)
        if config is None:
            return Failure("no_model")
        server = self._servers.server(config.url)
        if isinstance(server, Failure):
            return server
        try:
            prompt = load_prompt(task.name)
            messages = compose(prompt, parts, self._fence())
        except UnavailableError:
            log.warning("the prompt %s is missing or damaged", task.name)
            return Failure("no_prompt")
        question = _Question(task, config, server, prompt, go_on, self._clock.mono_ms())
        first = self._try(question, schema, messages)
        if isinstance(first.result, Failure):
            if not (task.repair and first.result.kind in REPAIRED):
                return first.result
            again = self._try(question, schema, (*messages, *repair(first.said, first.result.detail)))
            if isinstance(again.result, Failure):
                return again.result if again.result.kind in (*REPAIRED, "stopped") else first.result
            return self._answer(question, again.result, (first, again))
        return self._answer(question, first.result, (first,))

    def test(self, slot: Slot, go_on: Callable[[], bool] | None = None) -> TestResult:
        """Ask the model in a slot a tiny question; `go_on` as in `ask`."""
        begun = self._clock.mono_ms()
        model = self.model_of(slot) or ""
        answer = self.ask(Task("models_test", slot, TEST_TOKENS, TEST_S), _Okay, (), go_on)
        ms = self._clock.mono_ms() - begun
        if isinstance(answer, Failure):
            return TestResult(False, model, ms, answer)
        return TestResult(True, model, ms)

    def list_models(self, url: str) -> tuple[str, ...] | Failure:
        """The models that a server offers.

        Raises:
            InvalidInputError: the address cannot be used.
        """
        server = self._servers.server(check_url(url))
        return server if isinstance(server, Failure) else wire.list_models(server, LIST_S)

    def _try(
        self, question: _Question, schema: type[PydanticModelT], messages: Sequence[Message]
    ) -> "_Tried[PydanticModelT]":
        begun, at = self._clock.mono_ms(), self._clock.now_ms()
        left_s = question.task.timeout_s - (begun - question.begun_ms) / 1000
        place = (question.config.url, question.config.model)
        with self._lock:
            manners = self._manners.get(place, Manners())
        heard = wire.chat(
            question.server, question.config.model, messages, max_tokens=question.task.max_tokens, timeout_s=left_s,
            manners=manners, go_on=question.go_on, idle_s=question.task.idle_s,
        )  # fmt: skip
        result: PydanticModelT | Failure
        if isinstance(heard, Failure):
            result, said = heard, ""
        else:
            with self._lock:
                self._manners[place] = heard.manners
            result, said = read_answer(heard.text, heard.finish, schema, thought=heard.thought), heard.text
        tried = _Tried(result, said, heard if isinstance(heard, Heard) else None)
        self._note(question, tried, at, self._clock.mono_ms() - begun)
        return tried

    def _note(self, question: _Question, tried: "_Tried[PydanticModelT]", at_ms: int, ms: int) -> None:
        failure = tried.result if isinstance(tried.result, Failure) else None
        detail = "" if failure is None else " ".join(str(part) for part in (failure.status, failure.detail) if part)
        task, config = question.task, question.config
        self._ledger.note(
            Call(
                at_ms, task.name, task.slot, config.model, config.server, question.prompt.version, *tried.tokens, ms,
                failure.kind if failure else "ok", detail,
            )
        )  # fmt: skip

    def _answer(
        self, question: _Question, value: PydanticModelT, tries: "Sequence[_Tried[PydanticModelT]]"
    ) -> Answer[PydanticModelT]:
        ms = self._clock.mono_ms() - question.begun_ms
        tokens = [_sum([tried.tokens[side] for tried in tries]) for side in (0, 1)]
        return Answer(value, question.config.model, question.prompt.version, tokens[0], tokens[1], ms)


class _Tried(Generic[PydanticModelT]):
    """What came of one call: the value or why there is none, what the model said, and its token counts."""

    def __init__(self, result: PydanticModelT | Failure, said: str, heard: Heard | None) -> None:
        self.result = result
        self.said = said
        self.tokens = (heard.tokens_in, heard.tokens_out) if heard else (None, None)


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
