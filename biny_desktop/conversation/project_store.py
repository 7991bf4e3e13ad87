"""SQL of projects."""

from dataclasses import dataclass
from typing import Final

from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row

_SELECT: Final = "SELECT id, name, folder, revision, updated_at FROM projects"


@dataclass(frozen=True, slots=True)
class Project:
    """`name` 1 to 120 characters, `folder` absolute if there is one, `updated_at_ms` UTC ms."""

    id: str
    name: str
    folder: str | None
    revision: int
    updated_at_ms: int


def insert(w: Writer, project: Project) -> None:
    """Add one."""
    w.run(
        "INSERT INTO projects(id, name, folder, created_at, updated_at) VALUES(:id, :name, :folder, :at, :at)",
        {"id": project.id, "name": project.name, "folder": project.folder, "at": project.updated_at_ms},
    )


def rename(w: Writer, project_id: str, name: str, at_ms: int) -> None:
    """Another name."""
    w.run(
        "UPDATE projects SET name = :name, revision = revision + 1, updated_at = :at WHERE id = :id",
        {"name": name, "at": at_ms, "id": project_id},
    )


def every(r: Reader) -> list[Project]:
    """All, by name."""
    return [_project(row) for row in r.query(f"{_SELECT} ORDER BY name, id")]


def by_id(r: Reader, project_id: str) -> Project | None:
    """One."""
    row = r.one(f"{_SELECT} WHERE id = :id", {"id": project_id})
    return _project(row) if row else None


def of_folder(r: Reader, folder: str) -> Project | None:
    """The one of a folder."""
    row = r.one(f"{_SELECT} WHERE folder = :folder", {"folder": folder})
    return _project(row) if row else None


def _project(row: Row) -> Project:
    return Project(
        row.text("id"), row.text("name"), row.maybe_text("folder"), row.int("revision"), row.int("updated_at")
    )
