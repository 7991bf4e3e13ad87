"""SQL of the session log itself: events in, events out; a blanked one keeps its number, type and place in the tree."""

from collections.abc import Sequence

from biny_desktop.conversation.model import Event
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import JsonValue, Row, dump_json, read_json


def insert(w: Writer, event: Event) -> None:
    """Append a row; its number must be the next one."""
    w.run(
        "INSERT INTO session_events(session_id, seq, event_id, type, turn_id, run_id, payload, at, time_zone) "
        "VALUES(:session, :seq, :id, :type, :turn, :run, :payload, :at, :zone)",
        {"session": event.session_id, "seq": event.seq, "id": event.event_id, "type": event.type,
         "turn": event.turn_id, "run": event.run_id, "payload": dump_json(event.payload), "at": event.at_ms,
         "zone": event.time_zone},
    )  # fmt: skip


def last_seq(r: Reader, session_id: str) -> int:
    """The number of the newest event of a session; 0: it has none."""
    row = r.one("SELECT max(seq) AS seq FROM session_events WHERE session_id = :session", {"session": session_id})
    return (row.maybe_int("seq") or 0) if row else 0


def after(r: Reader, session_id: str, seq: int, turn_id: str | None = None) -> list[Event]:
    """Events above a number, all or of one turn."""
    turn = "" if turn_id is None else "AND turn_id = :turn "
    rows = r.query(
        "SELECT session_id, seq, event_id, type, turn_id, run_id, payload, at, time_zone FROM session_events "
        f"WHERE session_id = :session AND seq > :seq {turn}ORDER BY seq",
        {"session": session_id, "seq": seq, **({} if turn_id is None else {"turn": turn_id})},
    )
    return [_event(row) for row in rows]


def behind(r: Reader) -> list[str]:
    """Sessions whose projections do not hold their newest event."""
    rows = r.query(
        "SELECT newest.session_id AS id FROM (SELECT session_id, max(seq) AS seq FROM session_events GROUP BY "
        "session_id) AS newest LEFT JOIN sessions ON sessions.id = newest.session_id "
        "WHERE sessions.last_seq IS NOT newest.seq AND NOT EXISTS (SELECT 1 FROM session_events AS last WHERE "
        "last.session_id = newest.session_id AND last.seq = newest.seq AND last.type = 'session_deleted')"
    )
    return [row.text("id") for row in rows]


def blank(w: Writer, session_id: str, payloads: Sequence[tuple[int, dict[str, JsonValue]]]) -> int:
    """Put what is left of deleted events in their place; returns how many."""
    for seq, payload in payloads:
        w.run(
            "UPDATE session_events SET payload = :payload WHERE session_id = :session AND seq = :seq",
            {"payload": dump_json(payload), "session": session_id, "seq": seq},
        )
    return len(payloads)


def _event(row: Row) -> Event:
    payload = read_json(row.text("payload"))
    return Event(
        row.text("session_id"), row.int("seq"), row.text("event_id"), row.text("type"),
        payload if isinstance(payload, dict) else {"deleted": True}, row.int("at"), row.text("time_zone"),
        row.maybe_text("turn_id"), row.maybe_text("run_id"),
    )  # fmt: skip
