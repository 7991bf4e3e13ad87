"""SQL of vectors: the tables `<kind>_vectors`, what each was made with, and the vectors of questions.

Vectors of several generations may stand beside each other: the present one, and one that is being made. Where rows are
asked for, `+generation` keeps SQLite from reading a whole generation by `<kind>_vectors_by_change` to find a few
(0.2 s at 200,000 vectors instead of 0.01 s).
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from biny_desktop.models.centring import Calibration, from_json
from biny_desktop.models.model import Script
from biny_desktop.models.quantise import bits_length
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import JsonValue, Row, SqlValue, dump_json

_KIND: Final = re.compile(r"^[a-z_]+$")
Key = tuple[int, int]
"""Row id and part."""
Why = Literal["rebuild", "centring"]


@dataclass(frozen=True, slots=True)
class Staged:
    """A generation that is being made: why, and what its vectors are made with."""

    generation: int
    why: Why
    fingerprint: str
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """What an index is made of; `changes` rises with every transaction that writes vectors."""

    kind: str
    generation: int
    fingerprint: str
    calibration: Calibration
    changes: int
    checked: int
    staged: Staged | None
    built_at_ms: int


@dataclass(frozen=True, slots=True)
class Vector:
    """A kept vector: `q` int8 of the raw unit vector, `bits` signs of the centred one."""

    row_id: int
    part: int
    revision: int
    script: Script
    q: bytes
    scale: float
    bits: bytes


def table_of(kind: str) -> str:
    """The table of that kind's vectors. Raises ValueError for a kind that is no name."""
    if not _KIND.match(kind):
        raise ValueError("a kind of vectors is lower-case letters")
    return f"{kind}_vectors"


def record(r: Reader, kind: str) -> IndexRecord | None:
    """What the index of that kind is made of; None before its first vector, and when it cannot be read any more: it
    begins anew then."""
    row = r.one("SELECT * FROM vector_indexes WHERE kind = :kind", {"kind": kind})
    calibration = None if row is None else from_json(row.text("calibration"))
    if row is None or calibration is None or calibration.dims != row.int("dims"):
        return None
    return IndexRecord(
        kind, row.int("generation"), row.text("fingerprint"), calibration,
        row.int("changes"), row.int("checked"), _staged(row.json("staged")), row.int("built_at"),
    )  # fmt: skip


def changes(r: Reader, kind: str) -> int:
    """The counter of that index; 0 when there is none."""
    row = r.one("SELECT changes FROM vector_indexes WHERE kind = :kind", {"kind": kind})
    return row.int("changes") if row else 0


def _staged(kept: JsonValue) -> Staged | None:
    if not isinstance(kept, dict):
        return None
    generation, why, fingerprint = kept.get("generation"), kept.get("why"), kept.get("fingerprint")
    calibration = from_json(str(kept.get("calibration")))
    if not isinstance(generation, int) or not isinstance(fingerprint, str) or calibration is None:
        return None
    return Staged(generation, "centring" if why == "centring" else "rebuild", fingerprint, calibration)


def put_record(w: Writer, kind: str, generation: int, fingerprint: str, calibration: Calibration, at_ms: int) -> None:
    """Make this the present generation; nothing is staged afterwards, the counter of changes goes on."""
    w.run(
        "INSERT INTO vector_indexes(kind, generation, fingerprint, dims, calibration_id, calibration, changes, "
        "built_at) VALUES(:kind, :generation, :fingerprint, :dims, :id, :calibration, 1, :at) "
        "ON CONFLICT(kind) DO UPDATE SET generation = excluded.generation, "
        "fingerprint = excluded.fingerprint, dims = excluded.dims, calibration_id = excluded.calibration_id, "
        "calibration = excluded.calibration, changes = changes + 1, "
        "checked = changes + 1, staged = NULL, built_at = excluded.built_at",
        {
            "kind": kind, "generation": generation, "fingerprint": fingerprint, "dims": calibration.dims,
            "id": calibration.id, "calibration": calibration.to_json(), "at": at_ms,
        },
    )  # fmt: skip


def set_staged(w: Writer, kind: str, staged: Staged | None) -> None:
    """Note what is being made, or that nothing is."""
    text = None
    if staged is not None:
        text = dump_json({
            "generation": staged.generation, "why": staged.why, "fingerprint": staged.fingerprint,
            "calibration": staged.calibration.to_json(),
        })  # fmt: skip
    w.run("UPDATE vector_indexes SET staged = :staged WHERE kind = :kind", {"kind": kind, "staged": text})


def set_calibration(w: Writer, kind: str, calibration: Calibration, at_ms: int) -> None:
    """Use other means of questions; those of passages belong to the generation."""
    w.run(
        "UPDATE vector_indexes SET calibration_id = :id, calibration = :calibration, built_at = :at WHERE kind = :kind",
        {"kind": kind, "id": calibration.id, "calibration": calibration.to_json(), "at": at_ms},
    )


def set_checked(w: Writer, kind: str, seen: int) -> None:
    """Note that the means were compared with the vectors at that count of changes."""
    w.run("UPDATE vector_indexes SET checked = :seen WHERE kind = :kind", {"kind": kind, "seen": seen})


def next_change(w: Writer, kind: str) -> int:
    """Count a change and return the counter."""
    w.run("UPDATE vector_indexes SET changes = changes + 1 WHERE kind = :kind", {"kind": kind})
    return changes(w, kind)


def free_generation(r: Reader, kind: str) -> int:
    """A number that no vector of the kind bears, not even one that was left over."""
    row = r.one(
        f"SELECT max(coalesce((SELECT max(generation) FROM {table_of(kind)}), 0), "
        "coalesce((SELECT generation FROM vector_indexes WHERE kind = :kind), 0)) + 1 AS n",
        {"kind": kind},
    )
    return row.int("n") if row else 1


def put(w: Writer, kind: str, generation: int, fingerprint: str, change: int, vectors: Iterable[Vector]) -> None:
    """Write vectors of a generation; the earlier ones of their rows were removed."""
    for each in vectors:
        w.run(
            f"INSERT OR REPLACE INTO {table_of(kind)}(row_id, part, generation, revision, script, q, scale, bits, "
            "fingerprint, change) VALUES(:row, :part, :generation, :revision, :script, :q, :scale, :bits, "
            ":fingerprint, :change)",
            {
                "row": each.row_id, "part": each.part, "generation": generation, "revision": each.revision,
                "script": each.script, "q": each.q, "scale": each.scale, "bits": each.bits,
                "fingerprint": fingerprint, "change": change,
            },
        )  # fmt: skip


def remove(w: Writer, kind: str, ids: Sequence[int], generation: int | None = None) -> int:
    """Delete the vectors of rows, of one generation or of all; returns how many."""
    where = "" if generation is None else " AND +generation = :generation"
    params: dict[str, SqlValue] = {"ids": json.dumps(list(ids))}
    if generation is not None:
        params["generation"] = generation
    return w.run(f"DELETE FROM {table_of(kind)} WHERE row_id IN (SELECT value FROM json_each(:ids)){where}", params)


def remove_generation(w: Writer, kind: str, generation: int, limit: int) -> int:
    """Delete up to `limit` vectors of a generation; returns how many."""
    table = table_of(kind)
    return w.run(
        f"DELETE FROM {table} WHERE (row_id, part, generation) IN (SELECT row_id, part, generation FROM {table} "
        "WHERE generation = :generation LIMIT :limit)",
        {"generation": generation, "limit": limit},
    )


def other_generations(r: Reader, kind: str, keep: Sequence[int]) -> list[int]:
    """Generations that have vectors and are not in `keep`; found by steps through the index, not by reading it."""
    out: list[int] = []
    last = -1
    while True:
        row = r.one(f"SELECT min(generation) AS g FROM {table_of(kind)} WHERE generation > :last", {"last": last})
        found = row.maybe_int("g") if row else None
        if found is None:
            return out
        last = found
        if found not in keep:
            out.append(found)


def count(r: Reader, kind: str, generation: int) -> int:
    """How many vectors a generation has."""
    row = r.one(f"SELECT count(*) AS n FROM {table_of(kind)} WHERE generation = :g", {"g": generation})
    return row.int("n") if row else 0


def any_vector(r: Reader, kind: str, generation: int) -> bool:
    """Whether a generation has a vector."""
    return r.one(f"SELECT 1 AS x FROM {table_of(kind)} WHERE generation = :g LIMIT 1", {"g": generation}) is not None


_REVISION: Final = "min(CASE WHEN length(q) = :dims AND length(bits) = :bytes THEN revision ELSE -1 END) AS revision"
"""The revision of a row's vectors; -1, which no row has, when one of them is damaged."""


def _lengths(dims: int) -> dict[str, SqlValue]:
    return {"dims": dims, "bytes": bits_length(dims)}


def revisions_after(r: Reader, kind: str, generation: int, row_id: int, limit: int, dims: int) -> list[tuple[int, int]]:
    """(row id, revision) of rows with vectors, by ascending id above that one; -1 for vectors of another length."""
    rows = r.query(
        f"SELECT row_id, {_REVISION} FROM {table_of(kind)} WHERE row_id > :id AND +generation = :g "
        "GROUP BY row_id ORDER BY row_id LIMIT :limit",
        {"id": row_id, "g": generation, "limit": limit, **_lengths(dims)},
    )
    return [(row.int("row_id"), row.int("revision")) for row in rows]


def count_valid(r: Reader, kind: str, generation: int, dims: int, present: str) -> tuple[int, int]:
    """How many rows have vectors, and how many of those have them at the revision that the SELECT `present` gives."""
    row = r.one(
        f"SELECT count(*) AS n, count(p.id) AS good FROM (SELECT row_id, {_REVISION} FROM {table_of(kind)} "
        f"WHERE +generation = :g GROUP BY row_id) v LEFT JOIN ({present}) p ON p.id = v.row_id "
        "AND p.revision = v.revision",
        {"g": generation, **_lengths(dims)},
    )
    return (row.int("n"), row.int("good")) if row else (0, 0)


def revisions_of(r: Reader, kind: str, generation: int, ids: Sequence[int], dims: int) -> dict[int, int]:
    """The revision at which each of these rows has vectors, -1 for vectors of another length; rows without are left
    out."""
    rows = r.query(
        f"SELECT row_id, {_REVISION} FROM {table_of(kind)} WHERE row_id IN (SELECT value FROM json_each(:ids)) "
        "AND +generation = :g GROUP BY row_id",
        {"ids": json.dumps(list(ids)), "g": generation, **_lengths(dims)},
    )
    return {row.int("row_id"): row.int("revision") for row in rows}


def last_key(r: Reader, kind: str, generation: int) -> Key | None:
    """The last row and part of a generation."""
    row = r.one(
        f"SELECT row_id, part FROM {table_of(kind)} WHERE +generation = :g ORDER BY row_id DESC, part DESC LIMIT 1",
        {"g": generation},
    )
    return (row.int("row_id"), row.int("part")) if row else None


def without_twin(r: Reader, kind: str, generation: int, other: int, limit: int) -> list[Key]:
    """Vectors of a generation that another one has not, or of another revision."""
    table = table_of(kind)
    rows = r.query(
        f"SELECT row_id, part FROM {table} a WHERE +generation = :g AND NOT EXISTS(SELECT 1 FROM {table} b WHERE "
        "b.row_id = a.row_id AND b.part = a.part AND b.generation = :other AND b.revision = a.revision) LIMIT :limit",
        {"g": generation, "other": other, "limit": limit},
    )
    return [(row.int("row_id"), row.int("part")) for row in rows]


_COLUMNS: Final = "row_id, part, revision, script, q, scale, bits"


def after(r: Reader, kind: str, generation: int, key: Key, limit: int) -> list[Vector]:
    """Vectors of a generation in order of row and part, after that one."""
    rows = r.query(
        f"SELECT {_COLUMNS} FROM {table_of(kind)} WHERE (row_id, part) > (:row, :part) AND +generation = :g "
        "ORDER BY row_id, part LIMIT :limit",
        {"row": key[0], "part": key[1], "g": generation, "limit": limit},
    )
    return [_vector(row) for row in rows]


def of_rows(r: Reader, kind: str, generation: int, ids: Sequence[int]) -> list[Vector]:
    """All vectors of these rows."""
    rows = r.query(
        f"SELECT {_COLUMNS} FROM {table_of(kind)} WHERE row_id IN (SELECT value FROM json_each(:ids)) "
        "AND +generation = :g",
        {"ids": json.dumps(list(ids)), "g": generation},
    )
    return [_vector(row) for row in rows]


def _vector(row: Row) -> Vector:
    return Vector(
        row.int("row_id"), row.int("part"), row.int("revision"), script(row.text("script")), row.blob("q"),
        row.float("scale"), row.blob("bits"),
    )  # fmt: skip


def script(text: str) -> Script:
    """A script group as its column holds it."""
    return "cjk" if text == "cjk" else "other"


@dataclass(frozen=True, slots=True)
class Coarse:
    """What a search in bits needs of a vector; `change` the counter at its write."""

    row_id: int
    part: int
    change: int
    bits: bytes


def coarse_after(r: Reader, kind: str, generation: int, last: tuple[int, int, int], limit: int) -> list[Coarse]:
    """Vectors written after (change, row, part), in that order; read from the table's index alone."""
    rows = r.query(
        f"SELECT row_id, part, change, bits FROM {table_of(kind)} WHERE generation = :g "
        "AND (change, row_id, part) > (:change, :row, :part) ORDER BY change, row_id, part LIMIT :limit",
        {"g": generation, "change": last[0], "row": last[1], "part": last[2], "limit": limit},
    )
    return [Coarse(row.int("row_id"), row.int("part"), row.int("change"), row.blob("bits")) for row in rows]


def set_bits(w: Writer, kind: str, generation: int, bits: Mapping[Key, bytes]) -> None:
    """Write the signs of vectors anew."""
    for (row_id, part), value in bits.items():
        w.run(
            f"UPDATE {table_of(kind)} SET bits = :bits WHERE row_id = :row AND part = :part AND generation = :g",
            {"bits": value, "row": row_id, "part": part, "g": generation},
        )


def put_question(
    w: Writer, script_group: Script, q: bytes, scale: float, fingerprint: str, at_ms: int, keep: int
) -> None:
    """Keep a question's vector, and of its group and fingerprint only the newest `keep`; drop those of others."""
    params: dict[str, SqlValue] = {"fingerprint": fingerprint, "script": script_group}
    w.run(
        "INSERT INTO question_vectors(script, q, scale, fingerprint, at) "
        "VALUES(:script, :q, :scale, :fingerprint, :at)",
        {**params, "q": q, "scale": scale, "at": at_ms},
    )
    w.run(
        "DELETE FROM question_vectors WHERE id IN (SELECT id FROM question_vectors WHERE fingerprint = :fingerprint "
        "AND script = :script ORDER BY id DESC LIMIT -1 OFFSET :keep)",
        {**params, "keep": keep},
    )


def questions(r: Reader, fingerprint: str, script_group: Script, limit: int) -> list[bytes]:
    """The newest question vectors (int8) of a fingerprint and group."""
    rows = r.query(
        "SELECT q FROM question_vectors WHERE fingerprint = :fingerprint AND script = :script "
        "ORDER BY id DESC LIMIT :limit",
        {"fingerprint": fingerprint, "script": script_group, "limit": limit},
    )
    return [row.blob("q") for row in rows]


def kept_means(r: Reader, fingerprint: str) -> Calibration | None:
    """The means of the reference texts that were computed here for an embedder."""
    row = r.one("SELECT value FROM meta WHERE key = :key", {"key": f"means.{fingerprint}"})
    return from_json(row.text("value")) if row else None


def keep_means(w: Writer, fingerprint: str, calibration: Calibration) -> None:
    """Keep them for every kind and the next start."""
    w.run(
        "INSERT INTO meta(key, value) VALUES(:key, :value) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        {"key": f"means.{fingerprint}", "value": calibration.to_json()},
    )
