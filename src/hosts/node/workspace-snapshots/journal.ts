import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LeafRecord } from '../../../core/ports/files/workspace-snapshots.ts';
import type { Json } from '../../../domain/data/json.ts';
import { systemCode } from '../files/system-failure.ts';
import { moveDurably, removeDurably, writeDurably } from '../../../store/database/durable-file.ts';

export interface JournalStep {
  /** Below the root, with `/`. */
  readonly path: string;
  /** The contents of both are in the object store before the journal is written. */
  readonly from: LeafRecord;
  readonly to: LeafRecord;
  /** Name of the new content beside its place, until it is renamed. */
  readonly laid: string;
}

export interface JournalFolder {
  /** Absolute and real. */
  readonly root: string;
  readonly steps: readonly JournalStep[];
  /** Folders on the way to the paths that were there before, with their permission bits. */
  readonly parents: Readonly<Record<string, number>>;
}

export interface Journal {
  readonly version: 1;
  /** Of whoever asked for the restore. */
  readonly about: Json;
  readonly folders: readonly JournalFolder[];
}

/** `restore`: to be finished; `undo`: to be taken back; `done`: finished, but not told. */
type Direction = 'restore' | 'undo' | 'done';

/** A journal on disk. Its name says what is to be done with it, and whose it is. */
export interface JournalFile {
  readonly file: string;
  readonly direction: Direction;
  readonly id: string;
  /** The process whose restore it is. */
  readonly owner: string;
}

const JOURNAL_NAME = /^(restore|undo|done)-([0-9a-f-]{36})\.([\w-]+)\.json$/u;

/** Journals of restores that are under way, or were when their process died, in the order of their names. */
export function journalsIn(folder: string): readonly JournalFile[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return [];
    throw thrown;
  }
  return names.toSorted().flatMap((name) => {
    const [, direction, id, owner] = JOURNAL_NAME.exec(name) ?? [];
    if (direction === undefined || id === undefined) return [];
    const file = path.join(folder, name);
    return [{ file, direction: direction as Direction, id, owner: owner ?? '' }];
  });
}

/** Everything of it is on disk when it returns. */
export function writeJournal(folder: string, owner: string, journal: Journal): JournalFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = at(folder, 'restore', randomUUID(), owner);
  writeDurably(found.file, JSON.stringify(journal));
  return found;
}

export function rewriteJournal({ file }: JournalFile, journal: Journal): void {
  writeDurably(file, JSON.stringify(journal));
}

/** From now on it is to be taken back. Needs no room on the disk. */
export function turnJournal(journal: JournalFile): JournalFile {
  return renamed(journal, 'undo');
}

/** It stays until what was done is on record elsewhere. */
export function finishJournal(journal: JournalFile): JournalFile {
  return renamed(journal, 'done');
}

function renamed(journal: JournalFile, direction: Direction): JournalFile {
  const turned = at(path.dirname(journal.file), direction, journal.id, journal.owner);
  moveDurably(journal.file, turned.file);
  return turned;
}

/** Takes over what a dead process left. Of several that try one gets it; the others get `undefined`. */
export function claimJournal(journal: JournalFile, owner: string): JournalFile | undefined {
  if (journal.owner === owner) return journal;
  const claimed = at(path.dirname(journal.file), journal.direction, journal.id, owner);
  try {
    moveDurably(journal.file, claimed.file);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
  return claimed;
}

/** `undefined`: it is damaged. */
export function readJournal({ file }: JournalFile): Journal | undefined {
  try {
    if (!lstatSync(file).isFile()) return undefined; // a pipe would be waited for
    const journal = JSON.parse(readFileSync(file, 'utf8')) as Partial<Journal>;
    return journal.version === 1 && Array.isArray(journal.folders)
      ? (journal as Journal)
      : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** Of the contents that restores which are not settled yet still need. */
export function journaledHashes(folder: string): readonly string[] {
  return journalsIn(folder)
    .flatMap((journal) => readJournal(journal)?.folders ?? [])
    .flatMap(({ steps }) => steps.flatMap(({ from, to }) => [from, to]))
    .flatMap((record) => (record.kind === 'file' ? [record.hash] : []));
}

export function removeJournal({ file }: JournalFile): void {
  removeDurably(file);
}

/** Nothing more can be done with it; it is kept for a look. */
export function setAsideJournal({ file }: JournalFile): void {
  moveDurably(file, `${file}.damaged`);
}

function at(folder: string, direction: Direction, id: string, owner: string): JournalFile {
  return { file: path.join(folder, `${direction}-${id}.${owner}.json`), direction, id, owner };
}
