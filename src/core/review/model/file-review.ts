import { firstWhere } from '../../merge/first-where.ts';
import { LineIndex } from '../../merge/line-index.ts';
import type { LineChange } from '../../merge/line-changes.ts';
import type { Replacement } from '../../merge/replacement.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';

/**
 * The pending changes of one file. Stored are only the baseline, which is what the file would be if
 * every pending hunk were rejected, and who made what; the hunks are the difference between baseline
 * and document. A value: every operation gives a new one.
 *
 * Lines are without their ends, and a text that ends with a line end has an empty last line, as in an
 * editor. Line ends themselves, byte order mark and encoding are no matter of a review.
 */
export interface FileReview {
  /** Absolute, where the file is now. */
  readonly path: string;
  /** The agent renamed it, and nobody has decided about that yet. */
  readonly renamedFrom?: string;
  readonly baseline: Content;
  readonly document: Content;
  /** Who made which lines of the document. */
  readonly marks: readonly Mark[];
  /** Who created, deleted, renamed or replaced the file as a whole; the last one last. */
  readonly wholeFileBy: readonly Attribution[];
  /** States that undo and redo may come back to; newest last, not stored. */
  readonly memory: readonly Snapshot[];
  /** The document as the agent knows it: what it last wrote, or was last told. */
  readonly knownToModel: Content;
  /** The session whose agent that is: the last one that changed the file. */
  readonly knownToSession?: string;
  /** Ids of hunks that the person has looked at and not decided about. */
  readonly looked: readonly string[];
  /**
   * The file on disk before the agent deleted it or replaced it as a whole: what it was made of beside
   * its lines comes back with them.
   */
  readonly kept?: KeptFile;
  /**
   * Of what was rejected something is on disk still: it is gone from an editor that is not saved. Until
   * disk and editor agree the rejection is not done.
   */
  readonly unsaved?: true;
  /** Something else deleted the file: its pending changes are offered, not discarded. */
  readonly fileMissing: boolean;
}

export type Content =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  /** The file is not there. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'binary'; readonly hash: string; readonly bytes: number };

/** Who made a change, and why. */
export interface Attribution {
  readonly by: 'agent' | 'command';
  readonly sessionId: string;
  /** The request: the person's message that it answers. */
  readonly messageId: string;
  readonly callId: string;
  /** The tool, or the command line. */
  readonly tool: string;
  /** One sentence, or empty. */
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of a command in the background: it changed while the command ran, and nobody knows who did it. */
  readonly during?: true;
}

/** Lines of the document (0-based, `to` not included; none where lines were taken away) and their author. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  /**
   * `user`: the user typed these lines. `outside`: another program changed them in a pending hunk.
   */
  readonly by: Attribution | 'user' | 'outside';
}

/** A state of the document that was, for undo and redo. */
export interface Snapshot {
  readonly document: Content;
  readonly baseline: Content;
  readonly marks: readonly Mark[];
  /** Lines accepted since. */
  readonly accepted: readonly {
    readonly old: readonly string[];
    readonly new: readonly string[];
  }[];
}

/** States kept for undo and redo; an editor's own history goes further, then it is as typed. */
const MOST_SNAPSHOTS = 100;

export const ABSENT: Content = { kind: 'absent' };

/** The lines of a text; CR LF counts as LF. */
export function textContent(text: string): Content {
  return { kind: 'text', lines: text.replaceAll('\r\n', '\n').split('\n') };
}

/** Lines as a text; no lines are an empty one. */
export function textWith(lines: readonly string[]): Content {
  return { kind: 'text', lines: lines.length === 0 ? [''] : lines };
}

/** No lines for what is absent or binary. */
export function linesOf(content: Content): readonly string[] {
  return content.kind === 'text' ? content.lines : [];
}

/** With LF; `undefined` for what is absent or binary. */
export function textOf(content: Content): string | undefined {
  return content.kind === 'text' ? content.lines.join('\n') : undefined;
}

/** A file without pending changes. */
export function newReview(path: string, content: Content): FileReview {
  const empty = { marks: [], wholeFileBy: [], memory: [], looked: [], fileMissing: false };
  return { path, baseline: content, document: content, knownToModel: content, ...empty };
}

export function sameContent(a: Content, b: Content): boolean {
  if (a.kind === 'text' && b.kind === 'text') return sameLines(a.lines, b.lines);
  if (a.kind === 'binary' && b.kind === 'binary') return a.hash === b.hash && a.bytes === b.bytes;
  return a.kind === b.kind;
}

/** Where the texts differed that were compared last: states of one text differ where it is worked on. */
let lastDifference = 0;

export function sameLines(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length || a[lastDifference] !== b[lastDifference]) return false;
  const difference = a.findIndex((line, index) => line !== b[index]);
  if (difference === -1) return true;
  lastDifference = difference;
  return false;
}

/** Remembers a state for undo and redo. */
export function remembered(review: FileReview): FileReview {
  const { document, baseline, marks } = review;
  const others = review.memory.filter((one) => !sameContent(one.document, document));
  const memory = [...others, { document, baseline, marks, accepted: [] }].slice(-MOST_SNAPSHOTS);
  return { ...review, memory };
}

/** Changes of lines as changes of a text with LF, in order. */
export function replacementsFor(
  lines: readonly string[],
  changes: readonly LineChange[],
): readonly Replacement[] {
  const index = new LineIndex(lines.join('\n'));
  return changes.map((change) => index.replacement(change));
}

/**
 * Marks after lines of the document were replaced.
 * @param changes in order, not overlapping; thousands of both take no longer than sorting them
 */
export function movedMarks(
  marks: readonly Mark[],
  changes: readonly LineChange[],
): readonly Mark[] {
  if (marks.length === 0 || changes.length === 0) return marks;
  let added = 0;
  /** With the lines that those before each one add, and that it adds with them. */
  const all = changes.map((change) => {
    const before = added;
    added += change.lines.length - (change.to - change.from);
    return { ...change, before, delta: added };
  });
  return marks.map((mark) => {
    let moved = mark;
    // From the last change that the mark is not wholly before.
    for (let at = firstBehind(changes, mark.to) - 1; at >= 0; at -= 1) {
      const change = all[at];
      if (change === undefined) break;
      if (change.to < mark.from) {
        const { delta } = change;
        return delta === 0 ? moved : { ...moved, from: moved.from + delta, to: moved.to + delta };
      }
      if (change.from > mark.from && change.to < mark.to) {
        // All that are within it make it longer or shorter.
        const first = firstBehind(changes, mark.from);
        moved = { ...moved, to: moved.to + change.delta - (all[first] ?? change).before };
        at = first;
      } else moved = movedMark(moved, change);
    }
    return moved;
  });
}

/** The first change that begins behind a line. */
function firstBehind(changes: readonly LineChange[], line: number): number {
  return firstWhere(changes, ({ from }) => from > line);
}

function movedMark(mark: Mark, { from, to, lines }: LineChange): Mark {
  const delta = lines.length - (to - from);
  if (mark.to <= from && !(mark.from === from && from < to)) return mark;
  if (mark.from >= to) return { ...mark, from: mark.from + delta, to: mark.to + delta };
  const end = mark.to > to ? mark.to + delta : from + lines.length;
  return { ...mark, from: Math.min(mark.from, from), to: end };
}
