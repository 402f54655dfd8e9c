import { type Json, isJsonObject } from '../../../domain/data/json.ts';
import { nameOf, parentOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import { wordSet } from '../../../domain/text/words.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import { isInstalled } from '../code-by-role.ts';
import { isCheck, isInterpreter, withoutAssignments } from './checks.ts';
import { plainName } from '../plain-name.ts';
import { protectionOf } from '../protected-paths.ts';
import { programName } from './command-pattern.ts';

/** Hashes of the files that decide what a command runs, by absolute path. */
export type RunnerFiles = Readonly<Record<string, string>>;

export interface RunnerFilesParts {
  readonly files: Pick<FileSystem, 'stat' | 'read' | 'list'>;
  /** SHA-256 in hexadecimal. */
  readonly hash: (text: string) => string;
  /** Workspace folders: nothing above them is compared. */
  readonly roots: () => readonly string[];
}

/** Entries of folders that are scanned, the nearest first. */
const MAX_ENTRIES = 10_000;
const MAX_FILES = 1000;
/** Larger files are compared by size and time. */
const MAX_COMPARED_BYTES = 2_000_000;

/** Setup files of test runners, scripts of shells, and lock files that no other role covers. */
const BY_NAME =
  /^(?:[\w-]+[._-])?(?:setup|teardown|bootstrap|hooks?|preload)s?(?:[._-][\w-]+)*\.(?:[cm]?[jt]sx?|py|rb|php)$|^setup[A-Z]\w*\.[cm]?[jt]sx?$|\.(?:sh|bash|zsh|ksh|fish)$|\.lockfile$/u;
/** Folders whose files steer build tools, whatever they are called. */
const BY_FOLDER = /(?:^|\/)\.(?:cargo|mvn|yarn|config|husky|bundle)\//u;
const TEXT_FOR_PEOPLE = /\.(?:md|mdc)$/iu;

const PACKAGE_MANAGERS = wordSet('npm npx pnpm pnpx yarn bun bunx');
/** Folders with programs of the project. */
const PROGRAM_FOLDERS = ['node_modules/.bin', '.venv/bin', 'venv/bin'];

/**
 * Hashes the files that decide what a command runs in a folder: manifests, lock files, settings and setup files of
 * runners, scripts of shells, and the program itself. Tests and sources do not count, unless a whole line is remembered.
 * @param isLine the words are those of a whole line: each may be a program or a file
 */
export async function hashRunnerFiles(
  parts: RunnerFilesParts,
  words: readonly string[],
  folder: string,
  isLine = false,
): Promise<RunnerFiles> {
  const found = new FoundFiles(parts);
  await found.addBelow(folder);
  const above = foldersAbove(folder, parts.roots());
  for (const one of above) await found.addIn(one);
  const started = withoutAssignments(words);
  const programs = isLine ? words : started.slice(0, 4);
  await found.addPrograms(programs, [folder, ...above]);
  if (isLine) await found.addNamed(words, folder);
  else await found.addStarted(started, folder, isCheck(words));
  if (programs.some((word, at) => (isLine || at === 0) && PACKAGE_MANAGERS.has(programName(word))))
    await found.addScripts();
  return found.hashes;
}

/** Folders above one, up to its workspace folder; the nearest first. */
function foldersAbove(folder: string, roots: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let at = folder; roots.some((root) => pathBelow(root, parentOf(at)) !== undefined);) {
    if (at === parentOf(at)) break;
    at = parentOf(at);
    found.push(at);
  }
  return found;
}

function steersRunners(below: string): boolean {
  const name = nameOf(below);
  if (TEXT_FOR_PEOPLE.test(name)) return false;
  return protectionOf(below) === 'config' || BY_NAME.test(name) || BY_FOLDER.test(below);
}

class FoundFiles {
  readonly #parts: RunnerFilesParts;
  readonly #hashes = new Map<string, string>();

  constructor(parts: RunnerFilesParts) {
    this.#parts = parts;
  }

  get hashes(): RunnerFiles {
    return Object.fromEntries(this.#hashes);
  }

  async addBelow(folder: string): Promise<void> {
    const open = [folder];
    let entryCount = 0;
    for (let at = open.shift(); at !== undefined; at = open.shift()) {
      const entries = await this.#parts.files.list(at).catch(() => []);
      entryCount += entries.length;
      if (entryCount > MAX_ENTRIES) return;
      for (const { name, type } of entries) {
        const path = `${at}/${name}`;
        if (type !== 'directory') await this.#addSteering(path, folder);
        else if (name !== '.git' && !isInstalled([plainName(name)])) open.push(path);
      }
    }
  }

  async addIn(folder: string): Promise<void> {
    const entries = await this.#parts.files.list(folder).catch(() => []);
    for (const { name, type } of entries)
      if (type !== 'directory') await this.#addSteering(`${folder}/${name}`, folder);
  }

  /** Adds programs of the project with these names. */
  async addPrograms(words: readonly string[], folders: readonly string[]): Promise<void> {
    for (const word of words)
      if (/^[\w.@-]+$/u.test(word))
        for (const one of folders)
          for (const programs of PROGRAM_FOLDERS) await this.#add(`${one}/${programs}/${word}`);
  }

  /** Adds all files that words name, also in folders that the line enters. */
  async addNamed(words: readonly string[], folder: string): Promise<void> {
    const entered = words.filter((_, at) => words[at - 1] === 'cd');
    for (const one of [folder, ...entered.map((word) => resolvePath(folder, word))])
      for (const word of words)
        await this.#add(resolvePath(one, word.replace(/^-{1,2}[\w-]+=/u, '')));
  }

  /** Adds the programs that scripts of the manifests start. */
  async addScripts(): Promise<void> {
    const manifests = [...this.#hashes.keys()].filter((path) => nameOf(path) === 'package.json');
    for (const path of manifests)
      for (const script of scriptsIn((await this.#read(path)) ?? ''))
        for (const command of script.split(/[;&|()\n]+/u)) {
          const words = withoutAssignments(command.trim().split(/\s+/u));
          const takesTests = !isInterpreter(programName(words[0] ?? ''));
          await this.addStarted(words, parentOf(path), takesTests);
        }
  }

  /**
   * Adds the program by its path, and the files that it is given as code or by an option.
   * @param takesTests operands are tests and sources
   */
  async addStarted(words: readonly string[], folder: string, takesTests: boolean): Promise<void> {
    const [program = ''] = words;
    if (program.includes('/')) await this.#add(resolvePath(folder, program));
    const runsCode = isInterpreter(programName(program));
    let hasCode = takesTests;
    for (const [at, word] of words.entries()) {
      const value = word.replace(/^-{1,2}[\w-]+=/u, '');
      const isOfOption = value !== word || (at > 0 && (words[at - 1] ?? '').startsWith('-'));
      if (at === 0 || value.startsWith('-') || value === '') continue;
      if (!isOfOption && (hasCode || !(runsCode || isOwnFile(value)))) continue;
      const isAdded = await this.#add(resolvePath(folder, value));
      hasCode ||= isAdded && !isOfOption && runsCode;
    }
  }

  async #addSteering(path: string, folder: string): Promise<void> {
    if (steersRunners(pathBelow(folder, path) ?? path)) await this.#add(path);
  }

  async #add(path: string): Promise<boolean> {
    if (this.#hashes.has(path)) return true;
    if (this.#hashes.size >= MAX_FILES) return false;
    const stat = await this.#parts.files.stat(path).catch(() => undefined);
    if (stat?.type !== 'file') return false;
    const text = stat.size > MAX_COMPARED_BYTES ? undefined : await this.#read(path);
    const { size, modifiedAt } = stat;
    this.#hashes.set(path, text === undefined ? `${size} ${modifiedAt}` : this.#parts.hash(text));
    return true;
  }

  async #read(path: string): Promise<string | undefined> {
    try {
      // Programs are not always text.
      return new TextDecoder('latin1').decode(
        await this.#parts.files.read(path, MAX_COMPARED_BYTES),
      );
    } catch {
      return undefined;
    }
  }
}

/** Returns whether a word of a program that is no interpreter may be a file of its own. */
const isOwnFile = (word: string): boolean => /\.\w+$/u.test(word) || word.includes('/');

function scriptsIn(text: string): readonly string[] {
  try {
    const manifest = JSON.parse(text) as Json;
    const scripts = isJsonObject(manifest) ? manifest['scripts'] : undefined;
    const values = isJsonObject(scripts) ? Object.values(scripts) : [];
    return values.filter((one): one is string => typeof one === 'string');
  } catch {
    return [];
  }
}
