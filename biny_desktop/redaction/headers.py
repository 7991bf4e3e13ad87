"""Secrets in HTTP headers: `Authorization` values and session cookies (spec 02 §8, type `token`)."""

import re
from collections.abc import Iterator

from biny_desktop.redaction.finding import Find, compiled, gather, is_mask, line_start, looks_random
from biny_desktop.redaction.view import View

_CREDENTIAL = r"A-Za-z0-9_\-.~+/=|"
_SESSION_NAME = (
    r"(?:.*[_.\-])?(?:sess(?:ion)?[_\-]?(?:id|key|token)?|[hs]?s[il1]d|auth|jwt|[a-z]*token|remember_me|user_session)"
    r"|phpsessid|jsessionid|asp\.net_session[il1]d|aspsession.*|(?:ap|sap)isid|csrftoken|\.aspxauth|__(?:secure"
    r"|host)-.*|li_at"
)
"""Cookie names that carry a login."""

_VALUE = r"A-Za-z0-9%_\-.~+/=|:"
_HINTS = ("sld", "sess", "auth", "token", "jwt", "remember", "__secure", "__host", "ll_at")


def find(view: View) -> Iterator[Find]:
    """All header secrets of the view."""
    yield from _authorization(view)
    yield from _cookies(view)


def _authorization(view: View) -> Iterator[Find]:
    """`Bearer` with at least 16 characters, and the other schemes behind the header's name."""
    if "bearer" in view.fold:
        for head in compiled(r"\bbearer\b[ :\n\"']{1,3}", re.IGNORECASE).finditer(view.text):
            yield from _credential(view, head.end())
    if "orlzatlon" in view.fold:
        pattern = r"authori[sz]ation\b[\"'\]]* ?[:=] ?[\"']?(?:(?:basic|token|apikey|digest|key|bot) )?"
        for head in compiled(pattern, re.IGNORECASE).finditer(view.text):
            yield from _credential(view, head.end())


def _credential(view: View, start: int) -> Iterator[Find]:
    body, end = gather(view.text, start, _CREDENTIAL, 0)
    if len(body) >= 16 and looks_random(body.replace("-", "").replace("_", "")) and not is_mask(body):
        yield Find(start, end, "token")


def _cookies(view: View) -> Iterator[Find]:
    """Values of session cookies, on any line: `sessionid=3c76…`; other cookies of the line stay."""
    if "=" not in view.text or not any(hint in view.fold for hint in _HINTS):
        return
    session = compiled(_SESSION_NAME, re.IGNORECASE)
    for head in compiled(r"= ?\"?(?=[A-Za-z0-9%])").finditer(view.text):
        name = compiled(r"(?<![\w?&#.\-])[\w.\-]{2,40}(?= ?$)").search(
            view.text, max(0, head.start() - 42), head.start()
        )
        if not name or not session.fullmatch(name.group()):
            continue
        body, end = gather(view.text, head.end(), _VALUE, 0)
        cookie_line = "cookle" in view.fold[line_start(view.fold, head.start()) : head.start()]
        if len(body) >= 8 and (cookie_line or _generated(body)) and not is_mask(body):
            yield Find(head.end(), end, "token")


def _generated(value: str) -> bool:
    """Whether a cookie-like value outside a cookie line was generated: long, with digits and letters."""
    return len(value) >= 16 and looks_random(value.replace("-", "").replace("_", ""))
