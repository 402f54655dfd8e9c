import { told } from '../../../domain/text/told.ts';
import type { Checkpoint, LedgerEntry, LedgerState, Run } from '../../../domain/run.ts';
import type { UsageRecord } from '../../../core/ports/store/recorder.ts';
import { storeError } from '../../database/failures.ts';
import type { Connection } from '../../database/connection.ts';
import { bit, jsonOf, jsonOrNull, whole, wholeOrNull } from '../columns.ts';
import { type UsageRow, usageOf } from './run-reads.ts';

/** Checkpoints kept for each run: the newest decides, the others are for looking into a failure. */
const KEPT_CHECKPOINTS = 5;

export function saveRun(connection: Connection, run: Run): void {
  connection.run(
    `INSERT INTO runs (id, session_id, state, iteration, model, mode, persona, cancel_requested,
       resume_available, started_at, heartbeat_at, ended_at, ended)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, iteration = excluded.iteration,
       model = excluded.model, mode = excluded.mode, persona = excluded.persona,
       cancel_requested = excluded.cancel_requested,
       resume_available = excluded.resume_available, started_at = excluded.started_at,
       heartbeat_at = excluded.heartbeat_at, ended_at = excluded.ended_at, ended = excluded.ended`,
    run.id,
    run.sessionId,
    run.state,
    whole(run.iteration),
    run.model,
    run.mode,
    run.persona ?? null,
    bit(run.cancelRequested),
    bit(run.resumeAvailable),
    whole(run.startedAt),
    whole(run.heartbeatAt),
    wholeOrNull(run.endedAt),
    jsonOrNull(run.end),
  );
  connection.run(
    'UPDATE sessions SET persona = ? WHERE id = ? AND persona IS NOT ?',
    run.persona ?? null,
    run.sessionId,
    run.persona ?? null,
  );
}

/** Stores a checkpoint (C8) and drops the ones long behind it. */
export function saveCheckpoint(connection: Connection, checkpoint: Checkpoint): void {
  connection.run(
    `INSERT OR REPLACE INTO checkpoints (run_id, checkpoint, session_id, kind, iteration, message_cursor,
       message_count, prompt_hash, loop, finished_call_ids, policy_states)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    checkpoint.runId,
    checkpoint.number,
    checkpoint.sessionId,
    checkpoint.kind,
    whole(checkpoint.iteration),
    whole(checkpoint.messageCursor),
    whole(checkpoint.messageCount),
    checkpoint.promptHash,
    jsonOf(checkpoint.loop),
    jsonOf(checkpoint.finishedCallIds),
    jsonOf(checkpoint.policyStates),
  );
  connection.run(
    'DELETE FROM checkpoints WHERE run_id = ? AND checkpoint <= ?',
    checkpoint.runId,
    checkpoint.number - KEPT_CHECKPOINTS,
  );
}

/** Complete: replayed, never run again (C9). */
const COMPLETE: ReadonlySet<LedgerState> = new Set(['done', 'failed', 'denied', 'canceled']);

/** Stores a call's row. A complete one never becomes unfinished again: that would repeat a side effect. */
export function saveLedgerEntry(connection: Connection, entry: LedgerEntry): void {
  const known = connection.get<{ state: LedgerState }>(
    'SELECT state FROM ledger WHERE run_id = ? AND call_id = ?',
    entry.runId,
    entry.callId,
  );
  if (known !== undefined && COMPLETE.has(known.state) && !COMPLETE.has(entry.state)) {
    throw storeError(
      'constraint',
      told`The tool call ${entry.callId} is already recorded as ${known.state}; it cannot become ${entry.state}. Nothing of this step was recorded.`,
    );
  }
  connection.run(
    `INSERT INTO ledger (run_id, call_id, session_id, name, idempotent, state, started_at, completed_at,
       attempts, process, input, result)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (run_id, call_id) DO UPDATE SET name = excluded.name, idempotent = excluded.idempotent,
       state = excluded.state, started_at = excluded.started_at, completed_at = excluded.completed_at,
       attempts = excluded.attempts, process = excluded.process, input = excluded.input,
       result = excluded.result`,
    entry.runId,
    entry.callId,
    entry.sessionId,
    entry.name,
    bit(entry.idempotent),
    entry.state,
    wholeOrNull(entry.startedAt),
    wholeOrNull(entry.completedAt),
    whole(entry.attempts),
    jsonOrNull(entry.process),
    jsonOf(entry.input),
    jsonOrNull(entry.result),
  );
}

const ADD_TO_SESSION = `
  UPDATE sessions SET input_tokens = input_tokens + ?, output_tokens = output_tokens + ? WHERE id = ?`;

/** Cost goes to the session and all its ancestors (B12). */
const ADD_COST = `
  UPDATE sessions SET cost = cost + ?, cost_unknown = max(cost_unknown, ?)
  WHERE id IN (
    WITH RECURSIVE line (id) AS (
      VALUES (?) UNION SELECT s.parent_id FROM sessions s JOIN line l ON s.id = l.id)
    SELECT id FROM line)`;

/**
 * Logs a model call (A8) and adds it to its session. The last record of a call replaces its open one under a new
 * number, by which the sum over all workspaces finds what is new.
 */
export function saveUsage(connection: Connection, record: UsageRecord): void {
  const before = connection.get<UsageRow & { readonly number: number }>(
    'SELECT * FROM usage WHERE session_id = ? AND key = ?',
    record.sessionId,
    record.details?.key ?? '',
  );
  insertUsage(connection, record, false);
  addToSession(connection, record, 1);
  if (before === undefined) return;
  connection.run('DELETE FROM usage WHERE number = ?', before.number);
  addToSession(connection, usageOf(before), -1);
}

function addToSession(connection: Connection, record: UsageRecord, sign: 1 | -1): void {
  const { sessionId, usage, cost, details } = record;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const input = whole(inputTokens) + whole(cacheReadTokens) + whole(cacheWriteTokens);
  connection.run(ADD_TO_SESSION, sign * input, sign * whole(outputTokens), sessionId);
  // The bill of an open call may still tell its cost.
  const isUnknown = cost === undefined && details?.open !== true && sign === 1;
  connection.run(ADD_COST, sign * (cost ?? 0), bit(isUnknown), sessionId);
}

/** `imported`: of another installation; it does not count for this month's budget. */
export function insertUsage(connection: Connection, record: UsageRecord, imported: boolean): void {
  const { reasoningTokens, billed, estimated } = record.usage;
  connection.run(
    `INSERT INTO usage (session_id, run_id, model, purpose, input_tokens, output_tokens,
       cache_read_tokens, cache_write_tokens, reasoning_tokens, billed, estimated, cost, at, imported, key, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, lower(hex(randomblob(16)))), ?)`,
    record.sessionId,
    record.runId,
    record.model,
    record.purpose,
    whole(record.usage.inputTokens),
    whole(record.usage.outputTokens),
    whole(record.usage.cacheReadTokens),
    whole(record.usage.cacheWriteTokens),
    reasoningTokens === undefined ? null : whole(reasoningTokens),
    billed ?? null,
    bit(estimated === true),
    record.cost ?? null,
    whole(record.at),
    bit(imported),
    record.details?.key ?? null,
    jsonOrNull(record.details),
  );
}

export function beat(connection: Connection, runIds: readonly string[], at: number): void {
  for (const id of runIds) {
    connection.run('UPDATE runs SET heartbeat_at = ? WHERE id = ?', whole(at), id);
  }
}
