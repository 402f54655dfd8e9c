import type { Admission, PlannedRequest } from '../../core/ports/store/person.ts';
import type { UsageDetails, UsageRecord } from '../../core/ports/store/recorder.ts';
import {
  type Amounts,
  type Cap,
  type CapUse,
  budgetMonth,
  dayOf,
  WARNED_SHARE,
} from '../../domain/budget.ts';
import { one, type Connection, type Value } from '../database/connection.ts';
import { whole } from '../engine/columns.ts';
import type { Liveness, ProcessIdentity } from '../process-identity.ts';

/** Milliseconds after which a reservation lapses whose process cannot be looked at: no request takes longer. */
const UNSEEN_LAPSE = 30 * 60_000;

/** The moment, and what a cap counts for. */
export interface Counted {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly workspace: string;
  readonly sessionId?: string;
  readonly runId?: string;
}

/** How much of a cap is used. */
export function useOf(person: Connection, cap: Cap, counted: Counted): CapUse {
  const { where, values, resetsAt } = spanOf(person, cap, counted);
  const sum = {
    cost: 'sum(cost)',
    tokens: 'sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens)',
    minutes: 'sum(ms) / 60000.0',
  }[cap.unit];
  const { used } = one<{ used: number }>(
    person,
    `SELECT coalesce(${sum}, 0) AS used FROM usage WHERE ${where}`,
    ...values,
  );
  const { period, unit, limit } = cap;
  const use = { period, unit, limit, used };
  return resetsAt === undefined ? use : { ...use, resetsAt };
}

/** The rows that a cap counts, usage and reservations alike. */
function spanOf(
  person: Connection,
  { period }: Cap,
  { at, workspace, sessionId = '', runId = '' }: Counted,
): { readonly where: string; readonly values: readonly Value[]; readonly resetsAt?: number } {
  switch (period) {
    case 'run':
      return {
        where: 'workspace = ? AND session_id = ? AND run_id = ?',
        values: [workspace, sessionId, runId],
      };
    case 'session':
      return { where: 'workspace = ? AND session_id = ?', values: [workspace, sessionId] };
    case 'day': {
      const { since, resetsAt } = dayOf(at);
      return { where: 'at >= ?', values: [since], resetsAt };
    }
    case 'month': {
      const first = person.get<{ month_since: number }>('SELECT month_since FROM person');
      const { since, resetsAt } = budgetMonth(first?.month_since ?? at, at);
      return { where: 'at >= ?', values: [since], resetsAt };
    }
    default:
      return period satisfies never;
  }
}

/**
 * Admits a request whose most fits into every cap beside what is used and reserved. What does not fit is admitted when
 * nothing else is under way and its least fits: so a cap is exceeded by one response at most.
 */
export function reserve(
  person: Connection,
  request: PlannedRequest,
  caps: readonly Cap[],
  counted: Counted & { readonly owner: ProcessIdentity },
): Admission {
  const uses = caps.map((cap) => useOf(person, cap, counted));
  let waits = false;
  for (const [index, use] of uses.entries()) {
    const cap = caps[index] ?? use;
    const reserved = reservedOf(person, cap, counted);
    const least = amountOf(request.least, cap);
    // A cap in time has no projection: it is full, or it is not.
    if (use.used + least > use.limit || use.used >= use.limit) return { kind: 'refused', cap: use };
    const fits = use.used + reserved.amount + amountOf(request.most, cap) <= use.limit;
    waits ||= !fits && reserved.count > 0;
  }
  if (waits) return { kind: 'wait' };
  const { owner, at, workspace } = counted;
  person.run(
    `INSERT INTO reservations (key, at, workspace, session_id, run_id, tokens, cost, process_id, birth, boot_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    request.key,
    whole(at),
    workspace,
    request.sessionId,
    request.runId,
    whole(request.most.tokens),
    request.most.cost,
    owner.processId,
    owner.birth,
    owner.bootId,
  );
  return { kind: 'admitted' };
}

/** Removes the reservation of a call; while it is open, only what it has used. */
export function settleReservation(
  person: Connection,
  { usage, cost = 0 }: UsageRecord,
  { key, open }: UsageDetails,
): void {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  if (open === true)
    person.run(
      'UPDATE reservations SET tokens = max(0, tokens - ?), cost = max(0, cost - ?) WHERE key = ?',
      whole(tokens),
      cost,
      key,
    );
  else person.run('DELETE FROM reservations WHERE key = ?', key);
}

function amountOf({ tokens, cost }: Amounts, { unit }: Cap): number {
  return { tokens, cost, minutes: 0 }[unit];
}

function reservedOf(
  person: Connection,
  cap: Cap,
  counted: Counted,
): { readonly amount: number; readonly count: number } {
  const { where, values } = spanOf(person, cap, counted);
  const { count, ...reserved } = one<{ tokens: number; cost: number; count: number }>(
    person,
    `SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost, count(*) AS count FROM reservations
     WHERE ${cap.period === 'day' || cap.period === 'month' ? 'true' : where}`,
    ...(cap.period === 'day' || cap.period === 'month' ? [] : values),
  );
  return { amount: amountOf(reserved, cap), count };
}

/** The caps that are used to 80 % by now, each told once. */
export function newlyNear(person: Connection, caps: readonly Cap[], counted: Counted): CapUse[] {
  return caps
    .map((cap) => useOf(person, cap, counted))
    .filter((use) => isNews(person, use, counted));
}

/** True once when a cap is used to 80 %: in each of its spans, and again when it was raised. */
function isNews(person: Connection, use: CapUse, { sessionId, runId }: Counted): boolean {
  if (use.used < WARNED_SHARE * use.limit) return false;
  const span = use.resetsAt ?? (use.period === 'run' ? runId : sessionId) ?? '';
  const what = [use.period, use.unit, use.limit, span].join(' ');
  return person.run('INSERT OR IGNORE INTO warned (what) VALUES (?)', what) > 0;
}

interface Owner {
  readonly process_id: number;
  readonly birth: string;
  readonly boot_id: string;
}

/** The owners of what is reserved. */
export const ownersOf = (person: Connection): readonly Owner[] =>
  person.all<Owner>('SELECT DISTINCT process_id, birth, boot_id FROM reservations');

/** Reservations of processes that died lapse; of those that cannot be looked at, after a while. */
export function lapse(
  person: Connection,
  judged: readonly (Owner & { readonly liveness: Liveness })[],
  at: number,
): void {
  for (const { process_id: id, birth, boot_id: boot, liveness } of judged) {
    if (liveness === 'alive') continue;
    const age = liveness === 'dead' ? -1 : UNSEEN_LAPSE;
    person.run(
      'DELETE FROM reservations WHERE process_id = ? AND birth = ? AND boot_id = ? AND abs(? - at) > ?',
      id,
      birth,
      boot,
      whole(at),
      age,
    );
  }
}
