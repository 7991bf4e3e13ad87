"""The one full-text helper: contentless FTS5 tables whose deletes leave no words in the file.

`contentless_delete=1` keeps deleted words until `optimize`, even with secure delete (spec 01, Traps); so rows are
removed by FTS5's `'delete'` command with the old terms, recomputed from the stored text, under `secure-delete=1`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from biny_desktop.core.text import INDEX_VERSION, index_text
from biny_desktop.storage.database import Reader, Writer

_IDENT = re.compile(r"^[a-z_]+$")


@dataclass(frozen=True, slots=True)
class TextIndex:
    """One FTS table. `raw` columns take tokens that are already prepared (no bigrams), e.g. filter tokens."""

    table: str
    columns: tuple[str, ...]
    raw: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not all(_IDENT.match(name) for name in (self.table, *self.columns)):
            raise ValueError("names in SQL are lower-case letters")

    def ensure(self, w: Writer) -> bool:
        """Make the table if it is missing or was prepared by other rules; True when it is empty and needs a rebuild."""
        row = w.one("SELECT value FROM meta WHERE key = :key", {"key": f"{self.table}.index_version"})
        there = w.one("SELECT 1 AS x FROM sqlite_master WHERE name = :name", {"name": self.table})
        if there and row and row.text("value") == str(INDEX_VERSION):
            return False
        w.script(f"DROP TABLE IF EXISTS {self.table}")
        w.script(
            f"CREATE VIRTUAL TABLE {self.table} USING fts5({', '.join(self.columns)}, content='', "
            "tokenize='unicode61 remove_diacritics 2')"
        )
        w.script(f"INSERT INTO {self.table}({self.table}, rank) VALUES('secure-delete', 1)")
        w.run(
            "INSERT INTO meta(key, value) VALUES(:key, :value) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            {"key": f"{self.table}.index_version", "value": str(INDEX_VERSION)},
        )
        return True

    def add(self, w: Writer, row_id: int, fields: Mapping[str, str]) -> None:
        """Index a row that is not in the table yet."""
        names = ", ".join(self.columns)
        marks = ", ".join(f":{name}" for name in self.columns)
        w.run(f"INSERT INTO {self.table}(rowid, {names}) VALUES(:id, {marks})", self._terms(row_id, fields))

    def remove(self, w: Writer, row_id: int, fields: Mapping[str, str]) -> None:
        """Take a row out; `fields` are exactly the texts it was added with."""
        names = ", ".join(self.columns)
        marks = ", ".join(f":{name}" for name in self.columns)
        w.run(
            f"INSERT INTO {self.table}({self.table}, rowid, {names}) VALUES('delete', :id, {marks})",
            self._terms(row_id, fields),
        )

    def replace(self, w: Writer, row_id: int, old: Mapping[str, str], new: Mapping[str, str]) -> None:
        """Change what a row is found by, inside the transaction of the change itself."""
        self.remove(w, row_id, old)
        self.add(w, row_id, new)

    def count(self, r: Reader) -> int:
        """How many rows are indexed."""
        row = r.one(f"SELECT count(*) AS n FROM {self.table}_docsize")
        return row.int("n") if row else 0

    def _terms(self, row_id: int, fields: Mapping[str, str]) -> dict[str, int | str]:
        terms: dict[str, int | str] = {"id": row_id}
        for name in self.columns:
            text = fields.get(name, "")
            terms[name] = text if name in self.raw else index_text(text)
        return terms
