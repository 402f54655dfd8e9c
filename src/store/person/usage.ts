import type { UsageDetails, UsageRecord } from '../../core/ports/store/recorder.ts';
import type { Connection } from '../database/connection.ts';
import { jsonOf, stored, whole } from '../engine/columns.ts';
import { type UsageRow, usageOf } from '../engine/runs/run-reads.ts';
import { readValue, saveValue } from '../engine/values.ts';

/** Where a workspace keeps how far its usage is taken over, and by which person's database. */
const TAKEN = 'usage/taken';

/** Counts a call, once for its key: a later record of it replaces an earlier one. */
export function insertUsage(
  person: Connection,
  workspace: string,
  record: UsageRecord,
  details: UsageDetails,
): void {
  const { usage } = record;
  const { sessionId, runId } = details.charged ?? record;
  person.run(
    `INSERT INTO usage (key, at, workspace, session_id, run_id, model, provider, purpose, input_tokens,
       output_tokens, cache_read_tokens, cache_write_tokens, cost, saved, ms, tools)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET at = excluded.at, model = excluded.model, input_tokens = excluded.input_tokens,
       output_tokens = excluded.output_tokens, cache_read_tokens = excluded.cache_read_tokens,
       cache_write_tokens = excluded.cache_write_tokens, cost = excluded.cost, saved = excluded.saved,
       ms = excluded.ms, tools = excluded.tools
     WHERE excluded.ms >= ms`,
    details.key,
    whole(record.at),
    workspace,
    sessionId,
    runId,
    record.model,
    details.provider,
    record.purpose,
    whole(usage.inputTokens),
    whole(usage.outputTokens),
    whole(usage.cacheReadTokens),
    whole(usage.cacheWriteTokens),
    record.cost ?? null,
    details.saved ?? null,
    whole(details.ms),
    jsonOf(details.tools),
  );
}

interface WorkspaceRow extends UsageRow {
  readonly number: number;
  readonly key: string;
  readonly details: string | null;
}

/**
 * Takes over what a workspace recorded and the person's database does not have: calls of earlier versions, and those
 * before a crash or a fault. The keys make sure that nothing counts twice. Gives what notes it in the workspace, for when
 * the person's database has it on disk.
 */
export function takeUsage(
  workspace: Connection,
  person: Connection,
  ids: { readonly person: string; readonly workspace: string },
): () => void {
  const known = readValue(workspace, TAKEN);
  const taken =
    known === undefined
      ? undefined
      : stored<{ readonly person: string; readonly through: number }>(known);
  const from = taken?.person === ids.person ? taken.through : 0;
  let through = from;
  const rows = workspace.iterate<WorkspaceRow>(
    'SELECT * FROM usage WHERE number > ? AND imported = 0 AND key IS NOT NULL ORDER BY number',
    from,
  );
  for (const row of rows) {
    through = row.number;
    const details =
      row.details === null
        ? { key: row.key, provider: '', ms: 0, tools: [] }
        : stored<UsageDetails>(row.details);
    insertUsage(person, ids.workspace, usageOf(row), { ...details, key: row.key });
  }
  return () => {
    if (through > from)
      workspace.transaction(() => saveValue(workspace, TAKEN, { person: ids.person, through }));
  };
}
