import type { Migration } from './migration.ts';

/** The persona that was in force (A16): of each run, and of a session's newest one. */
export const personas: Migration = {
  version: 6,
  name: 'personas',
  up: (connection) => {
    connection.exec(`
      ALTER TABLE runs ADD COLUMN persona TEXT;
      ALTER TABLE sessions ADD COLUMN persona TEXT;
    `);
  },
};
