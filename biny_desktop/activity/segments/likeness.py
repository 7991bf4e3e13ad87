"""Whether what is in front now goes on with what a segment is about: title words and names of projects in them."""

import functools
import re
from typing import Final

from biny_desktop.core.text import bigrams, normalise, split_runs

ALIKE: Final = 0.25
"""Jaccard of title words from which on titles are alike (spec 03 §2 rule 7)."""
_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
_PARTS: Final = re.compile(r"\s+[-–—|·•:]\s+|\s+at\s+|:\s+")
_PATHS: Final = re.compile(r"[/\\]+")
_FILE: Final = re.compile(r"^([\w][\w.+-]*)\.([a-z][a-z0-9]{0,4})$")
_NAME: Final = re.compile(r"^[\w][\w.+-]{2,}$")
_NAME_MIN: Final = 3
_COMMON: Final = frozenset(
    [
        "home",
        "users",
        "user",
        "documents",
        "desktop",
        "downloads",
        "src",
        "lib",
        "bin",
        "usr",
        "var",
        "tmp",
        "opt",
        "etc",
        "mnt",
        "media",
        "main",
        "master",
        "dev",
        "readme",
        "index",
        "new",
        "tab",
        "untitled",
        "unnamed",
        "inbox",
        "search",
        "settings",
        "preferences",
        "welcome",
        "start",
        "loading",
        "error",
        "google",
        "github",
        "gitlab",
        "com",
        "org",
        "net",
        "www",
        "http",
        "https",
        "file",
        "files",
        "the",
        "and",
        "for",
        "with",
        "from",
        "page",
        "edit",
        "view",
        "open",
    ]
)
"""Words that many titles share without being about the same thing."""


@functools.lru_cache(maxsize=4_096)
def title_words(title: str, app_name: str) -> frozenset[str]:
    """The words of a title without those of the app's own name; CJK runs as pairs of characters."""
    words: set[str] = set()
    for cjk, run in split_runs(normalise(title)):
        words.update(bigrams(run) if cjk else _WORD.findall(run))
    return frozenset(words - set(_WORD.findall(normalise(app_name))))


@functools.lru_cache(maxsize=4_096)
def project_words(title: str, url: str, app_name: str) -> frozenset[str]:
    """Names of documents, folders and repositories that a title or an address holds: `notes.md – biny` gives
    `notes.md`, `biny`; a path its parts; the address of a repository its name."""
    own = set(_WORD.findall(normalise(app_name)))
    found: set[str] = set()
    for part in _PARTS.split(normalise(title)):
        words = part.split()
        for word in words:
            pieces = [each.strip("[](){}<>\"'“”,;*●~") for each in _PATHS.split(word)]
            in_path = len(pieces) > 1
            found.update(piece for piece in pieces if _FILE.match(piece) or (in_path and _NAME.match(piece)))
        if len(words) == 1 and _NAME.match(words[0]):
            found.add(words[0])
    if "://" in url:
        found.update(piece for piece in _PATHS.split(normalise(url).split("://", 1)[1])[1:] if _NAME.match(piece))
    return frozenset(word for word in found if _tells(word, own))


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of title words have enough in common."""
    if not one or not other:
        return False
    common = len(one & other)
    return common > 0 and common >= ALIKE * len(one | other)


def _tells(word: str, own: set[str]) -> bool:
    """Whether a name says something: not a number, not common, not the app itself."""
    return len(word) >= _NAME_MIN and not word.isdigit() and word not in _COMMON and word not in own
