import { maskSecrets } from '../../../core/secrets/log-masking.ts';
import { cleanText } from '../../../domain/text/honest-text.ts';

/** Controls and format characters: nothing that steers a terminal or reorders what is read. */
const SUSPECT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text for standard output or error, without what steers a terminal or hides what is read. */
export const printed = (text: string): string => cleanText(text);

export const printedProblem = (text: string): string => cleanText(maskSecrets(text));

/** A line of JSON with the same meaning: what would steer a terminal is escaped. */
export function printedJson(line: string): string {
  return line.replace(SUSPECT, (one) =>
    Array.from(
      { length: one.length },
      (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
