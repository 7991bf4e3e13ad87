"""Access tokens that a public prefix, their length and their alphabet give away (spec 02 §8, type `token`).

The prefixes are looked up in the folded text, so a damaged one (`AKlA`, `ghp `) is found too; the body is then read
over single spaces and line ends up to the usual length.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from biny_desktop.redaction.finding import Find, compiled, gather, looks_random, wordy
from biny_desktop.redaction.view import View, fold

_WORD = r"A-Za-z0-9_|"
_DASH = r"A-Za-z0-9_\-|"
_DOT = r"A-Za-z0-9_\-.|"
_PLAIN = r"A-Za-z0-9|"
_B64 = r"A-Za-z0-9+/=|"


class _Shape(NamedTuple):
    """`stem` and what follows it (`sep`, a pattern), the body's alphabet, its least and usual length (0: unknown)."""

    stem: str
    sep: str
    alphabet: str
    least: int
    full: int


_UNDER = r" ?[_\-] ?| (?=[A-Za-z0-9]{30})"
_HYPHEN = r" ?[\-_] ?"

_SHAPES: Final = (
    *(_Shape(stem, _UNDER, _PLAIN, 20, 36) for stem in ("ghp", "gho", "ghu", "ghs", "ghr", "npm")),
    _Shape("github", r" ?[_\- ] ?pat ?[_\-] ?", _WORD, 22, 82),
    *(_Shape(stem, _HYPHEN, _DOT, 16, 20) for stem in ("glpat", "gldt", "glrt", "glptt", "glsoat", "glcbt")),
    *(_Shape("xox" + kind, _HYPHEN, _DASH, 16, 0) for kind in "abeoprs"),
    _Shape("xapp", _HYPHEN, _DASH, 16, 0),
    *(_Shape(stem, r" ?[_ ] ?(?:[lI1|][iIl1|]ve|test) ?[_ ] ?", _PLAIN, 14, 0) for stem in ("sk", "rk")),
    _Shape("whsec", _UNDER, _B64, 20, 32),
    _Shape("AIza", r" ?", _DASH, 30, 35),
    _Shape("ya29", r" ?\. ?", _DASH, 20, 0),
    _Shape("GOCSPX", _HYPHEN, _DASH, 20, 28),
    _Shape("sk", r" ?- ?(?:proj|ant|or|svcacct|admin|lf|live)? ?-? ?", _DASH, 20, 0),
    _Shape("SG", r" ?\. ?", _DASH + ". ", 40, 0),
    _Shape("pypi", _HYPHEN, _DASH, 16, 0),
    _Shape("hf", _UNDER, _PLAIN, 24, 34),
    _Shape("gsk", _UNDER, _PLAIN, 24, 52),
    _Shape("r8", _UNDER, _PLAIN, 24, 37),
    _Shape("xai", _HYPHEN, _PLAIN, 24, 80),
    _Shape("pplx", _HYPHEN, _PLAIN, 24, 48),
    _Shape("nvapi", _HYPHEN, _DASH, 24, 64),
    _Shape("tvly", _HYPHEN, _DASH, 24, 32),
    _Shape("dop", r"_v[1l]_", _PLAIN, 40, 64),
    *(_Shape(stem, _UNDER, _PLAIN, 24, 32) for stem in ("shpat", "shpss", "shpca", "shppa")),
    _Shape("dckr", r"_pat_", _DASH, 20, 27),
    _Shape("ATATT3", "", _DASH + "=", 40, 0),
    _Shape("hvs", r"\.", _DASH, 20, 0),
    _Shape("glsa", _UNDER, _WORD, 30, 41),
    _Shape("figd", _UNDER, _DASH, 30, 40),
    _Shape("lin", r"_api_", _PLAIN, 30, 40),
    _Shape("ntn", _UNDER, _PLAIN, 30, 46),
    _Shape("tskey", _HYPHEN, _DASH, 20, 0),
    _Shape("PMAK", _HYPHEN, _DASH, 40, 59),
    _Shape("rubygems", _UNDER, _PLAIN, 40, 48),
    _Shape("sq0csp", _HYPHEN, _DASH, 30, 43),
    _Shape("sq0atp", _HYPHEN, _DASH, 20, 22),
    _Shape("AGE-SECRET-KEY-1", "", _PLAIN, 40, 58),
)

_HEX_PREFIXES = frozenset(("dop", "shpat", "shpss", "shpca", "shppa", "lin", "AGE-SECRET-KEY-1"))
"""Stems whose bodies hold one case only and may look plain."""

_FOLDED: Final = tuple((fold(shape.stem), shape) for shape in _SHAPES)


def find(view: View) -> Iterator[Find]:
    """All access tokens of the view."""
    for stem, shape in _FOLDED:
        place = view.fold.find(stem)
        while place >= 0:
            hit = _shaped(view, place, shape)
            if hit:
                yield hit
            place = view.fold.find(stem, place + 1)
    yield from _aws(view)
    yield from _bot(view)
    yield from _webhook(view)
    yield from _account_key(view)
    yield from _spaced_chat(view)


def _shaped(view: View, place: int, shape: _Shape) -> Find | None:
    """The token of this shape whose stem stands at `place`."""
    if place and (view.text[place - 1].isascii() and view.text[place - 1].isalnum()):
        return None
    sep = compiled(shape.sep).match(view.text, place + len(shape.stem))
    if sep is None:
        return None
    body, end = gather(view.text, sep.end(), shape.alphabet, shape.full)
    if len(body) < shape.least:
        return None
    parts = body.replace("-", "").replace("_", "").replace(".", "")
    exact = shape.full > 0 and abs(len(body) - shape.full) <= 1 and any(c.isdigit() for c in parts)
    plain = (exact or shape.stem in _HEX_PREFIXES) and len(set(parts)) > 6
    return Find(place, end, "token") if plain or looks_random(parts) else None


def _aws(view: View) -> Iterator[Find]:
    """AWS key ids: AKIA or ASIA and 16 capitals or digits; one more or less when damaged."""
    for stem in ("akla", "asla", "4kla", "a51a"):
        place = view.fold.find(stem)
        while place >= 0:
            text = view.text
            clear = place == 0 or not (text[place - 1].isascii() and text[place - 1].isalnum())
            if clear and text[place] in "A4" and text[place + 1] in "KS5" and text[place + 3] in "A4":
                body, end = gather(text, place + 4, "A-Z0-9l|", 16)
                if not body and text[place + 4 : place + 5] == " ":
                    body, end = gather(text, place + 5, "A-Z0-9l|", 16)
                after = text[end : end + 1]
                if 15 <= len(body) <= 17 and len(set(body)) > 3 and not (after.isascii() and after.isalnum()):
                    yield Find(place, end, "token")
            place = view.fold.find(stem, place + 1)


def _bot(view: View) -> Iterator[Find]:
    """Bot tokens: 8 to 10 digits, a colon, 35 characters (spec 02 §8: `digits:35`)."""
    if ":" not in view.text:
        return
    for head in compiled(r"(?<!\d)\d{8,10} ?: ?(?=[A-Za-z0-9_\-])").finditer(view.text):
        body, end = gather(view.text, head.end(), _DASH, 35)
        if 33 <= len(body) <= 37 and looks_random(body.replace("-", "").replace("_", "")):
            yield Find(head.start(), end, "token")


def _webhook(view: View) -> Iterator[Find]:
    """Addresses that are a key themselves: the last part of chat webhooks."""
    if "hook" not in view.fold:
        return
    pattern = (
        r"(?:hooks ?\. ?slack ?\. ?com ?/ ?(?:services|workflows|triggers)(?: ?/ ?[A-Z0-9]{6,14}){2} ?/ ?"
        r"|/api/webhooks/\d{15,20} ?/ ?|webhook\.office\.com/webhookb2/[^/\s]+/IncomingWebhook/)"
    )
    for head in compiled(pattern).finditer(view.text):
        body, end = gather(view.text, head.end(), _DASH + "/", 24 if "slack" in head.group() else 0)
        if len(body) >= 12:
            yield Find(head.end(), end, "token")


def _account_key(view: View) -> Iterator[Find]:
    """Base64 keys of cloud storage and message queues in connection strings."""
    if "key" not in view.fold:
        return
    pattern = r"(?:account|sharedaccess|access|shared) ?key ?[=:] ?[\"']?"
    for head in compiled(pattern, re.IGNORECASE).finditer(view.text):
        body, end = gather(view.text, head.end(), _B64, 88)
        if len(body) >= 32 and not wordy(body):
            yield Find(head.end(), end, "token")


def _spaced_chat(view: View) -> Iterator[Find]:
    """Chat tokens whose dashes OCR has set apart: `xoxb - 5560… - CsHB…`."""
    if "xox" in view.fold:
        pattern = r"(?<![A-Za-z0-9])xox[abeoprs] ?- ?(?:[A-Za-z0-9]{1,16} ?- ?){1,5}[A-Za-z0-9]{16,}"
        for found in compiled(pattern).finditer(view.text):
            yield Find(found.start(), found.end(), "token")
