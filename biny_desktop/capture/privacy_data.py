"""The shipped lists of the privacy rules (`resources/privacy/*.toml`), read once into frozen values."""

import functools
import re
import tomllib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import translate

from biny_desktop.core.resources import resource
from biny_desktop.core.text import clean

FOLD_MAX = 1_200
"""Of longer text only beginning and end are compared, half of this each: marks stand at the end (characters)."""

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―⁃−﹘﹣－⸺⸻"), "-")
_NEVER = re.compile(r"(?!)")


def fold(raw: str) -> str:
    """Text as rules compare it (§3.4): NFKC, format characters out, case folded, dashes unified, spaces joined."""
    text = clean(raw)
    if len(text) > FOLD_MAX:
        text = f"{text[: FOLD_MAX // 2]} {text[-FOLD_MAX // 2 :]}"
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    # U+0307 is what case folding leaves of a Turkish capital I with a dot.
    text = "".join(c for c in text if c != "\u0307" and unicodedata.category(c) != "Cf")
    return " ".join(text.translate(_DASHES).split())


def any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """One pattern for a list of globs (only `*` is special), each over the whole text."""
    parts = [translate(re.sub(r"([\[?])", r"[\1]", fold(each))) for each in patterns]
    return re.compile("|".join(parts)) if parts else _NEVER


@dataclass(frozen=True, slots=True)
class Product:
    """A program whose windows are never recorded; `apps` matches a folded id, `titles` begin its pop-ups."""

    id: str
    name: str
    prefixes: tuple[str, ...]
    apps: re.Pattern[str]
    titles: tuple[str, ...]
    extensions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser; `names` as they end its titles, folded."""

    id: str
    name: str
    apps: re.Pattern[str]
    names: tuple[str, ...]
    always_private: bool


@dataclass(frozen=True, slots=True)
class Vault:
    """A web vault: (host pattern, beginning of the path) pairs and its page titles."""

    id: str
    urls: tuple[tuple[re.Pattern[str], str], ...]
    titles: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Prompts:
    """Titles that ask for a password; `terminals` matches a folded id."""

    phrases: tuple[str, ...]
    titles: frozenset[str]
    terminals: re.Pattern[str]
    terminal_phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrivacyData:
    """All lists; `marks` folded, of all languages."""

    products: tuple[Product, ...]
    browsers: tuple[Browser, ...]
    marks: tuple[str, ...]
    vaults: tuple[Vault, ...]
    prompts: Prompts
    lock_apps: re.Pattern[str]


@functools.cache
def privacy_data() -> PrivacyData:
    """The shipped lists; read on first use."""
    browsers = _read("browsers")
    return PrivacyData(
        products=tuple(_product(each) for each in _rows(_read("products"), "product")),
        browsers=tuple(_browser(each) for each in _rows(browsers, "browser")),
        marks=_folded(_by_language(browsers, "marks")),
        vaults=tuple(_vault(each) for each in _rows(_read("vaults"), "vault")),
        prompts=_prompts(_read("prompts")),
        lock_apps=any_of(_texts(_read("lock"), "apps")),
    )


def _read(name: str) -> dict[str, object]:
    return tomllib.loads(resource("privacy", f"{name}.toml").read_text(encoding="utf-8"))


def _rows(data: dict[str, object], key: str) -> list[dict[str, object]]:
    rows = data[key]
    assert isinstance(rows, list)
    return rows


def _texts(row: dict[str, object], key: str) -> list[str]:
    values = row.get(key, [])
    assert isinstance(values, list)
    return values


def _by_language(data: dict[str, object], key: str) -> list[str]:
    table = data[key]
    assert isinstance(table, dict)
    return [text for texts in table.values() for text in texts]


def _folded(texts: Iterable[str]) -> tuple[str, ...]:
    """Folded, each once, longest first, so that alternations prefer the longer name."""
    return tuple(sorted({fold(each) for each in texts}, key=lambda each: (-len(each), each)))


def _product(row: dict[str, object]) -> Product:
    return Product(
        id=str(row["id"]),
        name=str(row["name"]),
        prefixes=tuple(_texts(row, "prefix")),
        apps=any_of(_texts(row, "apps")),
        titles=_folded(_texts(row, "titles")),
        extensions=frozenset(_texts(row, "extensions")),
    )


def _browser(row: dict[str, object]) -> Browser:
    names = _texts(row, "names")
    return Browser(
        id=str(row["id"]),
        name=names[0],
        apps=any_of(_texts(row, "apps")),
        names=_folded(names),
        always_private=bool(row.get("always_private", False)),
    )


def _vault(row: dict[str, object]) -> Vault:
    urls = [url.partition("/") for url in _texts(row, "urls")]
    return Vault(
        id=str(row["id"]),
        urls=tuple((any_of([host]), slash + path) for host, slash, path in urls),
        titles=any_of(_texts(row, "titles")),
    )


def _prompts(data: dict[str, object]) -> Prompts:
    return Prompts(
        phrases=_folded(_by_language(data, "phrases")),
        titles=frozenset(_folded(_by_language(data, "titles"))),
        terminals=any_of(_texts(data, "terminals")),
        terminal_phrases=_folded(_texts(data, "terminal_phrases")),
    )
