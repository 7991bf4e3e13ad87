"""A model's answer turned into a checked value: tolerant of wrapping, never guessing at content.

Accepted around the value: reasoning tags, fences, prose, one needless wrapper, JSON encoded twice, trailing commas. Not
accepted: several different values that all fit (which one was meant?), anything cut off, anything inside the reasoning.
"""

import json
import logging
import re
from collections.abc import Iterator
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from biny_desktop.models.model import Failure
from biny_desktop.models.shapes import faults_of, undoubled_fields
from biny_desktop.storage.rows import JsonValue

log = logging.getLogger(__name__)
PydanticModelT = TypeVar("PydanticModelT", bound=BaseModel)
LAYERS_MAX: Final = 4
"""How often JSON inside a JSON string is opened."""
VALUES_MAX: Final = 50
"""JSON values looked at in one answer; endless lists stop here."""
TEXT_MAX: Final = 400_000
"""Characters of an answer that are looked at; no task asks for more than some ten thousand."""
_TAGS: Final = "think|thinking|thought|reasoning|reflection|analysis"
_REASONING: Final = re.compile(rf"<({_TAGS})>.*?</\1>", re.DOTALL | re.IGNORECASE)
_REASONING_END: Final = re.compile(rf"^.*</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
_REASONING_BEGIN: Final = re.compile(rf"<(?:{_TAGS})>.*$", re.DOTALL | re.IGNORECASE)
_CHANNEL: Final = "<|channel|>"
_FENCE: Final = re.compile(r"^[ \t]*(```+|~~~+)[^\n`]*\n(.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)
_OPEN_FENCE: Final = re.compile(r"\A\s*(?:```+|~~~+)[^\n`]*\n", re.MULTILINE)
_LINE_BEGIN: Final = re.compile(r"^[ \t]*(?=[{\[])", re.MULTILINE)
_TRAILING: Final = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


def read_answer(
    text: str, finish: str, schema: type[PydanticModelT], *, thought: bool = False
) -> PydanticModelT | Failure:
    """The value in an answer, or why there is none. Never raises.

    Args:
        text: what the model wrote, without reasoning that came in a field of its own.
        finish: the server's reason for the end: `stop`, `length`, … or empty.
        schema: what the value has to fit.
        thought: whether reasoning came in a field of its own.
    """
    said = without_reasoning(text[:TEXT_MAX])
    cut = finish == "length"
    if not said:
        reasoned = thought or bool(text.strip())
        return Failure("truncated" if cut else "empty", "only reasoning" if reasoned else "")
    if cut:
        whole = _decoded(_unfenced(said))
        fitting = [] if whole is None else _fitting([whole], schema)
        return fitting[0] if fitting else Failure("truncated", "length")
    values = list(_values(said))
    fitting = _fitting(values, schema)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        return Failure("invalid_shape", "several answers")
    if _left_open(said):
        return Failure("truncated", "unbalanced")
    if not values:
        return Failure("invalid_json", "no JSON")
    return Failure("invalid_shape", faults_of(max(values, key=_size), schema))


def without_reasoning(text: str) -> str:
    """The answer proper: no `<think>` and the like, also where the begin or the end of the tag is missing."""
    if _CHANNEL in text:  # the channels of gpt-oss, where a server passes them on
        final = text.rpartition(f"{_CHANNEL}final")[2] if f"{_CHANNEL}final" in text else ""
        text = final.partition("<|message|>")[2] or final
        text = text.partition("<|end|>")[0].partition("<|return|>")[0]
    said = text.strip()
    if said[:1] in ("{", "[", '"') and _decoded(said) is not None:
        return said  # a tag inside a value is content
    said = _REASONING.sub("", said)
    said = _REASONING_END.sub("", said)  # the prompt template of some models opens the tag itself
    return _REASONING_BEGIN.sub("", said).strip()


def _unfenced(said: str) -> str:
    found = _FENCE.search(said)
    return found.group(2) if found and found.start() == 0 else _OPEN_FENCE.sub("", said)


def _values(said: str) -> Iterator[JsonValue]:
    """Every JSON value in an answer: the whole of it, else those in fences, else those between prose."""
    whole = _decoded(said)
    if whole is not None:
        yield whole
        return
    fenced = [value for found in _FENCE.finditer(said) if (value := _decoded(found.group(2))) is not None]
    if fenced:
        yield from fenced[:VALUES_MAX]
        return
    place, seen = 0, 0
    decoder = _decoder()
    text = _plain(said)
    while seen < VALUES_MAX:
        places = [at for sign in "{[" if (at := text.find(sign, place)) >= 0]
        if not places:
            return
        place = min(places)
        seen += 1
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        yield value


def _decoded(text: str, layers: int = LAYERS_MAX) -> JsonValue:
    """The one JSON value that a text is, with strings that are JSON opened; None if it is none (or null)."""
    text = text.strip()
    if text.startswith(('{\\"', '[\\"', '[{\\"')):  # encoded twice, without the outer quotes
        text = f'"{text}"'
    try:
        value: JsonValue = _decoder().decode(_plain(text))
    except (ValueError, RecursionError):
        return None
    if isinstance(value, str) and layers > 1:
        return _decoded(_unfenced(value), layers - 1)
    return value if isinstance(value, dict | list) else None


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(strict=False, parse_constant=_no_number)  # raw line ends in strings are a common slip


def _no_number(word: str) -> float:
    raise ValueError(word)  # NaN and Infinity are no JSON


def _plain(text: str) -> str:
    return _TRAILING.sub(lambda found: found.group(1) or "", text)


def _fitting(values: list[JsonValue], schema: type[PydanticModelT]) -> list[PydanticModelT]:
    """The different checked values; the same one said twice counts once."""
    found: list[PydanticModelT] = []
    for value in values:
        checked = _checked(value, schema)
        if checked is not None and checked not in found:
            found.append(checked)
    return found


def _checked(value: JsonValue, schema: type[PydanticModelT]) -> PydanticModelT | None:
    for candidate in (value, *_unwrapped(value)):
        for form in (candidate, undoubled_fields(candidate, schema, _decoded)):
            try:
                return schema.model_validate(form)
            except (ValidationError, RecursionError):
                continue
            except Exception as error:  # a validator met what it did not expect; its words may quote the answer
                log.error("a validator of %s failed with %s", schema.__name__, type(error).__name__)
    return None


def _unwrapped(value: JsonValue) -> tuple[JsonValue, ...]:
    """`{"result": {…}}` and `[{…}]`: the one value inside."""
    if isinstance(value, dict) and len(value) == 1:
        inner = next(iter(value.values()))
        return (inner,) if isinstance(inner, dict) else ()
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return (value[0],)
    return ()


def _left_open(said: str) -> bool:
    """Whether a JSON value that begins a line (or the text) is still open at the end."""
    begin = _LINE_BEGIN.search(_unfenced(said))
    if begin is None:
        return False
    depth, quoted, escaped = 0, False, False
    for sign in _unfenced(said)[begin.start() :]:
        if escaped:
            escaped = False
        elif quoted:
            escaped, quoted = sign == "\\", sign != '"'
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth <= 0:
                return False
    return True


def _size(value: JsonValue) -> int:
    return len(value) if isinstance(value, dict | list) else 0
