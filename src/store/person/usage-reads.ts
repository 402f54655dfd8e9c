import type { UsageCall, UsageSum } from '../../core/ports/store/person.ts';
import type { Connection } from '../database/connection.ts';

/** Rows of one way to add up. */
const MOST_ROWS = 100;
/** Calls of an export. */
const MOST_CALLS = 200_000;

/** The columns of a sum; `part` is the share of each call. */
const sums = (part: string): string => `
  sum(${part}) AS calls, round(sum(input_tokens * ${part})) AS inputTokens,
  round(sum(output_tokens * ${part})) AS outputTokens, round(sum(cache_read_tokens * ${part})) AS cacheReadTokens,
  round(sum(cache_write_tokens * ${part})) AS cacheWriteTokens, coalesce(sum(cost * ${part}), 0) AS cost,
  coalesce(sum(saved * ${part}), 0) AS saved, sum(cost IS NULL) AS unpriced`;

const LARGEST = `ORDER BY sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens) DESC LIMIT ${MOST_ROWS}`;
const NOWHERE = `'' AS workspaceId, '' AS workspace`;

/** Usage since a moment by day, model, session and tool. */
export function sumsSince(person: Connection, since: number): UsageSum[] {
  return [
    ...person.all<UsageSum>(
      `SELECT 'day' AS by, strftime('%Y-%m-%d', at / 1000, 'unixepoch', 'localtime') AS key, ${NOWHERE}, ${sums('1')}
       FROM usage WHERE at >= ? GROUP BY 2 ORDER BY 2`,
      since,
    ),
    ...person.all<UsageSum>(
      `SELECT 'model' AS by, model AS key, ${NOWHERE}, ${sums('1')}
       FROM usage WHERE at >= ? GROUP BY model ${LARGEST}`,
      since,
    ),
    ...person.all<UsageSum>(
      `SELECT 'session' AS by, session_id AS key, workspace AS workspaceId, workspaces.name AS workspace, ${sums('1')}
       FROM usage JOIN workspaces ON workspaces.id = workspace WHERE at >= ?
       GROUP BY workspace, session_id ${LARGEST}`,
      since,
    ),
    ...person.all<UsageSum>(
      `SELECT 'tool' AS by, tool.value AS key, ${NOWHERE}, ${sums('(1.0 / json_array_length(tools))')}
       FROM usage, json_each(tools) AS tool WHERE usage.at >= ? GROUP BY tool.value ${LARGEST}`,
      since,
    ),
  ];
}

/** Every call, oldest first; of very many the newest. */
export function allCalls(person: Connection): UsageCall[] {
  return person
    .all<UsageCall>(
      `SELECT at, workspaces.name AS workspace, session_id AS session, run_id AS run, model, provider, purpose, tools,
         input_tokens AS inputTokens, output_tokens AS outputTokens, cache_read_tokens AS cacheReadTokens,
         cache_write_tokens AS cacheWriteTokens, cost, saved, ms
       FROM usage LEFT JOIN workspaces ON workspaces.id = workspace
       ORDER BY usage.number DESC LIMIT ${MOST_CALLS}`,
    )
    .toReversed();
}
