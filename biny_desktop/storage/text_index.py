"""The one full-text helper: contentless FTS5 tables whose deletes leave no words in the file.

`contentless_delete=1` keeps deleted words until `optimize`, even with secure delete (spec 01, Traps); so rows are
removed by FTS5's `'delete'` command with the old terms, recomputed from the stored text, under `secure-delete=1`.
That still leaves a deleted word where it separates two pages of the index; `clear_separators` replaces those.
"""

import bisect
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from biny_desktop.core.text import INDEX_VERSION, index_text
from biny_desktop.storage.database import Database, Reader, Writer

_MERGE_ALL_PAGES = 200
_MERGE_PAGES = 64
_PIECES_MAX = 32
"""So many pieces of a size are joined at once by the row that comes, should `merge_step` not have been called."""
_IDENT = re.compile(r"^[a-z_]+$")


@dataclass(frozen=True, slots=True)
class TextIndex:
    """One FTS table. `raw` columns take tokens that are already prepared (no bigrams), e.g. filter tokens.

    `prefixes` are lengths in characters that `word*` queries are answered for from an index of their own; without it
    such a query reads every word that begins so (one CJK character: 0.4 s at 200,000 rows). `stems`: English words are
    found in their other forms (Porter: running, runs), for texts searched by questions; words of screens are not.
    `merged_apart`: whoever calls `merge_step` now and then joins the pieces that each transaction adds; else FTS5 does
    it by itself, in the transaction of one row in fifteen, which then takes 30 to 80 ms at 200,000 rows.
    """

    table: str
    columns: tuple[str, ...]
    raw: frozenset[str] = frozenset()
    prefixes: tuple[int, ...] = ()
    stems: bool = False
    merged_apart: bool = False

    def __post_init__(self) -> None:
        if not all(_IDENT.match(name) for name in (self.table, *self.columns)):
            raise ValueError("names in SQL are lower-case letters")

    @property
    def _tokenizer(self) -> str:
        return ("porter " if self.stems else "") + "unicode61 remove_diacritics 2"

    def ensure(self, w: Writer) -> bool:
        """Make the table if it is missing or was prepared by other rules; True when it is empty and needs a rebuild."""
        row = w.one("SELECT value FROM meta WHERE key = :key", {"key": f"{self.table}.index_version"})
        there = w.one("SELECT 1 AS x FROM sqlite_master WHERE name = :name", {"name": self.table})
        if there and row and row.text("value") == str(INDEX_VERSION):
            self._set_merging(w)
            return False
        w.script(f"DROP TABLE IF EXISTS {self.table}")
        w.script(
            f"CREATE VIRTUAL TABLE {self.table} USING fts5({', '.join(self.columns)}, content='', "
            f"prefix='{' '.join(str(length) for length in self.prefixes)}', "
            f"tokenize='{self._tokenizer}')"
        )
        w.script(f"INSERT INTO {self.table}({self.table}, rank) VALUES('secure-delete', 1)")
        self._set_merging(w)
        w.run(
            "INSERT INTO meta(key, value) VALUES(:key, :value) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            {"key": f"{self.table}.index_version", "value": str(INDEX_VERSION)},
        )
        return True

    def _set_merging(self, w: Writer) -> None:
        """Have FTS5 leave the merging to `merge_step`; also in a table that was made before there was a choice."""
        known = w.one(f"SELECT 1 AS x FROM {self.table}_config WHERE k = 'automerge'")
        if self.merged_apart and known is None:
            for name, value in (("automerge", 0), ("crisismerge", _PIECES_MAX)):
                w.run(f"INSERT INTO {self.table}({self.table}, rank) VALUES('{name}', {value})")

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

    def clear(self, w: Writer) -> None:
        """Take every row out at once."""
        w.run(f"INSERT INTO {self.table}({self.table}) VALUES('delete-all')")

    def delete_loosely(self, w: Writer, *, on: bool) -> None:
        """Switch to quick deletes that leave the words until `merge_all_step` has gone round, or back to thorough ones.

        A thorough one edits a page for each word of the row: tens of milliseconds at 200,000 rows, a quick one 0.5.
        """
        w.run(f"INSERT INTO {self.table}({self.table}, rank) VALUES('secure-delete', :value)", {"value": int(not on)})

    def merge_all_step(self, w: Writer, *, first: bool) -> bool:
        """Rewrite a piece of the index (about 0.1 s); False when all is one and no deleted word is left in it."""
        return self._merge(w, -_MERGE_ALL_PAGES if first else _MERGE_ALL_PAGES) or first

    def merge_step(self, w: Writer) -> bool:
        """Join some pages of pieces of about the same size (5 to 20 ms); False when no four of a size were left.

        Each word of a row that is removed is looked up in every piece: with 24 of them a row takes twice as long as
        with 10.
        """
        return self._merge(w, _MERGE_PAGES)

    def _merge(self, w: Writer, pages: int) -> bool:
        changes = w.run(f"INSERT INTO {self.table}({self.table}, rank) VALUES('merge', :pages)", {"pages": pages})
        return changes >= 2

    def words_of(self, w: Writer, rows: Iterable[Mapping[str, str]]) -> set[bytes]:
        """The words that rows with these fields are indexed by, as the tokenizer cuts them; nothing is kept."""
        scratch = replace(self, table=f"{self.table}_scratch", prefixes=())
        w.script(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{scratch.table} USING fts5({', '.join(self.columns)}, "
            f"content='', tokenize='{self._tokenizer}');"
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{scratch.table}_words USING fts5vocab(temp, {scratch.table}, row)"
        )
        for number, fields in enumerate(rows, 1):
            scratch.add(w, number, fields)
        words = {row.blob("word") for row in w.query(f"SELECT CAST(term AS BLOB) AS word FROM {scratch.table}_words")}
        scratch.clear(w)
        return words

    def stale_separators(self, r: Reader, gone: set[bytes] | None = None) -> list[tuple[int, bytes]]:
        """(segment, key) of page separators that are part of no indexed word any more.

        With `gone` (words of deleted rows, `words_of`) only separators that are part of one of those are looked up,
        else all: some seconds at 200,000 rows.
        """
        self._open_words(r)
        rows = r.query(f"SELECT segid, term FROM {self.table}_idx WHERE length(term) > 1")
        keys = [(row.int("segid"), row.blob("term")) for row in rows]
        if gone is not None:
            order = sorted(gone)
            keys = [(segment, key) for segment, key in keys if _begins_one(order, key[1:])]
        return [(segment, key) for segment, key in keys if not (self._next_word(r, key) or b"").startswith(key[1:])]

    def clear_deleted_words(self, db: Database, gone: set[bytes] | None) -> int:
        """Look for stale separators, and replace those there are; returns how many. `gone` as for `stale_separators`.

        Raises:
            StorageError: the index cannot be changed.
        """
        with db.read() as r:
            stale = self.stale_separators(r, gone)
        if not stale:
            return 0
        with db.write() as w:
            return self.clear_separators(w, stale)

    def clear_separators(self, w: Writer, stale: list[tuple[int, bytes]]) -> int:
        """Put the next word that is still indexed in the place of separators found by `stale_separators`.

        A separator has to lie above the last word before its page and not above the first word on it; the next indexed
        word does, wherever it stands. Returns how many were replaced; one that is in use again is left.
        """
        self._open_words(w)
        done = 0
        for segment, key in stale:
            word = self._next_word(w, key)
            if word is not None and not word.startswith(key[1:]):
                done += w.run(
                    f"UPDATE OR IGNORE {self.table}_idx SET term = :new WHERE segid = :segment AND term = :old",
                    {"new": key[:1] + self._cut(key, word), "segment": segment, "old": key},
                )
        return done

    def _cut(self, key: bytes, word: bytes) -> bytes:
        """The word as the index that this key belongs to holds it: whole, or its first characters."""
        place = key[0] - ord("0")
        return word if place == 0 else word.decode()[: self.prefixes[place - 1]].encode()

    def _open_words(self, r: Reader) -> None:
        r.query(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{self.table}_words USING fts5vocab(main, {self.table}, row)")

    def _next_word(self, r: Reader, key: bytes) -> bytes | None:
        """The first indexed word that is not below a separator (whose first byte names the index)."""
        row = r.one(
            f"SELECT CAST(term AS BLOB) AS word FROM temp.{self.table}_words WHERE term >= CAST(:key AS TEXT) "
            "ORDER BY term LIMIT 1",
            {"key": key[1:]},
        )
        return row.blob("word") if row else None

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


def _begins_one(words: Sequence[bytes], start: bytes) -> bool:
    """Whether one of the sorted words begins so."""
    place = bisect.bisect_left(words, start)
    return place < len(words) and words[place].startswith(start)
