"""Chats written out: JSON Lines with every version, which read back as they were, and Markdown of what shows."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from biny_desktop.conversation.exporting_store import project_folder, raw_times
from biny_desktop.conversation.importers.detect import OWN_KEY
from biny_desktop.conversation.importers.own import VERSION
from biny_desktop.conversation.importers.speakers import MARKER, escaped
from biny_desktop.conversation.log import message_store
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.model import Message, Session
from biny_desktop.core.clock import to_local
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import mark
from biny_desktop.storage.database import Database
from biny_desktop.storage.faults import explained
from biny_desktop.storage.progress import UNWATCHED, Watch
from biny_desktop.storage.rows import dump_json

PART_SUFFIX: Final = ".part"
PAGE: Final = 500
_SPEAKERS: Final = {"user": "User", "assistant": "Assistant"}


@dataclass(frozen=True, slots=True)
class ExportReceipt:
    """What was written where; `messages` of all versions, or of Markdown those that show."""

    path: Path
    sessions: int
    messages: int


class Exports:
    """Writes chats out. Thread-safe; nothing in the home changes. Incognito chats are nowhere to be exported from."""

    def __init__(self, db: Database, log: SessionLog) -> None:
        self._db, self._log = db, log

    def all_ids(self) -> tuple[str, ...]:
        """Every stored session, last used first."""
        out: list[str] = []
        before: tuple[int, str] | None = None
        while True:
            page = self._log.page(PAGE, before)
            out += [session.id for session in page.sessions]
            before = page.next
            if before is None:
                return tuple(out)

    def lines(self, session_ids: Iterable[str], watch: Watch = UNWATCHED) -> Iterator[str]:
        """JSON Lines of sessions, one of them in memory at a time.

        Raises:
            NotFoundError: one of them is not there. CancelledError.
        """
        ids = list(session_ids)
        yield dump_json({OWN_KEY: "chats", "version": VERSION})
        for n, session_id in enumerate(ids):
            watch.at("export", n, len(ids))
            yield from self._session_lines(session_id)

    def markdown(self, session_id: str) -> str:
        """The active path, with who speaks and when; lines that look like that are escaped. Raises NotFoundError."""
        return self._markdown(session_id)[0]

    def _markdown(self, session_id: str) -> tuple[str, int]:
        """The text, and how many messages are in it."""
        session, path = self._log.session(session_id), self._log.path(session_id)
        parts = [MARKER, escaped(f"# {session.title}") if session.title else ""]
        shown = [message for message in path if message.role in _SPEAKERS and message.content]
        for message in shown:
            when = to_local(message.sent_at_ms, message.time_zone).isoformat(timespec="milliseconds")
            parts += [f"**{_SPEAKERS[message.role]}** ({when}):", escaped(message.content)]
        return "\n\n".join(part for part in parts if part) + "\n", len(shown)

    def write_lines(self, path: Path, session_ids: Sequence[str], watch: Watch = UNWATCHED) -> ExportReceipt:
        """Write JSON Lines; the file is there only when it is whole.

        Raises:
            NotFoundError, CancelledError, StorageError: there is no such file, or the old one.
        """
        messages = 0
        with _whole(path) as put:
            for line in self.lines(session_ids, watch):
                messages += line.startswith('{"type":"message"')
                put(line + "\n")
        return ExportReceipt(path, len(session_ids), messages)

    def write_markdown(self, path: Path, session_ids: Sequence[str], watch: Watch = UNWATCHED) -> ExportReceipt:
        """Write Markdown: one session as a file, several as files in a folder of that path.

        Raises:
            InvalidInputError: the path of several is a file. NotFoundError, CancelledError, StorageError.
        """
        if len(session_ids) == 1:
            messages = self._write_one(path, session_ids[0])
        else:
            if path.exists() and not path.is_dir():
                raise InvalidInputError(mark("That is no folder"), mark("Several chats are written into a folder."))
            with explained("Making a folder"):
                path.mkdir(parents=True, exist_ok=True)
            messages = 0
            for n, session_id in enumerate(session_ids):
                watch.at("export", n, len(session_ids))
                messages += self._write_one(path / f"{session_id}.md", session_id)
        return ExportReceipt(path, len(session_ids), messages)

    def _write_one(self, path: Path, session_id: str) -> int:
        with _whole(path) as put:
            text, messages = self._markdown(session_id)
            put(text)
        return messages

    def _session_lines(self, session_id: str) -> Iterator[str]:
        with self._db.read() as r:
            session = self._log.session(session_id)
            messages = self._log.messages(session_id)
            selected = message_store.selected(r, session_id)
            raw = raw_times(r, session_id)
            folder = project_folder(r, session.project_id)
        there = {message.id for message in messages}
        yield dump_json(_session(session, folder, [each for each in selected.values() if each in there]))
        for message in messages:
            yield dump_json(_message(message, raw.get(message.id, "")))
        yield dump_json({"type": "end", "session": session_id, "messages": len(messages)})


def _session(session: Session, folder: str, selected: list[str]) -> dict[str, object]:
    return {
        "type": "session",
        "id": session.id,
        "title": session.title,
        "title_by": session.title_by,
        "source": session.source,
        "created": session.created_at_ms,
        "project": session.project or "",
        "folder": folder,
        "learn": session.learn,
        "recall": session.recall,
        "selected": selected,
    }


def _message(message: Message, raw_time: str) -> dict[str, object]:
    """A record without what is empty."""
    usage = message.usage
    record: dict[str, object] = {
        "type": "message",
        "id": message.id,
        "parent": message.parent_id,
        "role": message.role,
        "content": message.content,
        "sent": message.sent_at_ms,
        "zone": message.time_zone,
    }
    more: dict[str, object] = {
        "estimated": message.estimated,
        "raw_time": raw_time,
        "turn": message.turn_id,
        "run": message.run_id,
        "spans": [[each.start, each.end, each.trust] for each in message.spans] if message.role == "user" else [],
        "attachments": [
            {"name": each.name, "mime": each.mime, "path": each.path, "size": each.size} for each in message.attachments
        ],
        "reasoning": message.reasoning or "",
        "calls": [{"id": each.id, "name": each.name, "arguments": each.arguments} for each in message.tool_calls],
        "call": message.call_id,
        "status": message.tool_status,
        "state": "" if message.state == "complete" else message.state,
        "reply_to": message.reply_to,
        "retry_of": message.retry_of,
        "model": message.model,
        "usage": [usage.tokens_in, usage.tokens_out] if usage else None,
    }
    return record | {name: value for name, value in more.items() if value}


@contextlib.contextmanager
def _whole(path: Path) -> Iterator[Callable[[str], object]]:
    """Write a file of mode 0600 under another name; it gets its own when it is complete."""
    temp = path.with_name(path.name + PART_SUFFIX)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with explained("Writing a file"):
        file = os.fdopen(os.open(temp, flags, 0o600), "w", encoding="utf-8", newline="\n")
    try:
        with file:
            yield lambda text: _put(file, text)
            with explained("Writing a file"):
                file.flush()
                os.fsync(file.fileno())
        with explained("Writing a file"):
            temp.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise


def _put(file: IO[str], text: str) -> None:
    with explained("Writing a file"):
        file.write(text)
