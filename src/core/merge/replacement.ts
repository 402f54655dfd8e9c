import { type Steps, inOneGo } from '../../domain/lifetime/steps.ts';

/** A place in a text, by characters (UTF-16 units), and what goes there. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Replacements that are made in one step: a few milliseconds. */
const STEP = 20_000;

/** The text with its replacements, which do not overlap and are in order. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  return inOneGo(applyingReplacements(text, replacements));
}

export function* applyingReplacements(
  text: string,
  replacements: readonly Replacement[],
): Steps<string> {
  const parts: string[] = [];
  let pieces: string[] = [];
  let at = 0;
  for (const { from, to, text: replacement } of replacements) {
    pieces.push(text.slice(at, from), replacement);
    at = to;
    if (pieces.length < STEP) continue;
    parts.push(pieces.join(''));
    pieces = [];
    yield;
  }
  return parts.join('') + pieces.join('') + text.slice(at);
}
