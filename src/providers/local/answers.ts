import { isJsonObject } from '../../domain/data/json.ts';

/** Asks a server for JSON below its address; `body`: by POST. Rejects when there is none, or none in time. */
export type AskServer = (path: string, body?: object) => Promise<unknown>;

/**
 * Tokens that are taken for the window of a model that is not loaded, at most: it shows when it is. Programs give
 * 4,096 to 262,144, by their version and the memory of the machine.
 */
export const UNLOADED_WINDOW = 32_768;

/** The list of objects under a name; rejects what has none: it is another server. */
export function entriesIn(
  answer: unknown,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const list = isJsonObject(answer) ? answer[name] : undefined;
  if (!Array.isArray(list)) throw new Error(`no ${name}`);
  return (list as unknown[]).filter((one) => isJsonObject(one));
}

/** A count of tokens; `undefined` for anything else. */
export const tokensIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
