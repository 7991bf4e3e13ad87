"""A home to import into: a real log in a file, with projects, memories, deletes and exports around it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from biny_desktop.conversation.deleting import SessionDeletes
from biny_desktop.conversation.exporting import Exports
from biny_desktop.conversation.importers.importing import Imports
from biny_desktop.conversation.importers.memories import ImportedMemories
from biny_desktop.conversation.importers.model import ImportReport
from biny_desktop.conversation.importers.rollback import Rollback
from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.model import Message, Session
from biny_desktop.conversation.projects import Projects
from biny_desktop.core.events import EventBus
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Database
from biny_desktop.storage.progress import UNWATCHED, Progress, Watch
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import open_log, redactor

SAMPLES = Path(__file__).resolve().parents[1] / "data" / "imports"


@dataclass
class ImportHome:
    db: Database
    log: SessionLog
    clock: FakeClock
    events: EventBus
    deletes: SessionDeletes
    projects: Projects
    memories: ImportedMemories
    imports: Imports
    exports: Exports
    heard: list[object] = field(default_factory=list)

    def bring(self, path: Path, *, watch: Watch = UNWATCHED, **how: bool) -> ImportReport:
        """Plan and apply."""
        return self.imports.apply(self.imports.plan(path), watch=watch, **how)  # type: ignore[arg-type]

    def sessions(self) -> list[Session]:
        """By creation."""
        return sorted(self.log.page(1_000).sessions, key=lambda each: (each.created_at_ms, each.id))

    def titled(self, title: str) -> Session:
        return next(each for each in self.sessions() if each.title == title)

    def path(self, title: str) -> list[Message]:
        return list(self.log.path(self.titled(title).id))

    def texts(self, title: str) -> list[str]:
        return [str(each.content) for each in self.path(title)]

    def shape(self) -> list[tuple[object, ...]]:
        """Everything that an import brings, without ids of this home: trees as texts, times, spans, what shows."""
        out: list[tuple[object, ...]] = []
        for session in self.sessions():
            messages = self.log.messages(session.id)
            names = {each.id: (str(each.content), each.sent_at_ms) for each in messages}
            out.append((session.title, session.source, session.created_at_ms, session.project))
            out += sorted(
                (
                    each.role, str(each.content), each.sent_at_ms, each.time_zone, each.estimated, each.active,
                    str(names.get(each.parent_id or "")), str(each.spans), str(each.attachments), str(each.model),
                )
                for each in messages
            )  # fmt: skip
        return out


@contextmanager
def import_home(
    folder: Path, clock: FakeClock | None = None, redact: Callable[[], Redactor] = redactor
) -> Iterator[ImportHome]:
    """A fresh home, closed with the block."""
    clock, events = clock or FakeClock(), EventBus()
    db, log = open_log(folder, clock, events)
    try:
        deletes = SessionDeletes(db, log, events, lambda _w, _numbers: None, lambda _session: None)
        projects = Projects(db, redact, clock)
        memories = ImportedMemories(db, redact, clock, events)
        rollback = Rollback(db, deletes, clock, events)
        imports = Imports(db, log, projects, memories, rollback, redact, clock, events)
        yield ImportHome(db, log, clock, events, deletes, projects, memories, imports, Exports(db, log))
    finally:
        db.close()


def sample(folder: Path, name: str) -> Path:
    """A copy of a sample that a test may change."""
    source, target = SAMPLES / name, folder / Path(name).name
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)
    return target


@dataclass
class StopAfter:
    """A person who stops after so many words of progress."""

    n: int
    told: list[Progress] = field(default_factory=list)

    @property
    def watch(self) -> Watch:
        return Watch(self.told.append, lambda: len(self.told) >= self.n)
