import { betweenPasses } from '../../domain/lifetime/steps.ts';
import { type LineChange, lineChangesByTurns, splitLines } from '../../core/merge/line-changes.ts';

export interface EditDiff {
  /** Unified, without file headers; a longer one ends within, a little behind `LONGEST_DIFF`. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  /** 1-based, in the new text; absent when nothing was changed. */
  readonly firstLine?: number;
}

/** Characters of a diff that are shown of it. */
export const LONGEST_DIFF = 20_000;

const CONTEXT = 3;

/** Compares two texts by lines, and others have their turn meanwhile. */
export async function editDiff(before: string, after: string): Promise<EditDiff> {
  if (before === after) return { text: '', added: 0, removed: 0 };
  await betweenPasses(before);
  const left = splitLines(before);
  await betweenPasses(after);
  const right = splitLines(after);
  await betweenPasses(after);
  const changes = await lineChangesByTurns(left, right);
  const added = changes.reduce((sum, { lines }) => sum + lines.length, 0);
  const removed = changes.reduce((sum, { from, to }) => sum + (to - from), 0);
  const firstLine = Math.min((changes[0]?.from ?? 0) + 1, Math.max(1, right.length));
  return { text: unified(left, changes), added, removed, firstLine };
}

function unified(left: readonly string[], changes: readonly LineChange[]): string {
  const hunks: string[] = [];
  let length = 0;
  let offset = 0;
  for (const near of together(changes)) {
    if (length > LONGEST_DIFF) break;
    const hunk = hunkOf(left, near, offset);
    hunks.push(hunk);
    length += hunk.length + 1;
    for (const { from, to, lines } of near) offset += lines.length - (to - from);
  }
  return hunks.join('\n');
}

/** Changes whose context touches are shown as one. */
function together(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const end = last?.at(-1)?.to ?? -Infinity;
    if (last !== undefined && change.from - end <= 2 * CONTEXT) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** @param offset lines that the changes before it added */
function hunkOf(left: readonly string[], changes: readonly LineChange[], offset: number): string {
  const [first, last] = [changes[0], changes.at(-1)];
  const from = Math.max(0, (first?.from ?? 0) - CONTEXT);
  const to = Math.min(left.length, (last?.to ?? 0) + CONTEXT);
  const grown = changes.reduce((sum, one) => sum + one.lines.length - (one.to - one.from), 0);
  const shown: string[] = [headOf([from, to - from], [from + offset, to - from + grown])];
  let length = 0;
  const show = (mark: string, lines: readonly string[]): void => {
    for (const line of lines) {
      if (length > LONGEST_DIFF) return;
      length += line.length;
      shown.push(`${mark}${line.replace(/\r?\n$/u, '')}`);
      if (!line.endsWith('\n')) shown.push('\\ No newline at end of file');
    }
  };
  let at = from;
  for (const change of changes) {
    show(' ', left.slice(at, change.from));
    show('-', left.slice(change.from, change.to));
    show('+', change.lines);
    at = change.to;
  }
  show(' ', left.slice(at, to));
  return shown.join('\n');
}

type Part = readonly [start: number, lines: number];

/** A side without lines starts at the line before. */
function headOf([oldFrom, oldLines]: Part, [newFrom, newLines]: Part): string {
  const before = oldLines === 0 ? oldFrom : oldFrom + 1;
  const after = newLines === 0 ? newFrom : newFrom + 1;
  return `@@ -${before},${oldLines} +${after},${newLines} @@`;
}
