"""The text index of messages: user and assistant text, kept in step by the log in the transaction of each event."""

from typing import Final

from biny_desktop.storage.database import Writer
from biny_desktop.storage.text_index import TextIndex

MESSAGE_INDEX: Final = TextIndex("messages_fts", ("content",), prefixes=(1, 2))


def add(w: Writer, n: int, content: str) -> None:
    """Index a user or assistant message whose row was just written."""
    MESSAGE_INDEX.add(w, n, {"content": content})


def remove(w: Writer, n: int, content: str) -> None:
    """Take a message out; `content` is exactly what it was added with."""
    MESSAGE_INDEX.remove(w, n, {"content": content})
