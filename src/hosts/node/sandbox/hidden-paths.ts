import { lstatSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isInstalled } from '../../../core/permissions/code-by-role.ts';
import { plainName } from '../../../core/permissions/plain-name.ts';
import { protectionOf } from '../../../core/permissions/protected-paths.ts';
import { isSecretFile } from '../../../core/permissions/secret-files.ts';
import type { IgnoredPaths } from '../../../core/ports/files/ignored.ts';

/** Entries of workspace folders that are scanned before each command. */
const MAX_ENTRIES = 150_000;
/** Each hidden path is a mount, or a rule of Seatbelt. */
const MAX_HIDDEN = 500;

type Ignored = Pick<IgnoredPaths, 'ruleFor' | 'ruleForAny'>;

/**
 * Lists what a command in workspace folders must not read: secrets, files that `.belayignore` or a rule keeps back, the
 * repository's own files, which have every earlier text, and hard links, which may be files elsewhere. Returns
 * `undefined` if there are too many files, or if a folder cannot be read.
 */
export async function findHiddenPaths(
  roots: readonly string[],
  ignored: Ignored,
): Promise<readonly string[] | undefined> {
  try {
    const scan = new Scan(undefined);
    for (const root of roots) await scan.addFolder(root);
    // One question about all files is cheap, and usually enough.
    if ((await ignored.ruleForAny([...roots, ...scan.others])) === undefined)
      return [...scan.hidden];
    const slowScan = new Scan(ignored);
    for (const root of roots) await slowScan.addFolder(root);
    return [...slowScan.hidden];
  } catch {
    return undefined;
  }
}

class Scan {
  readonly hidden = new Set<string>();
  /** Everything else. */
  readonly others: string[] = [];
  readonly #ignored: Ignored | undefined;

  /** @param ignored `undefined`: what it keeps back is not hidden */
  constructor(ignored: Ignored | undefined) {
    this.#ignored = ignored;
  }

  async addFolder(top: string): Promise<void> {
    const open = [top];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const entries = await readdir(folder, { withFileTypes: true });
      const paths = entries.map(({ name }) => path.join(folder, name));
      const hasIgnored = (await this.#ignored?.ruleForAny([folder, ...paths])) !== undefined;
      for (const [at, entry] of entries.entries()) {
        const file = paths[at] ?? '';
        if (mustHide(file, entry.isFile()) || (hasIgnored && (await this.#isIgnored(file))))
          this.#hide(file);
        else if (entry.isDirectory()) open.push(file);
        if (!this.hidden.has(file)) this.others.push(file);
      }
      if (this.others.length > MAX_ENTRIES) throw new RangeError('too many files');
    }
  }

  async #isIgnored(file: string): Promise<boolean> {
    return (await this.#ignored?.ruleFor(file)) !== undefined;
  }

  #hide(file: string): void {
    this.hidden.add(file);
    if (path.basename(file) === '.git') {
      const elsewhere = findRepositoryOf(file);
      if (elsewhere !== undefined) this.hidden.add(elsewhere);
    }
    if (this.hidden.size > MAX_HIDDEN) throw new RangeError('too many hidden files');
  }
}

function mustHide(file: string, isFile: boolean): boolean {
  if (protectionOf(file) === 'forbidden' || isSecretFile(file)) return true;
  if (!isFile || isInstalled(file.split(path.sep).map(plainName))) return false;
  return lstatSync(file).nlink > 1;
}

/** Returns the repository that the `.git` file of a worktree or submodule names. */
function findRepositoryOf(file: string): string | undefined {
  if (!lstatSync(file).isFile()) return undefined;
  const named = /^gitdir: (?<folder>.+)$/mu.exec(readFileSync(file, 'utf8'))?.groups?.['folder'];
  if (named === undefined) return undefined;
  const folder = path.resolve(path.dirname(file), named.trim());
  return /^.*\/\.git(?=\/|$)/u.exec(folder)?.[0] ?? folder;
}
