import { Buffer } from 'node:buffer';
import type { LeftOutReason } from '../../../core/ports/files/workspace-snapshots.ts';
import type { ObjectStore } from './object-store.ts';

export type TreeEntry =
  | {
      readonly kind: 'file';
      readonly hash: string;
      readonly size: number;
      /** Permission bits. */
      readonly mode: number;
    }
  /** Never followed. */
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly hash: string }
  /** Something is there, and the snapshot does not hold it. */
  | { readonly kind: 'out'; readonly why: LeftOutReason };

type LeafEntry = Extract<TreeEntry, { kind: 'file' | 'link' }>;

export type Tree = ReadonlyMap<string, TreeEntry>;

type Row =
  | readonly [name: string, kind: 'f', hash: string, size: number, mode: number]
  | readonly [name: string, kind: 'l', target: string]
  | readonly [name: string, kind: 'd', hash: string]
  | readonly [name: string, kind: 'x', why: LeftOutReason];

/** The same entries give the same object, whatever their order was. */
export function putTree(objects: ObjectStore, tree: Tree): string {
  const rows = [...tree]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, entry]) => rowOf(name, entry));
  return objects.put(Buffer.from(JSON.stringify(rows)));
}

function readTree(objects: ObjectStore, hash: string): Tree {
  const rows = JSON.parse(objects.get(hash).toString('utf8')) as readonly Row[];
  return new Map(rows.map((row) => [row[0], entryOf(row)]));
}

function rowOf(name: string, entry: TreeEntry): Row {
  if (entry.kind === 'file') return [name, 'f', entry.hash, entry.size, entry.mode];
  if (entry.kind === 'link') return [name, 'l', entry.target];
  return entry.kind === 'folder' ? [name, 'd', entry.hash] : [name, 'x', entry.why];
}

function entryOf(row: Row): TreeEntry {
  if (row[1] === 'f') return { kind: 'file', hash: row[2], size: row[3], mode: row[4] };
  if (row[1] === 'l') return { kind: 'link', target: row[2] };
  return row[1] === 'd' ? { kind: 'folder', hash: row[2] } : { kind: 'out', why: row[2] };
}

/** Everything that a tree needs, itself included. */
export function objectsOf(
  objects: ObjectStore,
  hash: string,
  into = new Set<string>(),
): Set<string> {
  if (into.has(hash)) return into;
  into.add(hash);
  for (const entry of readTree(objects, hash).values()) {
    if (entry.kind === 'folder') objectsOf(objects, entry.hash, into);
    else if (entry.kind === 'file') into.add(entry.hash);
  }
  return into;
}

/** A file or link that is not the same in two trees; `undefined`: it is not there. */
export interface TreeChange {
  /** Below the root, with `/`. */
  readonly path: string;
  readonly before: LeafEntry | undefined;
  readonly after: LeafEntry | undefined;
}

/**
 * Lists differences in the order of paths and skips equal folders. What one tree holds and the other leaves out is no change.
 * @param unkept receives the paths that one tree holds and the other leaves out; folders end with `/`
 */
export function compareTrees(
  objects: ObjectStore,
  before: string | undefined,
  after: string | undefined,
  unkept: string[] = [],
  prefix = '',
): TreeChange[] {
  if (before === after) return [];
  const old: Tree = before === undefined ? new Map() : readTree(objects, before);
  const now: Tree = after === undefined ? new Map() : readTree(objects, after);
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    const path = prefix + name;
    if (was?.kind === 'out' || is?.kind === 'out') {
      const held = was?.kind === 'out' ? is : was;
      if (held !== undefined && held.kind !== 'out')
        unkept.push(held.kind === 'folder' ? `${path}/` : path);
      return [];
    }
    const inside = compareTrees(
      objects,
      was?.kind === 'folder' ? was.hash : undefined,
      is?.kind === 'folder' ? is.hash : undefined,
      unkept,
      `${path}/`,
    );
    const [left, right] = [leafOf(was), leafOf(is)];
    return sameLeaf(left, right) ? inside : [{ path, before: left, after: right }, ...inside];
  });
}

const leafOf = (entry: TreeEntry | undefined): LeafEntry | undefined =>
  entry?.kind === 'file' || entry?.kind === 'link' ? entry : undefined;

function sameLeaf(left: LeafEntry | undefined, right: LeafEntry | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (left.kind === 'link' || right.kind === 'link')
    return left.kind === 'link' && right.kind === 'link' && left.target === right.target;
  return left.hash === right.hash && left.mode === right.mode;
}
