import { createHash, hash } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PackMark } from './pack-file.ts';

export interface KnownFile {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, the later one of content and attributes. */
  readonly changedAt: number;
  readonly inode: number;
  /** Permission bits. */
  readonly mode: number;
  readonly hash: string;
}

/** `never`: whatever the rules say; `unwritable`: its name is no text, so it could not be written back. */
export type Judgement = 'in' | 'ignored' | 'never' | 'unwritable';

export interface KnownName {
  readonly judgement: Judgement;
  /** Absent: not a file, or changed too late to be sure. */
  readonly file?: KnownFile;
}

export interface KnownFolder {
  /** Key of the rules with which the names were judged. */
  readonly rules: string;
  /** Hash of its tree. */
  readonly tree: string;
  /** Those of folders end with `/`. */
  readonly names: ReadonlyMap<string, KnownName>;
}

/** Folders by their absolute path. */
export type KnownFolders = ReadonlyMap<string, KnownFolder>;

/** Milliseconds: two changes of a file within it may leave the same time stamp. */
const CLOCK_GRAIN = 50;
/** The same where whole seconds are kept: of two, as on FAT, the coarsest there is. */
const COARSE_GRAIN = 2000;

/** True when another change of the file would now give another time stamp. */
export function isSettled(changedAt: number, now: number): boolean {
  return changedAt < now - (changedAt % 1000 === 0 ? COARSE_GRAIN : CLOCK_GRAIN);
}

/** Everything that is known, and the packs in which all of it lay. */
export interface Known {
  readonly folders: KnownFolders;
  readonly packs: readonly PackMark[];
}

type FileRow = readonly [
  size: number,
  changedAt: number,
  inode: number,
  mode: number,
  hash: string,
];
type NameRow = readonly [name: string, judgement: Judgement, file?: FileRow];
type FolderRow = readonly [folder: string, rules: string, tree: string, names: readonly NameRow[]];

/** To be raised when names are judged otherwise, or rows have another form. */
const VERSION = 2;
/** Bytes of the checksum that a file of it begins with: a torn one is not believed. */
const CHECKSUM = 32;

/** A root's known files beside the objects: a new window reads only changes. */
export class KnownFilesOnDisk {
  readonly #file: string;
  /** Of what it must be, or it is of something else. */
  readonly #about: string;

  /** `folder`: of the objects; `without`: folders that no snapshot holds. */
  constructor(folder: string, root: string, without: readonly string[]) {
    this.#about = JSON.stringify([VERSION, root, without]);
    this.#file = path.join(folder, `${hash('sha256', root, 'hex').slice(0, 16)}.known`);
  }

  /** Nothing when there is none, or none that can be believed. */
  read(): Known {
    try {
      if (!lstatSync(this.#file).isFile()) return NOTHING; // a pipe would be waited for
      const bytes = readFileSync(this.#file);
      const body = bytes.subarray(CHECKSUM);
      if (!checksum(body).equals(bytes.subarray(0, CHECKSUM))) return NOTHING;
      const [about, packs, rows] = JSON.parse(inflateRawSync(body).toString('utf8')) as [
        string,
        readonly PackMark[],
        readonly FolderRow[],
      ];
      return about === this.#about ? { folders: new Map(rows.map(folderOf)), packs } : NOTHING;
    } catch {
      return NOTHING;
    }
  }

  /** When the disk refuses, the next window reads all files again. */
  write({ folders, packs }: Known): void {
    const text = JSON.stringify([this.#about, packs, [...folders].map(rowOf)]);
    const body = deflateRawSync(text, { level: 1 });
    const beside = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(beside, Buffer.concat([checksum(body), body]), { mode: 0o600 });
      renameSync(beside, this.#file);
    } catch {
      rmSync(beside, { force: true });
    }
  }
}

const checksum = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

const NOTHING: Known = { folders: new Map(), packs: [] };

function rowOf([folder, { rules, tree, names }]: readonly [string, KnownFolder]): FolderRow {
  const rows = [...names].map(([name, { judgement, file }]): NameRow =>
    file === undefined
      ? [name, judgement]
      : [name, judgement, [file.size, file.changedAt, file.inode, file.mode, file.hash]],
  );
  return [folder, rules, tree, rows];
}

function folderOf([folder, rules, tree, rows]: FolderRow): [string, KnownFolder] {
  const names = rows.map(([name, judgement, row]): [string, KnownName] => {
    if (row === undefined) return [name, { judgement }];
    const [size, changedAt, inode, mode, content] = row;
    return [name, { judgement, file: { size, changedAt, inode, mode, hash: content } }];
  });
  return [folder, { rules, tree, names: new Map(names) }];
}
