import type { UsageCall } from '../ports/store/person.ts';

const COLUMNS = [
  'at',
  'workspace',
  'session',
  'run',
  'model',
  'provider',
  'purpose',
  'tools',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cost',
  'saved',
  'ms',
] as const satisfies readonly (keyof UsageCall)[];

/** Calls as a table with commas (RFC 4180), times in UTC; no text in it is a formula to a spreadsheet. */
export function usageCsv(calls: readonly UsageCall[]): string {
  const lines = calls.map((call) =>
    COLUMNS.map((column) => {
      const value = call[column];
      if (column === 'at') return new Date(call.at).toISOString();
      return typeof value === 'number' ? String(value) : cell(value ?? '');
    }).join(','),
  );
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}

/** A text in quotation marks; an apostrophe keeps what a spreadsheet would compute a text. */
function cell(text: string): string {
  const harmless = /^\s*[=+\-@]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
