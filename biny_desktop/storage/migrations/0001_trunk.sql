-- What every package shares: small values, leases between processes, the audit trail.
CREATE TABLE meta(
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE leases(
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until_ms INTEGER NOT NULL,
    fence INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE audit(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    ref_kind TEXT NOT NULL,
    ref_id TEXT NOT NULL,
    before_revision INTEGER,
    after_revision INTEGER,
    why TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX audit_by_ref ON audit(ref_kind, ref_id, id);
