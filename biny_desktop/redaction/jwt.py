"""JSON web tokens: three parts, the header decodes to JSON or a label stands before it (spec 02 §8, type `jwt`)."""

import base64
import binascii
import json
from collections.abc import Iterator
from typing import Final

from biny_desktop.redaction.finding import Find, compiled, looks_random
from biny_desktop.redaction.view import View

_PART = r"[A-Za-z0-9_\-|]+"
_LABELS = ("bearer", "token", "jwt", "sesslon", "authorlzatlon", "cookle", "ld_token")
_LABEL_REACH: Final = 40
"""How many characters before the token a label may stand."""

_PARTS_MAX: Final = 5
"""Parts of an encrypted token; a signed one has three."""

_LEAST: Final = 40
"""Least characters of a token; a header alone has about 36 and tells nothing."""


def find(view: View) -> Iterator[Find]:
    """All JSON web tokens of the view, with spaces or line ends round the dots or inside the parts."""
    place = view.fold.find("eyj")
    while place >= 0:
        end = place + 1
        if not place or not (view.text[place - 1].isalnum() and view.text[place - 1].isascii()):
            parts, last = _read(view.text, place)
            if len(parts) >= 2 and sum(map(len, parts)) >= _LEAST and _accepted(view, place, parts):
                yield Find(place, last, "jwt")
                end = last
        place = view.fold.find("eyj", end)


def _read(text: str, start: int) -> tuple[list[str], int]:
    """The parts of the token at `start` without gaps, and where it ends."""
    run, dot = compiled(_PART), compiled(r"\s?[.,]\s?")
    gap = compiled(r" ?\n ?| ")
    parts, end = [""], start
    while True:
        found = run.match(text, end)
        if found is None:
            return [part for part in parts if part], end
        parts[-1] += found.group()
        end = found.end()
        joint = dot.match(text, end)
        follows = run.match(text, joint.end()) if joint else None
        if joint and follows and len(parts) < _PARTS_MAX and _goes_on(follows.group(), joint.group()):
            parts.append("")
            end = joint.end()
            continue
        space = gap.match(text, end)
        piece = run.match(text, space.end()) if space else None
        if space is None or piece is None or not _piece(piece.group(), len(parts)):
            return parts, end
        end = space.end()


def _goes_on(chunk: str, joint: str) -> bool:
    """Whether the run behind a dot is the next part; after a bare dot a short one may still grow over a gap."""
    return (len(chunk) >= 8 and (chunk[:2] == "ey" or looks_random(chunk.replace("-", "").replace("_", "")))) or (
        joint == "." and len(chunk) >= 4
    )


def _piece(chunk: str, parts: int) -> bool:
    """Whether a run behind a gap belongs to the part being read."""
    return len(chunk) >= (6 if parts < 3 else 8) and looks_random(chunk.replace("-", "").replace("_", ""))


def _accepted(view: View, start: int, parts: list[str]) -> bool:
    """The check of the table; two parts that both begin like JSON also tell a damaged token."""
    if _decodes(parts[0]) or (view.fold.startswith("eyj", start) and parts[1][:2] == "ey"):
        return True
    before = view.fold[max(0, start - _LABEL_REACH) : start]
    return len(parts) >= 3 and any(label in before for label in _LABELS)


def _decodes(part: str) -> bool:
    """Whether the part is base64url of a JSON object."""
    try:
        value = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (binascii.Error, ValueError):
        return False
    return isinstance(value, dict)
