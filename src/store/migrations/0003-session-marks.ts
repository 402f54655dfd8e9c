import type { Migration } from './migration.ts';

/** Marks that the person gives a session in the list. */
export const sessionMarks: Migration = {
  version: 3,
  name: 'marks of sessions',
  up: (connection) => {
    connection.exec(`
      ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE sessions ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
    `);
  },
};
