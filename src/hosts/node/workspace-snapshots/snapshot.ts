import { type Dirent, type Stats, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { LeftOut, LeftOutReason } from '../../../core/ports/files/workspace-snapshots.ts';
import { BelayError } from '../../../domain/failure.ts';
import { IgnoreRules } from '../search/ignore/ignore-rules.ts';
import { isSettled, KnownFilesOnDisk } from './known-files.ts';
import type {
  Judgement,
  Known,
  KnownFile,
  KnownFolder,
  KnownFolders,
  KnownName,
} from './known-files.ts';
import { readRegular } from './leaf-files.ts';
import { LeftOutList } from './left-out-list.ts';
import type { ObjectStore } from './object-store.ts';
import { isRepositoryName } from './repository-name.ts';
import { notReadable } from './roots.ts';
import { type TreeEntry, putTree } from './tree.ts';

export interface SnapshotRules {
  /** Bytes; larger files are left out and named. */
  readonly largestFile: number;
  /** Files after which no more are taken in. */
  readonly mostFiles: number;
  /** Absolute: Belay's own folders. */
  readonly without: readonly string[];
  /** Absolute and real: folders of the workspace that lie in this one; each has a snapshot of its own. */
  readonly apart?: readonly string[];
  /** Absolute: taken in although they are ignored, because the agent touched them. */
  readonly including: readonly string[];
  /** The place of the person's git configuration (of ignored files). */
  readonly environment: NodeJS.ProcessEnv;
}

export interface FolderSnapshot {
  /** Hash of its tree. */
  readonly tree: string;
  readonly files: number;
  /** Bytes of them. */
  readonly bytes: number;
  /** Files that were read; the others were known. */
  readonly read: number;
  readonly leftOut: LeftOut['reasons'];
}

/** A new content that is about to be renamed to its place. */
const LAID = /^\.belay-[0-9a-f-]{16,36}(?:\.tmp)?$/u;
/** Milliseconds after which the thread answers what else it was asked. */
const TURN = 20;
/** Files read anew after which what is known of all of them is written down: so many, or one of so many. */
const [WORTH_WRITING, SHARE_WORTH_WRITING] = [200, 10];
/** Of the losses: some of what is known may be gone. */
const NEVER = -1;

/**
 * Takes snapshots of folders: reads only what changed, by size, time and inode; follows no link,
 * looks into no repository, runs nothing.
 */
export class Snapshooter {
  readonly #objects: ObjectStore;
  readonly #folder: string | undefined;
  /** By root; only what the last snapshot has seen. */
  readonly #known = new Map<
    string,
    { readonly folders: KnownFolders; /** Of the objects then. */ readonly losses: number }
  >();
  /** Files read since what is known was written down, by root. */
  readonly #read = new Map<string, number>();

  /** @param folder where what is known of files is kept for other processes; absent: nowhere */
  constructor(objects: ObjectStore, folder?: string) {
    this.#objects = objects;
    this.#folder = folder;
  }

  /** Everything is on disk when it resolves. @param root absolute and real */
  async take(root: string, rules: SnapshotRules): Promise<FolderSnapshot> {
    const disk =
      this.#folder === undefined
        ? undefined
        : new KnownFilesOnDisk(this.#folder, root, rules.without);
    const { losses } = this.#objects;
    const known = this.#known.get(root) ?? this.#fromDisk(disk?.read());
    const walk = new Walk(this.#objects, known, root, rules);
    const ignored = await IgnoreRules.atRoot(root, rules.environment);
    const entry = await walk.folder(root, ignored);
    if (entry?.kind !== 'folder') throw notReadable(root);
    const tree = entry.hash;
    this.#objects.sync();
    this.#known.set(root, { folders: walk.seen, losses });
    const { files, bytes, leftOut } = walk;
    const read = (this.#read.get(root) ?? 0) + walk.read;
    const isWorthIt = read >= Math.min(WORTH_WRITING, Math.max(1, files / SHARE_WORTH_WRITING));
    this.#read.set(root, isWorthIt ? 0 : read);
    if (isWorthIt && losses === this.#objects.losses)
      disk?.write({ folders: walk.seen, packs: this.#objects.marks });
    return { tree, files, bytes, read: walk.read, leftOut: leftOut.reasons };
  }

  #fromDisk({ folders, packs }: Known = { folders: new Map(), packs: [] }) {
    const { losses } = this.#objects;
    return { folders, losses: this.#objects.holds(packs) ? losses : NEVER };
  }
}

class Walk {
  readonly #objects: ObjectStore;
  readonly #known: KnownFolders;
  /** Of the objects, when all that is known was there. */
  readonly #losses: number;
  readonly #root: string;
  readonly #rules: SnapshotRules;
  readonly #startedAt = Date.now();
  #turnAt = performance.now() + TURN;
  readonly seen = new Map<string, KnownFolder>();
  readonly leftOut: LeftOutList;
  files = 0;
  bytes = 0;
  /** Files that were not known. */
  read = 0;

  constructor(
    objects: ObjectStore,
    known: { readonly folders: KnownFolders; readonly losses: number },
    root: string,
    rules: SnapshotRules,
  ) {
    this.#objects = objects;
    this.#known = known.folders;
    this.#losses = known.losses;
    this.#root = root;
    this.#rules = rules;
    this.leftOut = new LeftOutList(root);
  }

  /** `undefined`: it is gone since the folder above was listed. */
  async folder(folder: string, outer: IgnoreRules): Promise<TreeEntry | undefined> {
    const entries = this.#entries(folder);
    if (entries === undefined) return this.#unreadable(folder).entry;
    const rules = folder === this.#root ? outer : await rulesIn(folder, entries, outer);
    const before = this.#known.get(folder);
    const isJudged = before?.rules === rules.key;
    const all: Seen[] = [];
    let isAsBefore = isJudged && before.names.size === entries.length;
    for (const entry of entries) {
      if (performance.now() > this.#turnAt) {
        await setImmediate();
        this.#turnAt = performance.now() + TURN;
      }
      const { name } = entry;
      const isFolder = entry.isDirectory();
      const key = isFolder ? `${name}/` : name;
      const at = folder.endsWith(path.sep) ? folder + name : folder + path.sep + name;
      const known = before?.names.get(key);
      const judgement =
        isJudged && known !== undefined
          ? known.judgement
          : this.#judgement(name, at, isFolder, rules);
      const found = await this.#found(at, isFolder, judgement, rules, known?.file);
      isAsBefore &&= this.#isAsBefore(at, known, found);
      all.push({ name, key, known, judgement, found });
    }
    // Whatever was there then is there now, and the tree of it is stored.
    const now =
      before !== undefined && isAsBefore && this.#isAllThere ? before : this.#made(rules, all);
    this.seen.set(folder, now);
    return { kind: 'folder', hash: now.tree };
  }

  #made({ key: rules }: IgnoreRules, all: readonly Seen[]): KnownFolder {
    const names = new Map<string, KnownName>();
    const tree = new Map<string, TreeEntry>();
    for (const { name, key, known, judgement, found } of all) {
      if (found.entry !== undefined) tree.set(name, found.entry);
      // Also what changed too late to be sure of it: when it is gone, the folder is another one.
      names.set(key, isSame(known, judgement, found.file) ? known : nameOf(judgement, found));
    }
    return { rules, tree: putTree(this.#objects, tree), names };
  }

  /** Nothing of what is known was swept away since. */
  get #isAllThere(): boolean {
    return this.#losses === this.#objects.losses;
  }

  /** Surely the same as it was with the same judgement; of what is rare it is not even looked at. */
  #isAsBefore(at: string, known: KnownName | undefined, { entry, file }: Found): boolean {
    if (known === undefined) return false;
    if (entry === undefined) return known.judgement === 'never';
    switch (entry.kind) {
      case 'file':
        return file !== undefined && file === known.file;
      case 'folder':
        return this.#known.get(at)?.tree === entry.hash;
      case 'out':
        return (
          entry.why === REASONS[known.judgement] && known.file === undefined && !this.#known.has(at)
        );
      case 'link':
        return false;
      default:
        return entry satisfies never;
    }
  }

  #entries(folder: string): Dirent[] | undefined {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch {
      return undefined;
    }
  }

  #judgement(name: string, at: string, isFolder: boolean, rules: IgnoreRules): Judgement {
    // A submodule has a file of that name; another case of it is the same on some systems.
    if (isRepositoryName(name) || LAID.test(name)) return 'never';
    if (this.#rules.without.includes(at)) return 'never';
    if (name.includes('\uFFFD')) return 'unwritable';
    return rules.ignores(at, isFolder) ? 'ignored' : 'in';
  }

  #found(
    at: string,
    isFolder: boolean,
    judgement: Judgement,
    rules: IgnoreRules,
    known: KnownFile | undefined,
  ): Found | Promise<Found> {
    if (judgement === 'never') return {};
    const shown = isFolder ? at + path.sep : at;
    if (judgement === 'unwritable') return this.#leaveOut(shown, 'special');
    if (judgement === 'ignored' && !this.#isIncluded(at, isFolder))
      return this.#leaveOut(shown, 'ignored');
    if (!isFolder) return this.#leaf(at, known);
    if (this.#rules.apart?.includes(at) === true) return { entry: { kind: 'out', why: 'ignored' } };
    return this.folder(at, rules).then((entry) => (entry === undefined ? {} : { entry }));
  }

  #isIncluded(at: string, isFolder: boolean): boolean {
    return this.#rules.including.some(
      (wanted) => wanted === at || (isFolder && wanted.startsWith(at + path.sep)),
    );
  }

  #leaf(at: string, known: KnownFile | undefined): Found {
    try {
      const stat = lstatSync(at, { throwIfNoEntry: false });
      // Gone since the folder was listed.
      if (stat === undefined) return {};
      if (stat.isSymbolicLink()) return this.#link(at);
      if (!stat.isFile()) return this.#leaveOut(at, 'special');
      if (stat.size > this.#rules.largestFile) return this.#leaveOut(at, 'large');
      if (this.files >= this.#rules.mostFiles) return this.#leaveOut(at, 'too_many');
      const file = this.#file(at, stat, known);
      if (file === undefined) return this.#leaveOut(at, 'special');
      this.files += 1;
      this.bytes += stat.size;
      const { hash } = file;
      const entry = { kind: 'file', hash, size: stat.size, mode: stat.mode & 0o777 } as const;
      // Changed a moment ago: another change might leave the same time, so it is read again next time.
      return isSettled(file.changedAt, this.#startedAt) ? { entry, file } : { entry };
    } catch (thrown) {
      // It is the storage that fails: a snapshot without the file would be none.
      if (thrown instanceof BelayError) throw thrown;
      return this.#unreadable(at);
    }
  }

  #link(at: string): Found {
    const target = readlinkSync(at);
    // A target that is no text could not be written back.
    return target.includes('\uFFFD')
      ? this.#leaveOut(at, 'special')
      : { entry: { kind: 'link', target } };
  }

  #unreadable(at: string): Found {
    return isGone(at) ? {} : this.#leaveOut(at, 'unreadable');
  }

  /** `undefined`: it is no regular file any more. */
  #file(at: string, stat: Stats, known: KnownFile | undefined): KnownFile | undefined {
    const changedAt = Math.max(stat.mtimeMs, stat.ctimeMs);
    if (
      known?.size === stat.size &&
      known.changedAt === changedAt &&
      known.inode === stat.ino &&
      known.mode === (stat.mode & 0o777) &&
      (this.#isAllThere || this.#objects.has(known.hash))
    )
      return known;
    const bytes = readRegular(at, this.#rules.largestFile);
    if (bytes === undefined) return undefined;
    this.read += 1;
    const hash = this.#objects.put(bytes);
    return { size: stat.size, changedAt, inode: stat.ino, mode: stat.mode & 0o777, hash };
  }

  #leaveOut(at: string, why: LeftOutReason): Found {
    this.leftOut.add(at, why);
    return { entry: { kind: 'out', why } };
  }
}

interface Seen {
  readonly name: string;
  readonly key: string;
  readonly known: KnownName | undefined;
  readonly judgement: Judgement;
  readonly found: Found;
}

/** The reasons for leaving names out by their judgement. */
const REASONS: Readonly<Record<Judgement, LeftOutReason | undefined>> = {
  in: undefined,
  never: undefined,
  ignored: 'ignored',
  unwritable: 'special',
};

/** Without `entry`: nothing is there, or what is never looked at. */
interface Found {
  readonly entry?: TreeEntry;
  readonly file?: KnownFile;
}

const nameOf = (judgement: Judgement, { file }: Found): KnownName =>
  file === undefined ? { judgement } : { judgement, file };

const isSame = (
  known: KnownName | undefined,
  judgement: Judgement,
  file: KnownFile | undefined,
): known is KnownName => known?.judgement === judgement && known.file === file;

async function rulesIn(
  folder: string,
  entries: readonly Dirent[],
  outer: IgnoreRules,
): Promise<IgnoreRules> {
  const isRuled = entries.some(({ name }) => name === '.gitignore' || name === '.git');
  return isRuled ? outer.below(folder) : outer;
}

function isGone(at: string): boolean {
  try {
    return lstatSync(at, { throwIfNoEntry: false }) === undefined;
  } catch {
    // Its folder may be listed but not searched, or its path is longer than the system takes.
    return false;
  }
}
