"""SQL of the sessions themselves: the projection that lists are made of."""

from typing import Final

from biny_desktop.conversation.log.records import Standing, title_of
from biny_desktop.conversation.model import Event, Session
from biny_desktop.conversation.session_events import SessionChanged, SessionCreated
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row, SqlValue

_SELECT: Final = (
    "SELECT sessions.*, projects.name AS project, (SELECT count(*) FROM todos, "
    "json_each(CASE WHEN json_valid(todos.items) THEN todos.items ELSE '[]' END) AS item WHERE "
    "todos.session_id = sessions.id AND json_extract(item.value, '$[1]') <> 'completed') AS todos_open "
    "FROM sessions LEFT JOIN projects ON projects.id = project_id"
)


def insert(w: Writer, event: Event, new: SessionCreated) -> None:
    """Add the session of its first event; a project that is gone counts as none."""
    created = event.at_ms if new.created_at is None else new.created_at
    w.run(
        "INSERT INTO sessions(id, title, title_by, project_id, source, source_key, parent_session_id, "
        "parent_message_id, reference, import_batch, created_at, updated_at, time_zone, last_seq) VALUES(:id, :title, "
        ":by, (SELECT id FROM projects WHERE id = :project), :source, :key, :parent, :message, :reference, :batch, "
        ":created, :created, :zone, :seq)",
        {"id": event.session_id, "title": new.title, "by": new.title_by, "project": new.project_id,
         "source": new.source, "key": new.source_key, "parent": new.parent_session_id,
         "message": new.parent_message_id, "reference": new.reference, "batch": new.import_batch, "created": created,
         "zone": event.time_zone, "seq": event.seq},
    )  # fmt: skip


def change(w: Writer, session_id: str, changed: SessionChanged) -> None:
    """Take up what an event sets; a project that is gone counts as none."""
    values: dict[str, SqlValue] = {"id": session_id}
    sets = ["revision = revision + 1"]
    for name in sorted(changed.model_fields_set & {"title", "title_by", "project_id", "learn", "recall"}):
        value = getattr(changed, name)
        values[name] = int(value) if isinstance(value, bool) else value
        target = "(SELECT id FROM projects WHERE id = :project_id)" if name == "project_id" else f":{name}"
        sets.append(f"{name} = {target}")
    w.run(f"UPDATE sessions SET {', '.join(sets)} WHERE id = :id", values)
    if "title" in changed.model_fields_set and not changed.title:
        title_by_rule(w, session_id)


def set_seq(w: Writer, session_id: str, seq: int) -> None:
    """Note the newest event that the projections hold."""
    w.run("UPDATE sessions SET last_seq = :seq WHERE id = :id", {"id": session_id, "seq": seq})


def used(w: Writer, session_id: str, at_ms: int, first_words: str) -> None:
    """A message was added: move the session up, and give it a title by rule if it has none."""
    w.run(
        "UPDATE sessions SET updated_at = max(updated_at, :at), title = CASE WHEN title = '' AND title_by = 'rule' "
        "THEN :words ELSE title END WHERE id = :id",
        {"id": session_id, "at": at_ms, "words": first_words},
    )


def set_turn(w: Writer, session_id: str, status: str | None, reason: str, at_ms: int | None) -> None:
    """How the last turn stands; None: it runs, or none was begun."""
    w.run(
        "UPDATE sessions SET turn_status = :status, turn_reason = :reason, "
        "updated_at = max(updated_at, coalesce(:at, updated_at)) WHERE id = :id",
        {"id": session_id, "status": status, "reason": reason, "at": at_ms},
    )


def set_standing(w: Writer, session_id: str, standing: Standing) -> None:
    """How the session stands after events were deleted."""
    w.run(
        "UPDATE sessions SET turn_status = :status, turn_reason = :reason, "
        "updated_at = max(created_at, coalesce(:at, created_at)) WHERE id = :id",
        {"id": session_id, "status": standing.status, "reason": standing.reason, "at": standing.used_ms},
    )


def set_leaf(w: Writer, session_id: str, leaf_id: str | None) -> None:
    """Where the active path ends, and how many messages there are in all versions."""
    w.run(
        "UPDATE sessions SET leaf_id = :leaf, message_count = (SELECT count(*) FROM messages WHERE session_id = :id "
        "AND role <> 'tool') WHERE id = :id",
        {"id": session_id, "leaf": leaf_id},
    )


def extend(w: Writer, session_id: str, leaf_id: str, messages: int) -> None:
    """The active path grew by one node."""
    w.run(
        "UPDATE sessions SET leaf_id = :leaf, message_count = message_count + :more WHERE id = :id",
        {"id": session_id, "leaf": leaf_id, "more": messages},
    )


def title_by_rule(w: Writer, session_id: str) -> None:
    """The first words of the first message that is there, unless somebody gave the session its title."""
    row = w.one(
        "SELECT content FROM messages WHERE session_id = :id AND role = 'user' ORDER BY seq LIMIT 1", {"id": session_id}
    )
    w.run(
        "UPDATE sessions SET title = :title WHERE id = :id AND title_by = 'rule'",
        {"title": title_of(row.text("content")) if row else "", "id": session_id},
    )


def by_id(r: Reader, session_id: str) -> Session | None:
    """One session."""
    row = r.one(f"{_SELECT} WHERE sessions.id = :id", {"id": session_id})
    return _session(row) if row else None


def page(r: Reader, limit: int, before: tuple[int, str] | None, project_id: str | None) -> list[Session]:
    """Sessions, last used first."""
    wanted, values = [], {"limit": limit}
    params: dict[str, SqlValue] = {**values}
    if before is not None:
        wanted.append("(sessions.updated_at, sessions.id) < (:at, :id)")
        params.update(at=before[0], id=before[1])
    if project_id is not None:
        wanted.append("project_id = :project")
        params["project"] = project_id
    where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
    rows = r.query(f"{_SELECT}{where} ORDER BY sessions.updated_at DESC, sessions.id DESC LIMIT :limit", params)
    return [_session(row) for row in rows]


def delete(w: Writer, session_id: str) -> None:
    """Remove the row."""
    w.run("DELETE FROM sessions WHERE id = :id", {"id": session_id})


def _session(row: Row) -> Session:
    learn, recall = row.maybe_int("learn"), row.maybe_int("recall")
    reference = row.text("reference")
    return Session(
        id=row.text("id"),
        title=row.text("title"),
        title_by=row.text("title_by"),  # type: ignore[arg-type]  # a CHECK holds it
        source=row.text("source"),
        created_at_ms=row.int("created_at"),
        updated_at_ms=row.int("updated_at"),
        time_zone=row.text("time_zone"),
        project_id=row.maybe_text("project_id"),
        project=row.maybe_text("project"),
        source_key=row.maybe_text("source_key"),
        parent_session_id=row.maybe_text("parent_session_id"),
        parent_message_id=row.maybe_text("parent_message_id"),
        reference=from_row(reference) if reference else None,
        import_batch=row.maybe_int("import_batch"),
        learn=None if learn is None else bool(learn),
        recall=None if recall is None else bool(recall),
        leaf_id=row.maybe_text("leaf_id"),
        message_count=row.int("message_count"),
        turn_status=row.maybe_text("turn_status"),  # type: ignore[arg-type]  # only `TurnEnded` sets it
        turn_reason=row.text("turn_reason"),
        last_seq=row.int("last_seq"),
        revision=row.int("revision"),
        todos_open=row.int("todos_open"),
    )
