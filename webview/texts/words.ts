import * as l10n from '@vscode/l10n';
import { numeral, spoken } from '../../src/domain/text/language.ts';

/** "340 ms", "4 s", "2:05 min". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60)
    return seconds < 10 ? `${decimals(Math.floor(ms / 100) / 10)} s` : `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${pad(seconds % 60)} min`;
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor((seconds % 3600) / 60))} h`;
}

/** The same for a time that runs: whole seconds only. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : duration(ms);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** "812", "4.2k", "31k", "1.2M". */
export function amount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 10_000) return `${decimals(count / 1000)}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${decimals(count / 1_000_000)}M`;
}

/** "4.2k tokens". */
export const tokens = (number: number): string => l10n.t('{0} tokens', amount(number));

/** "$0.00", "$0.042", "$3.10". */
export function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.001) return `<${inDollars(0.001, 3)}`;
  return inDollars(dollars, dollars > 0 && dollars < 0.1 ? 3 : 2);
}

const inDollars = (dollars: number, digits: number): string =>
  numeral(dollars, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

/** "512 B", "12 kB", "3.4 MB". */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${decimals(bytes / 1_000_000)} MB`;
}

/** With one digit after the point, or after the comma of the language. */
const decimals = (value: number): string =>
  numeral(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** "now", "5 min", "3 hr", "yesterday", "12 days", "Mar 4". */
export function ago(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return named(0, 'second');
  if (minutes < 60) return inUnit(minutes, 'minute');
  if (minutes < 24 * 60) return inUnit(Math.floor(minutes / 60), 'hour');
  const days = Math.floor(minutes / (24 * 60));
  if (days === 1) return named(-1, 'day');
  if (days < 30) return inUnit(days, 'day');
  return new Date(at).toLocaleDateString(spoken(), { month: 'short', day: 'numeric' });
}

/** A time with a name of its own: "now", "yesterday". */
const named = (value: number, unit: Intl.RelativeTimeFormatUnit): string =>
  new Intl.RelativeTimeFormat(spoken(), { numeric: 'auto' }).format(value, unit);

const inUnit = (value: number, unit: string): string =>
  numeral(value, { style: 'unit', unit, unitDisplay: 'short' });

/** The same in a sentence: "just now", "5 min ago", "yesterday". */
export function since(at: number, now: number): string {
  const past = now - at;
  if (past < 60_000) return l10n.t('just now');
  const words = ago(at, now);
  return words === named(-1, 'day') || past >= 30 * 86_400_000 ? words : l10n.t('{0} ago', words);
}

export { count } from '../../src/domain/text/language.ts';
