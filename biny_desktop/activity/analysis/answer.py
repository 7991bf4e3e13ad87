"""The shape of a model's account of a segment; what it says is checked later, here only that it can be read."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field


def _strings(value: object) -> object:
    """A list of words, whatever the model made of it: null, one word, numbers."""
    if value is None:
        return []
    if isinstance(value, str | int):
        return [str(value)]
    if isinstance(value, list):
        return [str(item) for item in value if isinstance(item, str | int) and not isinstance(item, bool)]
    return value


def _objects(value: object) -> object:
    """A list of objects; null is an empty one, entries that are no objects are left out."""
    if value is None:
        return []
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else value


def _text(value: object) -> object:
    return "" if value is None else value


def _share(value: object) -> object:
    """A number of 0 to 1; anything else is 0 (spec 03 §3, defaults)."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    return 0.0


def _tier(value: object) -> object:
    return value if value in ("ephemeral", "standard", "important") else "standard"


def _flag(value: object) -> object:
    return value if isinstance(value, bool) else False


Words: TypeAlias = Annotated[list[str], BeforeValidator(_strings), Field(max_length=500)]
Text: TypeAlias = Annotated[str, BeforeValidator(_text)]
Flag: TypeAlias = Annotated[bool, BeforeValidator(_flag)]


class SaidHighlight(BaseModel):
    """A remarkable thing with the ids of the texts that show it."""

    text: Text = ""
    sources: Words = Field(default_factory=list)


class SaidCandidate(BaseModel):
    """Something that may be worth keeping."""

    kind: Text = ""
    content: Text = ""
    why: Text = ""
    sources: Words = Field(default_factory=list)


class SaidEntities(BaseModel):
    """What was named, by kind."""

    prs: Words = Field(default_factory=list)
    issues: Words = Field(default_factory=list)
    commits: Words = Field(default_factory=list)
    people: Words = Field(default_factory=list)
    identifiers: Words = Field(default_factory=list)
    repos: Words = Field(default_factory=list)
    versions: Words = Field(default_factory=list)
    events: Words = Field(default_factory=list)
    decisions: Words = Field(default_factory=list)
    urls: Words = Field(default_factory=list)


def _entities(value: object) -> object:
    return {} if value is None else value


class SegmentAnswer(BaseModel):
    """What the model is asked for (spec 03 §3). Title and summary have to be there; all else has a default."""

    title: str
    summary: str
    description: Text = ""
    project: str | None = None
    topics: Words = Field(default_factory=list)
    highlights: Annotated[list[SaidHighlight], BeforeValidator(_objects)] = Field(default_factory=list, max_length=100)
    entities: Annotated[SaidEntities, BeforeValidator(_entities)] = Field(default_factory=SaidEntities)
    worth: Flag = False
    worth_why: Text = ""
    candidates: Annotated[list[SaidCandidate], BeforeValidator(_objects)] = Field(default_factory=list, max_length=100)
    is_meeting: Flag = False
    tier: Annotated[Literal["ephemeral", "standard", "important"], BeforeValidator(_tier)] = "standard"
    confidence: Annotated[float, BeforeValidator(_share)] = 0.0
