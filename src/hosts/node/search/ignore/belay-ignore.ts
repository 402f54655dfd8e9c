import { lstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Turn } from '../../../../domain/lifetime/steps.ts';
import type { IgnoredPaths, IgnoreRule } from '../../../../core/ports/files/ignored.ts';
import { systemCode } from '../../files/system-failure.ts';
import { countWildcards, IgnoreFile, MAX_RULE_LINES, MAX_WILDCARDS } from './ignore-file.ts';

/** Syntax of .gitignore; holds for its folder and all below, nearer ones count more. */
const BELAY_IGNORE = '.belayignore';

/** Bytes of a file of rules; nobody writes more. */
const MOST_RULES = 2 ** 16;

interface Folder {
  readonly path: string;
  readonly own?: IgnoreFile;
  /** Wildcards of its rules and of those above. */
  readonly wildcards?: number;
  /** The nearest folder above that has rules. */
  readonly outer?: Folder | undefined;
  /** The reason why the folder itself is kept back. */
  readonly hidden?: IgnoreRule;
}

/** The `.belayignore` files at one moment, also above the workspace, without regard to case. */
export class BelayIgnoreRules {
  readonly #folders = new Map<string, Folder>();

  /** @param isFolder `undefined`: not known; then a rule for folders counts too */
  ruleFor(file: string, isFolder: boolean | undefined): IgnoreRule | undefined {
    const parent = path.dirname(file);
    if (parent === file) return undefined;
    const folder = this.#folder(parent);
    return folder.hidden ?? ruleIn(folder, file, isFolder);
  }

  #folder(folder: string): Folder {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const parent = path.dirname(folder);
    const above = parent === folder ? undefined : this.#folder(parent);
    const made = above === undefined ? opened(folder, undefined) : below(above, folder);
    this.#folders.set(folder, made);
    return made;
  }
}

function below(above: Folder, folder: string): Folder {
  const hidden = above.hidden ?? ruleIn(above, folder, true);
  if (hidden !== undefined) return { path: folder, hidden };
  return opened(folder, above.own === undefined ? above.outer : above);
}

function opened(folder: string, outer: Folder | undefined): Folder {
  const rules = rulesAt(path.join(folder, BELAY_IGNORE), outer?.wildcards ?? 0);
  return {
    path: folder,
    outer,
    ...(rules === undefined ? {} : 'own' in rules ? rules : { hidden: rules }),
  };
}

/** Without the file none; a file that cannot be read, or is too long, hides everything rather than nothing. */
function rulesAt(
  file: string,
  outer: number,
): Required<Pick<Folder, 'own' | 'wildcards'>> | IgnoreRule | undefined {
  try {
    const info = statSync(file, { throwIfNoEntry: false });
    if (info?.isFile() !== true) return undefined;
    if (info.size > MOST_RULES) return { file };
    const text = readFileSync(file, 'utf8');
    const wildcards = outer + countWildcards(text);
    if (text.split('\n').length > MAX_RULE_LINES || wildcards > MAX_WILDCARDS) return { file };
    return { own: new IgnoreFile(text, true), wildcards };
  } catch (thrown) {
    return systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR'
      ? undefined
      : { file };
  }
}

/** The nearest file that says something about a path decides. */
function ruleIn(
  folder: Folder,
  file: string,
  isFolder: boolean | undefined,
): IgnoreRule | undefined {
  for (let at: Folder | undefined = folder; at !== undefined; at = at.outer) {
    if (at.own === undefined) continue;
    const name = path.relative(at.path, file).split(path.sep).join('/');
    const said = at.own.test(isFolder === false ? name : `${name}/`);
    if (said.ignored)
      return { file: path.join(at.path, BELAY_IGNORE), pattern: said.pattern ?? name };
    if (said.unignored) return undefined;
  }
  return undefined;
}

/** Answers from the disk as it is when it is asked. */
export class NodeIgnoredPaths implements IgnoredPaths {
  async ruleFor(file: string): Promise<IgnoreRule | undefined> {
    const absolute = path.resolve(file);
    return new BelayIgnoreRules().ruleFor(absolute, isFolder(absolute));
  }

  async ruleForAny(files: readonly string[]): Promise<IgnoreRule | undefined> {
    const rules = new BelayIgnoreRules();
    const turn = new Turn();
    for (const file of files) {
      await turn.pass();
      const absolute = path.resolve(file);
      const rule = rules.ruleFor(absolute, isFolder(absolute));
      if (rule !== undefined) return rule;
    }
    return undefined;
  }
}

function isFolder(file: string): boolean | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isDirectory();
  } catch {
    return undefined;
  }
}
