import type { Level } from './permissions/level.ts';

/** The spans over which a cap counts. */
export type BudgetPeriod = 'run' | 'session' | 'day' | 'month';

/** US dollars, tokens of every kind, or minutes in which models worked. */
export type BudgetUnit = 'cost' | 'tokens' | 'minutes';

/** A limit that the person set. */
export interface Cap {
  readonly period: BudgetPeriod;
  readonly unit: BudgetUnit;
  /** In the unit; above 0. */
  readonly limit: number;
}

/** A cap and what is used of it. */
export interface CapUse extends Cap {
  /** In the unit; open requests are not in it. */
  readonly used: number;
  /** Milliseconds since the epoch at which it counts from 0 again; absent: never. */
  readonly resetsAt?: number;
}

/** The use of a request, planned or real. */
export interface Amounts {
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/** The share of a cap at which the person is warned, once (A2). */
export const WARNED_SHARE = 0.8;

/** A2: the month starts again 30 days after the last reset. */
export const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/** A2: tokens a month that a level has unless the person sets others; absent: no limit. */
export const TOKENS_OF_LEVEL: Readonly<Partial<Record<Level, number>>> = { guest: 5000 };

/** The present month; months follow each other without gaps. All in milliseconds since the epoch. */
export function budgetMonth(
  firstReset: number,
  now: number,
): { readonly since: number; readonly resetsAt: number } {
  const months = Math.max(0, Math.floor((now - firstReset) / MONTH_MS));
  const since = firstReset + months * MONTH_MS;
  return { since, resetsAt: since + MONTH_MS };
}

/** The day of a moment by the clock on the wall here. All in milliseconds since the epoch. */
export function dayOf(now: number): { readonly since: number; readonly resetsAt: number } {
  const date = new Date(now);
  const at = (day: number): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + day).getTime();
  return { since: at(0), resetsAt: at(1) };
}
