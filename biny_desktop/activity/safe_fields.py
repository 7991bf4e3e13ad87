"""Raw titles, names, addresses and details made storable: redacted, cleaned, cut, with counts of what was hidden."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from biny_desktop.capture.ports import Json, WindowInfo
from biny_desktop.core.text import TITLE_MAX, RedactedText, clean_title
from biny_desktop.redaction import Redactor

Counts = dict[str, dict[str, int]]
"""Field → type of secret → how many were hidden."""

_PLAIN_KEYS: Final = frozenset({"trigger", "source", "input", "input_source", "back_end", "backend", "monitor"})
_PLAIN_WORD: Final = re.compile(r"^[a-z][a-z0-9_]{0,31}$")
_TELLING: Final = ("rule", "app", "window", "title", "url", "pid", "name")
_DEPTH_MAX: Final = 6


@dataclass(frozen=True, slots=True)
class SafeWindow:
    """What of a window may be stored."""

    app_id: RedactedText
    app_name: RedactedText
    title: RedactedText
    url: RedactedText | None


@dataclass
class SafeFields:
    """One row's worth of redaction; `counts` fills as fields pass."""

    redactor: Redactor
    counts: Counts = field(default_factory=dict)

    def window(self, window: WindowInfo) -> SafeWindow:
        """Every text of a window."""
        return SafeWindow(
            self.line("app_id", window.app_id),
            self.line("app_name", window.app_name),
            self.line("title", window.title),
            None if window.url is None else self.url(window.url),
        )

    def line(self, name: str, raw: str) -> RedactedText:
        """One line of text, at most 256 characters a person sees (spec 02 §4.5).

        Redacted as a whole first, so that the cut cannot make a secret unknowable; then once more when it was cut.
        """
        whole = self.redactor.redact_line(raw)
        self._count(name, whole.counts)
        text = clean_title(whole.text, TITLE_MAX)
        return whole.text if text == whole.text else self.redactor.redact_line(text).text

    def url(self, raw: str) -> RedactedText:
        """An address without user info, query and fragment."""
        safe = self.redactor.redact_url(raw)
        self._count("url", safe.counts)
        return safe.text

    def detail(self, name: str, raw: Mapping[str, Json]) -> dict[str, Json]:
        """A JSON object whose strings are redacted and whose numbers are finite."""
        return {self.line(name, str(key)): self._value(name, value, 0) for key, value in raw.items()}

    def _value(self, name: str, value: Json, depth: int) -> Json:
        if depth > _DEPTH_MAX:
            return None
        if isinstance(value, str):
            return self.line(name, value)
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, Mapping):
            return {self.line(name, str(key)): self._value(name, item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._value(name, item, depth + 1) for item in value]
        return value

    def _count(self, name: str, counts: Mapping[str, int]) -> None:
        for kind, count in counts.items():
            by_type = self.counts.setdefault(name, {})
            by_type[kind] = by_type.get(kind, 0) + count


def bare(detail: Mapping[str, Json]) -> dict[str, Json]:
    """What a row about private time may say: numbers and fixed words, nothing that tells which app or rule it was."""
    kept: dict[str, Json] = {}
    for key, value in detail.items():
        if any(part in key.lower() for part in _TELLING):
            continue
        if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
            kept[key] = value
        elif isinstance(value, Mapping):
            kept[key] = bare(value)
        elif key in _PLAIN_KEYS and isinstance(value, str) and _PLAIN_WORD.match(value):
            kept[key] = value
    return kept
