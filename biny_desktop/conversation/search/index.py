"""The text index of messages: user and assistant text, kept in step by the log in the transaction of each event.

Words are indexed as they are, not by their stems: a hit is scored from its text, and shows the words it was found by.
"""

from typing import Final

from biny_desktop.storage.database import Database, Writer
from biny_desktop.storage.text_index import TextIndex

MESSAGE_INDEX: Final = TextIndex("messages_fts", ("content",), prefixes=(1, 2))
REBUILD_BATCH: Final = 500


def add(w: Writer, n: int, content: str) -> None:
    """Index a user or assistant message whose row was just written."""
    MESSAGE_INDEX.add(w, n, {"content": content})


def remove(w: Writer, n: int, content: str) -> None:
    """Take a message out; `content` is exactly what it was added with."""
    MESSAGE_INDEX.remove(w, n, {"content": content})


def prepare(db: Database) -> int:
    """Make the index, or make it anew when it was prepared by other rules; returns how many messages were indexed.

    Killed in between, the next start goes on: what is missing is what has no row in the index.

    Raises:
        StorageError: the index cannot be written.
    """
    with db.write() as w:
        MESSAGE_INDEX.ensure(w)
    done = 0
    while True:
        with db.write() as w:
            rows = w.query(
                "SELECT n, content FROM messages WHERE role <> 'tool' AND content <> '' AND n NOT IN "
                "(SELECT id FROM messages_fts_docsize) ORDER BY n LIMIT :limit",
                {"limit": REBUILD_BATCH},
            )
            for row in rows:
                add(w, row.int("n"), row.text("content"))
        done += len(rows)
        if len(rows) < REBUILD_BATCH:
            return done
