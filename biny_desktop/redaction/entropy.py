"""Long generated strings next to a word like key, token, secret (spec 02 §8, type `high_entropy`)."""

import re
from collections.abc import Iterator
from typing import Final

from biny_desktop.redaction.finding import HEX, UUID, Find, classes, compiled, entropy_bits, gather, looks_random, wordy
from biny_desktop.redaction.view import View

LENGTH_MIN: Final = 32
CLASSES_MIN: Final = 3
BITS_MIN: Final = 4.0
"""Least length in characters, kinds of characters, and bits a character (spec 02 §8)."""

_REACH: Final = 48
"""How many characters before or behind the string the word may stand."""

_ALPHABET = r"A-Za-z0-9+/_\-=.~"
_WORDS = (
    "key",
    "token",
    "secret",
    "credentlal",
    "schlussel",
    "clave",
    "密钥",
    "密鑰",
    "秘钥",
    "令牌",
    "キー",
    "トークン",
    "키",
    "토큰",
    "ключ",
    "токен",
    "chave",
)
_HASH = re.compile(
    r"sha\d*|sha-?(?:1|2\d\d|3\d\d|512)\W*|md5|lntegrlty|checksum|dlgest|base64|data:|h1:|hash|flngerprlnt|ssh-|ecdsa"
    r"|publlc|certlflcate|commlt"
)


def find(view: View) -> Iterator[Find]:
    """All generated strings that a word nearby calls a key; hashes, ids, inline pictures and names in code stay."""
    if not any(word in view.fold for word in _WORDS):
        return
    for found in compiled(rf"(?<![{_ALPHABET}])[{_ALPHABET}]{{12,}}").finditer(view.text):
        if len(found.group()) < 24 and not looks_random(found.group()):
            continue
        body, end = gather(view.text, found.start(), _ALPHABET, 0)
        if _generated(body) and _named(view, found.start(), end):
            yield Find(found.start(), end, "high_entropy")


def _generated(body: str) -> bool:
    bare = body.rstrip(".=")
    if len(bare) < LENGTH_MIN or HEX.fullmatch(bare) or UUID.search(bare) or classes(bare) < CLASSES_MIN:
        return False
    return (
        entropy_bits(bare) >= BITS_MIN
        and not wordy(bare)
        and _digit_runs(bare) >= 2
        and bare.count("/") <= len(bare) // 12
    )


def _digit_runs(text: str) -> int:
    return len(re.findall(r"\d+", text))


def _named(view: View, start: int, end: int) -> bool:
    """Whether a telling word is near, and nothing near calls it a hash, a picture or a public key."""
    before = view.fold[max(0, start - _REACH) : start]
    after = view.fold[end : end + _REACH // 2]
    close = before[-24:]
    if _HASH.search(close) or view.fold.startswith(("sha", "aaaa"), start) or "base64," in before:
        return False
    return any(word in before or word in after for word in _WORDS)
