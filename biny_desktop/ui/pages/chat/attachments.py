"""Files given along with a message, read to be sent: the text of those that are text, of others the name."""

import mimetypes
from pathlib import Path
from typing import Final

from biny_desktop.conversation.drafts import AttachedFile

ATTACH_BYTES: Final = 256 * 1024
"""Larger files, and those that are no text, are attached by name only."""


def attached(path: Path) -> AttachedFile:
    """The file as it is attached. Raises OSError."""
    if not path.is_file():
        raise FileNotFoundError(path)
    size = path.stat().st_size
    with path.open("rb") as file:
        data = file.read(ATTACH_BYTES + 1)
    try:
        text = data.decode("utf-8") if len(data) <= ATTACH_BYTES else ""
    except UnicodeDecodeError:
        text = ""
    kind = mimetypes.guess_type(path.name)[0] or ""
    return AttachedFile(path.name, kind, str(path), size, "" if "\x00" in text else text)
