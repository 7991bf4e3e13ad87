"""Values behind a word for password, PIN, secret or API key (spec 02 §8, type `password`).

The label decides how strict the value is read: behind `password:` nearly anything is a secret, behind `pass:` or "is"
only what does not read like a word. Values that fill a gap (`${…}`, `<…>`, `***`) and expressions in code stay.
"""

import re
from collections.abc import Iterator
from typing import Final

from biny_desktop.redaction.finding import UUID, Find, classes, compiled, line_end, line_start, looks_random
from biny_desktop.redaction.labels import Label, find_labels
from biny_desktop.redaction.placeholders import is_code, is_placeholder
from biny_desktop.redaction.values import RUN_MAX, Value, is_prose, is_strong, read_value
from biny_desktop.redaction.view import View

KEY_LEAST: Final = 8
"""Least characters of a value behind "API key" and the like; shorter ones are names of keys."""

TOKEN_LEAST: Final = 16
"""Least characters of a value behind the bare word "token"."""

_SUFFIX = (
    r"(?:[_\- ]?(?:access[_\- ]?(?:key|token)|key(?:[_\- ]?base)?|token|conflrm(?:atlon|ed)?|repeat|agaln|value|new"
    r"|old|neu|code|nummer|number"
    r"|(?:de|da|do|der|des|du) [a-z\-]{2,16}|for [\w@.\-]{2,24}|fur [\w@.\-]{2,24})(?![a-z])|[lsob\d](?![a-z\d]))?"
)
_SIGN = re.compile(
    _SUFFIX + r"[\"'`\]\)]{0,2}(?: ?\([^()\n]{1,24}\)| \[[^\[\]\n]{0,24}\](?=:))? {0,3}"
    r"(?:=>|:=|={1,3}|:|；)[ ]{0,8}(?P<line>\n *)?(?=[^\s=])"
)
_IS = re.compile(
    _SUFFIX + r"[\"'\)]? (?:now |jetzt )?(?:ls|lst|lautet|est|es|e|was|war|wlrd|set to|changed to|это)"
    r"(?![a-zа-я])(?: now| jetzt)? ?:? ?\n?(?=\S)"
)
_CJK_IS = re.compile(r" ?(?:是|为|為|は|が|는|은|설정|です)[ :、]?(?=[!-~])|(?=[A-Za-z0-9]*\d)(?=[!-~]{5})")
_TAG = re.compile(r"[a-z\d_\-]{0,12}>(?=[^\s<])")
_QUOTED = re.compile(r"[\"'\]]? (?:to |by |= )?(?=[\"'][^\s\"']{4,}[\"'])")
_BARE = re.compile(r" (?=\S)")
_NEXT = re.compile(r"[\"']?[ :]*\n *(?=\S)")
_FLAG = re.compile(r"-{1,2}[a-z\-]*$")
_USER_INFO = re.compile(r"//[^/?#\s]*$")
_OBJECT = re.compile(r"(?:self|thl[s]|self\._|thls\._)\.?_?$")
_NETRC = re.compile(r"(?:logln|user|username|account) \S+\s$")


def find(view: View) -> Iterator[Find]:
    """All labelled secrets of the view."""
    for label in find_labels(view):
        hit = _behind(view, label)
        if hit:
            yield hit
    if "password" in view.fold and "value" in view.fold:
        pattern = r"(?:type|key|name)=[\"']?[\w.]*password[\"']?[^>\n]{0,120}?value=[\"']([^\"'\n]+)"
        for found in compiled(pattern, re.IGNORECASE).finditer(view.text):
            if not is_placeholder(found.group(1)):
                yield Find(found.start(1), found.end(1), "password")


def _behind(view: View, label: Label) -> Find | None:
    """The secret behind this label, whichever way the two are joined."""
    sign = _SIGN.match(view.fold, label.end)
    if sign:
        value = read_value(view, sign.end(), label.cjk)
        next_line = sign["line"] is not None
        if next_line and ")" in sign.group():
            return None  # the head of a function, not a label
        return _hit(view, label, value, strict=next_line) if value else None
    if view.text.startswith(">", label.end) or _TAG.match(view.fold, label.end):
        return _in_tag(view, label)
    joined = _IS.match(view.fold, label.end) or (_CJK_IS.match(view.fold, label.end) if label.cjk else None)
    joined = joined or (_QUOTED.match(view.fold, label.end) if label.strength in ("strong", "pin") else None)
    if joined:
        value = read_value(view, joined.end(), label.cjk)
        strict = not (value and value.quoted) and ":" not in joined.group()
        return _hit(view, label, value, strict) if value else None
    return _flag_or_form(view, label)


def _in_tag(view: View, label: Label) -> Find | None:
    """`<password>value</password>`."""
    tag = _TAG.match(view.fold, label.end)
    if tag is None or label.strength == "key" or "<" not in view.text[max(0, label.start - 24) : label.start]:
        return None
    found = compiled(r"[^<\n]{1,200}(?=</)").match(view.text, tag.end())
    if found is None or is_placeholder(found.group()):
        return None
    return Find(tag.end(), found.end(), "password")


def _flag_or_form(view: View, label: Label) -> Find | None:
    """`--password VALUE`, netrc, a form whose label and value stand in two lines, and a label whose colon was not
    read."""
    before = view.fold[line_start(view.fold, label.start) : label.start]
    if label.strength == "pin":
        number = compiled(r" (?:is |code )?(\d{4}|\d{6}|\d{3} \d{3})(?![\w]|[.,:/\-]\d| \d)").match(
            view.text, label.end
        )
        return Find(*number.span(1), "password") if number else None
    bare = _BARE.match(view.fold, label.end)
    if bare and (_FLAG.search(before) or _NETRC.search(before) or view.fold.startswith("requlrepass", label.start)):
        value = read_value(view, bare.end(), label.cjk)
        return _hit(view, label, value, strict=False) if value and not view.text.startswith("-", value.start) else None
    under = _NEXT.match(view.fold, label.end)
    if under and len(before.split()) <= 3 and label.strength in ("strong", "key"):
        value = read_value(view, under.end(), label.cjk)
        alone = value is not None and value.end == line_end(view.text, value.end)
        return _hit(view, label, value, strict=True) if value and alone else None
    if bare and label.strength == "strong" and len(before.split()) <= 2:
        value = read_value(view, bare.end(), label.cjk)
        if value and value.end == line_end(view.text, value.end):
            mixed = classes(value.text) >= 3 and any(c.isdigit() for c in value.text) and value.text[0] not in "-/(v"
            return (
                Find(value.start, value.end, "password")
                if mixed and len(value.text) >= 6 and not is_code(value.text)
                else None
            )
    return None


def _hit(view: View, label: Label, value: Value, strict: bool) -> Find | None:
    """The value as a find when it passes the checks of its label; `strict` where only a generated look tells it."""
    text = value.text
    if is_placeholder(text) or (not value.quoted and is_code(text)):
        return None
    if view.text.startswith("//", value.start) or compiled(r"[a-z]{3,8}://").match(text):
        return None  # an address: `password: https://…/reset`
    if _USER_INFO.search(view.text, max(0, label.start - 80), label.start):
        return None  # the user name of an address, which `url_secret` takes apart
    if label.strength == "phrase" and not value.quoted:
        return _phrase(view, value)
    if text.islower() and text.isalpha() and _OBJECT.search(view.fold, max(0, label.start - 8), label.start):
        return None  # `self.password = user`
    if not _fits(view, label, value, strict):
        return None
    end = value.end
    if end - value.start >= RUN_MAX and not value.quoted:
        end = compiled(r"[^\s\x01]*").match(view.text, end).end()  # type: ignore[union-attr]  # matches always
    return Find(value.start, end, "password")


def _fits(view: View, label: Label, value: Value, strict: bool) -> bool:
    text = value.text
    if label.strength == "pin":
        bare = text.replace(" ", "").replace("-", "")
        return (bare.isdigit() and 4 <= len(bare) <= 12) or (
            not strict and is_strong(text) and len(text) >= 4 and bare.isalnum()
        )
    if label.strength == "key":
        token = view.fold.startswith("token", label.start) and view.text[label.start - 1 : label.start] not in (
            "_",
            "-",
        )
        least = TOKEN_LEAST if token else KEY_LEAST
        if len(text) < least or (token and UUID.fullmatch(text)):
            return False
        if text.isdigit():
            return not token and len(text) >= KEY_LEAST
        return looks_random(text.replace("-", "").replace("_", "")) or (is_strong(text) and not token and not strict)
    if label.strength == "weak":
        named = view.text[label.start - 1 : label.start] in ("_", "-", '"', "'", ".") or (
            view.text[label.start].isupper() and label.start > 0 and view.text[label.start - 1].islower()
        )
        short = view.fold.startswith(("pwd", "psk", "mdp"), label.start)
        if not strict and (named or short or value.quoted) and len(text) >= 4 and not is_prose(view, value):
            return not text.isdigit() or len(text) >= 6 or short
        return is_strong(text) and len(text) >= 5
    if strict:
        return is_strong(text) or (text.isdigit() and len(text) >= 4)
    return len(text) >= 2 and not is_prose(view, value)


def _phrase(view: View, value: Value) -> Find | None:
    """Several words behind "passphrase:": the rest of the line, unless it is an instruction."""
    end = line_end(view.text, value.start)
    words = view.text[value.start : end].split()
    told = {"must", "should", "enter", "your", "the", "for", "is", "to", "required", "a", "an", "und", "die", "der"}
    if len(words) >= 3 and told & {word.lower() for word in words}:
        return None
    return Find(value.start, value.start + len(view.text[value.start : end].rstrip()), "password")
