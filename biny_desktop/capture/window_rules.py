"""The built-in privacy rules on one window: products, pop-ups, vaults, private browsing, prompts (spec 02 §3.1–3.5)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from biny_desktop.capture.ports import SkipReason, WindowInfo
from biny_desktop.capture.privacy_data import Browser, PrivacyData, Product, fold

POPUP_WIDTH = 520
"""Widest pop-up of a password manager in a browser (logical px, §3.2)."""
PROMPT_WIDTH, PROMPT_HEIGHT = 700, 500
"""Largest window that counts as a dialog by its size (logical px, §3.3)."""
_EXTENSION = re.compile(r"^(?:[a-z-]+-extension|extension)://([^/]*)")


@dataclass(frozen=True, slots=True)
class Hit:
    """A built-in rule said no: which, and for what reason."""

    rule: str
    reason: SkipReason


def app_ids(raw: str) -> tuple[str, ...]:
    """The forms of an app id that lists may name: without folder, `.desktop`, or the second half of a snap's."""
    base = fold(raw).replace("\\", "/").rpartition("/")[2]
    forms = [base]
    if base.endswith(".desktop"):
        forms.append(base.removesuffix(".desktop"))
    if "_" in base:
        forms.append(base.partition("_")[0])
    return tuple(dict.fromkeys(forms))


class WindowRules:
    """The rules of the shipped lists, without those that the user switched off.

    Args:
        data: the lists.
        disabled: ids of built-in rules (`product:bitwarden`) that are off.
    """

    def __init__(self, data: PrivacyData, disabled: frozenset[str] = frozenset()) -> None:
        self._data = data
        self._off = disabled
        self._products = [each for each in data.products if f"product:{each.id}" not in disabled]
        names = "|".join(
            re.escape(name) for name in sorted({n for b in data.browsers for n in b.names}, key=len, reverse=True)
        )
        marks = "|".join(re.escape(mark) for mark in data.marks)
        # `– <browser> (<mark>)`, `– <browser> <mark>`, `[<mark>] – <browser>`; the page's own title may be missing.
        self._private = re.compile(
            rf"(?:(?:^|- ?)(?:{names})(?: ?\( ?(?:{marks}) ?\)| ?\[ ?(?:{marks}) ?\]| (?:- )?(?:{marks}))"
            rf"|\[ ?(?:{marks}) ?\] ?- ?(?:{names}))$"
        )
        self._suffix = re.compile(rf" ?- ?(?:{names})(?: ?[(\[]?(?:{marks})[)\]]?)?$")

    def locks(self, app_id: str) -> bool:
        """Whether that program in front means that the screen is locked (§3.10)."""
        return "lock:programs" not in self._off and any(self._data.lock_apps.match(each) for each in app_ids(app_id))

    def browser(self, app_id: str) -> Browser | None:
        """The browser that this program is."""
        forms = app_ids(app_id)
        return next((b for b in self._data.browsers if any(b.apps.match(each) for each in forms)), None)

    def is_terminal(self, app_id: str) -> bool:
        """Whether it is a terminal program (their windows may be see-through, and their titles show prompts)."""
        return any(self._data.prompts.terminals.match(each) for each in app_ids(app_id))

    def hit(self, window: WindowInfo, scale: float) -> Hit | None:
        """The first built-in rule that says no. `scale`: physical per logical pixel of the window's monitor."""
        title = fold(window.title)
        for found in self._all(window, title, scale):
            if found.rule not in self._off:
                return found
        return None

    def _all(self, window: WindowInfo, title: str, scale: float) -> Iterator[Hit]:
        forms = app_ids(window.app_id)
        for product in self._products:
            if any(product.apps.match(form) or form.startswith(product.prefixes) for form in forms if form):
                yield Hit(f"product:{product.id}", "private_app")
        if window.private_hint == "private":
            yield Hit("private:system", "private_window")
        browser = self.browser(window.app_id)
        if browser is not None:
            yield from self._in_browser(window, browser, title, scale)
        yield from self._prompt(window, title, scale)

    def _in_browser(self, window: WindowInfo, browser: Browser, title: str, scale: float) -> Iterator[Hit]:
        if browser.always_private:
            yield Hit(f"private:{browser.id}", "private_window")
        if self._private.search(title):
            yield Hit("private:title", "private_window")
        page = self._suffix.sub("", title)
        url = window.url or ""
        extension = _EXTENSION.match(url.strip().lower())
        small = window.rect is not None and window.rect.w <= POPUP_WIDTH * scale
        for product in self._data.products:
            known = extension is not None and extension[1] in product.extensions
            if known or ((small or extension is not None) and _names_product(page, product)):
                yield Hit(f"popup:{product.id}", "private_app")
        host, path = _host_and_path(url)
        for vault in self._data.vaults:
            if any(hosts.match(host) and path.startswith(start) for hosts, start in vault.urls):
                yield Hit(f"vault:{vault.id}", "private_url")
            if vault.titles.match(page):
                yield Hit(f"vault:{vault.id}", "private_app")

    def _prompt(self, window: WindowInfo, title: str, scale: float) -> Iterator[Hit]:
        prompts = self._data.prompts
        small = (
            window.rect is not None and window.rect.w <= PROMPT_WIDTH * scale and window.rect.h <= PROMPT_HEIGHT * scale
        )
        if (window.dialog or small) and (
            title.rstrip(" :.…") in prompts.titles or any(phrase in title for phrase in prompts.phrases)
        ):
            yield Hit("prompt:title", "password_prompt")
        if any(phrase in title for phrase in prompts.terminal_phrases) and self.is_terminal(window.app_id):
            yield Hit("prompt:terminal", "password_prompt")


def _names_product(page: str, product: Product) -> bool:
    """The page is titled as the product, or begins with its name and a dash or bar."""
    for name in product.titles:
        if page == name or (page.startswith(name) and page[len(name) :].lstrip()[:1] in ("-", "|")):
            return True
    return False


def _host_and_path(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url.strip() if "://" in url else f"https://{url.strip()}")
        return (parts.hostname or "").rstrip("."), parts.path or "/"
    except ValueError:
        return "", ""
