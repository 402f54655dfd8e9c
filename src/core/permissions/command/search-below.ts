import { told, type Told } from '../../../domain/text/told.ts';
import { parentOf } from '../../../domain/paths.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { RepositoryInspector } from '../../ports/commands/repository-inspector.ts';
import type { PathGuard } from '../path-guard.ts';
import { isSecretFile } from '../secret-files.ts';
import type { Reach } from './finding.ts';
import { mayPass } from './name-filter.ts';

/** Entries that are looked at before a folder counts as too large. */
const MOST = 30_000;
/** Not looked into: their files come from elsewhere, and there are many. */
const SKIPPED = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__']);
/** Files by which searching programs leave out others, and take some back. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore', '.git/info/exclude'];
/** Bytes of one that are looked at. */
const LONGEST = 1_000_000;
/** Names that another program would take for an option, for two names, for a quotation, or without their blanks. */
const ODD_NAME = { raw: /^-/u, lines: /^[-\s]|[\n"'\\]/u, words: /^-|[\s"'\\]/u } as const;

export interface SearchParts {
  readonly guard: Pick<PathGuard, 'judge' | 'keptBack'>;
  readonly files: Pick<FileSystem, 'list' | 'realpath' | 'stat' | 'read'>;
  readonly repositories?: Pick<RepositoryInspector, 'files'>;
}

/** The reason why a folder may not be read through: a secret, a denied file, a link away. */
export async function searchBelow(
  parts: SearchParts,
  folder: string,
  reach: Reach,
  roots: readonly string[],
): Promise<Told | undefined> {
  return new Search(parts, folder, reach, roots).run();
}

class Search {
  readonly #parts: SearchParts;
  readonly #top: string;
  readonly #reach: Reach;
  readonly #roots: readonly string[];
  readonly #open: string[];
  readonly #seen = new Set<string>();
  readonly #found: string[] = [];
  readonly #back = new Map<string, readonly string[]>();
  /** The files that git has, where no others are named. */
  #tracked: ReadonlySet<string> | undefined;
  #looked = 0;

  constructor(parts: SearchParts, top: string, reach: Reach, roots: readonly string[]) {
    this.#parts = parts;
    this.#top = top;
    this.#reach = reach;
    this.#roots = roots;
    this.#open = [top];
  }

  async run(): Promise<Told | undefined> {
    if (this.#reach.tracked !== undefined) {
      const tracked = await this.#parts.repositories?.files(this.#top, false);
      this.#tracked = tracked && new Set(tracked.map(withoutCase));
    }
    for (let at = this.#open.pop(); at !== undefined; at = this.#open.pop()) {
      const problem = await this.#folder(at);
      if (problem !== undefined) return problem;
    }
    const why = await this.#parts.guard.keptBack(this.#found);
    return why === undefined
      ? undefined
      : told`it would read a file below ${this.#top}, too: ${why}`;
  }

  async #folder(at: string): Promise<Told | undefined> {
    if (this.#seen.has(at)) return undefined;
    this.#seen.add(at);
    const entries = await this.#parts.files.list(at).catch(() => []);
    this.#looked += entries.length;
    if (this.#looked > MOST)
      return told`${this.#top} holds too many files to look through beforehand`;
    for (const { name, type } of entries) {
      if (name.startsWith('.') && !(await this.#isReached(at, name, type))) continue;
      const path = `${at}/${name}`;
      const problem = await this.#entry(path, name, type);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** A hidden file or folder is looked into. */
  async #isReached(at: string, name: string, type: string): Promise<boolean> {
    const { hidden } = this.#reach;
    if (hidden === true) return true;
    const isFolder = type === 'directory';
    if (!isFolder && mayPass(name, hidden)) return true;
    const back = await this.#takenBack(at);
    return back.some(
      (pattern) =>
        (isFolder || !pattern.endsWith('/')) &&
        mayPass(name, { include: [pattern.replace(/\/$/u, '')] }),
    );
  }

  /** Names in lines such as `!.env` of the ignore files that count in a folder. */
  async #takenBack(folder: string): Promise<readonly string[]> {
    const known = this.#back.get(folder);
    if (known !== undefined) return known;
    const own = await Promise.all(
      IGNORE_FILES.map(async (name) => this.#takenBackIn(`${folder}/${name}`)),
    );
    const above = folder === '/' ? [] : await this.#takenBack(parentOf(folder));
    const all = [...own.flat(), ...above];
    this.#back.set(folder, all);
    return all;
  }

  /** Of a file that is too large, anything. */
  async #takenBackIn(file: string): Promise<readonly string[]> {
    const { files } = this.#parts;
    if ((await files.stat(file).catch(() => undefined))?.type !== 'file') return [];
    const bytes = await files.read(file, LONGEST).catch(() => undefined);
    return bytes === undefined ? ['*'] : takenBackBy(new TextDecoder().decode(bytes));
  }

  async #entry(path: string, name: string, type: string): Promise<Told | undefined> {
    const { handed, links } = this.#reach;
    if (handed !== undefined && ODD_NAME[handed].test(name))
      return told`${path} would be taken for something else than a file`;
    if (type === 'symlink') return links === 'none' ? undefined : this.#link(path, name);
    if (type === 'directory') {
      if (!this.#leavesOut(path, name)) this.#open.push(path);
      return undefined;
    }
    return this.#file(path, name);
  }

  #leavesOut(path: string, name: string): boolean {
    const { skip = [], handed } = this.#reach;
    if (skip.includes(name) || (skip.includes(`./${name}`) && path === `${this.#top}/${name}`))
      return true;
    return (handed ?? 'raw') === 'raw' && SKIPPED.has(name);
  }

  /** A name that is handed on may lead through a folder. */
  #hasBelow(folder: string): boolean {
    if (this.#tracked === undefined) return true;
    const begin = withoutCase(`${folder}/`);
    return [...this.#tracked].some((file) => file.startsWith(begin));
  }

  #file(path: string, name: string): Told | undefined {
    if (!mayPass(name, this.#reach.only ?? {})) return undefined;
    if (this.#reach.tracked === 'here' && this.#tracked?.has(withoutCase(path)) === false)
      return undefined;
    if (isSecretFile(path)) return told`it would read ${path}, too: it may hold passwords or keys`;
    this.#found.push(path);
    return undefined;
  }

  /** The target of a link counts as if it were here. */
  async #link(path: string, name: string): Promise<Told | undefined> {
    const { guard, files } = this.#parts;
    const judged = await guard.judge({ path, access: 'read' }, this.#roots);
    const stat = await files.stat(judged.real).catch(() => undefined);
    if (stat === undefined) return undefined;
    const isFolder = stat.type === 'directory';
    if (isFolder && (this.#reach.links === 'files' || !this.#hasBelow(path))) return undefined;
    if (!isFolder && !mayPass(name, this.#reach.only ?? {})) return undefined;
    if (judged.place === 'outside')
      return told`${path} leads out of the workspace, to ${judged.real}`;
    if (judged.place === 'forbidden' || judged.place === 'secret')
      return told`it would read ${path}, too: ${judged.why ?? told`it is protected`}`;
    if (isFolder && !this.#leavesOut(path, name)) this.#open.push(judged.real);
    return undefined;
  }
}

/** A path as file systems without regard to case compare it. */
function withoutCase(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Last names of the patterns that are taken back; a slash at the end: of folders only. */
function takenBackBy(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('!')) return [];
    const pattern = line.slice(1).trimEnd();
    const names = pattern.split('/').filter((name) => name !== '');
    const name = names.at(-1);
    return name === undefined ? [] : [pattern.endsWith('/') ? `${name}/` : name];
  });
}
