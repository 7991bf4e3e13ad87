"""Projects: a name, and maybe the folder that its work happens in; sessions belong to at most one (spec 05 §5)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

from biny_desktop.conversation import project_store as store
from biny_desktop.conversation.project_store import Project
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.i18n import mark
from biny_desktop.core.ids import new_id
from biny_desktop.core.text import clean_title
from biny_desktop.redaction import Redactor, cut
from biny_desktop.storage.database import Database

NAME_MAX: Final = 120
"""Spec 05 §5."""
FOLDER_MAX: Final = 1_000

__all__ = ["Project", "Projects"]


@dataclass
class Projects:
    """The projects of a home. Thread-safe."""

    db: Database
    redactor: Callable[[], Redactor]
    clock: Clock

    def all(self) -> tuple[Project, ...]:
        """Every project, by name. Raises StorageError."""
        with self.db.read() as r:
            return tuple(store.every(r))

    def create(self, name: str, folder: str | None = None) -> Project:
        """Make one.

        Raises:
            InvalidInputError: the name is empty, or another project has that folder.
        """
        now = self.clock.now_ms()
        made = Project(new_id(now), self._name(name), self._folder(folder), 1, now)
        with self.db.write() as w:
            if made.folder and store.of_folder(w, made.folder):
                raise InvalidInputError(mark("The project was not made"), mark("Another one has this folder."))
            store.insert(w, made)
        return made

    def of_folder(self, folder: str) -> Project:
        """The project whose work happens in a folder, made when there is none: named as the folder.

        Raises:
            InvalidInputError: that is no folder.
        """
        place = self._folder(folder)
        if place is None:
            raise InvalidInputError(mark("The project was not made"), mark("That is no folder."))
        now = self.clock.now_ms()
        with self.db.write() as w:
            found = store.of_folder(w, place)
            if found is None:
                found = Project(new_id(now), self._name(_last_part(place)), place, 1, now)
                store.insert(w, found)
        return found

    def rename(self, project_id: str, name: str, revision: int) -> Project:
        """Give one another name.

        Raises:
            InvalidInputError: the name is empty. NotFoundError. StaleRevisionError: it was changed since.
        """
        chosen = self._name(name)
        with self.db.write() as w:
            found = store.by_id(w, project_id)
            if found is None:
                raise NotFoundError(mark("There is no such project"))
            if found.revision != revision:
                raise StaleRevisionError(mark("The project was not renamed"), mark("It was changed meanwhile."))
            store.rename(w, project_id, chosen, self.clock.now_ms())
            renamed = store.by_id(w, project_id)
        assert renamed is not None
        return renamed

    def _name(self, name: str) -> str:
        chosen = clean_title(self.redactor().plain(name), NAME_MAX)
        if not chosen:
            raise InvalidInputError(mark("A project needs a name"), "", mark("Up to 120 characters."))
        return chosen

    def _folder(self, folder: str | None) -> str | None:
        """The folder as it is compared: without a slash at its end, redacted."""
        text = (folder or "").strip()
        text = text.rstrip("/\\") or text
        return cut(self.redactor().plain(text), 0, FOLDER_MAX) if text else None


def _last_part(folder: str) -> str:
    maker = PureWindowsPath if "\\" in folder else PurePosixPath
    return maker(folder).name or folder
