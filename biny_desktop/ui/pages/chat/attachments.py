"""Files given along with a message, read to be sent: the text of those that are text, of others the name."""

import mimetypes
from pathlib import Path
from typing import Final

from biny_desktop.conversation.drafts import AttachedFile

ATTACH_BYTES: Final = 256 * 1024
"""Larger files, and those that are no text, are attached by name only."""


def attached(path: Path) -> AttachedFile:
    """The file as it is attached. Raises OSError."""
    size = path.stat().st_size
    try:
        text = path.read_bytes().decode("utf-8") if size <= ATTACH_BYTES else ""
    except UnicodeDecodeError:
        text = ""
    kind = mimetypes.guess_type(path.name)[0] or ""
    return AttachedFile(path.name, kind, str(path), size, "" if "\x00" in text else text)
