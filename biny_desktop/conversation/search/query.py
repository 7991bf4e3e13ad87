"""What a person typed to find messages, taken apart into terms that are safe for FTS5 (spec 05 §9.1).

Words are joined by OR; quoted words are a phrase; a CJK run of three and more characters is looked for by its pairs
and, besides, as a whole; one CJK character finds what begins with it. A term with signs in it (`C++`, `zoom.us`) is
found by its letters, and those messages come first in which it stands as it was typed.
"""

import re
from dataclasses import dataclass
from typing import Final

from biny_desktop.core.marks import Wanted
from biny_desktop.core.text import bigrams, clean, normalise, split_runs

QUERY_MAX: Final = 2_000
"""Characters of a query that are read."""
TERMS_MAX: Final = 24
"""Terms of a query that count."""
_PIECE: Final = re.compile(r'"([^"]*)"?|(\S+)')
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Term:
    """One term: `match` an FTS5 expression, `text` what it looks like in a normalised text (`prefix`: its last word may
    go on), `literal` as typed where it has signs that the index does not hold, else empty."""

    match: str
    text: str
    prefix: bool = False
    literal: str = ""


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """Terms, each once, and what is marked in a hit. No terms: nothing can be found by it."""

    terms: tuple[Term, ...]
    wanted: tuple[Wanted, ...]


def parse(text: str) -> MessageQuery:
    """Parse any text; never raises."""
    terms: dict[str, Term] = {}
    wanted: list[Wanted] = []
    for piece in _PIECE.finditer(clean(text[:QUERY_MAX])):
        quoted, word = piece.groups()
        raw = normalise(quoted if quoted is not None else word)
        found = [_phrase(raw)] if quoted is not None else _terms(raw)
        for term in found:
            if term is not None and len(terms) < TERMS_MAX:
                terms.setdefault(term.match, term)
        if any(found):
            wanted.append(Wanted(raw.strip(), any(each.prefix for each in found if each)))
    return MessageQuery(tuple(terms.values()), tuple(wanted))


def _terms(word: str) -> list[Term | None]:
    """The terms of one word: a run of each script is one of its own."""
    out: list[Term | None] = []
    signs = word.strip("\"'`,;:!?()[]{}<>，。；：！？（）「」《》、…").rstrip(".")
    literal = signs if any(not char.isalnum() and not char.isspace() for char in signs) else ""
    for cjk, run in split_runs(word):
        if not cjk:
            tokens = tuple(_WORD.findall(run))
            if tokens:
                out.append(_made(tokens, run, literal=literal))
        elif len(run) == 1:
            out.append(_made((run,), run, prefix=True))
        else:
            pairs = bigrams(run)[:-1]
            out += [_made((pair,), pair) for pair in pairs]
            if len(pairs) > 1:
                out.append(_made(tuple(pairs), run))
    return out


def _phrase(quoted: str) -> Term | None:
    """Quoted words as one phrase, prepared as the index is."""
    tokens: list[str] = []
    runs = [(cjk, run) for cjk, run in split_runs(quoted) if cjk or _WORD.search(run)]
    prefix = False
    for place, (cjk, run) in enumerate(runs):
        if not cjk:
            tokens += _WORD.findall(run)
        elif place < len(runs) - 1:
            tokens += bigrams(run)
        else:  # the index ends a run with its last character alone; what is searched may go on
            tokens += bigrams(run)[:-1] or [run]
            prefix = len(run) == 1
    return _made(tuple(tokens), quoted, prefix=prefix) if tokens else None


def term_of(token: str) -> Term:
    """The term of a word that is prepared as the index is (`ranking.question_terms`)."""
    return _made((token,), token)


def _made(tokens: tuple[str, ...], text: str, *, prefix: bool = False, literal: str = "") -> Term:
    quoted = '"' + " ".join(tokens).replace('"', " ") + '"'
    return Term(quoted + (" *" if prefix else ""), text, prefix, literal)
