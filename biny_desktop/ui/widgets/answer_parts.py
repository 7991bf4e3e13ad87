"""Cuts the Markdown of an answer into prose and fenced code, and prose that still grows into finished pieces; pure."""

import re
from dataclasses import dataclass
from typing import Final, Literal

PIECE_CHARS: Final = 4_000
"""Prose that grows is cut at a line end after so many characters, so that laying out its end stays cheap."""
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of an answer that begins at the character `start`; `text` of code is without its fences."""

    kind: Literal["prose", "code"]
    text: str
    language: str = ""
    start: int = 0


def parts_of(markdown: str, *, growing: bool = False) -> tuple[Part, ...]:
    """Prose and code, in order; code in lists and quotes stays prose, a fence without an end reaches to the end.

    Args:
        growing: more will come: prose is also cut at empty lines, so that only the last part can still change.
    """
    parts: list[Part] = []
    lines: list[str] = []
    fence: re.Match[str] | None = None
    start = place = 0

    def cut(kind: Literal["prose", "code"]) -> None:
        text = "".join(lines)
        if kind == "code" or text.strip():
            language = fence[2].strip().split(" ")[0] if fence is not None else ""
            parts.append(Part(kind, text.rstrip("\n"), language, start))
        lines.clear()

    for line in _LINE.findall(markdown):
        found = _FENCE.match(line.rstrip("\r\n"))
        if fence is None and found is not None and not (found[1][0] == "`" and "`" in found[2]):
            cut("prose")
            fence, start = found, place
        elif fence is not None and found is not None and _closes(found, fence):
            cut("code")
            fence, start = None, place + len(line)
        elif fence is None and growing and _ends(line, lines):
            cut("prose")
            lines.append(line)
            start = place
        else:
            lines.append(line)
        place += len(line)
    if lines or fence is not None:
        cut("prose" if fence is None else "code")
    return tuple(parts)


def _closes(found: re.Match[str], opening: re.Match[str]) -> bool:
    return found[1][0] == opening[1][0] and len(found[1]) >= len(opening[1]) and not found[2].strip()


def _ends(line: str, before: list[str]) -> bool:
    """Whether a piece of growing prose is finished before this line."""
    if not before:
        return False
    empty_line = not before[-1].strip() and bool(line.strip()) and not line.startswith((" ", "\t"))
    return empty_line or sum(map(len, before)) > PIECE_CHARS
