import type { Migration } from './migration.ts';

/** A key for each model call, so that the person's sum over all workspaces takes each over once; and its details. */
export const usageKeys: Migration = {
  version: 5,
  name: 'keys of usage',
  up: (connection) => {
    connection.exec(`
      ALTER TABLE usage ADD COLUMN key TEXT;
      ALTER TABLE usage ADD COLUMN details TEXT;
      UPDATE usage SET key = lower(hex(randomblob(16)));
    `);
  },
};
