"""SQL of the model call ledger (spec 01, Models, privacy): what was called and what came of it, never what was said."""

from dataclasses import dataclass

from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `at_ms` UTC ms of its begin, `server` scheme, host and port, `outcome` `ok` or a `FailureKind`,
    `detail` as in `Failure` with the status before it; tokens None where the server does not count them."""

    at_ms: int
    task: str
    slot: str
    model: str
    server: str
    prompt_version: str
    tokens_in: int | None
    tokens_out: int | None
    ms: int
    outcome: str
    detail: str = ""
    id: int = 0


@dataclass(frozen=True, slots=True)
class TaskTotal:
    """Calls of one task: how many, how many failed, tokens as far as counted, milliseconds in all."""

    task: str
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    ms: int


def insert(w: Writer, call: Call) -> int:
    """Add a row; returns its id."""
    return w.insert(
        "INSERT INTO model_calls(at, task, slot, model, server, prompt_version, tokens_in, tokens_out, ms, outcome, "
        "detail) VALUES (:at, :task, :slot, :model, :server, :version, :tokens_in, :tokens_out, :ms, :outcome, "
        ":detail)",
        {"at": call.at_ms, "task": call.task, "slot": call.slot, "model": call.model, "server": call.server,
         "version": call.prompt_version, "tokens_in": call.tokens_in, "tokens_out": call.tokens_out, "ms": call.ms,
         "outcome": call.outcome, "detail": call.detail},
    )  # fmt: skip


def delete_before(w: Writer, at_ms: int) -> int:
    """Remove rows older than that; returns how many."""
    return w.run("DELETE FROM model_calls WHERE at < :at", {"at": at_ms})


def newest(r: Reader, limit: int, before: int | None) -> list[Call]:
    """The newest rows, or those before a row id, newest first."""
    rows = r.query(
        "SELECT * FROM model_calls WHERE :before IS NULL OR id < :before ORDER BY id DESC LIMIT :limit",
        {"before": before, "limit": limit},
    )
    return [_call(row) for row in rows]


def totals(r: Reader, from_ms: int) -> list[TaskTotal]:
    """Sums by task since an instant, most calls first."""
    rows = r.query(
        "SELECT task, COUNT(*) AS calls, SUM(outcome <> 'ok') AS failed, COALESCE(SUM(tokens_in), 0) AS tokens_in, "
        "COALESCE(SUM(tokens_out), 0) AS tokens_out, SUM(ms) AS ms FROM model_calls WHERE at >= :at "
        "GROUP BY task ORDER BY calls DESC, task",
        {"at": from_ms},
    )
    return [
        TaskTotal(
            row.text("task"), row.int("calls"), row.int("failed"), row.int("tokens_in"), row.int("tokens_out"),
            row.int("ms"),
        )
        for row in rows
    ]  # fmt: skip


def _call(row: Row) -> Call:
    return Call(
        at_ms=row.int("at"),
        task=row.text("task"),
        slot=row.text("slot"),
        model=row.text("model"),
        server=row.text("server"),
        prompt_version=row.text("prompt_version"),
        tokens_in=row.maybe_int("tokens_in"),
        tokens_out=row.maybe_int("tokens_out"),
        ms=row.int("ms"),
        outcome=row.text("outcome"),
        detail=row.text("detail"),
        id=row.int("id"),
    )
