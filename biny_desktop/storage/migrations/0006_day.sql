-- A day understood: segments and their edits, reports, offers, vectors with their calibration, the model call ledger
-- (spec 03 §10, spec 01 Models).
CREATE TABLE segments(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    time_zone TEXT NOT NULL,
    day TEXT NOT NULL,
    kind TEXT NOT NULL CHECK(kind IN ('active', 'watching', 'private')),
    open INTEGER NOT NULL DEFAULT 0,
    active_ms INTEGER NOT NULL,
    idle_ms INTEGER NOT NULL,
    private_ms INTEGER NOT NULL,
    spans TEXT NOT NULL DEFAULT '[]',
    apps TEXT NOT NULL DEFAULT '[]',
    titles TEXT NOT NULL DEFAULT '[]',
    keys INTEGER NOT NULL DEFAULT 0,
    clicks INTEGER NOT NULL DEFAULT 0,
    frame_count INTEGER NOT NULL DEFAULT 0,
    read_count INTEGER NOT NULL DEFAULT 0,
    event_count INTEGER NOT NULL DEFAULT 0,
    picture_bytes INTEGER NOT NULL DEFAULT 0,
    close_reason TEXT NOT NULL DEFAULT '',
    continues_id INTEGER,
    clock_adjusted INTEGER NOT NULL DEFAULT 0,
    user_locked INTEGER NOT NULL DEFAULT 0,
    edited_fields TEXT NOT NULL DEFAULT '[]',
    note TEXT,
    hidden INTEGER NOT NULL DEFAULT 0,
    trivial INTEGER NOT NULL DEFAULT 0,
    rules_version INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending' CHECK(status IN (
        'pending', 'analysed', 'not_worth', 'skipped_trivial', 'skipped_no_model', 'skipped_private', 'failed')),
    reason TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    title_by TEXT NOT NULL DEFAULT 'rule' CHECK(title_by IN ('rule', 'model', 'user')),
    description TEXT NOT NULL DEFAULT '',
    summary TEXT NOT NULL DEFAULT '',
    project TEXT,
    topics TEXT NOT NULL DEFAULT '[]',
    highlights TEXT NOT NULL DEFAULT '[]',
    entities TEXT NOT NULL DEFAULT '{}',
    worth INTEGER NOT NULL DEFAULT 0,
    worth_why TEXT NOT NULL DEFAULT '',
    is_meeting INTEGER NOT NULL DEFAULT 0,
    tier TEXT NOT NULL DEFAULT 'standard' CHECK(tier IN ('ephemeral', 'standard', 'important')),
    confidence REAL NOT NULL DEFAULT 0,
    model TEXT,
    prompt_version TEXT,
    input_hash TEXT,
    stale INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    analysed_at INTEGER,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK(ended_at > started_at)
) STRICT;
CREATE INDEX segments_by_time ON segments(started_at, ended_at);
-- Heat maps, lists of days and sums read no row: rows are long.
CREATE INDEX segments_by_day ON segments(day, started_at, ended_at, time_zone, kind, hidden, trivial, active_ms);
CREATE INDEX segments_open ON segments(day) WHERE open = 1;
CREATE INDEX segments_by_status ON segments(status, ended_at);
CREATE INDEX segments_by_project ON segments(project, started_at) WHERE project IS NOT NULL;
CREATE INDEX frames_by_segment ON frames(segment_id, id) WHERE segment_id IS NOT NULL;
CREATE INDEX frame_events_by_segment ON frame_events(segment_id) WHERE segment_id IS NOT NULL;

-- How far each day was cut into segments: the revision of the day that was cut, up to when, and what the time between
-- the segments was (JSON [[start, end, cause]]).
CREATE TABLE segment_days(
    day TEXT PRIMARY KEY,
    n INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    gaps TEXT NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE segment_edits(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    segment_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    what TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    who TEXT NOT NULL
) STRICT;
CREATE INDEX segment_edits_by_segment ON segment_edits(segment_id, id);

CREATE TABLE reports(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK(kind IN ('day', 'week')),
    key TEXT NOT NULL,
    state TEXT NOT NULL CHECK(state IN ('done', 'done_no_model', 'narrative_failed', 'empty_day', 'failed')),
    reason TEXT NOT NULL DEFAULT '',
    statistics TEXT NOT NULL,
    markdown TEXT NOT NULL,
    narrative TEXT,
    narrative_hash TEXT,
    model TEXT,
    data_revision TEXT NOT NULL,
    stale INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    tries_day TEXT NOT NULL DEFAULT '',
    next_try_at INTEGER,
    made_at INTEGER NOT NULL,
    file_error TEXT NOT NULL DEFAULT '',
    revision INTEGER NOT NULL DEFAULT 1,
    UNIQUE(kind, key)
) STRICT;

CREATE TABLE fact_offers(
    segment_id INTEGER NOT NULL,
    n INTEGER NOT NULL,
    content TEXT NOT NULL,
    kind TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    sources TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK(outcome IN ('waiting', 'deferred', 'added', 'duplicate', 'rejected')),
    reason TEXT NOT NULL DEFAULT '',
    fact_id TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY(segment_id, n)
) WITHOUT ROWID, STRICT;
CREATE INDEX fact_offers_by_outcome ON fact_offers(outcome, at);

-- Terms of a segment for crystals; `passed_at` is set once a sink took them (at most once per segment and term).
CREATE TABLE crystal_terms(
    segment_id INTEGER NOT NULL,
    term TEXT NOT NULL,
    kind TEXT NOT NULL,
    day TEXT NOT NULL,
    passed_at INTEGER,
    PRIMARY KEY(segment_id, term)
) WITHOUT ROWID, STRICT;

-- What was decided for each frame text: whether it has vectors, and why not. `revision` counts changes of the words.
CREATE TABLE frame_passages(
    frame_id INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL,
    state TEXT NOT NULL CHECK(state IN ('pending', 'embedded', 'short', 'same', 'parked')),
    same_as INTEGER,
    parts INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX frame_passages_by_state ON frame_passages(state, tries, frame_id DESC);
CREATE INDEX frame_passages_by_same ON frame_passages(same_as) WHERE same_as IS NOT NULL;
INSERT INTO frame_passages(frame_id, revision, state, at) SELECT frame_id, 1, 'pending', read_at FROM frame_text;

-- Vectors: the raw unit vector as int8 with its scale (re-centring is arithmetic), the signs of the centred one. Those of
-- a rebuild stand beside the present ones under a generation of their own until it becomes the present one. `change` is
-- `vector_indexes.changes` at the write: what an index in memory has not seen yet; that index of the table is all a
-- search in bits has to read.
CREATE TABLE frame_vectors(
    row_id INTEGER NOT NULL,
    part INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    script TEXT NOT NULL CHECK(script IN ('cjk', 'other')),
    q BLOB NOT NULL,
    scale REAL NOT NULL,
    bits BLOB NOT NULL,
    fingerprint TEXT NOT NULL,
    change INTEGER NOT NULL,
    PRIMARY KEY(row_id, part, generation)
) WITHOUT ROWID, STRICT;
CREATE INDEX frame_vectors_by_change ON frame_vectors(generation, change, row_id, part, bits);
CREATE TABLE segment_vectors(
    row_id INTEGER NOT NULL,
    part INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    script TEXT NOT NULL CHECK(script IN ('cjk', 'other')),
    q BLOB NOT NULL,
    scale REAL NOT NULL,
    bits BLOB NOT NULL,
    fingerprint TEXT NOT NULL,
    change INTEGER NOT NULL,
    PRIMARY KEY(row_id, part, generation)
) WITHOUT ROWID, STRICT;
CREATE INDEX segment_vectors_by_change ON segment_vectors(generation, change, row_id, part, bits);

-- One row a kind of vectors: what those of its present generation were made with, and the means they are centred by.
-- `staged` is the generation that is being made (JSON), `checked` the value of `changes` when the means were last
-- compared with the vectors.
CREATE TABLE vector_indexes(
    kind TEXT PRIMARY KEY,
    generation INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    dims INTEGER NOT NULL,
    calibration_id TEXT NOT NULL,
    calibration TEXT NOT NULL,
    changes INTEGER NOT NULL DEFAULT 0,
    checked INTEGER NOT NULL DEFAULT 0,
    staged TEXT,
    built_at INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

-- Vectors of the newest questions, without their words: the mean of questions comes from them.
CREATE TABLE question_vectors(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    script TEXT NOT NULL CHECK(script IN ('cjk', 'other')),
    q BLOB NOT NULL,
    scale REAL NOT NULL,
    fingerprint TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX question_vectors_by_script ON question_vectors(fingerprint, script, id);

-- Every call of a language model; never what was asked or answered.
CREATE TABLE model_calls(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    task TEXT NOT NULL,
    slot TEXT NOT NULL,
    model TEXT NOT NULL,
    server TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    tokens_in INTEGER,
    tokens_out INTEGER,
    ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX model_calls_by_time ON model_calls(at);
