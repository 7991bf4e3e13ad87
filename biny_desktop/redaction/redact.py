"""The redactor: raw lines in, `RedactedText` out, secrets of every kind replaced (spec 02 §8).

All lines are read as one text, so a secret may span a line end. Passes repeat until one finds nothing; what is hidden
is one opaque character to the next pass, exactly as a placeholder in the input is. Redacting a result again therefore
starts where the first run ended and changes nothing. Overlapping finds are hidden as one, under the type of the
longest.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from biny_desktop.core.text import RedactedText, clean
from biny_desktop.redaction import (
    card,
    command,
    contact,
    entropy,
    headers,
    iban,
    id_number,
    jwt,
    otp,
    password,
    private_key,
    tokens,
    url_secret,
)
from biny_desktop.redaction.custom import CustomRules
from biny_desktop.redaction.finding import Find
from biny_desktop.redaction.result import PLACEHOLDER, TYPES, Redaction, RedactionOptions, Span, placeholder
from biny_desktop.redaction.url_secret import URL_MAX, stored_url
from biny_desktop.redaction.view import View, build

_ALWAYS: tuple[Callable[[View], Iterator[Find]], ...] = (
    private_key.find,
    jwt.find,
    tokens.find,
    headers.find,
    url_secret.find,
    password.find,
    command.find,
    otp.find,
    card.find,
    iban.find,
    id_number.find,
    entropy.find,
)


class _Mask(NamedTuple):
    """A hidden range of the cleaned text; `old` when the input already held the placeholder."""

    start: int
    end: int
    type: str
    old: bool


class Redactor:
    """Hides secrets in text. Pure apart from switching off a slow custom pattern; threads may share one."""

    def __init__(self, settings: RedactionOptions) -> None:
        """Take the options. Raises InvalidSettingError for a custom pattern that `check_custom` refuses."""
        self._custom = CustomRules(settings.custom)
        optional = [
            *([contact.find_emails] if settings.email else []),
            *([contact.find_phones] if settings.phone else []),
            *([self._custom.find] if settings.custom else []),
        ]
        self._detectors = (*_ALWAYS, *optional)

    def redact(self, lines: Sequence[str]) -> Redaction:
        """Hide the secrets of a text given line by line (reading order).

        Returns a redaction with as many lines as were given; spans are character offsets into the given lines.
        """
        cleaned = [clean(line) for line in lines]
        text = "\n".join(cleaned)
        masks = self._masks(text)
        starts = list(accumulate((len(line) + 1 for line in cleaned), initial=0))
        out: list[RedactedText] = []
        spans: list[Span] = []
        pieces = _pieces(text, masks)
        place = 0
        for number, (raw, line) in enumerate(zip(lines, cleaned, strict=True)):
            first = starts[number]
            back = _clean_map(raw, line)
            parts: list[str] = []
            done = 0
            while place < len(pieces) and pieces[place].start < first + len(line):
                piece = pieces[place]
                low, high = piece.start - first, piece.end - first
                parts += [line[done:low], placeholder(piece.type)]
                done = high
                if not piece.old:
                    spans.append(Span(number, back[low] if back else low, back[high] if back else high, piece.type))
                place += 1
            out.append(RedactedText("".join(parts) + line[done:]))
        counts = Counter(mask.type for mask in masks if not mask.old)
        return Redaction(RedactedText("\n".join(out)), tuple(out), tuple(spans), MappingProxyType(dict(counts)))

    def redact_line(self, raw: str) -> Redaction:
        """Hide the secrets of one title, name or message."""
        return self.redact([raw])

    def redact_url(self, raw: str) -> Redaction:
        """The stored form of an address: no user info, query or fragment, secret path parts hidden, ≤ 2,048 characters.

        Counts and spans are those of the whole address as given, so the inspector tells what it carried.
        """
        whole = self.redact_line(raw)
        kept = self.redact_line(stored_url(clean(raw).replace("\n", ""))).text
        if len(kept) > URL_MAX:
            cut = next((m.start() for m in PLACEHOLDER.finditer(kept) if m.start() < URL_MAX < m.end()), URL_MAX)
            kept = RedactedText(kept[:cut])
        return Redaction(kept, (kept,), whole.spans, whole.counts)

    def plain(self, raw: str) -> RedactedText:
        """Short for `redact_line(raw).text`."""
        return self.redact_line(raw).text

    def _masks(self, text: str) -> list[_Mask]:
        """The hidden ranges of a cleaned text, sorted and disjoint."""
        masks = [_Mask(m.start(), m.end(), m.group(1), old=True) for m in PLACEHOLDER.finditer(text)]
        while True:
            view = build(text, [(piece.start, piece.end) for piece in _pieces(text, masks)])
            found = [find for detect in self._detectors for find in detect(view)]
            fresh = [_Mask(*view.to_origin(find.start, find.end), find.type, old=False) for find in found]
            merged = _merge(text, masks, fresh)
            if merged == masks:
                return masks
            masks = merged


def _pieces(text: str, masks: Sequence[_Mask]) -> list[_Mask]:
    """The masks cut at line ends; pieces of nothing but space are left out."""
    out: list[_Mask] = []
    for mask in masks:
        start = mask.start
        for part in text[mask.start : mask.end].split("\n"):
            if part.strip():
                out.append(mask._replace(start=start, end=start + len(part)))
            start += len(part) + 1
    return out


def _merge(text: str, masks: Sequence[_Mask], fresh: Sequence[_Mask]) -> list[_Mask]:
    """Old and fresh masks with overlaps joined; the longest gives the type. A fresh one inside an old one adds
    nothing."""
    real = [
        mask
        for mask in fresh
        if text[mask.start : mask.end].strip() and not any(m.start <= mask.start and mask.end <= m.end for m in masks)
    ]
    out: list[_Mask] = []
    best = (0, 0)
    for mask in sorted([*masks, *real]):
        if out and mask.start < out[-1].end:
            last = out[-1]
            kind = mask.type if _weight(mask) > best else last.type
            best = max(best, _weight(mask))
            out[-1] = _Mask(last.start, max(last.end, mask.end), kind, last.old and mask.old)
        else:
            out.append(mask)
            best = _weight(mask)
    return out


def _weight(mask: _Mask) -> tuple[int, int]:
    """What decides the type of joined masks: length, then the more telling kind."""
    return mask.end - mask.start, -TYPES.index(mask.type)


def _clean_map(raw: str, cleaned: str) -> list[int] | None:
    """Where each character of the cleaned line stood in the raw one, and its end; None when nothing moved."""
    if len(raw) == len(cleaned):
        return None
    places = [i for i, char in enumerate(raw) if clean(char) and not (char == "\r" and raw[i + 1 : i + 2] == "\n")]
    return [*places, len(raw)]
