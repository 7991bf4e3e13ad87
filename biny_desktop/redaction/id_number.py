"""Numbers that name a person: US social security and Chinese resident numbers (spec 02 §8, type `id_number`)."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from biny_desktop.redaction.finding import Find, compiled
from biny_desktop.redaction.view import View, digits

_SSN = (
    r"(?P<a>[0-9](?<![A-Za-z0-9_\-.].)\d\d)(?: ?- ?\n?| |\n)?"
    r"(?P<b>\d\d)(?: ?- ?\n?| |\n)?(?P<c>\d{4})(?![A-Za-z0-9_]|[\-.]\d)"
)
_DASHED = re.compile(r"\d{3} ?- ?\n?\d{2} ?- ?\n?\d{4}")
_SSN_LABEL = re.compile(r"(?:\bssn|\bltln?\b|soclal securlty|soclal sec)[^\d\n]{0,24}\n?$")
_OTHER = re.compile(
    r"(?:order|part|parcel|tlcket|lnvolce|sku|serlal|model|lot|batch|auftrag|bestell|art\w*|ref\w*)[ .:#no]{0,6}$"
)
_RIC = r"[1-8](?<![A-Za-z0-9].)(?:(?: ?\n ?| )?\d){16}(?: ?\n ?| )?[\dXx](?![A-Za-z0-9])"
_PROVINCE_LIST = (
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83"
)
_PROVINCES: Final = frozenset(_PROVINCE_LIST.split())
"""First two digits of a resident number: the provinces of GB/T 2260 and the residence permits of 2018."""


def find(view: View) -> Iterator[Find]:
    """All numbers of persons of the view."""
    if not compiled(r"\d\d").search(view.text):
        return
    plain = digits(view.text)
    for found in compiled(_SSN).finditer(plain):
        if _is_ssn(view, found):
            yield Find(found.start(), found.end(), "id_number")
    for found in compiled(_RIC).finditer(plain):
        if _is_resident(view.text[found.start() : found.end()]):
            yield Find(found.start(), found.end(), "id_number")


def _is_ssn(view: View, found: re.Match[str]) -> bool:
    """3-2-4 with dashes and a possible area, or any spelling behind a label."""
    from stdnum.us import ssn

    real = sum(char.isdigit() for char in view.text[found.start() : found.end()])
    labelled = _SSN_LABEL.search(view.fold, max(0, found.start() - 40), found.start()) is not None
    if labelled:
        return real >= 6 and found["a"] != "000" and found["c"] != "0000"
    if (
        real < 9
        or not _DASHED.fullmatch(found.group())
        or _OTHER.search(view.fold, max(0, found.start() - 20), found.start())
    ):
        return False
    return bool(ssn.is_valid(f"{found['a']}-{found['b']}-{found['c']}"))


def _is_resident(text: str) -> bool:
    """18 digits with province, birth date and check digit of GB 11643-1999.

    `stdnum.cn.ric` knows today's counties only; older numbers are real too, so only its check digit is used.
    """
    from stdnum.cn import ric

    if text.count("\n") > 1 or sum(char.isdigit() for char in text) < 14:
        return False
    number = digits(re.sub(r"\s", "", text)).upper()
    if number[:2] not in _PROVINCES or not number[:17].isdigit():
        return False
    try:
        born = date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    return 1800 < born.year < 2100 and bool(ric.calc_check_digit(number) == number[-1])
