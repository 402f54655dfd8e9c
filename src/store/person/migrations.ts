import { createMemories } from '../memory/schema.ts';
import type { Migration } from '../migrations/migration.ts';

/** The steps of the person's database, oldest first: numbered by themselves, apart from the workspaces'. */
export const PERSON_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'person, usage, reservations',
    up: (connection) => {
      connection.exec(`
        CREATE TABLE person (
          number INTEGER PRIMARY KEY CHECK (number = 1), id TEXT NOT NULL, level TEXT NOT NULL,
          created_at INTEGER NOT NULL, month_since INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE accounts (
          number INTEGER PRIMARY KEY, provider TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL,
          linked_at INTEGER NOT NULL, UNIQUE (provider, id)
        ) STRICT;
        CREATE TABLE workspaces (
          number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, seen_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE usage (
          number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
          workspace TEXT NOT NULL, session_id TEXT NOT NULL, run_id TEXT NOT NULL,
          model TEXT NOT NULL, provider TEXT NOT NULL, purpose TEXT NOT NULL,
          input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
          cache_read_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL,
          cost REAL, saved REAL, ms INTEGER NOT NULL, tools TEXT NOT NULL
        ) STRICT;
        CREATE INDEX usage_at ON usage (at);
        CREATE INDEX usage_session ON usage (workspace, session_id);
        CREATE TABLE reservations (
          number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
          workspace TEXT NOT NULL, session_id TEXT NOT NULL, run_id TEXT NOT NULL,
          tokens INTEGER NOT NULL, cost REAL NOT NULL,
          process_id INTEGER NOT NULL, birth TEXT NOT NULL, boot_id TEXT NOT NULL
        ) STRICT;
        CREATE TABLE warned (number INTEGER PRIMARY KEY, what TEXT NOT NULL UNIQUE) STRICT;
      `);
    },
  },
  { version: 2, name: 'memories', up: createMemories },
];
