-- The user's own patterns of what is hidden in text (spec 02 §8, type `custom`).
CREATE TABLE redaction_patterns(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    pattern TEXT NOT NULL,
    enabled INTEGER NOT NULL DEFAULT 1,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX redactions_by_time ON redactions(at);
CREATE INDEX frame_events_private ON frame_events(at) WHERE kind = 'private';
