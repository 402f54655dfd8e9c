import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Stats } from 'node:fs';
import path from 'node:path';
import { EXCLUDED_FOLDERS } from '../search/excluded.ts';
import { IgnoreRules } from '../search/ignore-rules.ts';
import type { ObjectStore } from './object-store.ts';
import { putTree } from './tree.ts';
import type { TreeEntry } from './tree.ts';

/** What a snapshot takes in. */
export interface SnapshotRules {
  /** Bytes; larger files are left out and named. */
  readonly largestFile: number;
  /** Files after which no more are taken in. */
  readonly mostFiles: number;
  /** Absolute: Belay's own folders. */
  readonly without: readonly string[];
  /** Absolute: taken in although they are ignored, because the agent touched them. */
  readonly including: readonly string[];
  /** Where the person's own git configuration (of ignored files) is looked for. */
  readonly environment: NodeJS.ProcessEnv;
}

/** A snapshot of one folder. */
export interface FolderSnapshot {
  /** Hash of its tree. */
  readonly tree: string;
  readonly files: number;
  /** Bytes of them. */
  readonly bytes: number;
  /** Files that are not in it although no ignore rule names them, at most 20, and why. */
  readonly leftOut: readonly { readonly path: string; readonly why: LeftOut }[];
  readonly leftOutCount: number;
}

export type LeftOut = 'large' | 'unreadable' | 'special' | 'too_many';

/** What is known of a file from the last snapshot. */
interface Known {
  readonly size: number;
  readonly changedAt: number;
  readonly inode: number;
  readonly hash: string;
}

const NAMED_AT_MOST = 20;
/** Milliseconds: two changes of a file within it may leave the same time stamp. */
const CLOCK_GRAIN = 50;

/**
 * Takes snapshots of folders. Reads only what has changed since the last one, by size, time and inode; never
 * follows a link, never looks into a repository's own folder, and runs nothing: attributes, filters, hooks and
 * the configuration of a repository mean nothing to it.
 */
export class Snapshooter {
  readonly #objects: ObjectStore;
  readonly #known = new Map<string, Known>();

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Everything is on disk when it resolves. @param root absolute and real */
  async take(root: string, rules: SnapshotRules): Promise<FolderSnapshot> {
    const walk = new Walk(this.#objects, this.#known, root, rules);
    const ignored = await IgnoreRules.atRoot(root, rules.environment);
    const tree = await walk.folder(root, ignored);
    this.#objects.sync();
    const { files, bytes, leftOut, leftOutCount } = walk;
    return { tree, files, bytes, leftOut, leftOutCount };
  }
}

class Walk {
  readonly #objects: ObjectStore;
  readonly #known: Map<string, Known>;
  readonly #root: string;
  readonly #rules: SnapshotRules;
  readonly #startedAt = Date.now();
  readonly leftOut: { readonly path: string; readonly why: LeftOut }[] = [];
  leftOutCount = 0;
  files = 0;
  bytes = 0;

  constructor(objects: ObjectStore, known: Map<string, Known>, root: string, rules: SnapshotRules) {
    this.#objects = objects;
    this.#known = known;
    this.#root = root;
    this.#rules = rules;
  }

  async folder(folder: string, ignored: IgnoreRules): Promise<string> {
    const tree = new Map<string, TreeEntry>();
    for (const entry of this.#entries(folder)) {
      const { name } = entry;
      const at = path.join(folder, name);
      if (this.#isOut(name, at, entry.isDirectory(), ignored)) continue;
      if (entry.isDirectory()) {
        const inner = await this.#rulesIn(at, ignored);
        tree.set(name, { kind: 'folder', hash: await this.folder(at, inner) });
      } else {
        const leaf = this.#leaf(at);
        if (leaf !== undefined) tree.set(name, leaf);
      }
    }
    return putTree(this.#objects, tree);
  }

  #entries(folder: string) {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch {
      this.#leaveOut(folder, 'unreadable');
      return [];
    }
  }

  async #rulesIn(folder: string, outer: IgnoreRules): Promise<IgnoreRules> {
    const has = (name: string): boolean =>
      lstatSync(path.join(folder, name), { throwIfNoEntry: false }) !== undefined;
    return has('.gitignore') || has('.git') ? outer.below(folder) : outer;
  }

  #isOut(name: string, at: string, isFolder: boolean, ignored: IgnoreRules): boolean {
    // A submodule has a file of that name; another case of it is the same on some systems.
    if (EXCLUDED_FOLDERS.includes(name.toLowerCase())) return true;
    if (this.#rules.without.includes(at)) return true;
    // A name that is no text cannot be written back.
    if (name.includes('\uFFFD')) {
      this.#leaveOut(at, 'special');
      return true;
    }
    if (!ignored.ignores(at, isFolder)) return false;
    return !this.#rules.including.some(
      (wanted) => wanted === at || (isFolder && wanted.startsWith(at + path.sep)),
    );
  }

  #leaf(at: string): TreeEntry | undefined {
    try {
      const stat = lstatSync(at);
      if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(at) };
      if (!stat.isFile()) return this.#leaveOut(at, 'special');
      if (stat.size > this.#rules.largestFile) return this.#leaveOut(at, 'large');
      if (this.files >= this.#rules.mostFiles) return this.#leaveOut(at, 'too_many');
      const hash = this.#contentOf(at, stat);
      this.files += 1;
      this.bytes += stat.size;
      return { kind: 'file', hash, size: stat.size, mode: stat.mode & 0o777 };
    } catch {
      // Gone since the folder was listed, or not to be read.
      return lstatSync(at, { throwIfNoEntry: false }) === undefined
        ? undefined
        : this.#leaveOut(at, 'unreadable');
    }
  }

  #contentOf(at: string, stat: Stats): string {
    const changedAt = Math.max(stat.mtimeMs, stat.ctimeMs);
    const known = this.#known.get(at);
    if (
      known?.size === stat.size &&
      known.changedAt === changedAt &&
      known.inode === stat.ino &&
      this.#objects.has(known.hash)
    )
      return known.hash;
    const hash = this.#objects.put(readFileSync(at));
    // Changed a moment ago: another change might leave the same time, so it is read again next time.
    if (changedAt < this.#startedAt - CLOCK_GRAIN)
      this.#known.set(at, { size: stat.size, changedAt, inode: stat.ino, hash });
    else this.#known.delete(at);
    return hash;
  }

  #leaveOut(at: string, why: LeftOut): undefined {
    this.leftOutCount += 1;
    if (this.leftOut.length < NAMED_AT_MOST)
      this.leftOut.push({ path: path.relative(this.#root, at).split(path.sep).join('/'), why });
    return undefined;
  }
}
