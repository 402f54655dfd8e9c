import type {
  Checkpoint,
  CheckpointKind,
  LedgerEntry,
  LedgerState,
  Run,
  RunEnd,
  RunState,
  StartedProcess,
} from '../../../domain/run.ts';
import type { Json, JsonObject } from '../../../domain/data/json.ts';
import type { ModelPurpose } from '../../../domain/event.ts';
import type { UsageRecord } from '../../../core/ports/store/recorder.ts';
import type { UsageTotal } from '../../../core/ports/store/usage-totals.ts';
import { one, type Connection, type Value } from '../../database/connection.ts';
import { optional, same, stored } from '../columns.ts';

interface RunRow {
  readonly id: string;
  readonly session_id: string;
  readonly state: RunState;
  readonly iteration: number;
  readonly model: string;
  readonly mode: string;
  readonly persona: string | null;
  readonly cancel_requested: number;
  readonly resume_available: number;
  readonly started_at: number;
  readonly heartbeat_at: number;
  readonly ended_at: number | null;
  readonly ended: string | null;
}

function runFrom(row: RunRow): Run {
  return {
    id: row.id,
    sessionId: row.session_id,
    state: row.state,
    iteration: row.iteration,
    model: row.model,
    mode: row.mode,
    ...optional('persona', row.persona, same),
    ...optional('end', row.ended, (text) => stored<RunEnd>(text)),
    cancelRequested: row.cancel_requested === 1,
    resumeAvailable: row.resume_available === 1,
    startedAt: row.started_at,
    heartbeatAt: row.heartbeat_at,
    ...optional('endedAt', row.ended_at, same),
  };
}

export function readRun(connection: Connection, runId: string): Run | undefined {
  const row = connection.get<RunRow>('SELECT * FROM runs WHERE id = ?', runId);
  return row === undefined ? undefined : runFrom(row);
}

export interface RunFilter {
  readonly sessionId?: string;
  readonly states?: readonly RunState[];
}

/** Runs in the order in which they were made. */
export function readRuns(connection: Connection, filter: RunFilter): Run[] {
  const { where, values } = condition([
    ['session_id', filter.sessionId === undefined ? undefined : [filter.sessionId]],
    ['state', filter.states],
  ]);
  return connection
    .all<RunRow>(`SELECT * FROM runs ${where} ORDER BY number`, ...values)
    .map(runFrom);
}

interface CheckpointRow {
  readonly run_id: string;
  readonly session_id: string;
  readonly checkpoint: number;
  readonly kind: CheckpointKind;
  readonly iteration: number;
  readonly message_cursor: number;
  readonly message_count: number;
  readonly prompt_hash: string;
  readonly loop: string;
  readonly finished_call_ids: string;
  readonly policy_states: string;
}

function checkpointFrom(row: CheckpointRow): Checkpoint {
  return {
    runId: row.run_id,
    sessionId: row.session_id,
    number: row.checkpoint,
    kind: row.kind,
    iteration: row.iteration,
    messageCursor: row.message_cursor,
    messageCount: row.message_count,
    promptHash: row.prompt_hash,
    finishedCallIds: stored<string[]>(row.finished_call_ids),
    policyStates: stored<JsonObject>(row.policy_states),
    loop: stored<Checkpoint['loop']>(row.loop),
  };
}

export function readLatestCheckpoint(
  connection: Connection,
  runId: string,
): Checkpoint | undefined {
  const row = connection.get<CheckpointRow>(
    'SELECT * FROM checkpoints WHERE run_id = ? ORDER BY checkpoint DESC LIMIT 1',
    runId,
  );
  return row === undefined ? undefined : checkpointFrom(row);
}

export interface LedgerFilter {
  readonly runId?: string;
  readonly sessionId?: string;
  readonly states?: readonly LedgerState[];
}

interface LedgerRow {
  readonly run_id: string;
  readonly session_id: string;
  readonly call_id: string;
  readonly name: string;
  readonly idempotent: number;
  readonly state: LedgerState;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly attempts: number;
  readonly process: string | null;
  readonly input: string;
  readonly result: string | null;
}

function ledgerFrom(row: LedgerRow): LedgerEntry {
  return {
    runId: row.run_id,
    sessionId: row.session_id,
    callId: row.call_id,
    name: row.name,
    input: stored<JsonObject>(row.input),
    idempotent: row.idempotent === 1,
    state: row.state,
    ...optional('startedAt', row.started_at, same),
    ...optional('completedAt', row.completed_at, same),
    ...optional('result', row.result, (text) => stored<Json>(text)),
    attempts: row.attempts,
    ...optional('process', row.process, (text) => stored<StartedProcess>(text)),
  };
}

export function readLedger(connection: Connection, filter: LedgerFilter): LedgerEntry[] {
  const { where, values } = condition([
    ['run_id', filter.runId === undefined ? undefined : [filter.runId]],
    ['session_id', filter.sessionId === undefined ? undefined : [filter.sessionId]],
    ['state', filter.states],
  ]);
  return connection
    .all<LedgerRow>(`SELECT * FROM ledger ${where} ORDER BY number`, ...values)
    .map(ledgerFrom);
}

export function readLedgerEntry(
  connection: Connection,
  runId: string,
  callId: string,
): LedgerEntry | undefined {
  const row = connection.get<LedgerRow>(
    'SELECT * FROM ledger WHERE run_id = ? AND call_id = ?',
    runId,
    callId,
  );
  return row === undefined ? undefined : ledgerFrom(row);
}

/** Sum of the token log since a moment, cached tokens included; imported sessions are not in it. */
export function usageSince(connection: Connection, sinceMs: number): UsageTotal {
  return one<UsageTotal>(
    connection,
    `SELECT ${sumOf('input_tokens + output_tokens + cache_read_tokens + cache_write_tokens')} AS tokens,
       ${sumOf('reasoning_tokens')} AS reasoningTokens, ${sumOf('cost')} AS cost,
       ${sumOf('billed')} AS billed, count(*) AS calls, ${sumOf('estimated')} AS estimatedCalls
     FROM usage WHERE at >= ? AND imported = 0`,
    sinceMs,
  );
}

/** A sum of no rows is 0. */
const sumOf = (column: string): string => `coalesce(sum(${column}), 0)`;

/** A row of the token log. */
export interface UsageRow {
  readonly session_id: string;
  readonly run_id: string;
  readonly model: string;
  readonly purpose: ModelPurpose;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number | null;
  readonly billed: number | null;
  readonly estimated: number;
  readonly cost: number | null;
  readonly at: number;
}

/** The token log of a session, oldest first. */
export function readUsage(connection: Connection, sessionId: string): UsageRecord[] {
  return connection
    .all<UsageRow>('SELECT * FROM usage WHERE session_id = ? ORDER BY number', sessionId)
    .map(usageOf);
}

/** A call as its row has it. */
export function usageOf(row: UsageRow): UsageRecord {
  return {
    sessionId: row.session_id,
    runId: row.run_id,
    model: row.model,
    purpose: row.purpose,
    usage: {
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      cacheReadTokens: row.cache_read_tokens,
      cacheWriteTokens: row.cache_write_tokens,
      ...optional('reasoningTokens', row.reasoning_tokens, same),
      ...optional('billed', row.billed, same),
      ...(row.estimated === 0 ? {} : { estimated: true }),
    },
    ...optional('cost', row.cost, same),
    at: row.at,
  };
}

/** A WHERE clause of the columns that are given; `[]` allows nothing. */
function condition(columns: readonly (readonly [string, readonly string[] | undefined])[]): {
  readonly where: string;
  readonly values: readonly Value[];
} {
  const terms: string[] = [];
  const values: Value[] = [];
  for (const [column, allowed] of columns) {
    if (allowed === undefined) continue;
    terms.push(`${column} IN (${allowed.map(() => '?').join(', ')})`);
    values.push(...allowed);
  }
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}
