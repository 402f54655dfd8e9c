import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';

/** The .gitignore files that hold for a folder: its own and those above it, nearest first. */
export class IgnoreRules {
  readonly #folder: string;
  readonly #own: Ignore | undefined;
  readonly #outer: IgnoreRules | undefined;

  private constructor(folder: string, own: Ignore | undefined, outer: IgnoreRules | undefined) {
    this.#folder = folder;
    this.#own = own;
    this.#outer = outer;
  }

  /** For the root of a search: the rules of the folders above count up to the repository's top. */
  static async atRoot(root: string): Promise<IgnoreRules> {
    const folders = [root];
    while (!existsSync(path.join(folders[0] ?? root, '.git'))) {
      const parent = path.dirname(folders[0] ?? root);
      if (parent === folders[0]) break;
      folders.unshift(parent);
    }
    let rules: IgnoreRules | undefined;
    for (const folder of folders) rules = await IgnoreRules.#load(folder, rules);
    return rules ?? new IgnoreRules(root, undefined, undefined);
  }

  /** For a folder directly below. A repository within the repository has rules of its own. */
  async below(folder: string): Promise<IgnoreRules> {
    const outer = existsSync(path.join(folder, '.git')) ? undefined : this;
    return IgnoreRules.#load(folder, outer);
  }

  static async #load(folder: string, outer: IgnoreRules | undefined): Promise<IgnoreRules> {
    const text = await readFile(path.join(folder, '.gitignore'), 'utf8').catch(() => '');
    const own = text.trim() === '' ? undefined : ignore({ allowRelativePaths: true }).add(text);
    return own === undefined && outer !== undefined ? outer : new IgnoreRules(folder, own, outer);
  }

  /** The nearest file that says something about a path decides. */
  ignores(file: string, isFolder: boolean): boolean {
    if (this.#own !== undefined) {
      const below = path.relative(this.#folder, file).split(path.sep).join('/');
      const said = this.#own.test(isFolder ? `${below}/` : below);
      if (said.ignored) return true;
      if (said.unignored) return false;
    }
    return this.#outer?.ignores(file, isFolder) ?? false;
  }
}
