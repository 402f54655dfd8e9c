import type { Migration } from './migration.ts';

/**
 * The text of each message as it reads, whole, for the search and for finding within a session. The full-text index
 * has no copy of its own and follows it by triggers. Messages up to `unindexed` get theirs in the background.
 */
export const messageTexts: Migration = {
  version: 4,
  name: 'texts of messages',
  up: (connection) => {
    connection.exec(`
      DROP TRIGGER messages_unsearch;
      DROP TABLE text_search;
      CREATE TABLE texts (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
      CREATE VIRTUAL TABLE text_search USING fts5 (
        text, content = 'texts', content_rowid = 'number',
        tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
      );
      CREATE TRIGGER texts_search AFTER INSERT ON texts BEGIN
        INSERT INTO text_search (rowid, text) VALUES (new.number, new.text);
      END;
      CREATE TRIGGER texts_unsearch AFTER DELETE ON texts BEGIN
        INSERT INTO text_search (text_search, rowid, text) VALUES ('delete', old.number, old.text);
      END;
      CREATE TRIGGER messages_unsearch AFTER DELETE ON messages BEGIN
        DELETE FROM texts WHERE number = old.number;
      END;
      INSERT INTO meta (key, value) SELECT 'unindexed', coalesce(max(number), 0) FROM messages;
    `);
  },
};
