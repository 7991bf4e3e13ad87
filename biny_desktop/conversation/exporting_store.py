"""SQL of exports: what no other question of the log gives."""

from biny_desktop.storage.database import Reader


def raw_times(r: Reader, session_id: str) -> dict[str, str]:
    """Times as their sources had them, by message, where there are any."""
    rows = r.query(
        "SELECT id, raw_time FROM messages WHERE session_id = :session AND raw_time <> ''", {"session": session_id}
    )
    return {row.text("id"): row.text("raw_time") for row in rows}


def project_folder(r: Reader, project_id: str | None) -> str:
    """The folder of a project, or nothing."""
    row = r.one("SELECT folder FROM projects WHERE id = :id", {"id": project_id})
    return (row.maybe_text("folder") if row else None) or ""
