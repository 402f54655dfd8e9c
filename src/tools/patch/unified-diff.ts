import { type FileChange, type Hunk, type HunkLine, PatchProblem } from './patch.ts';
import { dropEmptyEnd } from './empty-end.ts';
import { before } from '../../domain/text/text-end.ts';

const HUNK = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/u;

/** Reads a unified diff as git and diff write it. The counts of its hunks are not relied on: models miscount. */
export function readUnifiedDiff(lines: readonly string[]): readonly FileChange[] {
  const changes: FileChange[] = [];
  let at = 0;
  while (at < lines.length) {
    const head = readHead(lines, at);
    if (head === undefined) break;
    const { hunks, next } = readHunks(lines, head.next);
    changes.push(changeOf(head, hunks));
    at = next;
  }
  return changes;
}

interface Head {
  /** `undefined`: /dev/null. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The line after it, 0-based. */
  readonly next: number;
}

function readHead(lines: readonly string[], start: number): Head | undefined {
  let [from, to]: [string | undefined, string | undefined] = [undefined, undefined];
  let renamed = false;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^GIT binary patch|^Binary files /u.test(line))
      throw new PatchProblem('is about a binary file, which a patch cannot change here', at + 1);
    const rename = /^rename (from|to) (.+)$/u.exec(line);
    if (rename?.[1] === 'from') from = rename[2];
    if (rename?.[1] === 'to') {
      to = rename[2];
      renamed = true;
      if (!hasHunks(lines, at + 1)) return { from, to, next: at + 1 };
    }
    const next = lines[at + 1] ?? '';
    if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      return renamed
        ? { from, to, next: at + 2 }
        : { from: pathOf(line), to: pathOf(next), next: at + 2 };
    }
    if (HUNK.test(line))
      throw new PatchProblem('has a hunk without the lines --- and +++ that name the file', at + 1);
  }
  return undefined;
}

/** True with hunks before the next file. */
function hasHunks(lines: readonly string[], start: number): boolean {
  const next = lines.findIndex((line, at) => at >= start && /^(?:@@ |diff --git )/u.test(line));
  return next !== -1 && lines[next]?.startsWith('@@ ') === true;
}

/** `undefined`: /dev/null. */
function pathOf(line: string): string | undefined {
  const written = before(line.slice(4), '\t').trim();
  const path = /^".*"$/u.test(written) ? unquoted(written) : written;
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//u, '');
}

/** A path that git has quoted: the bytes of characters that are not ASCII are in octal. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const plain: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
  for (const [piece, octal, escaped] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(escaped === undefined ? piece : (plain[escaped] ?? escaped)));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function readHunks(
  lines: readonly string[],
  start: number,
): { readonly hunks: readonly Hunk[]; readonly next: number } {
  const hunks: Hunk[] = [];
  let at = start;
  for (;;) {
    const [, line] = HUNK.exec(lines[at] ?? '') ?? [];
    if (line === undefined) return { hunks, next: at };
    const { hunk, next } = readHunk(lines, at + 1, Number(line));
    hunks.push(hunk);
    at = next;
  }
}

function readHunk(
  lines: readonly string[],
  start: number,
  line: number,
): { readonly hunk: Hunk; readonly next: number } {
  const read: HunkLine[] = [];
  let [oldEnd, newEnd] = [true, true];
  let at = start;
  for (; at < lines.length && !isEnd(lines, at); at += 1) {
    const text = lines[at] ?? '';
    const mark = text === '' ? ' ' : text[0];
    if (mark === '\\') {
      const last = read.at(-1)?.mark;
      if (last !== '+') oldEnd = false;
      if (last !== '-') newEnd = false;
    } else if (mark === ' ' || mark === '+' || mark === '-') {
      read.push({ mark, text: text.slice(1) });
    } else break;
  }
  dropEmptyEnd(read, lines.slice(0, at));
  if (!read.some(({ mark }) => mark !== ' '))
    throw new PatchProblem('has a hunk without a line that begins with + or -', start + 1);
  const finalLineEnd = oldEnd === newEnd ? {} : { finalLineEnd: newEnd };
  return { hunk: { headers: [], line, lines: read, ...finalLineEnd }, next: at };
}

function isEnd(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return (
    line.startsWith('@@ ') ||
    line.startsWith('diff --git ') ||
    line.startsWith('```') ||
    (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true)
  );
}

function changeOf({ from, to, next }: Head, hunks: readonly Hunk[]): FileChange {
  if (from === undefined && to === undefined)
    throw new PatchProblem('names no file, only /dev/null', next);
  if (from === undefined) return { kind: 'add', path: to ?? '', text: addedText(hunks) };
  if (to === undefined) return { kind: 'delete', path: from };
  if (hunks.length === 0 && from === to) throw new PatchProblem(`has no hunk for ${from}`, next);
  return { kind: 'update', path: from, hunks, ...(from === to ? {} : { moveTo: to }) };
}

function addedText(hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines.filter(({ mark }) => mark === '+'));
  const text = lines.map((line) => `${line.text}\n`).join('');
  return hunks.at(-1)?.finalLineEnd === false ? text.slice(0, -1) : text;
}
