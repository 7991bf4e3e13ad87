"""What a schema says against a value: field paths without any of the value's own words, and fields encoded twice."""

import copy
from collections.abc import Callable
from typing import Final

from pydantic import BaseModel, ValidationError

from biny_desktop.storage.rows import JsonValue

FAULTS_MAX: Final = 6
"""Field paths named in a `Failure.detail`; the first ones tell enough."""
_MENDED: Final = ("list_type", "dict_type", "model_type", "tuple_type", "set_type")


def faults_of(value: JsonValue, schema: type[BaseModel]) -> str:
    """`items.0.title: missing; …`: kinds of faults at declared fields; other names become `*`, they may be content."""
    names = _declared(schema)
    try:
        schema.model_validate(value)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        said = [f"{_path(fault['loc'], names)}: {fault['type']}" for fault in faults[:FAULTS_MAX]]
        return "; ".join(dict.fromkeys(said))
    except Exception:  # reported where the value was checked; here only the name of the fault is wanted
        return "validator"
    return ""


def undoubled_fields(value: JsonValue, schema: type[BaseModel], decoded: Callable[[str], JsonValue]) -> JsonValue:
    """The value with those fields opened that hold JSON as text where the schema wants a list or an object."""
    try:
        schema.model_validate(value)
    except ValidationError as error:
        mended = copy.deepcopy(value)
        for fault in error.errors(include_url=False, include_context=False, include_input=False):
            if fault["type"] in _MENDED:
                _open(mended, fault["loc"], decoded)
        return mended
    except Exception:  # see `faults_of`
        return value
    return value


def _open(value: JsonValue, loc: tuple[int | str, ...], decoded: Callable[[str], JsonValue]) -> None:
    place: JsonValue = value
    for step in loc[:-1]:
        place = _inside(place, step)
    if not loc:
        return
    last = loc[-1]
    text = _inside(place, last)
    inner = decoded(text) if isinstance(text, str) else None
    if inner is None:
        return
    if isinstance(last, str):
        if isinstance(place, dict):
            place[last] = inner
    elif isinstance(place, list):
        place[last] = inner


def _inside(value: JsonValue, step: int | str) -> JsonValue:
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
        return value[step]
    return None


def _path(loc: tuple[int | str, ...], names: frozenset[str]) -> str:
    return ".".join(str(part) if isinstance(part, int) or part in names else "*" for part in loc) or "answer"


def _declared(schema: type[BaseModel]) -> frozenset[str]:
    try:
        shape = schema.model_json_schema()
    except Exception:  # a type without a JSON schema: no name is known then
        return frozenset()
    parts = [shape, *shape.get("$defs", {}).values()]
    return frozenset(name for part in parts for name in part.get("properties", {}))
