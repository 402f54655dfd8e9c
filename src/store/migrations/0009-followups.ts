import type { Migration } from './migration.ts';

/** Prompts that come back into their sessions (A15), and whose words a queued message has. */
export const followUps: Migration = {
  version: 9,
  name: 'followups',
  up: (connection) => {
    connection.exec(`
      CREATE TABLE followups (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        prompt TEXT NOT NULL, due_at INTEGER NOT NULL, created_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX followups_session ON followups (session_id);
      ALTER TABLE queued ADD COLUMN origin TEXT;
    `);
  },
};
