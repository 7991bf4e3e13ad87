"""What a tool says to the model, in the language of the prompts; and arguments that are checked before anything."""

import json
from collections.abc import Callable, Sequence
from typing import Final, LiteralString, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from biny_desktop.conversation.ports import ToolAnswer
from biny_desktop.core.errors import BinyError
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ToolSpec
from biny_desktop.redaction import Redactor, safe_constant
from biny_desktop.storage.rows import JsonValue

FAULTS_TOLD: Final = 3
"""Faults of arguments that one answer names."""
Redacting = Callable[[], Redactor]


class Arguments(BaseModel):
    """Arguments of a tool; unknown ones are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)


def refused(text: LiteralString) -> ToolAnswer:
    """A failed answer in words of the program."""
    return ToolAnswer("failed", safe_constant(text))


def failed(redactor: Redacting, text: str) -> ToolAnswer:
    """A failed answer that names something from outside."""
    return ToolAnswer("failed", redactor().redact(text.split("\n")).text)


def fault(redactor: Redacting, error: BinyError) -> ToolAnswer:
    """A fault of the world as a failed answer."""
    said = ". ".join(part.rstrip(".") for part in (error.title, error.message, error.hint) if part)
    return failed(redactor, f"{said}.")


def succeeded(text: RedactedText) -> ToolAnswer:
    """An answer that did what was asked."""
    return ToolAnswer("succeeded", text)


def checked(kind: type[ArgumentsT], raw: str, redactor: Redacting) -> ArgumentsT | ToolAnswer:
    """The arguments of a call, or the failed answer that names the fields at fault."""
    try:
        return kind.model_validate_json(raw.strip() or "{}")
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
    except (ValueError, RecursionError):  # no Unicode, or nested beyond sense
        return refused("The arguments are no JSON object. Nothing was done.")
    told = [f"{_place(each['loc'])}: {each['msg']}" for each in faults[:FAULTS_TOLD]]
    return failed(redactor, "Bad arguments, nothing was done. " + "; ".join(told))


def spec(name: str, description: str, kind: type[Arguments]) -> ToolSpec:
    """A tool as a model is told of it, with a strict JSON schema."""
    return ToolSpec(name, description, _plain(kind.model_json_schema()))


def _place(parts: Sequence[int | str]) -> str:
    return ".".join(str(part) for part in parts) or "arguments"


def _plain(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The schema that pydantic makes as simple servers take it: definitions put in their place, no titles, an optional
    field simply one that is not required."""
    defined = schema.get("$defs", {})
    assert isinstance(defined, dict)

    def walk(node: JsonValue) -> JsonValue:
        if isinstance(node, list):
            return [walk(each) for each in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return walk(defined[str(node["$ref"]).rpartition("/")[2]])
        some = node.get("anyOf")
        if isinstance(some, list):
            one = next(each for each in some if each != {"type": "null"})
            assert isinstance(one, dict)
            node = one | {key: value for key, value in node.items() if key != "anyOf"}
        kept = {key: value for key, value in node.items() if key not in ("$defs", "default")}
        if isinstance(kept.get("title"), str):
            del kept["title"]
        return {key: walk(value) for key, value in kept.items()}

    plain = walk(json.loads(json.dumps(schema)))
    assert isinstance(plain, dict)
    plain.pop("description", None)  # that of the tool says it
    return plain
