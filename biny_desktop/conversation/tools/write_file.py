"""`write_file`: a whole text file of an opened folder, after a person approved the exact change."""

from pathlib import Path
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
from biny_desktop.conversation.tools.folders import OpenedFolders, Place
from biny_desktop.conversation.tools.read_file import READ_BYTES
from biny_desktop.conversation.tools.texts import bytes_of, diff, text_of
from biny_desktop.conversation.tools.turn_counts import TurnCounts
from biny_desktop.core.errors import BinyError
from biny_desktop.core.real_paths import InsideFile, hash_of, look_inside, write_inside
from biny_desktop.models.model import ToolSpec
from biny_desktop.redaction.result import PLACEHOLDER

NAME: Final = "write_file"
TEXT_BYTES: Final = 256 * 1024
"""Spec 05 §8."""
WRITES_A_TURN: Final = 4
"""Spec 06 §13."""


class WriteArguments(Arguments):
    """Arguments of `write_file`."""

    path: str = Field(description="Path of the file, beginning with the name of an opened folder.")
    text: str = Field(max_length=TEXT_BYTES, description="The whole new text of the file.")
    expected_hash: str | None = Field(
        None, pattern=r"^[0-9a-f]{64}$", description="sha256 of the file that is replaced, as read_file told it."
    )
    reason: str = Field(min_length=1, max_length=500, description="Why, in one sentence, for the person who approves.")


class WriteFile:
    """Every write waits for an approval of its full diff. Thread-safe; the agent runs writes one by one."""

    def __init__(self, folders: OpenedFolders, redactor: Redacting) -> None:
        self._folders, self._redactor = folders, redactor
        self._counts = TurnCounts(NAME, WRITES_A_TURN)

    @property
    def spec(self) -> ToolSpec:
        names = ", ".join(self._folders.all())
        words = (
            f"Write a text file (UTF-8, at most {TEXT_BYTES // 1024} KiB) in an opened folder ({names}); folders on "
            "the way are made. To replace a file give expected_hash. The person sees the whole change and approves it "
            f"or not before anything is written. At most {WRITES_A_TURN} writes a turn."
        )
        return spec(NAME, self._redactor().plain(words), WriteArguments)

    @property
    def effect(self) -> Effect:
        return "file"

    def admit(self, arguments: str, scene: ToolScene) -> Admission | ToolAnswer:
        given = checked(WriteArguments, arguments, self._redactor)
        if isinstance(given, ToolAnswer):
            return given
        if not self._counts.left(scene):
            return refused("This turn has written 4 times, which is all it may. Tell the person what is left.")
        wrong = self._unwritable(given)
        if wrong is not None:
            return wrong
        try:
            place = self._folders.place(given.path)
            before = look_inside(place.root, place.inside, READ_BYTES)
            return self._admission(given, place, before)
        except BinyError as error:
            return fault(self._redactor, error)

    def _unwritable(self, given: WriteArguments) -> ToolAnswer | None:
        """What is wrong with the text itself. A text with secrets in it is not written: the approval, which is kept,
        shows and binds the text as it is written."""
        try:
            size = len(given.text.encode("utf-8"))
        except UnicodeEncodeError:
            return refused("text: holds characters that are no Unicode. Nothing was written.")
        if "\x00" in given.text:
            return refused("text: holds a zero character. Nothing was written.")
        if size > TEXT_BYTES:
            return refused("text: is larger than 256 KiB. Nothing was written.")
        if PLACEHOLDER.search(given.text):
            return refused(
                "text: holds a placeholder of a hidden secret. Writing it would put the placeholder in the place of "
                "the real value. Nothing was written; tell the person what to change by hand."
            )
        found = self._redactor().redact(given.text.split("\n"))
        if found.counts:
            return failed(
                self._redactor,
                f"text: holds what looks like a secret ({', '.join(sorted(found.counts))}). Nothing was written; tell "
                "the person what to change by hand.",
            )
        return None

    def _admission(self, given: WriteArguments, place: Place, before: InsideFile | None) -> Admission | ToolAnswer:
        if before is None and given.expected_hash is not None:
            return refused("expected_hash: there is no such file to replace. Leave it out to make a new file.")
        if before is not None and given.expected_hash is None:
            return refused("expected_hash: there is such a file. Read it, then give its sha256 to replace it.")
        if before is not None and given.expected_hash != before.hash:
            return refused("expected_hash: the file is another one now. Read it again.")
        old = None if before is None else text_of(before.data)
        data = bytes_of(given.text, None if before is None else before.data)
        if before is not None and data == before.data:
            return refused("The file holds exactly this text already. Nothing was written.")
        redactor = self._redactor()
        return Admission(
            args={
                "path": place.path,
                "target": place.target,
                "text": given.text,
                "expected_hash": given.expected_hash,
                "reason": redactor.plain(given.reason),
            },
            target=place.target,
            before_hash=None if before is None else before.hash,
            intended_hash=hash_of(data),
            approval=diff(place.path, old, given.text.replace("\r\n", "\n"), redactor),
            reason=redactor.plain(given.reason),
        )

    def run(self, admission: Admission, scene: ToolScene) -> ToolAnswer:
        if not self._counts.take(scene):
            return refused("This turn has written 4 times, which is all it may. Tell the person what is left.")
        try:
            place = self._folders.found(admission.target)
            if place is None:
                return refused("The folder is not opened any more. Nothing was written.")
            before = look_inside(place.root, place.inside, READ_BYTES)
            data = bytes_of(str(admission.args["text"]), None if before is None else before.data)
            if hash_of(data) != admission.intended_hash:
                return refused("The file is another one now. Read it again. Nothing was written.")
            written = write_inside(place.root, place.inside, data, admission.before_hash)
        except BinyError as error:
            return fault(self._redactor, error)
        return succeeded(self._redactor().redact([f"Written: {place.path}", f"sha256: {written}"]).text)

    def found(self, execution: Execution) -> ToolStatus:
        """By the hash of what is there: intended → succeeded, as before → cancelled, else unknown (spec 05 §7)."""
        try:
            place = self._folders.found(execution.target)
            if place is None or not Path(place.root).is_dir():
                return "unknown"
            there = look_inside(place.root, place.inside, max(READ_BYTES, TEXT_BYTES * 2))
        except BinyError:
            return "unknown"
        present = None if there is None else there.hash
        if present == execution.intended_hash:
            return "succeeded"
        return "cancelled" if present == execution.before_hash else "unknown"
