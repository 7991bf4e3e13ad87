"""A model's answer turned into a checked value: tolerant of wrapping, never guessing at content.

Accepted around the value: reasoning tags, fences, prose, one needless wrapper, JSON encoded twice, trailing commas. Not
accepted: several different values that all fit (which one was meant?), anything cut off, anything inside the reasoning.
"""

import json
import logging
import re
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
# Every pattern here takes time in proportion to the text, whatever a model repeats without end.
_QUOTED: Final = r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)'
_TAGS: Final = "think|thinking|thought|reasoning|reflection|analysis"
_TAG: Final = re.compile(rf"<(?P<name>{_TAGS})>", re.IGNORECASE)
_REASONING_END: Final = re.compile(rf"^.*</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
_REASONING_BEGIN: Final = re.compile(rf"<(?:{_TAGS})>.*$", re.DOTALL | re.IGNORECASE)
_CHANNEL: Final = "<|channel|>"
_FENCE_LINE: Final = re.compile(r"^[ \t]*(```+|~~~+)([^\n`]*)$")
_OPEN_FENCE: Final = re.compile(r"\A\s*(?:```+|~~~+)[^\n`]*\n", re.MULTILINE)
_OPENING: Final = re.compile(r"[{\[]")
_JSON_BEGIN: Final = re.compile(r'[{\[]\s*(?:["{\[]|-?\d|true|false|null|$)')
"""A bracket in prose goes on with a word."""
_BRACKET: Final = re.compile(rf"{_QUOTED}|[{{}}\[\]]", re.DOTALL)
_TRAILING: Final = re.compile(rf"({_QUOTED})|,(?=\s*[}}\]])", re.DOTALL)


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
    values, left_open = _values(said)
    if left_open:
        return Failure("truncated", "unbalanced")
    fitting = _fitting(values, schema)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        return Failure("invalid_shape", "several answers")
    if not values:
        return Failure("invalid_json", "no JSON")
    return Failure("invalid_shape", faults_of(max(values, key=_size), schema))


def without_reasoning(text: str) -> str:
    """The answer proper: no `<think>` and the like, also where the begin or the end of the tag is missing."""
    said = text.strip()
    if _is_json(said):
        return said  # a tag inside a value is content
    if said.startswith(_CHANNEL):  # the channels of gpt-oss, where a server passes them on
        final = said.rpartition(f"{_CHANNEL}final")[2] if f"{_CHANNEL}final" in said else ""
        final = final.partition("<|message|>")[2] or final
        return final.partition("<|end|>")[0].partition("<|return|>")[0].strip()
    said = _without_tags(said)
    if _is_json(said):
        return said
    said = _REASONING_END.sub("", said)  # the prompt template of some models opens the tag itself
    return _REASONING_BEGIN.sub("", said).strip()


def _without_tags(said: str) -> str:
    kept, place = [], 0
    while (begin := _TAG.search(said, place)) is not None:
        end = re.compile(f"</{begin['name']}>", re.IGNORECASE).search(said, begin.end())
        if end is None:
            break
        kept.append(said[place : begin.start()])
        place = end.end()
    return "".join([*kept, said[place:]]).strip()


def _is_json(said: str) -> bool:
    return said[:1] in ("{", "[", '"', "`", "~") and _decoded(_unfenced(said)) is not None


def _unfenced(said: str) -> str:
    """The inside of the one fence around a text, closed or not; the text itself if it begins with none."""
    opening = _OPEN_FENCE.match(said)
    if opening is None:
        return said
    inside = said[opening.end() :].rstrip()
    body, _, last = inside.rpartition("\n")
    return body if _FENCE_LINE.match(last) else inside


def _fenced(said: str) -> list[str]:
    """The insides of closed fences."""
    blocks: list[str] = []
    inside: list[str] = []
    fence = ""
    for line in said.split("\n"):
        found = _FENCE_LINE.match(line.rstrip("\r"))
        if fence and found and found[1] == fence and not found[2].strip():
            blocks.append("\n".join(inside))
            fence = ""
        elif fence:
            inside.append(line)
        elif found:
            fence, inside = found[1], []
    return blocks


def _values(said: str) -> tuple[list[JsonValue], bool]:
    """Every JSON value in an answer, and whether one is left open at its end.

    The whole answer, else those in fences, else those between prose; never a piece of a larger value that is broken.
    """
    whole = _decoded(said)
    if whole is not None:
        return [whole], False
    fenced: list[JsonValue] = [value for block in _fenced(said) if (value := _decoded(block)) is not None]
    if fenced:
        return fenced[:VALUES_MAX], False
    found: list[JsonValue] = []
    decoder, text, place = _decoder(), _plain(said), 0
    for _ in range(VALUES_MAX):
        begin = _OPENING.search(text, place)
        if begin is None:
            break
        try:
            value, place = decoder.raw_decode(text, begin.start())
            found.append(value)
        except (ValueError, RecursionError):
            end = _closed_at(text, begin.start())
            if end is None and _JSON_BEGIN.match(text, begin.start()):
                return found, True
            place = end or begin.end()
    return found, False


def _closed_at(text: str, place: int) -> int | None:
    """Where the bracket at `place` is closed, brackets in quotes left out; None if it is not."""
    depth = 0
    for found in _BRACKET.finditer(text, place):
        sign = found.group()
        if sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth <= 0:
                return found.end()
    return None


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


def _size(value: JsonValue) -> int:
    return len(value) if isinstance(value, dict | list) else 0
