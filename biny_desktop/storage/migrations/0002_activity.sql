-- Frames, the pictures they point at, and the events that say why there is none (spec 02 §9, spec 03 §6, §9, §10).
CREATE TABLE pictures(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    bytes INTEGER NOT NULL,
    original_bytes INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    quality INTEGER NOT NULL,
    tier TEXT NOT NULL DEFAULT 'original' CHECK(tier IN ('original', 'medium', 'small', 'gone')),
    tier_at INTEGER NOT NULL,
    tier_error INTEGER NOT NULL DEFAULT 0,
    sealed INTEGER NOT NULL,
    file_hash TEXT NOT NULL,
    pixel_hash TEXT NOT NULL,
    phash TEXT NOT NULL,
    thumb BLOB,
    monitor_key TEXT NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    pin_note TEXT,
    state TEXT NOT NULL DEFAULT 'live' CHECK(state IN ('live', 'pending_delete', 'gone', 'missing')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX pictures_by_state ON pictures(state, id);

CREATE TABLE frames(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    captured_at INTEGER NOT NULL,
    time_zone TEXT NOT NULL,
    mono_ms INTEGER NOT NULL,
    boot_id TEXT NOT NULL,
    trigger TEXT NOT NULL,
    monitor_key TEXT NOT NULL,
    scale REAL NOT NULL,
    app_id TEXT NOT NULL,
    app_name TEXT NOT NULL,
    title TEXT NOT NULL,
    url TEXT,
    idle_ms INTEGER,
    keys INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    picture_id INTEGER REFERENCES pictures(id),
    seen_again_of INTEGER,
    grab_width INTEGER NOT NULL,
    grab_height INTEGER NOT NULL,
    tiles BLOB,
    tile_cols INTEGER,
    tile_rows INTEGER,
    tile_px INTEGER,
    change_reason TEXT NOT NULL,
    flags TEXT NOT NULL DEFAULT '',
    read_state TEXT NOT NULL DEFAULT 'not_due' CHECK(read_state IN (
        'not_due', 'queued', 'reading', 'done', 'no_text', 'failed', 'parked', 'not_read', 'picture_gone')),
    read_urgent INTEGER NOT NULL DEFAULT 0,
    read_tries INTEGER NOT NULL DEFAULT 0,
    segment_id INTEGER,
    why TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX frames_by_time ON frames(captured_at);
CREATE INDEX frames_by_monitor ON frames(monitor_key, id);
CREATE INDEX frames_by_picture ON frames(picture_id);
CREATE INDEX frames_by_app ON frames(app_id, captured_at);
CREATE INDEX frames_to_read ON frames(read_urgent, id) WHERE read_state IN ('queued', 'reading');

CREATE TABLE frame_events(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    until INTEGER,
    time_zone TEXT NOT NULL,
    mono_ms INTEGER NOT NULL,
    boot_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    count INTEGER NOT NULL DEFAULT 1,
    app_id TEXT,
    app_name TEXT,
    title TEXT,
    detail TEXT NOT NULL DEFAULT '{}',
    segment_id INTEGER
) STRICT;
CREATE INDEX frame_events_by_time ON frame_events(at);

CREATE TABLE frame_text(
    frame_id INTEGER PRIMARY KEY REFERENCES frames(id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    lines TEXT NOT NULL,
    char_count INTEGER NOT NULL,
    same_as INTEGER,
    engine TEXT NOT NULL,
    lines_read INTEGER NOT NULL,
    lines_reused INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    read_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE recorder_states(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '{}'
) STRICT;

CREATE TABLE privacy_rules(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    target TEXT NOT NULL CHECK(target IN ('app', 'title', 'url', 'text')),
    match TEXT NOT NULL CHECK(match IN ('exact', 'contains', 'glob', 'regex')),
    pattern TEXT NOT NULL,
    action TEXT NOT NULL CHECK(action IN ('placeholder', 'no_trace', 'mask')),
    enabled INTEGER NOT NULL DEFAULT 1,
    builtin TEXT,
    hits INTEGER NOT NULL DEFAULT 0,
    last_hit_at INTEGER,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX privacy_rules_builtin ON privacy_rules(builtin) WHERE builtin IS NOT NULL;

CREATE TABLE redactions(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    ref_kind TEXT NOT NULL,
    ref_id INTEGER NOT NULL,
    field TEXT NOT NULL,
    type TEXT NOT NULL,
    count INTEGER NOT NULL,
    rule_version INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX redactions_by_ref ON redactions(ref_kind, ref_id);

CREATE TABLE activity_generation(
    id INTEGER PRIMARY KEY CHECK(id = 1),
    revision TEXT NOT NULL
) STRICT;
INSERT INTO activity_generation(id, revision) VALUES(1, 'first');

CREATE TABLE day_revisions(
    day TEXT PRIMARY KEY,
    n INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
