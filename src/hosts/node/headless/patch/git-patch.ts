import { createHash } from 'node:crypto';
import { structuredPatch } from 'diff';
import type { Leaf } from '../../../../core/restore/turned-back.ts';
import { sameBytes } from '../../../../domain/data/same-bytes.ts';
import { binaryHunks } from './binary.ts';

/** A file, or a link, before and after. */
export interface ChangedPath {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly before: Leaf;
  readonly after: Leaf;
}

interface Blob {
  readonly bytes: Uint8Array;
  /** As git writes it. */
  readonly mode: string;
}

interface BlobChange {
  readonly path: string;
  readonly before: Blob | undefined;
  readonly after: Blob | undefined;
  /** The name it had. */
  readonly from?: string;
}

/** Bytes of a text that is compared by lines. */
const LARGEST_TEXT = 2 ** 20;
/** Milliseconds for one comparison; what takes longer is written as a whole. */
const PATIENCE = 5000;

/** The changes as a patch for `git apply`, in the order of their paths; empty: there are none. */
export function gitPatch(changes: readonly ChangedPath[]): string {
  const all = changes.flatMap(({ path, before, after }): readonly BlobChange[] => {
    const [was, is] = [blobOf(before), blobOf(after)];
    if (was === undefined || is === undefined || typeOf(was) === typeOf(is))
      return [{ path, before: was, after: is }];
    // A file that became a link is another thing.
    return [
      { path, before: was, after: undefined },
      { path, before: undefined, after: is },
    ];
  });
  return withRenames(all.filter((one) => !isSame(one)))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(changeText)
    .join('');
}

function blobOf(leaf: Leaf): Blob | undefined {
  if (leaf.kind === 'link') return { bytes: Buffer.from(leaf.target), mode: '120000' };
  if (leaf.kind !== 'file') return undefined;
  return { bytes: leaf.bytes, mode: (leaf.mode & 0o100) === 0 ? '100644' : '100755' };
}

function typeOf({ mode }: Blob): string {
  return mode.slice(0, 3);
}

function isSame({ before, after }: BlobChange): boolean {
  if (before === undefined || after === undefined) return before === after;
  return before.mode === after.mode && sameBytes(before.bytes, after.bytes);
}

/** A file that is gone, and one with the same bytes that is new, are one renaming. */
function withRenames(changes: readonly BlobChange[]): readonly BlobChange[] {
  const gone = new Map<string, BlobChange>();
  for (const one of changes)
    if (one.before !== undefined && one.after === undefined && one.before.bytes.length > 0)
      gone.set(hashOf(one.before), one);
  const used = new Set<BlobChange>();
  const joined = changes.map((one): BlobChange => {
    if (one.before !== undefined || one.after === undefined) return one;
    const source = gone.get(hashOf(one.after));
    const isUsable = source?.before !== undefined && typeOf(source.before) === typeOf(one.after);
    if (source === undefined || !isUsable || used.has(source) || source.path === one.path)
      return one;
    used.add(source);
    return { ...one, before: source.before, from: source.path };
  });
  return joined.filter((one) => !used.has(one));
}

function changeText(change: BlobChange): string {
  const [was, is] = [bytesOf(change.before), bytesOf(change.after)];
  const isWhole = change.before === undefined || change.after === undefined;
  const head = `${headOf(change)}${isWhole || !sameBytes(was, is) ? indexOf(change) : ''}`;
  if (sameBytes(was, is)) return head;
  const lines = textHunks(was, is);
  return `${head}${lines === undefined ? binaryHunks(was, is) : `${namesOf(change)}${lines}`}`;
}

/** Names, modes, and what became of the file as a whole. */
function headOf({ path, before, after, from = path }: BlobChange): string {
  const head = [`diff --git ${quoted(`a/${from}`)} ${quoted(`b/${path}`)}\n`];
  if (before === undefined) head.push(`new file mode ${after?.mode ?? ''}\n`);
  else if (after === undefined) head.push(`deleted file mode ${before.mode}\n`);
  else if (before.mode !== after.mode)
    head.push(`old mode ${before.mode}\nnew mode ${after.mode}\n`);
  if (from !== path)
    head.push(`similarity index 100%\nrename from ${quoted(from)}\nrename to ${quoted(path)}\n`);
  return head.join('');
}

function indexOf({ before, after }: BlobChange): string {
  const mode = before?.mode === after?.mode ? ` ${after?.mode ?? ''}` : '';
  return `index ${idOf(before)}..${idOf(after)}${mode}\n`;
}

function namesOf({ path, before, after, from = path }: BlobChange): string {
  const old = before === undefined ? '/dev/null' : named(`a/${from}`);
  return `--- ${old}\n+++ ${after === undefined ? '/dev/null' : named(`b/${path}`)}\n`;
}

function bytesOf(blob: Blob | undefined): Uint8Array {
  return blob?.bytes ?? new Uint8Array();
}

/** `undefined`: they are no text, or too large to be compared. */
function textHunks(before: Uint8Array, after: Uint8Array): string | undefined {
  const [old, made] = [textIn(before), textIn(after)];
  if (old === undefined || made === undefined) return undefined;
  const found = structuredPatch('', '', old, made, '', '', { context: 3, timeout: PATIENCE });
  return found?.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) => {
      const places = `-${placeOf(oldStart, oldLines)} +${placeOf(newStart, newLines)}`;
      return `@@ ${places} @@\n${lines.join('\n')}\n`;
    })
    .join('');
}

/** Of no lines, git counts the line before them. */
function placeOf(start: number, lines: number): string {
  return `${lines === 0 ? Math.max(0, start - 1) : start},${lines}`;
}

function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.length > LARGEST_TEXT || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The name that git gives a content. */
function idOf(blob: Blob | undefined): string {
  return blob === undefined ? '0'.repeat(40) : hashOf(blob);
}

function hashOf({ bytes }: Blob): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** As git writes a name with characters that would end it. */
function quoted(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is quoted
  if (!/["\\\u0000-\u001f\u007f]/u.test(name)) return name;
  const inner = name.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /["\\\u0000-\u001f\u007f]/gu,
    (one) =>
      one === '"' || one === '\\'
        ? `\\${one}`
        : `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${inner}"`;
}

/** A name in a line of its own: one with spaces ends with a tab. */
function named(name: string): string {
  return name.includes(' ') ? `${quoted(name)}\t` : quoted(name);
}
