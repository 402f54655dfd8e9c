import { told, type Told } from '../../domain/text/told.ts';
/**
 * Bytes up to which a text is compared, edited and reviewed by lines: a pass over so much takes 5
 * to 30 ms on a slow machine, and nothing may keep the event loop for 50 ms.
 */
export const LARGEST_TEXT = 8 * 1024 * 1024;

/** Lines up to which it is so: what is done for each line takes as long as what is done for 40 bytes. */
export const MOST_LINES = 200_000;

/** The reason why a text is too large to be edited by lines: "has 1,000,000 lines". */
export function tooLarge(text: string, when: 'is' | 'would be'): Told | undefined {
  const characters = String(text.length);
  if (text.length > LARGEST_TEXT)
    return when === 'is'
      ? told`has ${characters} characters`
      : told`would have ${characters} characters`;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  if (lines <= MOST_LINES) return undefined;
  return when === 'is' ? told`has ${String(lines)} lines` : told`would have ${String(lines)} lines`;
}

/** True for bytes that are too large to be looked at as lines. */
export function isTooLarge(bytes: Uint8Array): boolean {
  if (bytes.length > LARGEST_TEXT) return true;
  if (bytes.length < MOST_LINES) return false;
  let lines = 1;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === LINE_FEED) lines += 1;
  return lines > MOST_LINES;
}

const LINE_FEED = 0x0a;
