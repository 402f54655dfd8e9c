import type { Connection } from '../database/connection.ts';

/** The notes of one scope, in the person's database and in a workspace's alike; the index is kept by `memories.ts`. */
export function createMemories(connection: Connection): void {
  connection.exec(`
    CREATE TABLE memories (
      number INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, at INTEGER NOT NULL,
      session_id TEXT NOT NULL, workspace TEXT NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE memory_search USING fts5 (
      terms, tokenize = "porter unicode61 remove_diacritics 2"
    );
  `);
}
