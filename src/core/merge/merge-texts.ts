import { LineEnds } from './line-ends.ts';
import { splitLines } from './line-changes.ts';
import { mergeLines } from './merge-lines.ts';
import type { Replacement } from './replacement.ts';

export type TextMerge =
  | {
      readonly kind: 'merged';
      readonly text: string;
      /** Turns `theirs` into it; empty when our changes are there already. */
      readonly changesTheirs: boolean;
    }
  | { readonly kind: 'conflict'; readonly conflicts: readonly TextConflict[] };

/** A place that both sides changed, each in another way. Texts have LF line ends. */
export interface TextConflict {
  /** 1-based, in `theirs`. */
  readonly line: number;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Brings what `ours` made of `base` into `theirs`, by lines, with their line ends. */
export function mergeTexts(base: string, ours: string, theirs: string): TextMerge {
  const ends = new LineEnds(theirs);
  const regions = mergeLines(lfLines(base), lfLines(ours), splitLines(ends.text));
  const conflicts: TextConflict[] = [];
  const replacements: Replacement[] = [];
  let [at, line] = [0, 1];
  for (const region of regions) {
    const present = region.theirs.join('');
    if (region.kind === 'conflict') {
      const [before, wanted] = [region.base.join(''), region.ours.join('')];
      conflicts.push({ line, base: before, ours: wanted, theirs: present });
    } else if (region.kind === 'ours') {
      replacements.push({ from: at, to: at + present.length, text: region.ours.join('') });
    }
    at += present.length;
    line += region.theirs.length;
  }
  if (conflicts.length > 0) return { kind: 'conflict', conflicts };
  const text = ends.apply(replacements);
  return { kind: 'merged', text, changesTheirs: text !== theirs };
}

function lfLines(text: string): readonly string[] {
  return splitLines(text.replaceAll('\r\n', '\n'));
}
