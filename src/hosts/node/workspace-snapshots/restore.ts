import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import type {
  FolderChanges,
  LeafRecord,
  RecoveredRestore,
  RestoreFolder,
} from '../../../core/ports/files/workspace-snapshots.ts';
import { type Leaf, sameLeaf } from '../../../core/restore/turned-back.ts';
import { BelayError, fault } from '../../../domain/failure.ts';
import { told, verbatim } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import { systemCode } from '../files/system-failure.ts';
import { type Move, carryOut, foldersOf, NEWER, removeLaid } from './carry-out.ts';
import { HeldFolder } from './held-folder.ts';
import {
  claimJournal,
  finishJournal,
  journalsIn,
  readJournal,
  removeJournal,
  setAsideJournal,
  turnJournal,
  writeJournal,
} from './journal.ts';
import type { Journal, JournalFile, JournalFolder } from './journal.ts';
import { leafBelow } from './leaf-files.ts';
import type { ObjectStore } from './object-store.ts';
import type { Owners } from './owners.ts';

/** Puts paths back, all or none, by a journal; finishes or undoes what a death left. */
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
   * Follows no link; changes nothing when a folder on the way is one.
   * @param about given back when the restore has to be recovered
   * @returns what was changed
   * @throws BelayError `permission` when a path leads elsewhere, `invalid` when one is not as it
   * was expected to be, `tool` when the disk refuses
   */
  restore(given: readonly RestoreFolder[], about: Json): readonly FolderChanges[] {
    const folders = given
      .map(({ root, steps }) => ({
        root,
        steps: steps.filter(({ from, to }) => !sameLeaf(from, to)),
      }))
      .filter(({ steps }) => steps.length > 0);
    if (folders.length === 0) return [];
    for (const folder of folders) check(folder);
    const journal: Journal = {
      version: 1,
      about,
      folders: folders.map((folder) => this.#planOf(folder)),
    };
    this.#objects.sync();
    const file = writeJournal(this.#folder, this.#owners.name, journal);
    try {
      carryOut({
        journal,
        way: 'forward',
        contentOf: (record) => this.#contentOf(record),
        onTrouble: (_, thrown) => {
          throw thrown;
        },
      });
    } catch (thrown) {
      throw this.#undone(turnJournal(file), journal, thrown);
    }
    finishJournal(file);
    return changesOf(journal, []);
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
    removeLaid(journal);
    carryOut({
      journal,
      way,
      contentOf: (record) => this.#contentOf(record),
      onTrouble: ({ root, step: { path } }: Move, thrown) => {
        if (staysFor(thrown)) stayed.push({ root, path });
        else failed.push({ root, path, why: verbatim(systemCode(thrown) ?? String(thrown)) });
      },
    });
    removeLaid(journal);
    return { stayed, failed };
  }

  #undone(file: JournalFile, journal: Journal, thrown: unknown): BelayError {
    const { stayed, failed } = this.#settled(journal, 'back');
    if (failed.length === 0) removeJournal(file);
    const failure = restoreFailure(thrown);
    if (stayed.length === 0 && failed.length === 0) return failure;
    return fault('tool', [
      told`The files could not be restored (${systemCode(thrown) ?? failure.message}).`,
      ...(stayed.length === 0 ? [] : [told`${namesOf(stayed)} changed meanwhile and stayed so.`]),
      ...(failed.length === 0
        ? []
        : [
            told`${namesOf(failed)} could not be put back as before (${failed[0]?.why ?? ''}): it is tried again when the window is opened next.`,
          ]),
      told`All others are as they were.`,
    ]);
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

/** Everything is judged before anything is written down. */
function check({ root, steps }: RestoreFolder): void {
  for (const { path: name, from, to } of steps) {
    const now = leafBelow(root, name, { link: 'look' });
    if (from.kind === 'other' || to.kind === 'other' || !sameLeaf(now, from)) {
      // Says so when it is a link on the way that stands between.
      leafBelow(root, name);
      const message = told`${name} has changed since the preview. Nothing was restored; look at the preview again.`;
      throw fault('invalid', message);
    }
  }
}

function modeOfFolder(at: string): number | undefined {
  const stat = lstatSync(at, { throwIfNoEntry: false });
  return stat?.isDirectory() === true ? stat.mode & 0o777 : undefined;
}

const changesOf = (
  { folders }: Journal,
  without: readonly { readonly root: string; readonly path: string }[],
): FolderChanges[] =>
  folders.map(({ root, steps }) => ({
    root,
    changes: steps
      .filter(({ path }) => !without.some((one) => one.root === root && one.path === path))
      .map(({ path, from, to }) => ({ path, before: from, after: to })),
  }));

const namesOf = (paths: readonly { readonly path: string }[]): string =>
  paths.length > 3
    ? `${paths
        .slice(0, 3)
        .map(({ path }) => path)
        .join(', ')} and ${paths.length - 3} more`
    : paths.map(({ path }) => path).join(', ');

/** It is somebody's newer work, or lies elsewhere by now: not for us to touch. */
const staysFor = (thrown: unknown): boolean =>
  thrown instanceof BelayError &&
  (thrown.failure.code === 'permission' || thrown.failure.details?.['reason'] === NEWER);

function restoreFailure(thrown: unknown): BelayError {
  if (thrown instanceof BelayError) return thrown;
  const message = told`The files could not be restored (${systemCode(thrown) ?? String(thrown)}). Everything is as it was before.`;
  return fault('tool', message);
}
