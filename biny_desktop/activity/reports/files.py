"""Reports as Markdown files of their own; a `ReportSink` for as long as no vault keeps them.

The program's part stands between two lines; everything else in the file is the user's and stays as it is, byte by byte.
"""

import re
from pathlib import Path
from typing import Final

from biny_desktop.activity.reports.model import ReportKind
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.text import RedactedText
from biny_desktop.storage.atomic import FileOps, RealFileOps, write_atomic
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import check_file, private_folder

BEGIN: Final = b"<!-- biny:report begin (what stands between these two lines is rewritten) -->"
END: Final = b"<!-- biny:report end -->"
# The last complete pair: a begin without an end (the user cut it off) is text of the user's.
_PART: Final = re.compile(
    rb"(?ms)^"
    + re.escape(BEGIN)
    + rb"\r?\n(?:(?!^"
    + re.escape(BEGIN)
    + rb"\r?$).)*?^"
    + re.escape(END)
    + rb"[ \t]*(?:\r?\n|\Z)"
)
_KEYS: Final = {"day": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"), "week": re.compile(r"[0-9]{4}-W[0-9]{2}")}


class MarkdownFiles:
    """Writes `<folder>/2026-03-12.md` and `<folder>/2026-W11.md`. Implements `ReportSink`.

    Args:
        folder: `<config>/memory/reports`; made when it is needed, never through a link.
    """

    def __init__(self, folder: Path, ops: FileOps | None = None) -> None:
        self._folder = folder
        self._ops = ops or RealFileOps()

    def put_report(self, kind: ReportKind, key: str, markdown: RedactedText) -> None:
        """Write or rewrite the program's part; a file that says so already is left alone.

        Raises:
            UnsafePathError: the folder or the file is a link. StorageError: it cannot be written; it is as it was.
        """
        path = self._path(kind, key)
        for folder in (self._folder.parent, self._folder):
            private_folder(folder)
        part = BEGIN + b"\n" + markdown.strip().encode() + b"\n" + END + b"\n"
        old = self._read(path)
        found = _last(old)
        if found is not None:
            new = old[: found.start()] + part + old[found.end() :]
        elif old.strip():
            new = old + (b"" if old.endswith(b"\n") else b"\n") + b"\n" + part
        else:
            new = part
        if new != old:
            write_atomic(path, new, self._ops)

    def drop_report(self, kind: ReportKind, key: str) -> None:
        """Remove the program's part, and the file if nothing of the user's is in it. Raises: as `put_report`."""
        path = self._path(kind, key)
        if not path.parent.exists():
            return
        for folder in (self._folder.parent, self._folder):
            private_folder(folder)
        old = self._read(path)
        found = _last(old)
        if found is None:
            return
        rest = old[: found.start()] + old[found.end() :]
        if rest.strip():
            write_atomic(path, rest, self._ops)
            return
        with explained("Removing a file"):
            self._ops.unlink(path)

    def _path(self, kind: ReportKind, key: str) -> Path:
        if not _KEYS[kind].fullmatch(key):
            raise InvalidInputError("No such report", f"{key!r} is no {kind}.")
        return self._folder / f"{key}.md"

    def _read(self, path: Path) -> bytes:
        check_file(path)
        with explained("Reading a file"):
            return path.read_bytes() if path.exists() else b""


def _last(text: bytes) -> "re.Match[bytes] | None":
    found = None
    for found in _PART.finditer(text):  # noqa: B007  (the last one is wanted)
        pass
    return found
