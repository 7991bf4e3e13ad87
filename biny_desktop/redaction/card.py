"""Payment card numbers, with spaces, dashes or a damaged digit (spec 02 §8, type `card`)."""

import re
from collections.abc import Iterator
from typing import Final

from biny_desktop.redaction.finding import Find, compiled
from biny_desktop.redaction.view import View, digits

_RUN = (
    r"[0-9lIOS|B](?<![A-Za-z0-9_].)(?<!\d[.,].)(?:(?: ?-? ?\n ?-? ?| ?- ?| )?[0-9lIOoS|BZ]){12,18}(?![A-Za-z0-9_]"
    r"|[.,]\d|-\d)"
)
_NEAR = re.compile(
    r"card|vlsa|master|amex|amerlcan|dlners|jcb|karte|carte|tarjeta|cartao|карт|卡|カード|카드|credlt|deblt|kredlt|\bpan\b"
    r"|unlonpay|maestro|银联|銀聯"
)
_NEAR_REACH: Final = 32
"""How many characters before the number a card word may stand."""

GROUPS_MAX: Final = 6
"""Most groups of a written card number; more are columns of a table."""

DAMAGED_MAX: Final = 4
"""Most digits that were read as letters."""

# (first, last prefix, lengths): the public ranges of the networks (ISO/IEC 7812 issuer numbers).
_BRANDS: Final = (
    (4, 4, (13, 16, 19)), (51, 55, (16,)), (2221, 2720, (16,)), (34, 34, (15,)), (37, 37, (15,)), (6011, 6011, (16, 17,
    18, 19)), (644, 659, (16, 17, 18, 19)), (62, 62, (16, 17, 18, 19)), (81, 82, (16, 17, 18, 19)), (3528, 3589, (16,
    17, 18, 19)), (300, 305, (14, 15, 16, 17, 18, 19)), (309, 309, (14, 15, 16, 17, 18, 19)), (36, 36, (14, 15, 16, 17,
    18, 19)), (38, 39, (14, 15, 16, 17, 18, 19)), (50, 50, (13, 14, 15, 16, 17, 18, 19)), (56, 58, (13, 14, 15, 16, 17,
    18, 19)), (60, 60, (16, 17, 18, 19)), (63, 63, (16, 17, 18, 19)), (67, 67, (13, 14, 15, 16, 17, 18, 19)), (2200,
    2204, (16, 17, 18, 19)), )  # fmt: skip


def find(view: View) -> Iterator[Find]:
    """All card numbers of the view."""
    if not compiled(r"\d[ -]?\d[ -]?\d").search(view.text):
        return
    place = 0
    pattern = compiled(_RUN)
    while found := pattern.search(view.text, place):
        span = _card(view, found)
        if span:
            yield Find(*span, "card")
        place = span[1] if span else max(found.start() + 1, _next_group(view.text, found))


def _next_group(text: str, found: re.Match[str]) -> int:
    """Where the next group of digits begins: the number may follow another one after a space."""
    gap = compiled(r"[^\w|]").search(text, found.start(), found.end())
    return gap.end() if gap else found.end()


def _card(view: View, found: re.Match[str]) -> tuple[int, int] | None:
    """The longest card number that begins where the run does and ends at one of its group ends."""
    text = found.group()
    ends = [gap.start() for gap in re.finditer(r"[^\w|]+", text)] + [len(text)]
    for end in reversed(ends):
        if _is_card(view, text[:end], found.start()):
            return found.start(), found.start() + end
    return None


def _is_card(view: View, text: str, start: int) -> bool:
    from stdnum import luhn

    groups = [group for group in re.split(r"[ \-\n]+", text) if group]
    number = digits("".join(groups))
    real = sum(char.isdigit() for char in text)
    if (
        not 13 <= len(number) <= 19
        or not number.isdigit()
        or len(number) - real > DAMAGED_MAX
        or len(groups) > GROUPS_MAX
    ):
        return False
    if "\n" in text and not _joins(text, groups):
        return False
    if "-" in text and not _regular([len(part) for part in re.sub(r"\s", "", text).split("-")]):
        return False
    if not has_brand(number) or len(set(number)) == 1:
        return False
    if luhn.is_valid(number):
        return True
    near = _NEAR.search(view.fold, max(0, start - _NEAR_REACH), start) is not None
    return near and (len(groups) >= 3 or len(groups) == 1)


def _joins(text: str, groups: list[str]) -> bool:
    """Whether the one line end in the number may be a break of the line: full groups before and after it."""
    if text.count("\n") > 1:
        return False
    whole = [len(group) for group in re.split(r"[ \-]+", text.replace("\n", "")) if group]
    return min(map(len, groups)) >= 4 or (_regular(whole) and min(map(len, text.split("\n"))) >= 3)


def _regular(lengths: list[int]) -> bool:
    """Whether groups of these lengths are how a card number is written."""
    return len(set(lengths[:-1])) <= 1 or lengths in ([4, 6, 5], [4, 6, 4])


def has_brand(number: str) -> bool:
    """Whether prefix and length belong to a card network."""
    for first, last, lengths in _BRANDS:
        if len(number) in lengths and first <= int(number[: len(str(first))]) <= last:
            return True
    return False
