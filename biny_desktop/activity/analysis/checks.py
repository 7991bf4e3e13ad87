"""What of a model's account stands: lengths, sources, and that names and numbers occur in what was sent; pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.analysis.answer import SaidEntities, SegmentAnswer
from biny_desktop.activity.analysis.material import Material
from biny_desktop.activity.claim_check import Source, supported
from biny_desktop.activity.segments.model import Highlight
from biny_desktop.core.text import clean, is_cjk

TITLE_MAX, DESCRIPTION_MAX, SUMMARY_MAX, PROJECT_MAX, WHY_MAX = 80, 800, 1_000, 120, 200
TOPICS_MAX, TOPIC_CHARS = 5, 40
HIGHLIGHTS_MAX, HIGHLIGHT_CHARS = 3, 200
"""Limits of spec 03 §3, output: characters and pieces."""
ENTITIES: Final[Mapping[str, tuple[int, int]]] = {
    "prs": (20, 120), "issues": (20, 120), "commits": (20, 120), "people": (20, 120), "identifiers": (30, 120),
    "repos": (10, 120), "versions": (10, 120), "events": (10, 200), "decisions": (10, 200), "urls": (30, 300),
}  # fmt: skip
"""How many of each kind, and how long each (spec 03 §3)."""
_SENTENCE: Final = re.compile(r"[^.!?。！？\n]*(?:[.!?](?=\S)[^.!?。！？\n]*)*(?:[.!?]+(?=\s|$)|[。！？]+|\n|$)")
_SOURCE_ID: Final = re.compile(r"^\s*\[?(f\d{1,18})\]?\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Checked:
    """What stands of an account; an empty title means that the one by rule stays."""

    title: str
    description: str
    summary: str
    project: str | None
    topics: tuple[str, ...]
    highlights: tuple[Highlight, ...]
    entities: Mapping[str, tuple[str, ...]]
    worth_why: str
    terms: tuple[tuple[str, str], ...]
    """(kind, term) that occur verbatim, for crystals."""


def checked(said: SegmentAnswer, material: Material) -> Checked:
    """Check an account against what was sent."""
    source = material.source
    topics = _topics(said.topics, source)
    project = _project(said.project, source, material.projects)
    entities = _entities(said.entities, source)
    highlights = tuple(_highlights(said, material))[:HIGHLIGHTS_MAX]
    return Checked(
        title=_title(said.title, source),
        description=_sentences(said.description, DESCRIPTION_MAX, source),
        summary=_sentences(said.summary, SUMMARY_MAX, source),
        project=project,
        topics=topics,
        highlights=highlights,
        entities=entities,
        worth_why=_sentences(said.worth_why, WHY_MAX, source),
        terms=tuple(_terms(project, topics, entities, source)),
    )


def source_ids(said: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """The source ids of an answer that were sent, each once."""
    there = set(known)
    found = (match[1].lower() for each in said if (match := _SOURCE_ID.match(each)))
    return tuple(dict.fromkeys(each for each in found if each in there))


def one_line(text: str, limit: int) -> str:
    """A text on one line, cut at a sentence where that leaves half of the room used, else at a word."""
    line = " ".join(clean(text).split())
    if len(line) <= limit:
        return line
    head = line[:limit]
    for ends in (".!?。！？", " ,;，；、"):
        place = max(head.rfind(mark) for mark in ends)
        if place >= limit // 2:
            return head[: place + 1].rstrip(" ,;，；、")
    return head.rstrip()


def _line(text: str, limit: int) -> str:
    """A text on one line that has to fit as it is; an empty one otherwise."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else ""


def _title(text: str, source: Source) -> str:
    title = one_line(text, TITLE_MAX).strip("\"'`*# ")
    return title if any(char.isalnum() for char in title) and supported(title, source) else ""


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line."""
    return [line for match in _SENTENCE.findall(clean(text)) if (line := " ".join(match.split()))]


def _sentences(text: str, limit: int, source: Source) -> str:
    """The sentences that stand, as many as fit."""
    out = ""
    for each in sentences(text):
        if supported(each, source):
            joined = each if not out else out + ("" if is_cjk(out[-1]) or out[-1] in "。！？" else " ") + each
            if len(joined) > limit:
                return out or one_line(joined, limit)
            out = joined
    return out


def _topics(said: Iterable[str], source: Source) -> tuple[str, ...]:
    lines = dict.fromkeys(line for each in said if (line := _line(each, TOPIC_CHARS)))
    return tuple(line for line in lines if supported(line, source))[:TOPICS_MAX]


def _project(said: str | None, source: Source, known: Iterable[str]) -> str | None:
    name = _line(said or "", PROJECT_MAX)
    if not name or name.casefold() in ("null", "none", "n/a", "unknown"):
        return None
    if source.holds(name):
        return name
    return next((each for each in known if each.casefold() == name.casefold()), None)


def _highlights(said: SegmentAnswer, material: Material) -> Iterable[Highlight]:
    for each in said.highlights:
        ids = source_ids(each.sources, material.sources)
        text = one_line(each.text, HIGHLIGHT_CHARS)
        if text and ids and supported(text, material.source_of(ids)):
            yield Highlight(text, tuple(int(name[1:]) for name in ids))


def _entities(said: SaidEntities, source: Source) -> dict[str, tuple[str, ...]]:
    """Those that occur verbatim, by kind; kinds without any are left out."""
    out: dict[str, tuple[str, ...]] = {}
    for kind, (count, chars) in ENTITIES.items():
        listed: list[str] = getattr(said, kind)
        names = dict.fromkeys(line for each in listed if (line := _line(each, chars)))
        stand = [name for name in names if source.holds(name) and (kind != "urls" or _is_http(name))]
        if stand:
            out[kind] = tuple(stand[:count])
    return out


def _is_http(address: str) -> bool:
    return address.lower().startswith(("http://", "https://"))


def _terms(
    project: str | None, topics: Sequence[str], entities: Mapping[str, Sequence[str]], source: Source
) -> Iterable[tuple[str, str]]:
    """(kind, term), each term once, only what occurs verbatim (spec 03 §4.4)."""
    named = [("project", project)] if project else []
    named += [("topic", each) for each in topics]
    named += [(kind, each) for kind, names in entities.items() if kind != "urls" for each in names]
    seen: set[str] = set()
    for kind, term in named:
        if term.casefold() not in seen and source.holds(term):
            seen.add(term.casefold())
            yield kind, term
