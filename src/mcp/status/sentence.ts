import { type Told, told } from '../../domain/text/told.ts';
import type { ProcessExit } from '../transport/server-process.ts';
import { cleanText } from '../../domain/text/honest-text.ts';

/** Characters of foreign text within a sentence of ours. */
const longestQuote = 300;

/** Text of a server or of the system on one line, short enough to stand within a sentence. */
export function oneLine(text: string): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line;
}

/** Why a server that floods is ended. */
export const FLOODED = told`It sent more messages than anybody can use and was ended.`;

/** "The process ended with exit code 1: …". `lastError`: the last line of its standard error. */
export function endOf({ signal, code }: ProcessExit, lastError: string | undefined): Told {
  const how =
    signal === null
      ? told`The process ended with exit code ${String(code ?? '?')}`
      : told`The process was ended by ${signal}`;
  return lastError === undefined ? told`${how}.` : told`${how}: ${oneLine(lastError)}`;
}
