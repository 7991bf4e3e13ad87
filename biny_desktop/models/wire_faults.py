"""Faults of a call as typed failures, and what to leave out of a question that a server refused.

Nothing that the server says about a fault is kept: it may quote the question or the key.
"""

import re
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from biny_desktop.models.heard import Manners
from biny_desktop.models.model import Failure

if TYPE_CHECKING:
    import openai

ResultT = TypeVar("ResultT")
_CODE: Final = re.compile(r"^[a-z_]{3,40}$")
"""An error code that is a plain word; anything else could quote something."""
_FILTERED: Final = ("content_filter", "content_policy", "content management policy", "responsibleaipolicy")
_TOO_LONG: Final = ("context_length", "context length", "context size", "context_size", "maximum context", "too long")

NOT_OPENAI: Final = Failure("http", "not_openai")
"""The server speaks another protocol."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure with the server's own words, which are looked at and thrown away."""

    failure: Failure
    words: str = field(repr=False, default="")


async def faults_caught(work: Coroutine[Any, Any, ResultT]) -> ResultT | Fault:
    """The result of a call, or its fault; an exception that is no fault of the world passes."""
    import openai

    try:
        return await work
    except openai.APITimeoutError:
        return Fault(Failure("timeout", "connect"))
    except openai.APIConnectionError as error:
        return Fault(Failure("http", _why_no_connection(error)))
    except openai.APIStatusError as error:
        return Fault(_of_status(error.status_code, error.code, words := _words(error)), words)
    except openai.APIError as error:  # an error within the stream
        return Fault(_of_status(None, error.code, _words(error)))
    except (openai.OpenAIError, ValueError):  # no chat answer at all
        return Fault(NOT_OPENAI)
    except Exception as error:
        if not type(error).__module__.startswith("http"):  # the transport's own, while a plain body is read
            raise
        return Fault(Failure("http", "disconnected"))


def _why_no_connection(error: BaseException) -> str:
    cause = error.__cause__
    if "CERTIFICATE" in str(cause).upper():
        return "certificate"
    return "unreachable" if type(cause).__name__ in ("ConnectError", "UnsupportedProtocol") else "disconnected"


def _words(error: "openai.APIError") -> str:
    return f"{error.code} {error.param} {error.message} {error.body}".lower()


def _of_status(status: int | None, code: object, words: str) -> Failure:
    if status in (None, 400, 403) and any(word in words for word in _FILTERED):
        return Failure("refused", "content_filter", status)
    if status == 413 or (status in (None, 400, 422, 500) and any(word in words for word in _TOO_LONG)):
        return Failure("http", "too_long", status)
    known = code if isinstance(code, str) and _CODE.match(code) else ("" if status else "stream")
    return Failure("http", known, status)


def without_what_it_refused(manners: Manners, words: str) -> Manners | None:
    """What to leave out after a refusal; if the words name nothing, what fewest servers know: the wish for no
    reasoning, then the JSON mode."""
    if manners.no_reasoning and any(word in words for word in ("reasoning_effort", "reasoning.effort")):
        return replace(manners, no_reasoning=False)
    if manners.json_mode and any(word in words for word in ("response_format", "json_object", "json mode")):
        return replace(manners, json_mode=False)
    if manners.usage and any(word in words for word in ("stream_options", "include_usage")):
        return replace(manners, usage=False)
    if manners.temperature and "temperature" in words:
        return replace(manners, temperature=False)
    if manners.tokens_name == "max_tokens" and any(word in words for word in ("max_completion_tokens", "max_tokens")):
        return replace(manners, tokens_name="max_completion_tokens")
    if manners.system and "system" in words and ("role" in words or "message" in words):
        return replace(manners, system=False)
    if manners.no_reasoning:
        return replace(manners, no_reasoning=False)
    return replace(manners, json_mode=False) if manners.json_mode else None
