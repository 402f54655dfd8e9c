import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import type {
  FolderChanges,
  LeafRecord,
  LeftPath,
  RecoveredRestore,
  RestoredFolders,
  RestoreFolder,
  RestoreStep,
} from '../../../core/ports/files/workspace-snapshots.ts';
import { type Leaf, sameLeaf } from '../../../core/restore/turned-back.ts';
import { BelayError, saidBy } from '../../../domain/failure.ts';
import { type Told, told } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import { systemCode } from '../files/system-failure.ts';
import { type Move, carryOut, CHANGED_SINCE, foldersOf, NEWER, removeLaid } from './carry-out.ts';
import { HeldFolder } from './held-folder.ts';
import {
  claimJournal,
  finishJournal,
  journalsIn,
  readJournal,
  removeJournal,
  rewriteJournal,
  setAsideJournal,
  turnJournal,
  writeJournal,
} from './journal.ts';
import type { Journal, JournalFile, JournalFolder } from './journal.ts';
import { leafBelow } from './leaf-files.ts';
import type { ObjectStore } from './object-store.ts';
import type { Owners } from './owners.ts';

/** Puts paths back by a journal, each that can be; finishes or undoes what a death left. */
export class Restores {
  readonly #objects: ObjectStore;
  readonly #folder: string;
  readonly #owners: Owners;

  /** @param folder of the journals, absolute */
  constructor(objects: ObjectStore, folder: string, owners: Owners) {
    this.#objects = objects;
    this.#folder = folder;
    this.#owners = owners;
  }

  /**
   * Follows no link. A path that cannot be restored, or is not as it was expected to be, stays as it is and keeps no
   * other from it.
   * @param about given back when the restore has to be recovered
   */
  restore(given: readonly RestoreFolder[], about: Json): RestoredFolders {
    const left: LeftPath[] = [];
    const isPossible = (root: string, step: RestoreStep): boolean => {
      const why = findObstacle(root, step);
      if (why !== undefined) left.push({ root, path: step.path, why });
      return why === undefined;
    };
    const folders = given
      .map(({ root, steps }) => ({
        root,
        steps: steps.filter((one) => !sameLeaf(one.from, one.to) && isPossible(root, one)),
      }))
      .filter(({ steps }) => steps.length > 0);
    if (folders.length === 0) return { folders: [], left };
    const journal: Journal = {
      version: 1,
      about,
      folders: folders.map((folder) => this.#planOf(folder)),
    };
    this.#objects.sync();
    const file = writeJournal(this.#folder, this.#owners.name, journal);
    const { stayed, failed } = this.#settled(journal, 'forward');
    const stuck = [...stayed, ...failed];
    // After a crash from here on these paths are not taken for restored ones.
    if (stuck.length > 0) rewriteJournal(file, withoutPaths(journal, stuck));
    finishJournal(file);
    return { folders: changesOf(journal, stuck), left: [...left, ...stuck] };
  }
  /** Ends the restore of this `about`, whose effects are on record. */
  recorded(about: Json): void {
    const given = JSON.stringify(about);
    for (const journal of journalsIn(this.#folder)) {
      if (journal.direction !== 'done' || journal.owner !== this.#owners.name) continue;
      if (JSON.stringify(readJournal(journal)?.about) === given) removeJournal(journal);
    }
  }

  /** Settles what processes that are dead by now left unfinished. */
  async recover(): Promise<readonly RecoveredRestore[]> {
    const recovered: RecoveredRestore[] = [];
    for (const left of journalsIn(this.#folder)) {
      const { owner } = left;
      if (owner !== this.#owners.name && !(await this.#owners.isGone(owner))) continue;
      const claimed = claimJournal(left, this.#owners.name);
      if (claimed !== undefined) recovered.push(this.#recovered(claimed));
    }
    return recovered;
  }

  #recovered(left: JournalFile): RecoveredRestore {
    const journal = readJournal(left);
    const nothing = { about: null, files: 0, folders: [], stayed: [], failed: [] };
    if (journal === undefined) {
      setAsideJournal(left);
      return { ...nothing, outcome: 'lost' };
    }
    const { about, folders } = journal;
    const files = folders.reduce((sum, { steps }) => sum + steps.length, 0);
    if (left.direction === 'done')
      return { ...nothing, about, files, outcome: 'finished', folders: changesOf(journal, []) };
    const way = this.#wayOf(left, journal);
    if (way === undefined) {
      setAsideJournal(left);
      const failed = folders.flatMap(({ root, steps }) =>
        steps.map(({ path }) => ({ root, path, why: told`its contents are gone` })),
      );
      return { ...nothing, about, files, failed, outcome: 'lost' };
    }
    const file = way === 'back' && left.direction === 'restore' ? turnJournal(left) : left;
    removeLaid(journal);
    const { stayed, failed } = this.#settled(journal, way);
    const done = { about, files, stayed, failed };
    if (failed.length > 0) return { ...done, outcome: 'pending', folders: [] };
    if (way === 'forward') finishJournal(file);
    else removeJournal(file);
    return way === 'forward'
      ? { ...done, outcome: 'finished', folders: changesOf(journal, stayed) }
      : { ...done, outcome: 'undone', folders: [] };
  }

  /** Forward when everything for it is there, else back; `undefined`: for neither. */
  #wayOf({ direction }: JournalFile, { folders }: Journal): 'forward' | 'back' | undefined {
    const isThere = (which: 'from' | 'to'): boolean => {
      try {
        for (const { steps } of folders) for (const step of steps) this.#contentOf(step[which]);
        return true;
      } catch (thrown) {
        if (thrown instanceof BelayError) return false;
        throw thrown;
      }
    };
    if (direction === 'restore' && isThere('to')) return 'forward';
    return isThere('from') ? 'back' : undefined;
  }

  /** Goes as far as it can, and tells of each path that could not come along. */
  #settled(journal: Journal, way: 'forward' | 'back'): Pick<RecoveredRestore, 'stayed' | 'failed'> {
    const stayed: RecoveredRestore['stayed'][number][] = [];
    const failed: RecoveredRestore['failed'][number][] = [];
    carryOut({
      journal,
      way,
      contentOf: (record) => this.#contentOf(record),
      onTrouble: ({ root, step: { path } }: Move, thrown) => {
        (staysFor(thrown) ? stayed : failed).push({ root, path, why: findReason(thrown) });
      },
    });
    if (stayed.length + failed.length > 0) removeLaid(journal);
    return { stayed, failed };
  }

  #planOf({ root, steps }: RestoreFolder): JournalFolder {
    const parents: Record<string, number> = {};
    for (const below of new Set(steps.flatMap(({ path }) => foldersOf(path)))) {
      const mode = HeldFolder.within(root, below, 'look', (folder, last) =>
        modeOfFolder(folder.at(last)),
      );
      if (mode !== undefined) parents[below] = mode;
    }
    return {
      root,
      parents,
      steps: steps.map(({ path, from, to }) => ({
        path,
        from: this.#recordOf(from),
        to: this.#recordOf(to),
        laid: `.belay-${randomUUID()}`,
      })),
    };
  }

  #recordOf(leaf: Leaf): LeafRecord {
    if (leaf.kind === 'file') {
      const { bytes, mode } = leaf;
      return { kind: 'file', hash: this.#objects.put(bytes), size: bytes.length, mode };
    }
    if (leaf.kind === 'other') throw new Error('refused before');
    return leaf;
  }

  #contentOf(record: LeafRecord): Leaf {
    if (record.kind !== 'file') return record;
    return { kind: 'file', bytes: this.#objects.get(record.hash), mode: record.mode };
  }
}

/** Says why a path cannot be restored; each is judged before anything is written down. */
function findObstacle(root: string, { path: name, from, to }: RestoreStep): Told | undefined {
  try {
    const now = leafBelow(root, name, { link: 'look' });
    if (from.kind !== 'other' && to.kind !== 'other' && sameLeaf(now, from)) return undefined;
    // Says so when it is a link on the way that stands between.
    leafBelow(root, name);
    return CHANGED_SINCE;
  } catch (thrown) {
    return findReason(thrown);
  }
}

/** Says why the system, or a check of ours, keeps a path from being restored. */
function findReason(thrown: unknown): Told {
  if (thrown instanceof BelayError) return saidBy(thrown);
  const code = systemCode(thrown);
  if (code === undefined) return saidBy(thrown);
  return REASONS[code] ?? told`The system reports ${code}.`;
}

const NOT_ALLOWED = told`You do not have the permission to change it.`;
const IN_USE = told`Another program uses it.`;
const IS_FOLDER = told`A folder is in its place.`;
const REASONS: Readonly<Record<string, Told>> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: NOT_ALLOWED,
  EBUSY: IN_USE,
  ETXTBSY: IN_USE,
  EISDIR: IS_FOLDER,
  ENOTEMPTY: IS_FOLDER,
  EEXIST: IS_FOLDER,
  ENOSPC: told`The disk is full.`,
};

function modeOfFolder(at: string): number | undefined {
  const stat = lstatSync(at, { throwIfNoEntry: false });
  return stat?.isDirectory() === true ? stat.mode & 0o777 : undefined;
}

type Place = Pick<LeftPath, 'root' | 'path'>;

function withoutPaths(journal: Journal, without: readonly Place[]): Journal {
  const left = new Set(without.map(({ root, path }) => `${root}\0${path}`));
  const folders = journal.folders.map((folder) => ({
    ...folder,
    steps: folder.steps.filter(({ path }) => !left.has(`${folder.root}\0${path}`)),
  }));
  return { ...journal, folders };
}

const changesOf = (journal: Journal, without: readonly Place[]): FolderChanges[] =>
  withoutPaths(journal, without).folders.map(({ root, steps }) => ({
    root,
    changes: steps.map(({ path, from, to }) => ({ path, before: from, after: to })),
  }));

/** It is somebody's newer work, or lies elsewhere by now: not for us to touch. */
const staysFor = (thrown: unknown): boolean =>
  thrown instanceof BelayError &&
  (thrown.failure.code === 'permission' || thrown.failure.details?.['reason'] === NEWER);
