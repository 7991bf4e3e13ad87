"""`read_file`: a page of a text file of an opened folder, redacted."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from pydantic import Field

from biny_desktop.conversation.model import Effect, Execution, ToolStatus
from biny_desktop.conversation.ports import Admission, ToolAnswer, ToolScene
from biny_desktop.conversation.tools.answers import (
    Arguments,
    Redacting,
    checked,
    failed,
    fault,
    refused,
    spec,
    succeeded,
)
from biny_desktop.conversation.tools.folders import OpenedFolders
from biny_desktop.conversation.tools.texts import text_of
from biny_desktop.conversation.tools.turn_counts import TurnCounts
from biny_desktop.core.errors import BinyError
from biny_desktop.core.real_paths import InsideFile, read_inside
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ToolSpec
from biny_desktop.redaction import cut, joined
from biny_desktop.redaction.result import PLACEHOLDER
from biny_desktop.storage.rows import JsonValue

NAME: Final = "read_file"
PAGE_MAX: Final = 16_000
"""Characters of one page (spec 05 §8)."""
READ_BYTES: Final = 2 * 1024 * 1024
"""Largest file; redaction looks at the whole of it, about a second a MB."""
READS_A_TURN: Final = 8
"""Spec 06 §13."""
_KEPT: Final = 4
_PLACEHOLDER_MAX: Final = 40


class ReadArguments(Arguments):
    """Arguments of `read_file`."""

    path: str = Field(description="Path of the file, beginning with the name of an opened folder.")
    offset: int = Field(0, ge=0, description="Characters to pass over: 0, or next_offset of the page before.")
    length: int = Field(PAGE_MAX, ge=1, le=PAGE_MAX, description="Characters to read.")


class ReadFile:
    """Reads nothing outside of opened folders, follows no link, changes nothing. Thread-safe."""

    def __init__(self, folders: OpenedFolders, redactor: Redacting) -> None:
        self._folders, self._redactor = folders, redactor
        self._counts = TurnCounts(NAME, READS_A_TURN)
        self._lock = threading.Lock()
        self._read: OrderedDict[tuple[str, int], RedactedText] = OrderedDict()

    @property
    def spec(self) -> ToolSpec:
        names = ", ".join(self._folders.all())
        words = (
            f"Read a text file of an opened folder ({names}), up to {PAGE_MAX:,} characters at a time. The answer has "
            "the sha256 of the whole file, which write_file needs as expected_hash. Secrets are hidden. "
            f"At most {READS_A_TURN} reads a turn."
        )
        return spec(NAME, self._redactor().plain(words), ReadArguments)

    @property
    def effect(self) -> Effect:
        return "read"

    def admit(self, arguments: str, scene: ToolScene) -> Admission | ToolAnswer:
        given = checked(ReadArguments, arguments, self._redactor)
        if isinstance(given, ToolAnswer):
            return given
        try:
            place = self._folders.place(given.path)
        except BinyError as error:
            return fault(self._redactor, error)
        return Admission({"path": place.path, "offset": given.offset, "length": given.length}, target=place.target)

    def run(self, admission: Admission, scene: ToolScene) -> ToolAnswer:
        if not self._counts.take(scene):
            return refused("This turn has read 8 times, which is all it may. Answer with what is known.")
        try:
            place = self._folders.place(str(admission.args["path"]).replace("%", "%25"))
            file = read_inside(place.root, place.inside, READ_BYTES)
            return self._page(admission.args, file)
        except BinyError as error:
            return fault(self._redactor, error)

    def found(self, execution: Execution) -> ToolStatus:
        del execution
        return "cancelled"  # reading leaves nothing behind; it may be done again

    def _page(self, args: Mapping[str, JsonValue], file: InsideFile) -> ToolAnswer:
        offset, length = int(str(args["offset"])), int(str(args["length"]))
        text = self._whole(file)
        if offset and offset >= len(text):
            return failed(self._redactor, f"The file ends at character {len(text)}; the offset is behind it.")
        end = _page_end(text, offset, min(offset + length, len(text)))
        head = (
            f"path: {args['path']}",
            f"sha256: {file.hash}",
            f"characters: {offset} to {end} of {len(text)}",
            f"next_offset: {end}" if end < len(text) else "next_offset: none, this is the end",
            "",
            "",
        )
        return succeeded(joined((self._redactor().redact(head).text, cut(text, offset, end)), ""))

    def _whole(self, file: InsideFile) -> RedactedText:
        """The whole text, redacted: a page alone could show half of a secret, and offsets are places in this text."""
        redactor = self._redactor()
        key = (file.hash, id(redactor))
        with self._lock:
            known = self._read.get(key)
        if known is None:
            known = redactor.redact(text_of(file.data).split("\n")).text
            with self._lock:
                self._read[key] = known
                while len(self._read) > _KEPT:
                    self._read.popitem(last=False)
        return known


def _page_end(text: str, offset: int, end: int) -> int:
    """Where a page ends so that it splits no placeholder, and is not empty."""
    for hidden in PLACEHOLDER.finditer(text, max(0, end - _PLACEHOLDER_MAX)):
        if hidden.start() >= end:
            break
        if end < hidden.end():
            return hidden.start() if hidden.start() > offset else hidden.end()
    return end
