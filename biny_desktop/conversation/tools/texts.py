"""Bytes of files as text, text as bytes of the same kind as before, and what changed between two texts."""

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Final

from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import Redactor

_BOM: Final = b"\xef\xbb\xbf"
_CONTEXT: Final = 3
"""Unchanged lines around a change."""
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Characters that would show a line as another one than it is."""
_NO_END: Final = "\\ No newline at the end of the file"


def text_of(data: bytes) -> str:
    """A file as text with plain line ends.

    Raises:
        InvalidInputError: it is binary, or no UTF-8.
    """
    body = data.removeprefix(_BOM)
    if b"\x00" in body:
        raise InvalidInputError("This is a binary file", "Only text is read and written.")
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInputError("This is no UTF-8 text", "Only UTF-8 is read and written.") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bytes_of(text: str, before: bytes | None) -> bytes:
    """A text as a file, with the line ends and the byte order mark of the one that it replaces."""
    data = text.replace("\r\n", "\n").encode("utf-8")
    if before is None:
        return data
    if b"\r\n" in before and before.count(b"\r\n") == before.count(b"\n"):
        data = data.replace(b"\n", b"\r\n")
    return _BOM + data if before.startswith(_BOM) else data


def diff(path: str, before: str | None, after: str, redactor: Redactor) -> RedactedText:
    """Every change between two texts as a unified diff, secrets hidden, characters that are not shown made visible.

    Args:
        path: as it is named; before: None where there was no file.
    """
    old, new = _lines(before or ""), _lines(after)
    if before is None:
        body: Iterable[str] = ["--- /dev/null", f"+++ {path}", *_hunk(len(new)), *(f"+{line}" for line in new)]
    else:
        body = difflib.unified_diff(old, new, path, path, n=_CONTEXT, lineterm="")
    return redactor.redact([_UNSEEN.sub(_visible, line) for line in body]).text


def _hunk(lines: int) -> Iterator[str]:
    if lines:
        yield f"@@ -0,0 +1,{lines} @@"


def _lines(text: str) -> list[str]:
    """Lines as they are compared; the last one says when it does not end."""
    lines = text.split("\n")
    if lines[-1] == "":
        return lines[:-1]
    return [*lines[:-1], f"{lines[-1]}\n{_NO_END}"]


def _visible(found: re.Match[str]) -> str:
    return f"<U+{ord(found.group()):04X}>"
