import { firstWhere } from '../../merge/first-where.ts';
import { LineIndex } from '../../merge/line-index.ts';
import type { LineChange } from '../../merge/line-changes.ts';
import type { Replacement } from '../../merge/replacement.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';

/**
 * One row of the table of pending changes: what the agent made of a file and the user has not decided about. The hunks
 * are the difference between `baseline` and `document`. A value: every operation gives a new one.
 *
 * Lines are without their ends, and a text that ends with a newline has an empty last line, as in an editor. Line ends,
 * byte order mark and encoding belong to the file, not to the row.
 */
export interface FileReview {
  /** Absolute, where the file is now. */
  readonly path: string;
  /** The agent renamed it, and nobody has decided about that yet. */
  readonly renamedFrom?: string;
  /** The file if every hunk were undone. */
  readonly baseline: Content;
  /** The file as it is, unsaved text of an editor included. */
  readonly document: Content;
  /** Who made which lines of the document. */
  readonly marks: readonly Mark[];
  /** Who created, deleted, renamed or replaced the file as a whole; the last one last. */
  readonly wholeFileBy: readonly Attribution[];
  /** The document as the agent knows it: what it last wrote, or was last told. */
  readonly knownToModel: Content;
  /** The session whose agent that is: the last one that changed the file. */
  readonly knownToSession?: string;
  /** Ids of hunks that the user marked as looked at. */
  readonly looked: readonly string[];
  /** The file before the agent deleted or replaced it: its mode, encoding and line ends come back with it. */
  readonly kept?: KeptFile;
}

export type Content =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  /** The file is not there. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'binary'; readonly hash: string; readonly bytes: number };

/** Who made a change, and why. */
export interface Attribution {
  readonly by: 'agent';
  readonly sessionId: string;
  /** The request: the person's message that it answers. */
  readonly messageId: string;
  readonly callId: string;
  /** The name of the tool. */
  readonly tool: string;
  /** One sentence, or empty. */
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Lines of the document (0-based, `to` not included; none where lines were taken away) and who made them. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  /** `user`: the user or another program changed lines of a hunk. */
  readonly by: Attribution | 'user';
}

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
  const empty = { marks: [], wholeFileBy: [], looked: [] };
  return { path, baseline: content, document: content, knownToModel: content, ...empty };
}

export function sameContent(a: Content, b: Content): boolean {
  if (a.kind === 'text' && b.kind === 'text') return sameLines(a.lines, b.lines);
  if (a.kind === 'binary' && b.kind === 'binary') return a.hash === b.hash && a.bytes === b.bytes;
  return a.kind === b.kind;
}

/** Where the texts differed that were compared last: texts of one file differ where it is worked on. */
let lastDifference = 0;

export function sameLines(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length || a[lastDifference] !== b[lastDifference]) return false;
  const difference = a.findIndex((line, index) => line !== b[index]);
  if (difference === -1) return true;
  lastDifference = difference;
  return false;
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
 * Moves marks along with lines that were replaced. A mark of which some lines are replaced covers the new ones.
 * @param changes in order, not overlapping
 */
export function movedMarks(
  marks: readonly Mark[],
  changes: readonly LineChange[],
): readonly Mark[] {
  if (marks.length === 0 || changes.length === 0) return marks;
  let added = 0;
  const deltas = changes.map(({ from, to, lines }) => (added += lines.length - (to - from)));
  const move = (line: number, isEnd: boolean): number => {
    const at = firstWhere(changes, ({ from }) => (isEnd ? from >= line : from > line)) - 1;
    const change = changes[at];
    if (change === undefined) return line;
    const before = deltas[at - 1] ?? 0;
    const isInside = isEnd ? line <= change.to : line < change.to;
    if (!isInside) return line + (deltas[at] ?? 0);
    return change.from + before + (isEnd ? change.lines.length : 0);
  };
  return marks.map(({ from, to, by }) => {
    const start = move(from, false);
    return { from: start, to: Math.max(start, move(to, true)), by };
  });
}
