import { isJsonObject } from '../../../domain/data/json.ts';
import { textOr } from '../fields.ts';
import type { Refusal } from './refusal.ts';

/**
 * How long the server asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` as seconds or
 * as an HTTP date. `undefined` when it does not say, or says nothing usable: zero, the past.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact > 0) return exact;
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return wait > 0 && Number.isFinite(wait) ? Math.ceil(wait) : undefined;
}

/** The wait that a refusal asks for, in its headers, its details or its words. */
export function waitOf({ headers, details, text }: Refusal, now: number): number | undefined {
  const told = headers === undefined ? undefined : retryAfterMs(headers, now);
  return told ?? retryInfo(details) ?? waitIn(text);
}

/** Google's `RetryInfo`: `"retryDelay": "34.5s"`. */
function retryInfo(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const one of details) {
    const seconds = isJsonObject(one) ? Number(textOr(one['retryDelay']).replace(/s$/, '')) : 0;
    if (seconds > 0) return Math.ceil(seconds * 1000);
  }
  return undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** “Please try again in 1m5.2s”, “in 850ms”, “in 20 seconds”. */
function waitIn(text: string): number | undefined {
  const said = /(?:try again|retry) (?:in|after) ((?:[\d.]+ ?(?:ms|[hms])[a-z]* ?)+)/i.exec(
    text,
  )?.[1];
  if (said === undefined) return undefined;
  let wait = 0;
  for (const [, amount, unit = ''] of said.matchAll(/([\d.]+) ?(ms|[hms])/gi))
    wait += Number(amount) * (UNITS[unit.toLowerCase()] ?? 0);
  return wait > 0 ? Math.ceil(wait) : undefined;
}
