"""Private keys in PEM and PuTTY form, whole or cut off, with damaged marks (spec 02 §8, type `private_key`)."""

import re
from collections.abc import Iterator
from typing import Final

from biny_desktop.redaction.finding import HEX, Find, compiled, line_end, line_start, looks_random
from biny_desktop.redaction.view import View

LINES_MAX: Final = 80
"""Most lines of one key after its header (spec 02 §8)."""

LINES_WITHOUT_DASHES: Final = 3
"""Base64 lines that must follow a header whose dashes are gone (spec 02 §8)."""

_BEGIN = r"beg ?[l]n ?(?:[a-z0-9 ]{0,24}) ?pr ?lvate ?key ?(?:b[l]ock)? ?[-_~=一]*"
_END = r"end ?(?:[a-z0-9 ]{0,24}) ?pr ?lvate ?key ?(?:b[l]ock)? ?[-_~=一]*"
_REACH: Final = 12_288
"""How many characters after the header its end mark is looked for."""

_NOISE = re.compile(r"\\+[nr]|[\"',\\+;> ]|^\s*\d{1,3}(?=\s)")
_BODY = re.compile(r"[A-Za-z0-9+/=|\-_]+")
_HEADER_LINE = re.compile(r"\s*(?:Proc-Type|DEK-Info|Comment|Version|Key-Derivation|Argon2-\w+)\s*:.*", re.IGNORECASE)


def find(view: View) -> Iterator[Find]:
    """All private key blocks of the view, header and end mark included."""
    if "lvate" not in view.fold:
        return
    reached = 0
    for head in compiled(_BEGIN).finditer(view.fold):
        if head.start() < reached or not _is_mark(view, head):
            continue
        start = head.start() - len(_dashes(view.text[max(0, head.start() - 24) : head.start()]))
        end = _body_end(view, head.end(), dashed=start < head.start())
        if end:
            reached = end
            yield Find(start, end, "private_key")
    for tail in compiled(_END).finditer(view.fold):
        if tail.start() >= reached and _is_mark(view, tail):
            yield from _above(view, tail.start(), tail.end())
    yield from _putty(view)


def _dashes(before: str) -> str:
    """The dashes, as OCR may have read them, at the end of what stands before a header."""
    bare = before.removesuffix(" ").rstrip("-_~=一")
    return before[len(bare) :] if len(bare) < len(before.removesuffix(" ")) else ""


def _is_mark(view: View, found: re.Match[str]) -> bool:
    """Whether the words are written in capitals, as in a mark and not in a sentence; an `l` may stand for an I."""
    words = view.text[found.start() : found.end()]
    return sum(char.islower() and char != "l" for char in words) <= 2


def _body_end(view: View, start: int, dashed: bool) -> int:
    """Where the block whose header ends at `start` ends; 0 when it is no block."""
    close = compiled(_END).search(view.fold, start, start + _REACH)
    if close and _is_mark(view, close) and view.text.count("\n", start, close.start()) <= LINES_MAX:
        between = view.text[start : close.start()]
        if dashed or _BODY.search(between):
            return close.end()
    lines, place = 0, start
    while lines < LINES_MAX:
        stop = line_end(view.text, place)
        line = view.text[place:stop]
        if line.strip() and not _is_body(line, first=lines == 0):
            break
        lines += bool(line.strip())
        if stop == len(view.text):
            place = stop
            break
        place = stop + 1
    last = place if place == len(view.text) else place - 1
    while last > start and view.text[last - 1] in " \n":
        last -= 1
    if lines >= LINES_WITHOUT_DASHES or dashed:
        return max(last, start)
    return 0


def _is_body(line: str, first: bool) -> bool:
    """Whether a line is base64 of a key: one run, though OCR may have put spaces into it.

    The first line after the header is the rest of the header's own line, so all of a key may stand there.
    """
    if _HEADER_LINE.fullmatch(line):
        return True
    bare = _NOISE.sub("", line)
    if not _BODY.fullmatch(bare):
        return False
    spaces = line.strip().count(" ")
    if spaces == 0 and not first:
        return len(bare) >= 16 or (bare.endswith("=") and len(bare) >= 4) or (len(bare) >= 4 and looks_random(bare))
    return len(bare) >= 30 and spaces <= len(bare) // 8 and looks_random(bare)


def _above(view: View, start: int, end: int) -> Iterator[Find]:
    """The base64 lines above an end mark whose header has scrolled away."""
    top, lines = line_start(view.text, start), 0
    while lines < LINES_MAX and top > 0:
        above = line_start(view.text, top - 1)
        line = view.text[above : top - 1]
        if not _is_body(line, first=False) or HEX.fullmatch(line.strip()):
            break
        top, lines = above, lines + 1
    if lines or len(view.text[line_start(view.text, start) : start].strip()) >= 30:
        yield Find(top, end, "private_key")


def _putty(view: View) -> Iterator[Find]:
    """The private part of a PuTTY key file."""
    for head in compiled(r"pr[l]vate-[l]+ne[s] ?: ?[\do lsb]{1,3}\n").finditer(view.fold):
        end = head.end()
        while end < len(view.text):
            stop = line_end(view.text, end)
            if not _is_body(view.text[end:stop], first=False):
                break
            end = min(stop + 1, len(view.text))
        if end > head.end():
            last = end if end == len(view.text) else end - 1
            yield Find(head.end(), last, "private_key")
