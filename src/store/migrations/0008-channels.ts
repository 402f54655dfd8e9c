import type { Migration } from './migration.ts';

/** The threads of other surfaces, and the session of each (A4). */
export const channels: Migration = {
  version: 8,
  name: 'channels of sessions',
  up: (connection) => {
    connection.exec(`
      CREATE TABLE channels (
        number INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        platform TEXT NOT NULL, channel TEXT NOT NULL, thread TEXT NOT NULL,
        active_at INTEGER NOT NULL,
        UNIQUE (platform, channel, thread)
      ) STRICT;
      CREATE INDEX channels_session ON channels (session_id);
    `);
  },
};
