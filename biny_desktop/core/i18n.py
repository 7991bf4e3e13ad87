"""Text for people in their language: gettext with the catalogues shipped as resources.

`_` and `ngettext` look the catalogue up at every call, so the language can be changed while the app runs. Strings at
module level are marked with `mark` and translated where they are shown. Without a catalogue English is used.
"""

import gettext
import locale
import os
from collections.abc import Iterable
from typing import Final, Literal

from biny_desktop.core.resources import resource

DOMAIN = "biny"
_FULL_WIDTH: Final = tuple("。，、；：？！）】」』”…")
"""Marks that bring the space behind them along."""
Language = Literal["en", "zh_CN"]
_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language: Language = "en"


def use_language(choice: str) -> Language:
    """Speak that language from now on; returns the one chosen.

    Args:
        choice: "en", "zh_CN", or "system" (the session's language; Chinese of any kind gives zh_CN, all else English).
    """
    global _catalogue, _language
    _language = _system_language() if choice == "system" else ("zh_CN" if choice == "zh_CN" else "en")
    if _language == "en":
        _catalogue = gettext.NullTranslations()
    else:
        _catalogue = gettext.translation(DOMAIN, resource("translations"), [_language], fallback=True)
    return _language


def language() -> Language:
    """The language spoken now."""
    return _language


def _(text: str) -> str:
    """The text in the language spoken now."""
    return _catalogue.gettext(text)


def ngettext(one: str, many: str, n: int) -> str:
    """The text for that number; `{n}` in it is left for the caller."""
    return _catalogue.ngettext(one, many, n)


def mark(text: str) -> str:
    """Marks a string for the catalogue without translating it now (xgettext keyword `mark`)."""
    return text


def comma() -> str:
    """What stands between the members of a list, with the space that belongs to it."""
    return _(", ")


def listed(parts: Iterable[str]) -> str:
    """The parts as a list in running text; empty ones are left out."""
    return comma().join(part for part in parts if part)


def sentences(*parts: str) -> str:
    """Whole sentences as running text; no space follows a full-width mark, and empty parts are left out."""
    text = ""
    for part in parts:
        text += f" {part}" if text and part and not text.endswith(_FULL_WIDTH) else part
    return text


def _system_language() -> Language:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "zh_CN" if value.lower().startswith("zh") else "en"
    return "zh_CN" if (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"
