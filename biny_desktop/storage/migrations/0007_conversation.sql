-- Conversation: the append-only session log and its projections, todos, checkpoints, effect records, approvals of exact
-- calls, imports, vectors of messages (spec 05 §11). Everything but `session_events`, imports and
-- vectors is a projection: written in the transaction of its event, rebuilt from the events when it is behind.
CREATE TABLE projects(
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL CHECK(length(name) BETWEEN 1 AND 120),
    folder TEXT UNIQUE,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE session_events(
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    event_id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    turn_id TEXT,
    run_id TEXT,
    payload TEXT NOT NULL,
    at INTEGER NOT NULL,
    time_zone TEXT NOT NULL,
    PRIMARY KEY(session_id, seq)
) STRICT;
CREATE INDEX session_events_by_turn ON session_events(session_id, turn_id, seq) WHERE turn_id IS NOT NULL;

-- `last_seq` is the highest event that the projections of this session hold.
CREATE TABLE sessions(
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL DEFAULT '',
    title_by TEXT NOT NULL DEFAULT 'rule' CHECK(title_by IN ('rule', 'user', 'import')),
    project_id TEXT REFERENCES projects(id) ON DELETE SET NULL,
    source TEXT NOT NULL,
    source_key TEXT UNIQUE,
    parent_session_id TEXT,
    parent_message_id TEXT,
    reference TEXT NOT NULL DEFAULT '',
    import_batch INTEGER,
    learn INTEGER,
    recall INTEGER,
    leaf_id TEXT,
    message_count INTEGER NOT NULL DEFAULT 0,
    turn_status TEXT,
    turn_reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    time_zone TEXT NOT NULL,
    last_seq INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX sessions_by_time ON sessions(updated_at DESC, id);
CREATE INDEX sessions_by_project ON sessions(project_id, updated_at DESC) WHERE project_id IS NOT NULL;
CREATE INDEX sessions_by_batch ON sessions(import_batch) WHERE import_batch IS NOT NULL;

-- `active`: the node is on the active path of its session now.
CREATE TABLE messages(
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    parent_id TEXT,
    slot_id TEXT NOT NULL,
    role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'tool')),
    seq INTEGER NOT NULL,
    turn_id TEXT,
    run_id TEXT,
    content TEXT NOT NULL,
    reasoning TEXT NOT NULL DEFAULT '',
    spans TEXT NOT NULL DEFAULT '[]',
    attachments TEXT NOT NULL DEFAULT '[]',
    tool_calls TEXT NOT NULL DEFAULT '[]',
    call_id TEXT,
    tool_status TEXT,
    state TEXT NOT NULL DEFAULT 'complete' CHECK(state IN ('complete', 'stopped')),
    reply_to TEXT,
    retry_of TEXT,
    model TEXT,
    usage TEXT,
    sent_at INTEGER NOT NULL,
    time_zone TEXT NOT NULL,
    estimated INTEGER NOT NULL DEFAULT 0,
    raw_time TEXT NOT NULL DEFAULT '',
    source_key TEXT UNIQUE,
    copied_from TEXT,
    active INTEGER NOT NULL DEFAULT 1,
    revision INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX messages_by_session ON messages(session_id, seq);
CREATE INDEX messages_by_parent ON messages(session_id, parent_id);
CREATE INDEX messages_by_time ON messages(sent_at, n);
-- Search looks at many rows by number; without it each would be read with all its text.
CREATE INDEX messages_filtered ON messages(n, active, role, session_id, sent_at);

CREATE TABLE slot_selected(
    session_id TEXT NOT NULL,
    slot_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY(session_id, slot_id)
) WITHOUT ROWID, STRICT;

CREATE TABLE checkpoints(
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    payload TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX checkpoints_by_session ON checkpoints(session_id, seq);

CREATE TABLE compaction_failures(
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY(session_id, seq)
) WITHOUT ROWID, STRICT;

CREATE TABLE todos(
    session_id TEXT PRIMARY KEY,
    items TEXT NOT NULL,
    revision INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

-- Effect records of tools: admitted before the effect, committed with the event of the result.
CREATE TABLE tool_executions(
    operation_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    turn_id TEXT,
    run_id TEXT,
    call_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    args TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    effect TEXT NOT NULL CHECK(effect IN ('read', 'local', 'file', 'external')),
    state TEXT NOT NULL CHECK(state IN ('admitted', 'running', 'committed')),
    status TEXT CHECK(status IN ('succeeded', 'failed', 'cancelled', 'unknown')),
    target TEXT NOT NULL DEFAULT '',
    before_hash TEXT,
    intended_hash TEXT,
    settled_by TEXT,
    at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tool_executions_by_session ON tool_executions(session_id, turn_id, state);
CREATE INDEX tool_executions_open ON tool_executions(state) WHERE state <> 'committed';

CREATE TABLE approvals(
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    turn_id TEXT,
    call_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    args TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    shown TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL CHECK(status IN ('open', 'approved', 'refused', 'used')),
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    expires_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX approvals_by_status ON approvals(status, asked_at);
CREATE INDEX approvals_by_session ON approvals(session_id, asked_at);

CREATE TABLE import_batches(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    format TEXT NOT NULL,
    source TEXT NOT NULL,
    file_hashes TEXT NOT NULL DEFAULT '[]',
    state TEXT NOT NULL CHECK(state IN ('running', 'done', 'cancelled', 'failed', 'rolled_back')),
    mine INTEGER NOT NULL,
    counts TEXT NOT NULL DEFAULT '{}',
    problems TEXT NOT NULL DEFAULT '[]',
    started_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;

-- Keys of everything that was ever imported, also of what the user deleted since; never a text.
CREATE TABLE import_seen(
    key TEXT PRIMARY KEY,
    batch_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    message_id TEXT,
    content_hash TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID, STRICT;
CREATE INDEX import_seen_by_session ON import_seen(session_id);
CREATE INDEX import_seen_by_batch ON import_seen(batch_id);

-- What other tools remembered about the person (custom instructions, bio, memories); only a person accepts it.
-- `passed_at` is set once a memory store took an accepted one.
CREATE TABLE imported_memories(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    batch_id INTEGER NOT NULL,
    format TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    text_hash TEXT NOT NULL UNIQUE,
    place TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL CHECK(status IN ('open', 'accepted', 'refused', 'never')),
    observed_at INTEGER,
    created_at INTEGER NOT NULL,
    answered_at INTEGER,
    passed_at INTEGER,
    revision INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX imported_memories_by_status ON imported_memories(status, id);

CREATE TABLE message_vectors(
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
CREATE INDEX message_vectors_by_change ON message_vectors(generation, change, row_id, part, bits);
