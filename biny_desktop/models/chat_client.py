"""`ChatClient`: a conversation with the model in the slot `chat`, streamed, with tools; an answer or a typed failure.

As `ModelClient`, it never raises for a fault of the world and notes each request in the ledger, counts only. Faults
before the first token are tried twice more (spec 05 §8.3); a server that was silent for a minute is not: that would be
three minutes of nothing. After the first token nothing is tried again; what came is kept.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Final

from biny_desktop.core.clock import Clock
from biny_desktop.core.settings import Settings
from biny_desktop.models import chat_wire
from biny_desktop.models.chat_pieces import Hear
from biny_desktop.models.chat_wire import ChatLimits, ChatManners, ChatRequest, Tried
from biny_desktop.models.ledger import Ledger
from biny_desktop.models.ledger_store import Call
from biny_desktop.models.model import ChatMessage, ChatReply, Failure, ModelProfile, ToolSpec
from biny_desktop.models.servers import Servers
from biny_desktop.models.slots import SlotConfig
from biny_desktop.storage.database import Database
from biny_desktop.storage.model_keys import ModelKeys

RETRIES_S: Final = (1.0, 4.0)
RETRY_AFTER_MAX_S: Final = 30.0
"""Spec 05 §8.3."""
_LOOK_S: Final = 0.1
_WORTH_IT: Final = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Status that may be another one a second later."""
_NO_ANSWER: Final = ("unreachable", "disconnected", "stream")


class ChatClient:
    """Streams answers. Thread-safe; every call is on its own. Not to be called inside an event loop or a write."""

    def __init__(
        self, db: Database, settings: Callable[[], Settings], keys: ModelKeys, clock: Clock,
        limits: ChatLimits | None = None,
    ) -> None:  # fmt: skip
        self._settings, self._clock = settings, clock
        self._servers = Servers(settings, keys)
        self._ledger = Ledger(db, clock)
        self._limits = limits or ChatLimits()
        self._lock = threading.Lock()
        self._manners: dict[tuple[str, str], ChatManners] = {}

    def ready(self) -> bool:
        """Whether a chat model is set; says nothing about its server."""
        return self._servers.ready("chat")

    def model(self) -> str | None:
        """The name of the chat model."""
        return self._servers.model_of("chat")

    def profile(self) -> ModelProfile:
        """What the user told of the chat model."""
        models = self._settings().models
        window = models.chat_window if isinstance(models.chat_window, int) else None
        line = models.chat_reference if isinstance(models.chat_reference, int) else None
        return ModelProfile(window, models.chat_output, line)

    def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec],
        *,
        max_tokens: int,
        hear: Hear,
        go_on: Callable[[], bool],
        task: str = "conversation_chat",
        version: str = "",
    ) -> ChatReply | Failure:
        """Ask for the next message.

        Args:
            hear: called with each piece of text (`delta`) and `reasoning`, and with `retrying`, `tools_refused`.
            go_on: asked every 0.05 s; False ends it: `Failure("stopped")` before the first token, then a cut reply.
            task, version: of the prompt, for the ledger.

        Returns:
            The reply, not redacted; `Failure(detail="too_long")`: the request does not fit the model.
        """
        config = self._servers.config("chat")
        if config is None:
            return Failure("no_model")
        server = self._servers.server(config.url)
        if isinstance(server, Failure):
            return server
        request = ChatRequest(server, config.model, messages, tools, max_tokens)
        for wait_s in (*RETRIES_S, None):
            tried = self._try(config, request, hear, go_on, (task, version))
            if wait_s is None or not _again(tried):
                return tried.result
            hear("retrying", "")
            asked_s = tried.retry_after_s
            if not self._wait(wait_s if asked_s is None else min(asked_s, RETRY_AFTER_MAX_S), go_on):
                return Failure("stopped")
        raise AssertionError("the last try returns")

    def _try(
        self, config: SlotConfig, request: ChatRequest, hear: Hear, go_on: Callable[[], bool], task: tuple[str, str]
    ) -> Tried:
        at, begun = self._clock.now_ms(), self._clock.mono_ms()
        place = (config.url, config.model)
        with self._lock:
            manners = self._manners.get(place, ChatManners())
        tried = chat_wire.talk(request, manners, self._limits, hear, go_on)
        result = tried.result
        if isinstance(result, ChatReply):
            with self._lock:
                self._manners[place] = tried.manners
        self._note(config, result, task, at, self._clock.mono_ms() - begun)
        return tried

    def _note(
        self, config: SlotConfig, result: ChatReply | Failure, task: tuple[str, str], at_ms: int, ms: int
    ) -> None:
        name, version = task
        tokens_in: int | None = None
        tokens_out: int | None = None
        outcome, detail = "ok", ""
        if isinstance(result, Failure):
            outcome = result.kind
            detail = " ".join(str(part) for part in (result.status, result.detail) if part)
        else:
            detail, tokens_in, tokens_out = result.cut, result.tokens_in, result.tokens_out
        self._ledger.note(
            Call(
                at_ms, name, "chat", config.model, config.server, version, tokens_in, tokens_out, ms, outcome, detail
            )
        )  # fmt: skip

    def _wait(self, seconds: float, go_on: Callable[[], bool]) -> bool:
        """Let time pass; False as soon as nobody wants to go on."""
        end = self._clock.mono_ms() + seconds * 1000
        while self._clock.mono_ms() < end:
            if not go_on():
                return False
            self._clock.wait(_LOOK_S)
        return go_on()


def _again(tried: Tried) -> bool:
    failure = tried.result
    if not isinstance(failure, Failure) or failure.kind != "http" or failure.detail == "too_long":
        return False
    return failure.status in _WORTH_IT or (failure.status is None and failure.detail in _NO_ANSWER)
