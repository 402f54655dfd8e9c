import type { Client } from '@modelcontextprotocol/client';
import type { ServerLog } from '../status/server-log.ts';

/** Milliseconds for a request that is not a call of a tool. */
export const requestTimeout = 30_000;
/** Pages of a list; a server whose list never ends is cut off there. */
const mostPages = 50;
/** Entries of a list that are read. */
const MAX_ENTRIES = 10_000;

/** Members of a page, by the method that lists them. */
const LISTS = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const;

/** Takes any result: entries are looked at one by one, because one bad one must not cost the others. */
export const anyResult = {
  '~standard': {
    version: 1 as const,
    vendor: 'belay',
    validate: (value: unknown) => ({ value }),
  },
};

/** All entries of a list, as they came. Rejects with the SDK's errors. */
export async function allPages(
  client: Client,
  method: keyof typeof LISTS,
  log: ServerLog,
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = (await client.request(
      { method, params: cursor === undefined ? {} : { cursor } },
      anyResult,
      { timeout: requestTimeout, ...(signal === undefined ? {} : { signal }) },
    )) as Readonly<Record<string, unknown>>;
    const entries = page[LISTS[method]];
    if (Array.isArray(entries)) found.push(...(entries as unknown[]));
    const next = page['nextCursor'];
    cursor = typeof next === 'string' && !seen.has(next) ? next : undefined;
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined && seen.size < mostPages && found.length < MAX_ENTRIES);
  if (cursor !== undefined) log.add('belay', `${method} was cut after ${seen.size} pages.`);
  return found;
}
