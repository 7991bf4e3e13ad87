"""SQL of offers for facts and terms for crystals: what waits, and what became of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, get_args

from biny_desktop.activity.analysis.candidates import LOOKED_AT, Refusal
from biny_desktop.activity.analysis.ports import CrystalTerm, FactOutcome
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row, dump_json

REFUSALS: Final[tuple[str, ...]] = get_args(Refusal)
"""Reasons of our own checks; any other reason is of whoever decides about facts."""


@dataclass(frozen=True, slots=True)
class NewOffer:
    """A candidate to write; `refusal` empty when it waits to be offered."""

    kind: str
    content: RedactedText
    why: RedactedText
    frame_ids: tuple[int, ...]
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A candidate with what became of it: `outcome` waiting, deferred, added, duplicate or rejected; `at_ms` UTC."""

    segment_id: int
    n: int
    kind: str
    content: RedactedText
    why: RedactedText
    frame_ids: tuple[int, ...]
    outcome: str
    reason: str
    fact_id: str | None
    at_ms: int


def replace_offers(w: Writer, segment_id: int, revision: int, offers: Sequence[NewOffer], at_ms: int) -> None:
    """Write the candidates of a new account; those of an older one that nobody took yet, or that the checks refused,
    go. Numbers are not used again, so that a key stays that of one offer.

    Args:
        revision: of the segment before this account. Each account raises it, so that numbers of offers which are gone
            (what they came from was deleted) do not come back either.
    """
    row = w.one("SELECT coalesce(max(n), 0) AS n FROM fact_offers WHERE segment_id = :id", {"id": segment_id})
    first = max(row.int("n") if row else 0, (revision - 1) * LOOKED_AT) + 1
    w.run(
        "DELETE FROM fact_offers WHERE segment_id = :id AND (outcome IN ('waiting', 'deferred') "
        "OR (outcome = 'rejected' AND reason IN (SELECT value FROM json_each(:refusals))))",
        {"id": segment_id, "refusals": json.dumps(REFUSALS)},
    )
    for n, offer in enumerate(offers, first):
        w.run(
            "INSERT INTO fact_offers(segment_id, n, content, kind, why, sources, outcome, reason, at) "
            "VALUES(:id, :n, :content, :kind, :why, :sources, :outcome, :reason, :at)",
            {
                "id": segment_id, "n": n, "content": offer.content, "kind": offer.kind, "why": offer.why,
                "sources": dump_json(list(offer.frame_ids)), "outcome": "rejected" if offer.refusal else "waiting",
                "reason": offer.refusal, "at": at_ms,
            },
        )  # fmt: skip


def contents(r: Reader, segment_id: int) -> list[str]:
    """What was taken or refused of that segment's offers by those who decide."""
    rows = r.query(
        "SELECT content FROM fact_offers WHERE segment_id = :id AND outcome IN ('added', 'duplicate', 'rejected') "
        "AND reason NOT IN (SELECT value FROM json_each(:refusals))",
        {"id": segment_id, "refusals": json.dumps(REFUSALS)},
    )
    return [row.text("content") for row in rows]


def open_offers(r: Reader, limit: int) -> list[Offer]:
    """Offers that wait or were deferred, oldest first."""
    rows = r.query(
        "SELECT * FROM fact_offers WHERE outcome IN ('waiting', 'deferred') ORDER BY at, segment_id, n LIMIT :limit",
        {"limit": limit},
    )
    return [_offer(row) for row in rows]


def offers_of(r: Reader, segment_id: int) -> list[Offer]:
    """All offers of a segment."""
    rows = r.query("SELECT * FROM fact_offers WHERE segment_id = :id ORDER BY n", {"id": segment_id})
    return [_offer(row) for row in rows]


def settle(w: Writer, offer: Offer, outcome: FactOutcome, at_ms: int) -> None:
    """Write what became of an offer, unless it is gone by now (its segment was deleted)."""
    w.run(
        "UPDATE fact_offers SET outcome = :outcome, reason = :reason, fact_id = :fact, at = :at "
        "WHERE segment_id = :id AND n = :n AND outcome IN ('waiting', 'deferred')",
        {
            "outcome": outcome.outcome, "reason": outcome.reason, "fact": outcome.fact_id, "at": at_ms,
            "id": offer.segment_id, "n": offer.n,
        },
    )  # fmt: skip


def replace_terms(w: Writer, segment_id: int, terms: Sequence[CrystalTerm]) -> None:
    """Write the terms of a new account of a segment: those nobody took yet are replaced, those that were taken stay,
    so that each goes out once however it is spelled."""
    w.run("DELETE FROM crystal_terms WHERE segment_id = :id AND passed_at IS NULL", {"id": segment_id})
    rows = w.query("SELECT term FROM crystal_terms WHERE segment_id = :id", {"id": segment_id})
    taken = {row.text("term").casefold() for row in rows}
    for term in terms:
        if term.term.casefold() not in taken:
            w.run(
                "INSERT INTO crystal_terms(segment_id, term, kind, day) VALUES(:id, :term, :kind, :day)",
                {"id": segment_id, "term": term.term, "kind": term.kind, "day": term.day},
            )


def open_terms(r: Reader, limit: int) -> list[CrystalTerm]:
    """Terms that nobody took yet."""
    rows = r.query(
        "SELECT * FROM crystal_terms WHERE passed_at IS NULL ORDER BY segment_id, term LIMIT :limit", {"limit": limit}
    )
    return [CrystalTerm(row.int("segment_id"), row.text("term"), row.text("kind"), row.text("day")) for row in rows]


def terms_taken(w: Writer, terms: Sequence[CrystalTerm], at_ms: int) -> None:
    """Note that these were taken."""
    for term in terms:
        w.run(
            "UPDATE crystal_terms SET passed_at = :at WHERE segment_id = :id AND term = :term AND passed_at IS NULL",
            {"at": at_ms, "id": term.segment_id, "term": term.term},
        )


def _offer(row: Row) -> Offer:
    sources = row.json("sources")
    return Offer(
        row.int("segment_id"), row.int("n"), row.text("kind"), from_row(row.text("content")),
        from_row(row.text("why")), tuple(each for each in sources if isinstance(each, int))
        if isinstance(sources, list) else (), row.text("outcome"), row.text("reason"), row.maybe_text("fact_id"),
        row.int("at"),
    )  # fmt: skip
