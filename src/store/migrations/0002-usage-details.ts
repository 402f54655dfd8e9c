import type { Migration } from './migration.ts';

/** Tokens of thinking, what the provider bills (US dollars), and whether the tokens are an estimate. */
export const usageDetails: Migration = {
  version: 2,
  name: 'details of usage',
  up: (connection) => {
    connection.exec(`
      ALTER TABLE usage ADD COLUMN reasoning_tokens INTEGER;
      ALTER TABLE usage ADD COLUMN billed REAL;
      ALTER TABLE usage ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
    `);
  },
};
