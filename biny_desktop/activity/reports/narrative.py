"""A narrative by a model: asked for with the skeleton, checked sentence by sentence, given links (spec 03 §5.3)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field

from biny_desktop.activity.claim_check import Sentence, kept
from biny_desktop.activity.reports.document import Link
from biny_desktop.activity.reports.markdown import escaped, link
from biny_desktop.activity.reports.ports import Asked
from biny_desktop.activity.reports.skeleton import Fact, Skeleton
from biny_desktop.core.i18n import language
from biny_desktop.core.text import RedactedText, is_cjk, words
from biny_desktop.models.model import Answer, Failure, Slot, Task
from biny_desktop.models.prompts import Part
from biny_desktop.redaction import Redactor, joined, safe_constant

MAX_TOKENS: Final = 2_400
TIMEOUT_S: Final = 120.0
SHORTEST: Final = 81
LONGEST: Final = 20_000
"""Characters of a narrative (spec 03 §5.3)."""
SENTENCE: Final = 1_000
"""Characters of a sentence; a longer one is none."""
LEAST_SHARE: Final = 0.5
"""Share of its sentences that have to stand."""
LINKS: Final = 3
"""Links of one sentence at most."""
PARAGRAPH: Final = 4
"""Sentences of a paragraph."""
_LANGUAGES: Final = {"en": safe_constant("English"), "zh_CN": safe_constant("简体中文 (Simplified Chinese)")}
_ID: Final = re.compile(r"l?\s?(\d{1,4})", re.IGNORECASE)
_CITED: Final = re.compile(r"\s*[(\[（【]\s*L\d+(?:\s*[,，、–-]\s*L\d+)*\s*[)\]）】]", re.IGNORECASE)
_LAST_MARKS: Final = re.compile(r"[.!?。！？…]+$")
Refusal = Literal["unsupported", "too_short", "too_long"]


def _line_id(value: object) -> object:
    """ "L7" of 7, "7", "l7"."""
    match = _ID.fullmatch(str(value).strip()) if isinstance(value, int | str) else None
    return f"L{int(match[1])}" if match else value


LineId: TypeAlias = Annotated[str, BeforeValidator(_line_id)]


class AnswerSentence(BaseModel):
    """A sentence with the ids of the lines it is from."""

    text: str
    lines: list[LineId] = Field(default_factory=list, max_length=200)


class NarrativeAnswer(BaseModel):
    """What the model is asked for."""

    sentences: list[AnswerSentence] = Field(max_length=400)


@dataclass(frozen=True, slots=True)
class Narrative:
    """A checked narrative as Markdown with links; `left` of `told` sentences stand."""

    markdown: RedactedText
    model: str
    left: int
    told: int


@dataclass(frozen=True, slots=True)
class NoNarrative:
    """Why there is none: the kind of a `Failure`, or a `Refusal`. `left` of `told` sentences stood."""

    reason: str
    model: str | None = None
    left: int = 0
    told: int = 0


def slot_for(asked: Asked) -> Slot | None:
    """The slot that writes narratives: `small`, else `chat`; None without a model."""
    return next((slot for slot in _SLOTS if asked.ready(slot)), None)


_SLOTS: Final[tuple[Slot, ...]] = ("small", "chat")


def write_narrative(
    asked: Asked, skeleton: Skeleton, redactor: Redactor, go_on: Callable[[], bool] | None = None
) -> Narrative | NoNarrative:
    """Ask for a narrative of these facts and check it; never raises for a fault of the model."""
    slot = slot_for(asked)
    if slot is None:
        return NoNarrative("no_model")
    task = Task("activity_narrative", slot, MAX_TOKENS, TIMEOUT_S)
    facts = redactor.redact(skeleton.text.split("\n")).text
    parts = [Part("language", _LANGUAGES[language()]), Part("facts", facts)]
    answer = asked.ask(task, NarrativeAnswer, parts, go_on)
    if isinstance(answer, Failure):
        return NoNarrative(answer.kind, asked.model_of(slot))
    return checked(answer, skeleton, redactor)


def checked(
    answer: Answer[NarrativeAnswer], skeleton: Skeleton, redactor: Redactor
) -> Narrative | NoNarrative:  # fmt: skip
    """What of an answer stands, with its links; refused when too little does."""
    said = [Sentence(_plain(each.text), tuple(dict.fromkeys(each.lines))) for each in answer.value.sentences]
    said = [each for each in said if each.text]
    if sum(len(each.text) for each in said) > LONGEST:
        return NoNarrative("too_long", answer.model, 0, len(said))
    short = [each for each in said if len(each.text) <= SENTENCE]
    stands = kept(short, {fact.id: fact.text for fact in skeleton.facts})
    stands = [each for each in stands if redactor.plain(each.text) == each.text]
    reason = _refusal(said, stands)
    if reason:
        return NoNarrative(reason, answer.model, len(stands), len(said))
    facts = {fact.id: fact for fact in skeleton.facts}
    written = [redactor.plain(_with_links(each, _sources(each, facts))) for each in stands]
    paragraphs = [
        joined(written[n : n + PARAGRAPH], "" if is_cjk(written[n][0]) else " ")
        for n in range(0, len(written), PARAGRAPH)
    ]
    return Narrative(joined(paragraphs, "\n\n"), answer.model, len(stands), len(said))


def _plain(text: str) -> str:
    return " ".join(_CITED.sub("", text).split())


def _refusal(said: Sequence[Sentence], stands: Sequence[Sentence]) -> Refusal | None:
    if said and len(stands) < LEAST_SHARE * len(said):
        return "unsupported"
    return "too_short" if sum(len(each.text) + 1 for each in stands) - 1 < SHORTEST else None


def _sources(sentence: Sentence, facts: Mapping[str, Fact]) -> list[Link]:
    """Where the lines lead that a sentence has most in common with, in its own order of them."""
    told = {word for word in words(sentence.text) if len(word) > 3 or word.isdigit() or is_cjk(word[0])}
    common = {name: len(told & words(facts[name].text)) for name in sentence.ids}
    near = [name for name in sentence.ids if 2 * common[name] >= max(common.values())]
    nearest = sorted(near, key=lambda name: (-common[name], len(facts[name].text)))
    chosen: list[Link] = []
    for name in nearest:
        chosen += [to for to in facts[name].links if to not in chosen][: LINKS - len(chosen)]
    return [to for name in near for to in facts[name].links if to in chosen]


def _with_links(sentence: Sentence, links: Sequence[Link]) -> str:
    """ "You worked on the storage module (09:10, 11:02)."; the sentence escaped, its last mark after the links."""
    chosen = list({(to.kind, to.ref): to for to in links}.values())[:LINKS]
    marks = _LAST_MARKS.search(sentence.text)
    body, end = (sentence.text[: marks.start()], marks.group()) if marks else (sentence.text, "")
    cited = [link(to.short or to.text, to.kind, to.ref) for to in chosen]
    if body and is_cjk(body[-1]):
        return f"{escaped(body)}（{'、'.join(cited)}）{end}"
    return f"{escaped(body)} ({', '.join(cited)}){end}"
