import { told } from '../../../domain/text/told.ts';
import { readdirSync, renameSync, rmdirSync, unlinkSync, lstatSync } from 'node:fs';
import path from 'node:path';
import type { LeafRecord } from '../../../core/ports/files/workspace-snapshots.ts';
import type { Leaf } from '../../../core/restore/turned-back.ts';
import { BelayError, fault } from '../../../domain/failure.ts';
import { systemCode } from '../files/system-failure.ts';
import { HeldFolder } from './held-folder.ts';
import type { Journal, JournalFolder, JournalStep } from './journal.ts';
import { leafBelow, leafIn, removeIfThere, writeLeaf } from './leaf-files.ts';
import { hashOf } from './pack.ts';

export interface Move {
  readonly root: string;
  readonly step: JournalStep;
  /** Present, or wanted. */
  readonly source: LeafRecord;
  readonly target: LeafRecord;
}

/** A path neither as it was nor as it should become: somebody's newer work. */
export const NEWER = 'newer';

interface Manner {
  readonly journal: Journal;
  /** `back`: everything becomes what it was before the restore. */
  readonly way: 'forward' | 'back';
  readonly contentOf: (record: LeafRecord) => Leaf;
  /** Told what stood in the way of a path. */
  readonly onTrouble: (move: Move, thrown: unknown) => void;
}

/**
 * Brings a journal's paths to the one end or the other; can be repeated after a crash. Paths
 * already there, or newer, are left alone. All new contents lie ready before the first exchange.
 */
export function carryOut(manner: Manner): void {
  const { journal, way } = manner;
  const moves = journal.folders.flatMap((folder) => movesOf(folder, way));
  const isOut = new Set<Move>();
  const missing = new Set(journal.folders.map(({ root }) => root).filter((root) => !isThere(root)));
  const removed = way === 'back' ? journal.folders.map(removedFolders) : [];
  const attempt = (move: Move, act: (move: Move) => void): void => {
    if (isOut.has(move)) return;
    try {
      if (missing.has(move.root)) throw gone(move.root);
      act(move);
    } catch (thrown) {
      isOut.add(move);
      manner.onTrouble(move, thrown);
    }
  };
  const puts = moves.filter(({ target }) => target.kind !== 'absent');
  // Deletions first: a folder may take the place of a file, and a name that of another case of it.
  for (const move of moves)
    if (move.target.kind === 'absent') attempt(move, (one) => takeAway(one, way, journal));
  const laid = new Set<Move>();
  for (const move of puts)
    attempt(move, (one) => {
      if (lay(one, manner.contentOf)) laid.add(one);
    });
  for (const move of laid) attempt(move, put);
  if (way === 'back')
    journal.folders.forEach((folder, index) => settleFolders(folder, removed[index] ?? []));
  for (const folder of journal.folders) syncFolders(folder);
}

/** Takes away what was laid ready and never got to its place. */
export function removeLaid(journal: Journal): void {
  for (const { root, steps } of journal.folders)
    for (const { path: name, laid } of steps) {
      try {
        HeldFolder.within(root, name, 'stop', (folder) => removeIfThere(folder.at(laid)));
      } catch {
        // The way leads elsewhere by now: what lies there is none of ours.
      }
    }
}

const movesOf = ({ root, steps }: JournalFolder, way: Manner['way']): Move[] =>
  steps.map((step) =>
    way === 'forward'
      ? { root, step, source: step.from, target: step.to }
      : { root, step, source: step.to, target: step.from },
  );

function takeAway({ root, step, source, target }: Move, way: Manner['way'], journal: Journal) {
  // Where a link stands for a folder on the way, nothing is there to be taken away.
  HeldFolder.within(root, step.path, 'look', (folder, last) => {
    const now = leafIn(folder, last);
    if (isAs(now, target)) return;
    if (!isAs(now, source)) throw newer();
    unlinkSync(folder.at(last));
  });
  const known = journal.folders.find((folder) => folder.root === root)?.parents ?? {};
  // On the way back only what the restore has made is removed.
  removeEmpty(root, path.posix.dirname(step.path), way === 'back' ? known : {});
}

/** @returns `false`: it is as it should be already */
function lay({ root, step, source, target }: Move, contentOf: Manner['contentOf']): boolean {
  const now = leafBelow(root, step.path, { link: 'look' });
  if (isAs(now, target)) return false;
  if (!isAs(now, source)) throw newer();
  const content = contentOf(target);
  const done = HeldFolder.within(root, step.path, 'make', (folder) => {
    removeIfThere(folder.at(step.laid));
    writeLeaf(folder.at(step.laid), content);
    return true;
  });
  if (done !== true) throw newer();
  return true;
}

function put({ root, step, source }: Move): void {
  const done = HeldFolder.within(root, step.path, 'stop', (folder, last) => {
    // Judged again, now that everything is ready.
    if (!isAs(leafIn(folder, last), source)) {
      removeIfThere(folder.at(step.laid));
      throw newer();
    }
    renameSync(folder.at(step.laid), folder.at(last));
    return true;
  });
  if (done !== true) throw newer();
}

function isAs(leaf: Leaf, record: LeafRecord): boolean {
  if (leaf.kind === 'file' && record.kind === 'file')
    return leaf.mode === record.mode && hashOf(leaf.bytes) === record.hash;
  if (leaf.kind === 'link' && record.kind === 'link') return leaf.target === record.target;
  return leaf.kind === record.kind;
}

/** Why a path is left that is not as it was looked at. */
export const CHANGED_SINCE = told`It has changed since the preview.`;

const newer = (): BelayError => fault('invalid', CHANGED_SINCE, { details: { reason: NEWER } });

/** Removes a folder and those above it as far as there is nothing in them. */
function removeEmpty(root: string, below: string, kept: JournalFolder['parents']): void {
  if (below === '.' || Object.hasOwn(kept, below)) return;
  const isGone = HeldFolder.within(root, below, 'look', (folder, last) => {
    const at = folder.at(last);
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat === undefined) return true;
    if (!stat.isDirectory() || readdirSync(at).length > 0) return false;
    try {
      rmdirSync(at);
      return true;
    } catch (thrown) {
      // Somebody has just put something in.
      if (systemCode(thrown) === 'ENOTEMPTY' || systemCode(thrown) === 'EEXIST') return false;
      throw thrown;
    }
  });
  if (isGone !== false) removeEmpty(root, path.posix.dirname(below), kept);
}

/** Folders that were there before the restore and are not now. */
const removedFolders = ({ root, parents }: JournalFolder): readonly (readonly [string, number])[] =>
  Object.entries(parents).filter(([below]) => !isThere(root, below));

const isThere = (root: string, below = ''): boolean =>
  HeldFolder.within(root, below === '' ? '-' : `${below}/-`, 'look', () => true) === true;

const gone = (root: string): Error =>
  Object.assign(new Error(`${root} is not there.`), { code: 'ENOENT' });

/** Folders that the restore made go, those that it removed have their permission bits again. */
function settleFolders(
  { root, steps, parents }: JournalFolder,
  removed: readonly (readonly [string, number])[],
): void {
  try {
    for (const { path: name } of steps) removeEmpty(root, path.posix.dirname(name), parents);
    for (const [below, mode] of removed)
      HeldFolder.within(root, `${below}/-`, 'stop', (folder) => folder.chmod(mode));
  } catch {
    // An empty folder more, or a bit of a folder, harms nobody.
  }
}

/** Every rename and removal is on disk afterwards. */
function syncFolders({ root, steps }: JournalFolder): void {
  const folders = new Set(steps.flatMap(({ path: name }) => foldersOf(name)));
  for (const below of ['', ...folders]) {
    const inside = below === '' ? '-' : `${below}/-`;
    try {
      HeldFolder.within(root, inside, 'stop', (folder) => folder.sync());
    } catch (thrown) {
      if (!(thrown instanceof BelayError)) throw thrown;
    }
  }
}

/** The folders that a path below a root lies in, the outermost first. */
export function foldersOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
