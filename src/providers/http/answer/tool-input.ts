import { type JsonObject, isJsonObject } from '../../../domain/data/json.ts';
import type { InvalidInput } from '../../../domain/message.ts';
import { tooMuchIn } from './input-size.ts';
import { wellFormed } from '../request/well-formed.ts';

/** Characters of an unusable input that are kept. */
const RAW_LIMIT = 2000;

/** The input of a call, or why it cannot be used. */
export interface ToolInput {
  readonly input: JsonObject;
  readonly invalid?: InvalidInput;
}

/**
 * Reads the input of a call, once it is complete, so that a large one costs its length once. `whole`:
 * an object that came instead of text. `cut`: the answer ended at its length limit right here.
 */
export function toolInput(
  raw: string,
  { whole, cut }: { readonly whole: unknown; readonly cut: boolean },
): ToolInput {
  if (raw.trim() === '') {
    if (cut && (!isJsonObject(whole) || Object.keys(whole).length === 0))
      return unusable(
        raw,
        'The answer reached its length limit before the input of this call was written.',
      );
    return { input: isJsonObject(whole) ? wellFormed(whole) : {} };
  }
  const tooMuch = tooMuchIn(raw);
  if (tooMuch !== undefined) return unusable(raw, tooMuch);
  let value: unknown;
  try {
    value = JSON.parse(raw);
    // Some servers write the JSON as a JSON string.
    if (typeof value === 'string') value = value.trim() === '' ? {} : JSON.parse(value);
  } catch (thrown) {
    if (cut) {
      return unusable(
        raw,
        'The answer reached its length limit within the input of this call. Split the work: write less in one call.',
      );
    }
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return unusable(raw, `The input is not valid JSON: ${why}`);
  }
  if (!isJsonObject(value)) return unusable(raw, 'The input is not a JSON object.');
  return { input: wellFormed(value) };
}

/** An input that cannot be used, and a sentence for the model. */
export const unusable = (raw: string, problem: string): ToolInput => ({
  input: {},
  invalid: { problem: problem.toWellFormed(), raw: raw.slice(0, RAW_LIMIT).toWellFormed() },
});
