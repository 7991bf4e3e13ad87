"""The opened folders as the agent names them: the first part of a path is the name of a folder, the rest is inside."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.paths import PathRefusedError, check_path, refuse_path
from biny_desktop.core.settings import Settings


@dataclass(frozen=True, slots=True)
class Place:
    """A file that a path means: `path` as it is named, `root` the opened folder, `inside` the path in it."""

    path: str
    root: Path
    inside: str

    @property
    def target(self) -> str:
        """Where that is on this machine."""
        return str(self.root / self.inside)


class OpenedFolders:
    """Folders of `agent.folders`. A name is the last part of an entry, with a suffix where two are alike."""

    def __init__(self, settings: Callable[[], Settings], own: Sequence[Path] = ()) -> None:
        """Take the settings, and the program's own folders, which stay closed to tools."""
        self._settings, self._own = settings, tuple(own)

    def all(self) -> Mapping[str, Path]:
        """Folders by name, in the order of the setting; relative entries and repeated ones are passed over."""
        found: dict[str, Path] = {}
        for entry in self._settings().agent.folders:
            folder = Path(os.path.normpath(Path(entry).expanduser()))
            if folder.is_absolute() and folder not in found.values():
                found[_free(_name(folder), found)] = folder
        return found

    def place(self, raw: object) -> Place:
        """The file that a path from outside means.

        Raises:
            PathRefusedError: by its letters, or it is one of the program's own. InvalidInputError: it does not begin
            with the name of an opened folder.
        """
        path = check_path(raw)
        name, _slash, inside = path.partition("/")
        folders = self.all()
        if name not in folders:
            raise InvalidInputError(
                "The path begins with no opened folder", f"Opened: {', '.join(folders)}", "Begin with one of them."
            )
        if not inside:
            refuse_path("directory")
        return self._allowed(Place(path, folders[name], inside))

    def found(self, target: str) -> Place | None:
        """The place of a target that was noted before; None when its folder is not opened any more."""
        for name, root in self.all().items():
            path = PurePath(target)
            if path.is_relative_to(root):
                inside = path.relative_to(root).as_posix()
                try:
                    if check_path(inside.replace("%", "%25")) == inside:
                        return self._allowed(Place(f"{name}/{inside}", root, inside))
                except PathRefusedError:
                    continue
        return None

    def _allowed(self, place: Place) -> Place:
        real = os.path.realpath(place.target)
        if any(PurePath(real).is_relative_to(os.path.realpath(each)) for each in self._own):
            refuse_path("protected")
        return place


def _name(folder: Path) -> str:
    """The last part as it can stand in a path."""
    try:
        name = check_path(folder.name.lstrip(".~").replace("%", ""))
    except PathRefusedError:
        return "folder"
    return name if "/" not in name else "folder"


def _free(name: str, taken: Mapping[str, Path]) -> str:
    folded = {each.casefold() for each in taken}
    free, number = name, 2
    while free.casefold() in folded:
        free, number = f"{name}-{number}", number + 1
    return free
