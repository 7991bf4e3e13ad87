"""Rows of a kind of their own, for tests of the vector index: a table of texts with revisions."""

import json
from collections.abc import Mapping, Sequence

from biny_desktop.models.model import IndexRow
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Database, Reader


class TextRows:
    """`IndexedRows` of the table `things`; vectors in `segment_vectors` unless another kind is given."""

    present = "SELECT id, revision FROM things"

    def __init__(self, db: Database, kind: str = "segment") -> None:
        self.kind, self.db = kind, db
        with db.write() as w:
            w.script(
                "CREATE TABLE IF NOT EXISTS things(id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, "
                "texts TEXT NOT NULL)"
            )

    def put(self, texts: Mapping[int, str | Sequence[str]]) -> list[IndexRow]:
        """Write or change rows (a change raises the revision); returns them as the index takes them."""
        with self.db.write() as w:
            for row_id, text in texts.items():
                parts = [text] if isinstance(text, str) else list(text)
                w.run(
                    "INSERT INTO things(id, revision, texts) VALUES(:id, 1, :texts) "
                    "ON CONFLICT(id) DO UPDATE SET texts = excluded.texts, revision = revision + 1",
                    {"id": row_id, "texts": json.dumps(parts)},
                )
        with self.db.read() as r:
            return [row for row in self.rows_after(r, -1, 1_000_000) if row.id in texts]

    def delete(self, *ids: int) -> None:
        """Delete rows behind the index's back."""
        with self.db.write() as w:
            w.run("DELETE FROM things WHERE id IN (SELECT value FROM json_each(:ids))", {"ids": json.dumps(ids)})

    def rows_after(self, r: Reader, row_id: int, limit: int) -> list[IndexRow]:
        rows = r.query(
            "SELECT id, revision, texts FROM things WHERE id > :id ORDER BY id LIMIT :limit",
            {"id": row_id, "limit": limit},
        )
        return [
            IndexRow(
                row.int("id"), row.int("revision"), tuple(from_row(each) for each in json.loads(row.text("texts")))
            )
            for row in rows
        ]

    def revisions(self, r: Reader, ids: Sequence[int]) -> dict[int, int]:
        rows = r.query(
            "SELECT id, revision FROM things WHERE id IN (SELECT value FROM json_each(:ids))",
            {"ids": json.dumps(list(ids))},
        )
        return {row.int("id"): row.int("revision") for row in rows}

    def count(self, r: Reader) -> int:
        row = r.one("SELECT count(*) AS n FROM things")
        return row.int("n") if row else 0
