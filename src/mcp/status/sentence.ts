import type { ProcessExit } from '../transport/server-process.ts';
import { cleanText } from '../../domain/text/honest-text.ts';

/** Characters of foreign text within a sentence of ours. */
const longestQuote = 300;

/** Text of a server or of the system on one line, short enough to stand within a sentence. */
export function oneLine(text: string): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line;
}

/** "The process ended with exit code 1: …". `lastError`: the last line of its standard error. */
export function endOf(exit: ProcessExit, lastError: string | undefined): string {
  const how =
    exit.signal === null
      ? `ended with exit code ${exit.code ?? 'unknown'}`
      : `was ended by ${exit.signal}`;
  return lastError === undefined
    ? `The process ${how}.`
    : `The process ${how}: ${oneLine(lastError)}`;
}
