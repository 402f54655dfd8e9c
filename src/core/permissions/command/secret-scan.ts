import { parentOf } from '../../../domain/paths.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { PathGuard } from '../path-guard.ts';
import { type Risk, createRisk } from '../risks.ts';
import { isSecretFile } from '../secret-files.ts';
import type { Reach } from './finding.ts';
import { mayPass } from './name-filter.ts';
import { findPlaceProblem } from './place-problem.ts';

/** Entries that are scanned before a folder is treated as too large. */
const MAX_ENTRIES = 30_000;
/** Files by which searching programs leave out others, and include some again (`!.env`). */
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore', '.git/info/exclude'];
/** Larger ignore files are treated as if they included everything. */
const MAX_IGNORE_BYTES = 1_000_000;

export interface ScanParts {
  readonly guard: Pick<PathGuard, 'judge' | 'findHidden'>;
  readonly files: Pick<FileSystem, 'list' | 'realpath' | 'stat' | 'read'>;
}

interface FoundFile {
  readonly path: string;
  readonly name: string;
  /** Names of the hidden folders on the way, with a slash at the end, and its own if it is hidden. */
  readonly hidden: readonly string[];
  /** It stands for files of any name. */
  readonly isAnyName?: true;
  /** Why the file requires approval. */
  readonly risk?: Risk;
}

interface Scan {
  readonly isTooLarge: boolean;
  readonly files: readonly FoundFile[];
  /** Names in lines such as `!.env` of the ignore files that apply. */
  readonly included: readonly string[];
}

/** Scans folders for what a program that reads them would show; each folder once per command line. */
export class SecretScan {
  readonly #parts: ScanParts;
  readonly #roots: readonly string[];
  readonly #scans = new Map<string, Promise<Scan>>();

  constructor(parts: ScanParts, roots: readonly string[]) {
    this.#parts = parts;
    this.#roots = roots;
  }

  /** Returns why a folder requires approval: a secret, a denied file, or a link out of the workspace. */
  async findProblem(folder: string, reach: Reach): Promise<Risk | undefined> {
    const { files, included, isTooLarge } = await this.#getScan(folder, reach);
    if (isTooLarge) return createRisk('too-many-files', folder);
    const read = files.filter(
      ({ name, hidden, isAnyName }) =>
        (reach.hidden || hidden.every((one) => isIncluded(one, included))) &&
        (isAnyName === true || mayPass(name, reach.only ?? {})),
    );
    const risk = read.find((file) => file.risk !== undefined)?.risk;
    if (risk !== undefined) return risk;
    const why = await this.#parts.guard.findHidden(read.map(({ path }) => path));
    return why && createRisk('hidden-below', why);
  }

  #getScan(folder: string, { links, skip, hidden }: Reach): Promise<Scan> {
    const key = [folder, links, hidden, ...(skip ?? [])].join('\0');
    const scan =
      this.#scans.get(key) ??
      new FolderScan(this.#parts, this.#roots, { links, hidden, skip }).run(folder);
    this.#scans.set(key, scan);
    return scan;
  }
}

interface OpenFolder {
  readonly path: string;
  readonly hidden: readonly string[];
}

class FolderScan {
  readonly #parts: ScanParts;
  readonly #roots: readonly string[];
  readonly #reach: {
    readonly links: boolean;
    readonly hidden: boolean;
    readonly skip: Reach['skip'];
  };
  readonly #open: OpenFolder[] = [];
  readonly #seen = new Set<string>();
  readonly #files: FoundFile[] = [];
  readonly #included = new Set<string>();
  #count = 0;

  constructor(
    parts: ScanParts,
    roots: readonly string[],
    reach: { readonly links: boolean; readonly hidden: boolean; readonly skip: Reach['skip'] },
  ) {
    this.#parts = parts;
    this.#roots = roots;
    this.#reach = reach;
  }

  async run(top: string): Promise<Scan> {
    if (!this.#reach.hidden)
      for (let at = top; ; at = parentOf(at)) {
        await this.#readIgnoreFiles(at);
        if (at === '/' || parentOf(at) === at) break;
      }
    this.#open.push({ path: top, hidden: [] });
    for (let at = this.#open.pop(); at !== undefined; at = this.#open.pop()) {
      await this.#scanFolder(at);
      if (this.#count > MAX_ENTRIES) return { isTooLarge: true, files: [], included: [] };
    }
    return { isTooLarge: false, files: this.#files, included: [...this.#included] };
  }

  async #scanFolder({ path: folder, hidden }: OpenFolder): Promise<void> {
    if (this.#seen.has(folder)) return;
    this.#seen.add(folder);
    const entries = await this.#parts.files.list(folder).catch(() => []);
    this.#count += entries.length;
    if (this.#count > MAX_ENTRIES) return;
    const names = new Set(entries.map(({ name }) => name));
    if (!this.#reach.hidden && IGNORE_FILES.some((file) => names.has(file.split('/')[0] ?? '')))
      await this.#readIgnoreFiles(folder);
    for (const { name, type } of entries) {
      const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
      const own = type === 'file' ? name : `${name}/`;
      const file = { path, name, hidden: name.startsWith('.') ? [...hidden, own] : hidden };
      if (type === 'symlink') {
        if (this.#reach.links) await this.#scanLink(file);
      } else if (type === 'directory') {
        this.#enter(file, path);
      } else {
        this.#addFile(file);
      }
    }
  }

  /** Enters a folder, unless it is left out: by its name, or as a hidden one that no ignore file includes. */
  #enter({ name, hidden }: FoundFile, path: string): void {
    if (this.#reach.skip?.has(name) === true) return;
    if (this.#reach.hidden || !name.startsWith('.') || isIncluded(`${name}/`, [...this.#included]))
      this.#open.push({ path, hidden });
  }

  #addFile(file: FoundFile): void {
    const risk = createRisk('secret', file.path);
    this.#files.push(isSecretFile(file.path) ? { ...file, risk } : file);
  }

  /** The target of a link is judged as if it were here. */
  async #scanLink(file: FoundFile): Promise<void> {
    const { guard, files } = this.#parts;
    const judged = await guard.judge({ path: file.path, access: 'read' }, this.#roots);
    const stat = await files.stat(judged.real).catch(() => undefined);
    if (stat === undefined) return;
    const isFolder = stat.type === 'directory';
    if (isFolder && this.#reach.skip?.has(file.name) === true) return;
    const problem = findPlaceProblem(judged, file.path);
    if (problem !== undefined)
      this.#files.push({ ...file, risk: problem.risk, ...(isFolder ? { isAnyName: true } : {}) });
    else if (isFolder) this.#enter(file, judged.real);
  }

  async #readIgnoreFiles(folder: string): Promise<void> {
    const { files } = this.#parts;
    for (const name of IGNORE_FILES) {
      const path = `${folder === '/' ? '' : folder}/${name}`;
      if ((await files.stat(path).catch(() => undefined))?.type !== 'file') continue;
      const bytes = await files.read(path, MAX_IGNORE_BYTES).catch(() => undefined);
      const text = bytes === undefined ? '!*' : new TextDecoder().decode(bytes);
      for (const pattern of readIncluded(text)) this.#included.add(pattern);
    }
  }
}

/** Returns the last names of the patterns that an ignore file includes again; a slash at the end: folders only. */
function readIncluded(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const pattern = line.replace(/^\ufeff/u, '').trimEnd();
    if (!pattern.startsWith('!')) return [];
    const names = pattern.slice(1).split('/');
    const name = names.findLast((one) => one !== '');
    return name === undefined ? [] : [names.at(-1) === '' ? `${name}/` : name];
  });
}

function isIncluded(hidden: string, included: readonly string[]): boolean {
  const isFolder = hidden.endsWith('/');
  const name = hidden.replace(/\/$/u, '');
  return included.some(
    (pattern) =>
      (isFolder || !pattern.endsWith('/')) &&
      mayPass(name, { include: [pattern.replace(/\/$/u, '')] }),
  );
}
