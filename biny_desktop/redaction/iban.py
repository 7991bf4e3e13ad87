"""Bank account numbers: the check sum tells them; behind the word IBAN the shape is enough (spec 02 §8, type
`iban`)."""

import re
from collections.abc import Iterator
from typing import Final

from biny_desktop.redaction.finding import Find, compiled
from biny_desktop.redaction.view import View

_RUN = r"[A-Z](?<![A-Za-z0-9].)[A-Z] ?[0-9OIlSBZ|]{2}(?:(?: ?\n ?|[ \-])?[A-Z0-9l|o]){10,32}"
_SMALL = r"[0-9](?<=[a-z]{2}.)(?<![a-z0-9][a-z]{2}.)[0-9](?: ?[a-z0-9]){11,30}(?![a-z0-9])"
_LABEL = re.compile(r"[lbi]ban\W{0,4}(?:\w{1,8}\W{1,2}){0,2}$")
_TO_DIGIT = str.maketrans("OoIlSBZGDQ|", "00115826001")
_TO_LETTER = str.maketrans("0158|l", "OISBII")

LENGTH_MIN: Final = 15
LENGTH_MAX: Final = 34
"""Shortest and longest account number in characters (ISO 13616)."""


def find(view: View) -> Iterator[Find]:
    """All account numbers of the view."""
    if not compiled(r"\d\d").search(view.text):
        return
    for found in compiled(_RUN).finditer(view.text):
        span = _account(view, found.start(), found.end())
        if span:
            yield Find(*span, "iban")
    for found in compiled(_SMALL).finditer(view.text):
        places = [place for place in range(found.start() - 2, found.end()) if view.text[place] != " "]
        compact = "".join(view.text[place] for place in places).upper()
        length = _country_length(compact)
        if 0 < length <= len(compact) and _valid(compact[:length]):
            yield Find(places[0], places[length - 1] + 1, "iban")


def _account(view: View, start: int, end: int) -> tuple[int, int] | None:
    """The account number at the start of a run, without the words that follow it."""
    places = [place for place in range(start, end) if view.text[place] not in " -\n"]
    compact = "".join(view.text[place] for place in places)
    length = _country_length(compact)
    if length and len(compact) >= length and _valid(compact[:length]):
        return start, places[length - 1] + 1
    if _LABEL.search(view.fold, max(0, start - 24), start):
        count = min(length or len(compact), len(compact), LENGTH_MAX)
        if count >= LENGTH_MIN and sum(map(str.isdigit, compact[:count])) >= 8:
            return start, places[count - 1] + 1
    return None


def _country_length(compact: str) -> int:
    """The length that the country of the number prescribes; 0 when it has none."""
    return 4 + sum(count for count, _ in _structure(compact)) if _structure(compact) else 0


def _structure(compact: str) -> list[tuple[int, str]]:
    """The parts of the number behind the check digits as (count, n digits | a letters | c both)."""
    from stdnum import iban

    info = iban._ibandb.info(compact[:2].upper() + "00")[0][1]
    return [(int(count), kind) for count, kind in re.findall(r"(\d+)!?([nac])", info.get("bban", ""))]


def _valid(compact: str) -> bool:
    """Whether the check sum fits, as read or with look-alikes put right for the country's structure."""
    from stdnum import iban

    if iban.is_valid(compact, check_country=False):
        return True
    fixed, place = compact[:2] + compact[2:4].translate(_TO_DIGIT), 4
    for count, kind in _structure(compact):
        part = compact[place : place + count]
        fixed += (
            part.translate(_TO_DIGIT) if kind == "n" else part.translate(_TO_LETTER) if kind == "a" else part.upper()
        )
        place += count
    return len(fixed) == len(compact) and bool(iban.is_valid(fixed, check_country=False))
