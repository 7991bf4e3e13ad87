"""Mail addresses and telephone numbers (spec 02 §8, types `email` and `phone`); both can be switched off."""

import re
from collections.abc import Iterator
from typing import Final

from biny_desktop.redaction.finding import Find, compiled
from biny_desktop.redaction.view import View, digits

_LOCAL = r"[A-Za-z0-9À-ɏ_%+'\-]{1,64}"
_AT = r"(?: ?[@©®] ?| ?[\[({] ?at ?[\])}] ?| ?\n?@\n? ?)"
_LABEL = r"[A-Za-z0-9À-ɏ](?:[A-Za-z0-9À-ɏ\-]{0,62}[A-Za-z0-9À-ɏ])?"
_DOT = r"(?: \. |\.| \.| ?[\[({] ?dot ?[\])}] ?)"
_FIRST_DOT = r"(?: \. |\.\n|\. (?-i:(?=[a-z]{2,24}\b))|\.| \.| ?[\[({] ?dot ?[\])}] ?)"
_EMAIL = (
    rf"(?<![A-Za-z0-9À-ɏ_%+\-.])(?P<local>{_LOCAL}(?:(?: \. |\.| \.){_LOCAL}){{0,6}}){_AT}"
    rf"(?P<host>{_LABEL}{_FIRST_DOT}{_LABEL}(?:{_DOT}{_LABEL}){{0,5}})"
)
_FILES = frozenset(
    (
        "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "css", "js", "ts", "tsx", "jsx", "json", "mjs", "cjs", "map",
        "md",
        "txt", "py", "html", "woff", "woff2", "pdf", "yaml", "yml", "toml", "lock",
    )
)  # fmt: skip

_NUMBER = (
    r"\(?[0-9lOISB(](?:[ .\-/]|[ ]?\(|\)[ \-]?| - )?(?:[0-9lOISB]|\(\d)(?:(?:[ .\-/]|[ ]?\(|\)[ \-]?| - "
    r"|\n(?=\d{2,4}[ \-\n]?\d{2}))?[0-9lOISB]){3,13}(?![A-Za-z0-9_])"
)
_PLUS = (
    r"(?<![A-Za-z0-9_+])(?:\+|00(?=[1-9]\d[ \-]))[ ]?\(?\d(?:(?:[ .\-/]|[ ]?\(|\)[ \-]?)?[\dlOISB]){6,16}"
    r"(?![A-Za-z0-9_])"
)
_LABELS = (
    r"(?:(?<![a-z])(?:tel|phone|telephone|telefono?|telefon\w*|telefone|moblle?(?:telefon|nummer)?|moblltelefon"
    r"|cell(?:phone)?|celular|handy(?:nummer)?|movll"
    r"|portable|fax|whatsapp|rufnummer|fon|ph|hotllne|call|sms)(?![a-z])|телефон\w*|тел|моб\w*|факс|手 ?[机機]"
    r"|电 ?话|電 ?話|携 ?[帯带帶]|座机|ケータイ|휴대 ?폰|휴대 ?전화"
    r"|전화|핸드폰|연락처)"
)
_BETWEEN = (
    r"(?:[ .]?(?:no|nr|num|number|numero|número|nummer|phone|n°|#|work|home|privat|office|mobile|us|main|me(?: at"
    r"| on)?|号 ?[码碼]|號 ?碼|番 ?号|号|번호|话|話|номер)"
    r"(?![A-Za-z]))?[ .]{0,2}(?:\([^()\d\n]{1,16}\))?[ .:'\"=#/>\]]{0,5}\n? ?"
)
_HINTS: Final = (
    "tel", "phone", "mobl", "mobll", "cell", "celular", "handy", "movll", "portable", "fax", "whatsapp", "rufnummer",
    "fon", "ph", "hotllne", "call",
    "sms", "тел", "моб", "факс", "机", "機", "话", "話", "携", "座", "ケータイ", "폰", "전화", "연락",
)  # fmt: skip

DIGITS_MIN: Final = 7
DIGITS_MAX: Final = 15
"""Fewest digits of a labelled number; most of any number (ITU-T E.164)."""

_USER_INFO = re.compile(r"//[^/?#\s]*$")
_DATE = re.compile(r"\d{4}([-./])\d{1,2}\1\d{1,2}(?: .*)?|\d{1,2}([-./])\d{1,2}\2\d{4}(?: .*)?")
_VERSION = re.compile(r"\d+(?:\.\d+)+")


def find_emails(view: View) -> Iterator[Find]:
    """All mail addresses; `git@host:path` and `user@host:path` of remote copies stay, as do names of files."""
    if not any(mark in view.text for mark in ("@", "©", "®")) and "at" not in view.fold:
        return
    for found in _candidates(view):
        text = view.text
        last = re.split(r"[.\s]+|dot", found["host"])[-1].lower().strip("])}")
        if not re.fullmatch(r"[a-zà-ɏ][a-zà-ɏ\-]{1,23}|xn--[a-z0-9\-]+", last) or last in _FILES:
            continue
        remote = re.match(r":(?!//)[\w~/.]", text[found.end() : found.end() + 4]) and not re.match(
            r":\d+\b", text[found.end() : found.end() + 7]
        )
        if remote or _USER_INFO.search(text, max(0, found.start() - 80), found.start()) or found["local"] == "git":
            continue
        start = found.start() + (len(found["local"]) - len(found["local"].lstrip("'")))
        yield Find(start, found.end(), "email")


def _candidates(view: View) -> Iterator[re.Match[str]]:
    """Shapes of addresses, looked for round each sign only: the pattern is dear on long lines."""
    pattern = compiled(_EMAIL, re.IGNORECASE)
    reached = 0
    for mark in compiled(r"[@©®]|[\[({] ?at ?[\])}]", re.IGNORECASE).finditer(view.text):
        if mark.start() < reached:
            continue
        low = max(reached, mark.start() - 90)
        while (
            low
            and low < mark.start()
            and view.text[low - 1] not in " \n\x01"
            and view.text[low - 1].isascii()
            and low > reached
        ):
            low -= 1
            if mark.start() - low > 160:
                break
        place = low
        while (found := pattern.search(view.text, place, mark.end() + 260)) and found.start() < mark.start():
            if found.end() > mark.end():
                yield found
                reached = found.end()
                break
            place = found.end()


def find_phones(view: View) -> Iterator[Find]:
    """All telephone numbers that begin with `+` and are possible, or stand behind a label; never bare digits."""
    if "+" in view.text or "00" in view.text:
        for found in compiled(_PLUS).finditer(view.text):
            if is_possible(found.group()):
                yield Find(found.start(), found.end(), "phone")
    if not any(hint in view.fold for hint in _HINTS) or not compiled(r"\d").search(view.text):
        return
    between = compiled(_BETWEEN, re.IGNORECASE)
    for label in compiled(_LABELS).finditer(view.fold):
        gap = between.match(view.text, label.end())
        start = gap.end() if gap else label.end()
        number = compiled(_NUMBER).match(view.text, start + view.text.startswith("+", start))
        apart = start > label.end() or not view.text[label.end() - 1].isascii()
        if number and apart and _is_labelled(number.group()):
            yield Find(start, number.end(), "phone")


def is_possible(text: str) -> bool:
    """Whether an international number has a country code and a length that the country uses (phonenumbers)."""
    import phonenumbers

    plain = "+" + re.sub(r"\D", "", digits(text)).removeprefix("00")
    if not DIGITS_MIN < len(plain) - 1 <= DIGITS_MAX:
        return False
    try:
        number = phonenumbers.parse(plain)
    except phonenumbers.NumberParseException:
        return False
    reason = phonenumbers.is_possible_number_with_reason(number)
    return bool(reason == phonenumbers.ValidationResult.IS_POSSIBLE)


def _is_labelled(text: str) -> bool:
    """Whether the digits behind a label are a number to call: long enough, no date, version or address."""
    plain = digits(text)
    count = sum(char.isdigit() for char in plain)
    real = sum(char.isdigit() for char in text)
    if not DIGITS_MIN <= count <= DIGITS_MAX or real < count - 2 or _DATE.fullmatch(plain):
        return False
    if _VERSION.fullmatch(plain):
        return all(len(part) >= 2 for part in plain.split(".")) and not re.fullmatch(r"\d{1,3}(?:\.\d{1,3}){3}", plain)
    return True
