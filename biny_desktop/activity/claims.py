"""What a sentence claims that can be checked: numbers, times, dates, lengths, addresses, quotes, names; pure.

The same reader takes sentence and source apart, so that forms of one thing meet: 9:10 and 09:10, full-width digits,
"2 hours 41 minutes" and "2 h 41 min", "two" and 2, 3月12日 and 2026-03-12. What is read as one kind is no other kind:
the 41 of "2 h 41 min" supports no "41 files".
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

ClaimKind = Literal["url", "quote", "date", "time", "length", "number", "ref", "name"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable thing, in its canonical form; `first`: it is the first word of a sentence."""

    kind: ClaimKind
    value: str
    first: bool = False


NEVER: Final = "\0"
"""The value of a claim that nothing supports (a quote that does not end)."""
_MONTHS: Final = {
    name: n
    for n, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NUMBER_WORDS: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
    "hundreds": 100, "thousand": 1_000, "thousands": 1_000, "million": 1_000_000, "dozen": 12, "dozens": 12,
    "twice": 2, "thrice": 3, "zero": 0,
}  # fmt: skip
_HAN_DIGITS: Final = {"零": 0, "〇": 0, "一": 1, "两": 2, "兩": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
                      "八": 8, "九": 9}  # fmt: skip
_URL: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.|mailto:)[^\s<>\"“”「」『』《》]+", re.IGNORECASE)
_QUOTES: Final = {"“": "”", "„": "“", "「": "」", "『": "』", "《": "》", "〈": "〉", "«": "»", '"': '"', "`": "`",
                  "〝": "〞"}  # fmt: skip
_QUOTE: Final = re.compile("|".join(f"{re.escape(a)}[^{re.escape(b)}]*{re.escape(b)}" for a, b in _QUOTES.items()))
_STRAY_QUOTE: Final = re.compile("[" + re.escape("".join({*_QUOTES, *_QUOTES.values()})) + "]")
_ISO_DATE: Final = re.compile(r"(?<!\d)(\d{4})(?:[-/]|\s?年\s?)(\d{1,2})(?:[-/]|\s?月\s?)(\d{1,2})(?!\d)\s?[日号號]?")
_HAN_DATE: Final = re.compile(r"(?<!\d)(\d{1,2})\s?月\s?(\d{1,2})\s?[日号號]")
_DAY_MONTH: Final = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\b\.?(?:,?\s+(\d{{4}})\b)?", re.IGNORECASE
)
_MONTH_DAY: Final = re.compile(
    rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s+(\d{{4}})\b)?", re.IGNORECASE
)
_HAN_PERIOD: Final = r"(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?\s?"
_APART: Final = r"(?<![\d.])(?<![0-9A-Za-z:]:)"
"""A number begins here; a colon of running text may stand before it, as in "另有 3 个：09:10"."""
_TIME: Final = re.compile(
    _HAN_PERIOD + _APART + r"(\d{1,2})[:](\d{2})(?::(\d{2}))?(?![\d:])(?:\s?([ap])\.?m\b\.?)?", re.IGNORECASE
)
_TIME_12: Final = re.compile(_APART + r"(\d{1,2})\s?([ap])\.?m\b\.?", re.IGNORECASE)
_TIME_HAN: Final = re.compile(
    _HAN_PERIOD + _APART + r"(\d{1,2})\s?[点點时時](?!间)(?:\s?(\d{1,2})\s?分(?!钟|鐘)|(半)|整)?"
)
_H: Final = r"(?:hours?|hrs?|h|个?小时|個?小時|个?钟头)"
_M: Final = r"(?:minutes?|mins?|m|分钟|分鐘|分)"
_S: Final = r"(?:seconds?|secs?|s|秒钟?|秒鐘?)"
_AND: Final = r"(?:\s*(?:and|,|零|又)?\s*)"
_NO_LETTER: Final = r"(?![A-Za-zÀ-ÖØ-öø-ɏͰ-ԯḀ-ỿ])"
_LENGTH: Final = re.compile(
    rf"(?<!#){_APART}(?:(\d+(?:\.\d+)?)[\s-]*{_H}{_NO_LETTER}(?:{_AND}(\d+)\s*{_M}{_NO_LETTER})?|"
    rf"(\d+(?:\.\d+)?)[\s-]*{_M}{_NO_LETTER})(?:{_AND}(\d+)\s*{_S}{_NO_LETTER})?|(?<!#){_APART}(\d+(?:\.\d+)?)[\s-]*{_S}{_NO_LETTER}",
    re.IGNORECASE,
)
_WORDED_LENGTH: Final = re.compile(
    r"\b(?:(half\s+an?|an?\s+quarter\s+of\s+an|quarter\s+of\s+an|an|one|a)\s+(hour|minute))\b", re.IGNORECASE
)
_HAN_HALF: Final = re.compile(r"半\s?个?(?:小时|小時|钟头)")
_HAN_COUNT: Final = re.compile(
    r"(?<![第星期周])([零〇两兩二三四五六七八九十][零〇一二三四五六七八九十百千]*|一(?=[十百千])[一二三四五六七八九十百千]+)"
    r"(?=\s?(?:个|個|次|项|項|条|條|款|天|篇|份|场|場|封|页|頁|轮|輪|段|件|位|人|小时|小時|分钟|分鐘|点|點|种|種|款|部|批|家|名))"
)
_PATH: Final = re.compile(r"(?<![\w/.~])(?:~|\.{1,2})?/(?:[\w.-]+/?)+")
_REF: Final = re.compile(r"(?<![A-Za-z0-9_À-ɏͰ-ԯ#&])#(\d+)(?![A-Za-z0-9_À-ɏͰ-ԯḀ-ỿ])")
_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9_À-ɏͰ-ԯ])[vV]?(\d+(?:[.,]\d+)*)(%?)(?![A-Za-z0-9_À-ɏͰ-ԯ])")
_LETTER: Final = r"A-Za-z0-9À-ÖØ-öø-ɏͰ-ԯḀ-ỿ"
_WORD: Final = re.compile(rf"[{_LETTER}](?:[{_LETTER}._@/\\'’+&:~-]*[{_LETTER}])?(?:\+\+|\+|#)?")
_OF_WORDS: Final = re.compile(f"[{_LETTER}]")
_ABBREVIATIONS: Final = frozenset({"e.g", "i.e", "a.m", "p.m", "vs", "etc"})
_SENTENCE_END: Final = re.compile(r"[.!?。！？;；:：]\s*$|\n\s*$")


def normalised(text: str) -> str:
    """NFKC without invisible characters, decimal digits of any script as 0–9; quotes and case stay."""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(
        str(unicodedata.decimal(char)) if char.isdecimal() else char
        for char in folded
        if unicodedata.category(char) not in ("Cf", "Cc") or char in "\n\t"
    )


def claims(text: str, *, quotes: bool = True) -> frozenset[Claim]:
    """Everything checkable in a text; each piece is read as one kind only, the most telling first.

    Args:
        quotes: read what stands in quotes as one claim (a sentence); else as any other text (a source).
    """
    reader = _Reader(normalised(text))
    reader.take(_URL, lambda m: [Claim("url", m.group().rstrip(".,;:!?)]}'…").casefold())])
    reader.take(_PATH, lambda m: [Claim("url", m.group().rstrip(".").casefold())])
    if quotes:
        reader.take(_QUOTE, lambda m: [Claim("quote", squeezed(m.group()[1:-1]) or NEVER)])
        reader.take(_STRAY_QUOTE, lambda _m: [Claim("quote", NEVER)])
    reader.text = _with_digits(reader.text)
    for pattern, read in _READERS:
        reader.take(pattern, read)
    reader.names()
    return frozenset(reader.found)


def squeezed(text: str) -> str:
    """Case-folded, white space as single spaces: how quotes and names are compared."""
    return " ".join(text.casefold().split())


def of_words(char: str) -> bool:
    """Whether a character belongs to a script in which words have capitals and spaces between them."""
    return bool(_OF_WORDS.fullmatch(char))


class _Reader:
    """Takes a text apart: what is read is blanked, so that it is not read again as something else."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Claim] = []

    def take(self, pattern: re.Pattern[str], read: Callable[[re.Match[str]], list[Claim]]) -> None:
        def blank(match: re.Match[str]) -> str:
            got = read(match)
            self.found += got
            return "\x1a" * len(match.group()) if got else match.group()

        self.text = pattern.sub(blank, self.text)

    def names(self) -> None:
        """Words with a capital or a digit, and what looks like a file, path, account or identifier."""
        for match in _WORD.finditer(self.text):
            word = match.group().strip("'’")
            for suffix in ("'s", "’s"):
                word = word.removesuffix(suffix)
            before = self.text[: match.start()]
            first = not before.strip(" \x1a(“\"'‘") or bool(_SENTENCE_END.search(before))
            if word.casefold() not in _ABBREVIATIONS and _is_name(word):
                self.found.append(Claim("name", word, first))


def _is_name(word: str) -> bool:
    return any(char.isupper() or char.isdigit() for char in word) or bool(re.search(r"\w[._@\\:~]\w", word))


def _with_digits(text: str) -> str:
    """Numbers in words as digits: "two hours" → "2 hours", 三个 → 3个."""
    text = re.sub(r"[A-Za-z]+", lambda m: str(_NUMBER_WORDS.get(m.group().lower(), m.group())), text)
    return _HAN_COUNT.sub(lambda m: str(_han(m[1])), text)


def _han(text: str) -> int:
    total = digit = 0
    for char in text:
        unit = {"十": 10, "百": 100, "千": 1_000}.get(char)
        if unit is None:
            digit = _HAN_DIGITS[char]
        else:
            total, digit = total + max(1, digit) * unit, 0
    return total + digit


def _date(year: str | None, month: int, day: int) -> list[Claim]:
    bare = Claim("date", f"--{month:02d}-{day:02d}")
    return [Claim("date", f"{int(year):04d}-{month:02d}-{day:02d}"), bare] if year else [bare]


def _clock(period: str | None, hour: int, minute: int, second: str | None = None) -> list[Claim]:
    late = (period or "").lower()
    if late in ("p", "下午", "傍晚", "晚上", "中午") and (hour < 11 or (hour == 11 and late != "中午")):
        hour += 12
    if (late == "a" or late == "凌晨") and hour == 12:
        hour = 0
    return [Claim("time", f"{hour:02d}:{minute:02d}" + (f":{second}" if second else ""))]


def _length(match: re.Match[str]) -> list[Claim]:
    hours, odd, minutes, seconds, alone = match.groups()
    total = 3_600 * float(hours or 0) + 60 * float(odd or minutes or 0) + float(seconds or alone or 0)
    return [Claim("length", f"{total:g}")]


def _worded_length(match: re.Match[str]) -> list[Claim]:
    share = 0.5 if match[1].lower().startswith("half") else 0.25 if "quarter" in match[1].lower() else 1.0
    return [Claim("length", f"{share * (3_600 if match[2].lower() == 'hour' else 60):g}")]


def _number(match: re.Match[str]) -> list[Claim]:
    value = re.sub(r",(?=\d{3}(?:\D|$))", "", match[1])
    return [Claim("number", (str(int(value)) if value.isdigit() else value) + match[2])]


def _twelve(match: re.Match[str]) -> list[Claim]:
    return _clock(match[2], int(match[1]), 0)


_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], list[Claim]]], ...]] = (
    (_ISO_DATE, lambda m: _date(m[1], int(m[2]), int(m[3]))),
    (_HAN_DATE, lambda m: _date(None, int(m[1]), int(m[2]))),
    (_DAY_MONTH, lambda m: _date(m[3], _MONTHS[m[2].lower()], int(m[1]))),
    (_MONTH_DAY, lambda m: _date(m[3], _MONTHS[m[1].lower()], int(m[2]))),
    (_TIME, lambda m: _clock(m[5] or m[1], int(m[2]), int(m[3]), m[4])),
    (_TIME_12, _twelve),
    (_TIME_HAN, lambda m: _clock(m[1], int(m[2]), 30 if m[4] else int(m[3] or 0))),
    (_LENGTH, _length),
    (_HAN_HALF, lambda _m: [Claim("length", "1800")]),
    (_WORDED_LENGTH, _worded_length),
    (_REF, lambda m: [Claim("ref", m[1])]),
    (_NUMBER, _number),
)


def each_part(word: str) -> Iterator[str]:
    """The parts of a compound name that claim something: "Editor/Terminal", "SQLite-based"."""
    return (part for part in re.split(r"[/&-]", word) if part and _is_name(part))
