import { createMemories } from '../memory/schema.ts';
import type { Migration } from './migration.ts';

/** Notes of the workspace that outlive their session (A12). */
export const memories: Migration = { version: 7, name: 'memories', up: createMemories };
