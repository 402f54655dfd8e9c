import type { Migration } from './migration.ts';

/**
 * Integer keys, so that damaged tables can be read around bad pages. Times are for people; order is
 * the key or `seq`. Long columns come last: reading others skips their overflow pages.
 */
export const sessionsRunsLedger: Migration = {
  version: 1,
  name: 'sessions, runs, ledger',
  up: (connection) => {
    connection.exec(STATE);
    connection.exec(SESSIONS);
    connection.exec(RUNS);
    connection.exec(CONTENT);
    connection.exec(SEARCH);
  },
};

const STATE = `
  CREATE TABLE meta (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value ANY NOT NULL) STRICT;
  INSERT INTO meta (key, value) VALUES ('epoch', 0);
  CREATE TABLE openers (
    epoch INTEGER PRIMARY KEY, process_id INTEGER NOT NULL, birth TEXT NOT NULL, boot_id TEXT NOT NULL,
    opened_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE leases (
    number INTEGER PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, process_id INTEGER NOT NULL,
    birth TEXT NOT NULL, boot_id TEXT NOT NULL, renewals INTEGER NOT NULL, renewed_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE key_values (
    number INTEGER PRIMARY KEY, session_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    UNIQUE (session_id, key)
  ) STRICT;
`;

const SESSIONS = `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    parent_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    type TEXT NOT NULL CHECK (type IN ('main', 'title', 'task')),
    title TEXT NOT NULL,
    message_count INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL NOT NULL DEFAULT 0,
    cost_unknown INTEGER NOT NULL DEFAULT 0,
    summary_id TEXT, model TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    touched INTEGER NOT NULL,
    snapshot_of TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    snapshot_kind TEXT CHECK (snapshot_kind IN ('saved', 'automatic')),
    importing INTEGER
  ) STRICT;
  CREATE INDEX sessions_touched ON sessions (touched);
  CREATE INDEX sessions_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;
  CREATE INDEX sessions_snapshot ON sessions (snapshot_of) WHERE snapshot_of IS NOT NULL;
  CREATE TABLE messages (
    number INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq > 0),
    id TEXT NOT NULL, run_id TEXT,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    origin TEXT, model TEXT, created_at INTEGER NOT NULL, usage TEXT,
    parts TEXT NOT NULL,
    UNIQUE (session_id, seq), UNIQUE (session_id, id)
  ) STRICT;
  CREATE TABLE compactions (
    number INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL, through_seq INTEGER NOT NULL, strategy TEXT NOT NULL, reason TEXT NOT NULL,
    tokens_before INTEGER NOT NULL, tokens_after INTEGER NOT NULL, undone INTEGER NOT NULL,
    created_at INTEGER NOT NULL, summary TEXT NOT NULL,
    UNIQUE (session_id, id)
  ) STRICT;
  CREATE TABLE queued (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position INTEGER NOT NULL, mode TEXT NOT NULL, created_at INTEGER NOT NULL,
    text TEXT NOT NULL, attachments TEXT NOT NULL
  ) STRICT;
  CREATE INDEX queued_session ON queued (session_id, position);
  CREATE TABLE drafts (
    number INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
    message_id TEXT NOT NULL, parts TEXT NOT NULL
  ) STRICT;
`;

const RUNS = `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    state TEXT NOT NULL, iteration INTEGER NOT NULL, model TEXT NOT NULL, mode TEXT NOT NULL,
    cancel_requested INTEGER NOT NULL, resume_available INTEGER NOT NULL,
    started_at INTEGER NOT NULL, heartbeat_at INTEGER NOT NULL, ended_at INTEGER, ended TEXT
  ) STRICT;
  CREATE INDEX runs_session ON runs (session_id);
  CREATE INDEX runs_open ON runs (state) WHERE state IN ('queued', 'running', 'waiting_on_human');
  CREATE TABLE checkpoints (
    number INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    checkpoint INTEGER NOT NULL,
    session_id TEXT NOT NULL, kind TEXT NOT NULL, iteration INTEGER NOT NULL,
    message_cursor INTEGER NOT NULL, message_count INTEGER NOT NULL, prompt_hash TEXT NOT NULL,
    loop TEXT NOT NULL, finished_call_ids TEXT NOT NULL, policy_states TEXT NOT NULL,
    UNIQUE (run_id, checkpoint)
  ) STRICT;
  CREATE TABLE ledger (
    number INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    session_id TEXT NOT NULL, name TEXT NOT NULL, idempotent INTEGER NOT NULL, state TEXT NOT NULL,
    started_at INTEGER, completed_at INTEGER, attempts INTEGER NOT NULL, process TEXT,
    input TEXT NOT NULL, result TEXT,
    UNIQUE (run_id, call_id)
  ) STRICT;
  CREATE INDEX ledger_session ON ledger (session_id);
  CREATE INDEX ledger_open ON ledger (state) WHERE state IN ('pending', 'approved', 'running', 'unknown');
  CREATE TABLE usage (
    number INTEGER PRIMARY KEY, session_id TEXT NOT NULL, run_id TEXT NOT NULL,
    model TEXT NOT NULL, purpose TEXT NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL,
    cost REAL, at INTEGER NOT NULL, imported INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX usage_session ON usage (session_id);
  CREATE INDEX usage_at ON usage (at);
  CREATE TABLE events (
    number INTEGER PRIMARY KEY, session_id TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
    run_id TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, reference TEXT, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_session ON events (session_id, epoch, seq);
`;

const CONTENT = `
  CREATE TABLE results (
    number INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL, total INTEGER NOT NULL,
    UNIQUE (session_id, id)
  ) STRICT;
  CREATE TABLE result_pieces (
    number INTEGER PRIMARY KEY,
    result INTEGER NOT NULL REFERENCES results (number) ON DELETE CASCADE,
    start INTEGER NOT NULL, length INTEGER NOT NULL, content TEXT NOT NULL,
    UNIQUE (result, start)
  ) STRICT;
  CREATE TABLE attachments (
    number INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL, name TEXT NOT NULL, media_type TEXT NOT NULL, size INTEGER NOT NULL, path TEXT,
    data TEXT,
    UNIQUE (session_id, id)
  ) STRICT;
`;

/**
 * Titles have the session's number, texts the message's; both go with a deleted session. The token
 * log stays: it is the month's budget.
 */
const SEARCH = `
  CREATE VIRTUAL TABLE title_search USING fts5 (
    text, session_id UNINDEXED, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
  );
  CREATE VIRTUAL TABLE text_search USING fts5 (
    text, session_id UNINDEXED, seq UNINDEXED, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
  );
  CREATE TRIGGER sessions_unsearch AFTER DELETE ON sessions BEGIN
    DELETE FROM title_search WHERE rowid = old.number;
    DELETE FROM events WHERE session_id = old.id;
    DELETE FROM leases WHERE session_id = old.id;
    DELETE FROM key_values WHERE session_id = old.id;
  END;
  CREATE TRIGGER messages_unsearch AFTER DELETE ON messages BEGIN
    DELETE FROM text_search WHERE rowid = old.number;
  END;
`;
