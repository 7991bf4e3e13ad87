"""Secrets in addresses: the password before the host, secret query and fragment values, one-time links.

Spec 02 §8, type `url_secret`. The address is taken apart by the marks of RFC 3986, each may carry a space of OCR
damage. `stored_url` is the form in which an address is kept.
"""

import re
from collections.abc import Iterator
from typing import Final

from biny_desktop.redaction.finding import HEX, Find, compiled, gather, is_mask, looks_random
from biny_desktop.redaction.placeholders import is_placeholder
from biny_desktop.redaction.view import HIDDEN, View

URL_MAX: Final = 2_048
"""Longest stored address in characters (spec 02 §8)."""

_ALWAYS = (
    r"(?:[\w\-.\[\]]{0,32}[_\-.\[])?(?:token|secret|passw(?:or)?d|pwd|signature|sig|api_?key|apikey|credential"
    r"|password\]?)|accesstoken"
    r"|authtoken|idtoken|refreshtoken|clientsecret|sas|jwt|samlresponse|samlrequest|assertion|code_verifier"
    r"|oauth_verifier"
    r"|jsessionid|phpsessid|sessionid|session_id|sess(?:ion)?_?key|sid|access_key|private_key|secret_key|authkey"
    r"|auth_key"
    r"|pass|passphrase|otp|subscription-key|x-functions-key|[a-z]*token|[a-z]*passw(?:or)?d|[a-z]*secret"
)
"""Names whose value is a secret whatever it is."""

_LONG = {
    "code": 6,
    "key": 8,
    "auth": 8,
    "session": 8,
    "ticket": 12,
    "hash": 16,
    "invite": 8,
    "magic": 8,
    "reset": 8,
    "k": 24,
}
"""Names that also carry harmless values: hidden from this many characters on."""

_LINK = (
    r"(?:reset(?:[_\-]?password)?|password[_\-]?reset|verify(?:[_\-]?email)?|confirm(?:ation)?|activate|activation"
    r"|invite|invitation"
    r"|magic(?:[_\-]?link)?|token|unsubscribe|recover(?:y)?|one[_\-]?time|login[_\-]?link|share|s)"
)
_AUTHORITY = r": ?// ?"


def find(view: View) -> Iterator[Find]:
    """All address secrets of the view."""
    if "//" in view.text:
        yield from _passwords(view)
        yield from _links(view)
    if "=" in view.text and ("?" in view.text or "&" in view.text or "#" in view.text or "？" in view.text):
        yield from _values(view)


def _passwords(view: View) -> Iterator[Find]:
    """The password of `scheme://user:password@host`; it reaches to the last `@` before the path."""
    for scheme in compiled(_AUTHORITY).finditer(view.text):
        if not view.text[max(0, scheme.start() - 2) : scheme.start()].rstrip(" ")[-1:].isalnum():
            continue
        user = compiled(rf"[^\s/?#\"'<>@:{HIDDEN}]* ?: ?(?=[^\s/@])").match(view.text, scheme.end())
        if user is None:
            continue
        rest = compiled(rf"[^\s/?#\"<>{HIDDEN}]+ ?\n?@ ?(?=[\w\[])").match(view.text, user.end())
        rest = rest or compiled(rf"[^\s\"<>@{HIDDEN}]+ ?@(?=[\w.\-]+(?::\d+)?(?:/|\s|$))").match(view.text, user.end())
        if rest is None:
            continue
        value = rest.group().rstrip(" @\n")
        if value and not is_placeholder(value):
            yield Find(user.end(), user.end() + len(value), "url_secret")


def _values(view: View) -> Iterator[Find]:
    """Values of secret names in a query or fragment, and in `;name=` parameters of a path."""
    always = compiled(_ALWAYS, re.IGNORECASE)
    for head in compiled(r"[?&#;？](?:amp;)? ?([\w\-.\[\]]{1,48}) ?= ?").finditer(view.text):
        name = head.group(1).lower()
        if head.group()[0] == ";" and not name.startswith("jsess"):
            continue
        value = compiled(rf"[^\s&#\"'<>`，。；{HIDDEN}]+").match(view.text, head.end())
        if value is None:
            continue
        least = 3 if always.fullmatch(name) else _LONG.get(name, 0)
        shown = value.group().rstrip(").,;]}")
        if not least or len(shown) < least or is_placeholder(shown) or is_mask(shown):
            continue
        end = head.end() + len(shown)
        if view.text[end : end + 1] in (" ", "\n") and looks_random(shown):
            end = max(end, gather(view.text, head.end(), r"A-Za-z0-9%_\-.~+/=|", 0)[1])
        yield Find(head.end(), end, "url_secret")


def _links(view: View) -> Iterator[Find]:
    """The random path part of a one-time link: `/reset/e964e78e…`."""
    for head in compiled(rf"/{_LINK}/(?=[A-Za-z0-9_\-=.]{{16}})", re.IGNORECASE).finditer(view.text):
        body, end = gather(view.text, head.end(), r"A-Za-z0-9_\-=.", 0)
        bare = body.replace("-", "").replace("_", "")
        if looks_random(bare) or (HEX.fullmatch(bare) and len(bare) >= 20):
            yield Find(head.end(), end, "url_secret")


def stored_url(raw: str) -> str:
    """The address without user info, query and fragment; of `data:` and `javascript:` only the scheme."""
    text = raw.strip()
    scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.\-]*):", text)
    if scheme and scheme.group(1).lower() in ("data", "javascript", "blob", "view-source"):
        inner = text[scheme.end() :]
        return scheme.group() + (stored_url(inner) if scheme.group(1).lower() in ("blob", "view-source") else "")
    text = re.split(r"[?#？＃]", text, maxsplit=1)[0]
    before, mark, after = text.partition("//")
    if mark and (not before or before.endswith(":")):
        host, slash, path = after.partition("/")
        return before + mark + host.rpartition("@")[2] + slash + path
    return text
