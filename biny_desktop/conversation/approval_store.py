"""SQL of the approvals of exact calls over all sessions; they are written by the log only."""

from dataclasses import dataclass
from typing import Final, Literal

from biny_desktop.conversation.model import Approval, ApprovalStatus
from biny_desktop.redaction.pieces import from_row
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import Row

Which = Literal["open", "answered", "all"]
"""`answered`: also those that expired."""
_OPEN: Final = "a.status = 'open' AND a.expires_at > :now"
_WHERE: Final[dict[Which, str]] = {"open": _OPEN, "answered": f"NOT ({_OPEN})", "all": "1"}
_COLUMNS: Final = """
    a.id, a.session_id, a.turn_id, a.call_id, a.tool, a.args, a.args_hash, a.shown, a.reason, a.status, a.asked_at,
    a.answered_at, a.expires_at, a.revision, s.title, s.time_zone,
    (SELECT m.id FROM messages m, json_each(m.tool_calls) c
     WHERE m.session_id = a.session_id AND m.turn_id = a.turn_id AND json_extract(c.value, '$.id') = a.call_id
     AND m.sent_at <= a.asked_at ORDER BY m.seq DESC LIMIT 1) AS message_id
"""
_FROM: Final = "FROM approvals a JOIN sessions s ON s.id = a.session_id"


@dataclass(frozen=True, slots=True)
class FoundApproval:
    """An approval with the chat that it belongs to; `message_id` of the answer that made the call, if it is there."""

    approval: Approval
    chat: str
    time_zone: str
    message_id: str | None


def page(r: Reader, which: Which, now_ms: int, limit: int, before: tuple[int, str] | None) -> list[FoundApproval]:
    """Approvals of all sessions, newest first, below (asked at, id) of the page before."""
    rows = r.query(
        f"SELECT {_COLUMNS} {_FROM} WHERE {_WHERE[which]} AND (a.asked_at, a.id) < (:at, :id) "
        "ORDER BY a.asked_at DESC, a.id DESC LIMIT :limit",
        {"now": now_ms, "limit": limit, "at": _LATEST if before is None else before[0], "id": (before or ("", ""))[1]},
    )
    return [_found(row) for row in rows]


def one(r: Reader, approval_id: str) -> FoundApproval | None:
    """That approval."""
    row = r.one(f"SELECT {_COLUMNS} {_FROM} WHERE a.id = :id", {"id": approval_id})
    return None if row is None else _found(row)


def count_open(r: Reader, now_ms: int) -> int:
    """How many wait for a person."""
    row = r.one(f"SELECT count(*) AS n {_FROM} WHERE {_OPEN}", {"now": now_ms})
    assert row is not None
    return row.int("n")


_LATEST: Final = 2**62
_STATUSES: Final[dict[str, ApprovalStatus]] = {
    "open": "open", "approved": "approved", "refused": "refused", "used": "used",
}  # fmt: skip


def _found(row: Row) -> FoundApproval:
    approval = Approval(
        id=row.text("id"),
        session_id=row.text("session_id"),
        turn_id=row.maybe_text("turn_id"),
        call_id=row.text("call_id"),
        tool=row.text("tool"),
        args=row.text("args"),
        args_hash=row.text("args_hash"),
        shown=from_row(row.text("shown")),
        reason=row.text("reason"),
        status=_STATUSES[row.text("status")],
        asked_at_ms=row.int("asked_at"),
        expires_at_ms=row.int("expires_at"),
        answered_at_ms=row.maybe_int("answered_at"),
        revision=row.int("revision"),
    )
    return FoundApproval(approval, row.text("title"), row.text("time_zone"), row.maybe_text("message_id"))
