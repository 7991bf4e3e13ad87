"""Whether a path that came from outside may be used at all: by its letters alone, before any disk is asked.

Rows 1 to 9 of spec 06 §13 in their order; the first that fails wins. What is accepted is the normal form: relative,
with `/` between segments, NFC, without anything that a file system would read in another way. Row 11 is `real_paths`.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, Literal, NoReturn

from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import mark

Reason = Literal[
    "empty", "too_long", "encoding", "double_encoding", "control", "lookalike", "absolute", "drive", "colon", "escape",
    "hidden", "trailing", "char", "short_name", "reserved", "outside", "directory", "extension", "protected", "link",
    "case",
]  # fmt: skip
"""The reason words of the table; `outside` to `protected` are of row 10, which belongs to the vault."""
RAW_MAX: Final = 512
"""Characters as given (row 1)."""
SEGMENT_BYTES_MAX: Final = 120
PATH_BYTES_MAX: Final = 240
"""Bytes in UTF-8 (row 9)."""
_ESCAPED: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_REFUSED_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Row 3; line and paragraph separators are controls in all but name."""
_MEANT: Final = "/\\:.~%"
"""Characters with a meaning in paths: no other form of a text may have more or fewer of them (row 4)."""
_SLASHES: Final = frozenset("\u2215\u2044\u29f8\u29f5\u2216")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_CHARS: Final = frozenset('<>"|?*')
_SHORT_NAME: Final = re.compile(r"~\d")
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)
_TITLE: Final = mark("The path is refused")
_HINT: Final = mark("Name a file inside the folder by its plain path.")
_WORDS: Final[Mapping[Reason, str]] = {
    "empty": mark("No path is named."),
    "too_long": mark("The path is too long."),
    "encoding": mark("The path holds a % code that is no UTF-8."),
    "double_encoding": mark("The path is percent-encoded twice."),
    "control": mark("The path holds a character that is not shown."),
    "lookalike": mark("The path holds a character that only looks like one of / \\ : . ~ %."),
    "absolute": mark("The path is absolute."),
    "drive": mark("The path names a drive."),
    "colon": mark("The path holds a colon."),
    "escape": mark("The path leads out of its folder."),
    "hidden": mark("A part of the path begins with a dot or a tilde."),
    "trailing": mark("A part of the path begins or ends with a blank, or ends with a dot."),
    "char": mark('The path holds one of < > " | ? *.'),
    "short_name": mark("The path holds a short name of Windows."),
    "reserved": mark("A part of the path is the name of a device on Windows."),
    "outside": mark("The path is outside of what may be used."),
    "directory": mark("This is a folder, not a file."),
    "extension": mark("Files of this kind are not used here."),
    "protected": mark("This file is kept by the program itself."),
    "link": mark("There is a link or a special file on the way."),
    "case": mark("There is something of the same name in other letters."),
}


class PathRefusedError(BinyError):
    """A path is not used; `reason` is a word of the table in spec 06 §13."""

    kind = "path_refused"

    def __init__(self, reason: Reason) -> None:
        super().__init__(_TITLE, _WORDS[reason], _HINT)
        self.reason: Reason = reason


def refuse_path(reason: Reason) -> NoReturn:
    """Raises PathRefusedError with that reason."""
    raise PathRefusedError(reason)


def check_path(raw: object) -> str:
    """The normal form of a relative path, or the reason why there is none (spec 06 §13, rows 1 to 9).

    Args:
        raw: whatever was given as a path.

    Raises:
        PathRefusedError: with the reason of the first row that fails.
    """
    text = _lettered(_decoded(_given(raw)))
    text = _anchored(text.replace("\\", "/"))
    segments = _resolved(text)
    for segment in segments:
        _check_form(segment)
    for segment in segments:
        _check_name(segment)
    path = "/".join(segments)
    if len(path.encode()) > PATH_BYTES_MAX:
        refuse_path("too_long")
    return path


def _given(raw: object) -> str:
    """Row 1."""
    if not isinstance(raw, str) or not raw.strip():
        refuse_path("empty")
    if len(raw) > RAW_MAX:
        refuse_path("too_long")
    return raw


def _decoded(raw: str) -> str:
    """Row 2."""
    if "%" in _ESCAPED.sub("", raw):
        refuse_path("encoding")
    try:
        text = _ESCAPED.sub(lambda codes: bytes.fromhex(codes.group().replace("%", "")).decode("utf-8"), raw)
    except UnicodeDecodeError:
        refuse_path("encoding")
    if _ESCAPE.search(text):
        refuse_path("double_encoding")
    return text


def _lettered(text: str) -> str:
    """Rows 3 and 4."""
    if any(unicodedata.category(char) in _REFUSED_CATEGORIES for char in text):
        refuse_path("control")
    other = unicodedata.normalize("NFKC", text)
    if any(text.count(char) != other.count(char) for char in _MEANT) or not _SLASHES.isdisjoint(text):
        refuse_path("lookalike")
    return unicodedata.normalize("NFC", text)


def _anchored(text: str) -> str:
    """Rows 5 and 6."""
    if text.startswith("/"):
        refuse_path("absolute")
    if _DRIVE.match(text):
        refuse_path("drive")
    if ":" in text:
        refuse_path("colon")
    return text


def _resolved(text: str) -> list[str]:
    """Row 7."""
    segments: list[str] = []
    for segment in text.split("/"):
        if segment == "..":
            if not segments:
                refuse_path("escape")
            segments.pop()
        elif segment not in ("", "."):
            segments.append(segment)
    if not segments:
        refuse_path("empty")
    return segments


def _check_form(segment: str) -> None:
    """Row 8."""
    if segment[0] in ".~":
        refuse_path("hidden")
    if segment != segment.strip() or segment.endswith("."):
        refuse_path("trailing")
    if not _CHARS.isdisjoint(segment):
        refuse_path("char")


def _check_name(segment: str) -> None:
    """Row 9."""
    if _SHORT_NAME.search(segment):
        refuse_path("short_name")
    stem = unicodedata.normalize("NFKC", segment.partition(".")[0]).casefold().strip()
    if stem in _DEVICES:
        refuse_path("reserved")
    if len(segment.encode()) > SEGMENT_BYTES_MAX:
        refuse_path("too_long")
