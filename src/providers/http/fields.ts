/** The value as text; empty for anything else. */
export const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The text as JSON; `undefined` when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value as a count; 0 for anything else. */
export const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
