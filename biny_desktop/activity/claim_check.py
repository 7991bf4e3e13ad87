"""Whether a sentence says only what the lines it comes from say (spec 03 §3, §5.3); pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from biny_desktop.activity.claims import NEVER, Claim, claims, each_part, normalised, of_words, squeezed
from biny_desktop.core.text import is_cjk

# Words with which an English sentence may begin without being a name. Spec 03 §5.3 lets any first word pass; a name
# there is as easily invented as anywhere, so only these do.
_OPENING_WORDS: Final = """
a about after afternoon afterwards again all along alongside also although among an and another any apart around as at
attention away back because before begin beside besides between both breaks briefly but by coding daytime debugging
design despite development documentation during each earlier early editing either email ending even evening every
everything except finally first focus following for from further half here how however if in inside instead into it its
just last late later less lunch mail main meanwhile meetings midday moreover morning most mostly much near neither next
night no noon not nothing now of off on once one only other others otherwise out outside over overall part parts
planning private programming quite rather reading recording research review roughly several shorter shortly since
smaller so some somewhat soon starting still such testing than that the their then there these they this those though
through throughout thus time to today together towards two twice under until up upon various watching we what when
where which while who with within without work worked working writing yesterday yet you your
add answer browse build built check compare debug design discuss draft edit explore fill find fix implement improve
install investigate learn look made make merge met open order organise pay plan prepare publish read refactor release
remove reply research resolve review run search send sent set sort study test update upgrade watch write wrote
"""
_OPENINGS: Final = frozenset(_OPENING_WORDS.split())
_ENDINGS: Final = ("ing", "ed", "ly")
_SHORTEST_WITH_ENDING: Final = 6


@dataclass(frozen=True)
class Source:
    """The lines a sentence comes from, taken apart once, however many sentences are held against them."""

    lines: tuple[str, ...]

    @cached_property
    def claims(self) -> frozenset[tuple[str, str]]:
        return frozenset((claim.kind, claim.value) for line in self.lines for claim in claims(line, quotes=False))

    @cached_property
    def folded(self) -> tuple[str, ...]:
        return tuple(squeezed(normalised(line)) for line in self.lines)

    def holds(self, text: str) -> bool:
        """Whether one of the lines holds these words, not as a part of longer ones."""
        wanted = squeezed(text)
        return bool(wanted) and any(_occurs(wanted, line) for line in self.folded)


def supported(sentence: str, source: Source) -> bool:
    """Whether every number, time, date, length, address, quote and name of a sentence occurs in its source."""
    cjk = any(is_cjk(char) for char in sentence)
    return all(_supported(claim, source, cjk=cjk) for claim in claims(sentence))


def _supported(claim: Claim, source: Source, *, cjk: bool) -> bool:
    if claim.value == NEVER:
        return False
    if claim.kind in ("quote", "url"):
        return source.holds(claim.value)
    if claim.kind != "name":
        return (claim.kind, claim.value) in source.claims
    if source.holds(claim.value) or (claim.first and not cjk and _opening(claim.value)):
        return True
    parts = list(each_part(claim.value))
    return bool(parts) and parts != [claim.value] and all(source.holds(part) for part in parts)


def _opening(word: str) -> bool:
    """Whether a sentence may begin with this word: an ordinary one with a capital."""
    lower = word.lower()
    if word != lower.capitalize() or not lower.isalpha():
        return False
    return lower in _OPENINGS or (len(lower) >= _SHORTEST_WITH_ENDING and lower.endswith(_ENDINGS))


def _occurs(wanted: str, line: str) -> bool:
    place = line.find(wanted)
    while place >= 0:
        end = place + len(wanted)
        if not _joined(line[place - 1 : place], wanted[0]) and not _joined(wanted[-1], line[end : end + 1]):
            return True
        place = line.find(wanted, place + 1)
    return False


def _joined(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word; Han and kana are written without spaces."""
    return bool(left and right) and of_words(left) and of_words(right)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer and the ids of the lines it is from."""

    text: str
    ids: tuple[str, ...]


def kept(sentences: Sequence[Sentence], lines: Mapping[str, str]) -> list[Sentence]:
    """Those whose ids all exist and whose words the lines support; in order, each once."""
    out: list[Sentence] = []
    for sentence in sentences:
        named = tuple(lines[each] for each in sentence.ids if each in lines)
        if not sentence.ids or len(named) < len(sentence.ids) or any(each.text == sentence.text for each in out):
            continue
        if sentence.text and supported(sentence.text, Source(named)):
            out.append(sentence)
    return out
