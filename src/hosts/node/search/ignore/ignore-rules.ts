import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { globalExcludes, repositoryExcludes } from './git-excludes.ts';
import { countWildcards, IgnoreFile, MAX_RULE_LINES, MAX_WILDCARDS } from './ignore-file.ts';
import { ruleText } from './rule-file.ts';

/** Paths that git leaves out: .gitignore files, nearest first; `info/exclude`; the person's own. */
export class IgnoreRules {
  readonly #folder: string;
  /** The same for rules that say the same about every path, read at another time or by another process. */
  readonly key: string;
  /** Of these rules and of those above. */
  readonly wildcards: number;
  readonly #own: IgnoreFile | undefined;
  readonly #outer: IgnoreRules | undefined;

  private constructor(folder: string, text: string, outer: IgnoreRules | undefined) {
    this.#folder = folder;
    this.key = hash('sha256', JSON.stringify([outer?.key, folder, text]), 'hex');
    const rules = withinLimits(text, MAX_WILDCARDS - (outer?.wildcards ?? 0));
    this.wildcards = (outer?.wildcards ?? 0) + countWildcards(rules);
    this.#own = rules.trim() === '' ? undefined : new IgnoreFile(rules, false);
    this.#outer = outer;
  }

  /** Rules for a search's root, with those above up to the repository's top, and the person's. */
  static async atRoot(root: string, environment: NodeJS.ProcessEnv): Promise<IgnoreRules> {
    const folders = [root];
    while (!existsSync(path.join(folders[0] ?? root, '.git'))) {
      const parent = path.dirname(folders[0] ?? root);
      if (parent === folders[0]) break;
      folders.unshift(parent);
    }
    let rules = new IgnoreRules(root, await globalExcludes(environment), undefined);
    rules = await rules.#inRepository(folders[0] ?? root);
    for (const folder of folders) rules = await rules.#with(folder);
    return rules;
  }

  /** For a folder directly below. A repository within the repository has rules of its own. */
  async below(folder: string): Promise<IgnoreRules> {
    if (!existsSync(path.join(folder, '.git'))) return this.#with(folder);
    return (await this.#everywhere.#inRepository(folder)).#with(folder);
  }

  get #everywhere(): IgnoreRules {
    return this.#outer === undefined ? this : this.#outer.#everywhere;
  }

  async #inRepository(top: string): Promise<IgnoreRules> {
    return this.#and(top, await repositoryExcludes(top));
  }

  async #with(folder: string): Promise<IgnoreRules> {
    return this.#and(folder, await ruleText(path.join(folder, '.gitignore'), 'refuse'));
  }

  #and(folder: string, text: string): IgnoreRules {
    return text.trim() === '' ? this : new IgnoreRules(folder, text, this);
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

/** Leaves out lines over the limit of lines, and lines with wildcards when too many came before. */
function withinLimits(text: string, wildcards: number): string {
  let left = wildcards;
  return text
    .split('\n', MAX_RULE_LINES)
    .filter((line) => {
      const count = countWildcards(line);
      left -= count;
      return count === 0 || left >= 0;
    })
    .join('\n');
}
