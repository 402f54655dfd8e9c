import { wordsOf } from '../../../domain/text/words.ts';
import { type Json, canonicalJson } from '../../../domain/data/json.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import { parentOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import { protectionOf } from '../protected-paths.ts';
import { reachedScripts, runsScripts, scriptsNamed, scriptsOf } from './package-scripts.ts';

/** The files that a command starts by path, each with the hash of its content. */
export type StartedFiles = Readonly<Record<string, string>>;

export interface StartedFilesParts {
  readonly files: Pick<FileSystem, 'stat' | 'read' | 'list'>;
  /** SHA-256 in hexadecimal. */
  readonly hash: (text: string) => string;
}

/** Files of one command; what is behind them is not compared, and a yes then is for what is. */
const MOST_FILES = 300;
/** Bytes of a file that is compared by its content; a longer one by its size and time. */
const COMPARED = 2_000_000;
/** Characters of a script that are looked through for the files it names, and the names tried. */
const LOOKED_THROUGH = 200_000;
const MOST_NAMES = 200;
/** Scripts that name scripts that name scripts. */
const DEEPEST = 3;

/** Programs that run what the nearest package.json says. */
const PACKAGE_MANAGERS = new Set(['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx', 'node']);
/** Files that wrappers and build tools read beside those in the folder itself. */
const BESIDE = wordsOf(`
  gradle/wrapper/gradle-wrapper.properties gradle/wrapper/gradle-wrapper.jar
  .mvn/wrapper/maven-wrapper.properties .mvn/wrapper/maven-wrapper.jar .mvn/jvm.config
  .mvn/maven.config .mvn/extensions.xml .cargo/config.toml .cargo/config tests/conftest.py
  test/conftest.py
`);
const EXTENSIONS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.sh', '.py', '.rb', '.json'];
/**
 * Files whose names of other files are followed: shells and build tools start those. A program's
 * imports are the project's code, which changes every day.
 */
const SCRIPTS =
  /\.(?:sh|bash|zsh|fish|ps1|cmd|bat|mk|mak|gradle|kts)$|(?:^|\/)(?:GNU)?[Mm]akefile[^/]*$|(?:^|\/)[^./]+$/u;

/**
 * The files that a command would start in a folder: the program, those that its words name, those
 * that build tools and runners read, and those that scripts among them name.
 */
export async function startedFiles(
  parts: StartedFilesParts,
  words: readonly string[],
  folder: string,
): Promise<StartedFiles> {
  const found = new Collected(parts, scriptsNamed(words));
  const places = new Set([folder]);
  for (const word of words) {
    const named = word.replace(/^-{1,2}[\w-]+=/u, '');
    const path = resolvePath(folder, named);
    const type = (await parts.files.stat(path).catch(() => undefined))?.type;
    if (type === 'directory') places.add(path);
    else if (type === 'file') await found.script(path, folder, 0);
  }
  const program = words[0]?.replace(/^.*\//u, '') ?? '';
  for (const place of places) await found.folder(place);
  if (PACKAGE_MANAGERS.has(program) || found.size === 0)
    for (const place of places) await found.packageAbove(place);
  for (const place of places)
    for (const word of words.slice(0, 4))
      if (/^[\w.-]+$/u.test(word))
        await found.script(`${place}/node_modules/.bin/${word}`, place, DEEPEST);
  await found.scriptsOfScripts();
  return found.all;
}

class Collected {
  readonly #parts: StartedFilesParts;
  readonly #found = new Map<string, string>();
  readonly #looked = new Set<string>();
  /** Folders with a package.json. */
  readonly #packages = new Set<string>();
  /** Scripts that are run; `undefined`: nobody knows which. */
  #scripts: ReadonlySet<string> | undefined;
  #runsScripts = false;

  constructor(parts: StartedFilesParts, scripts: ReadonlySet<string> | undefined) {
    this.#parts = parts;
    this.#scripts = scripts;
  }

  get size(): number {
    return this.#found.size;
  }

  get all(): StartedFiles {
    return Object.fromEntries(this.#found);
  }

  /** Adds what build tools and runners read in a folder by themselves. */
  async folder(folder: string): Promise<void> {
    const entries = await this.#parts.files.list(folder).catch(() => []);
    for (const { name, type } of entries) {
      if (type === 'directory' || name === 'package.json') continue;
      const isConfig = protectionOf(name) === 'config';
      if (isConfig && !/\.(?:md|mdc)$/iu.test(name))
        await this.script(`${folder}/${name}`, folder, 0);
    }
    for (const name of BESIDE) await this.#add(`${folder}/${name}`);
    await this.packageAt(folder);
  }

  /** The nearest package.json upwards, and every one above it: workspaces of package managers have several. */
  async packageAbove(folder: string): Promise<void> {
    for (let at = parentOf(folder); pathBelow(at, folder) !== ''; at = parentOf(at)) {
      await this.packageAt(at);
      if (at === parentOf(at)) return;
    }
  }

  /** A file that is started runs scripts of its own choice: any of them counts. */
  async scriptsOfScripts(): Promise<void> {
    if (!this.#runsScripts || this.#scripts === undefined) return;
    this.#scripts = undefined;
    for (const folder of this.#packages) {
      this.#looked.delete(`${folder}/package.json`);
      await this.packageAt(folder);
    }
  }

  /** The scripts that are run, alone: another version of a dependency is no other script. */
  async packageAt(folder: string): Promise<void> {
    const path = `${folder}/package.json`;
    const text = await this.#text(path);
    if (text === undefined || this.#looked.has(path)) return;
    this.#looked.add(path);
    let scripts: Json;
    try {
      const value = JSON.parse(text) as { readonly scripts?: Json; readonly [key: string]: Json };
      // Settings of runners may stand beside the scripts.
      const runners = RUNNERS.map((key) => value[key] ?? null);
      const all = value.scripts ?? {};
      const names = this.#scripts;
      scripts = [names === undefined ? all : reachedScripts(scriptsOf(all), names), runners];
    } catch {
      scripts = text;
    }
    this.#packages.add(folder);
    const said = canonicalJson(scripts);
    this.#found.set(path, this.#parts.hash(said));
    await this.#named(said.replaceAll('\\"', ' '), folder, folder, 0);
  }

  /** A file, and the files that it names when it is a script. */
  async script(path: string, folder: string, depth: number): Promise<void> {
    if (this.#looked.has(path)) return;
    this.#looked.add(path);
    const text = await this.#add(path);
    if (text === undefined || !SCRIPTS.test(path)) return;
    this.#runsScripts ||= runsScripts(text.slice(0, LOOKED_THROUGH));
    if (depth >= DEEPEST) return;
    await this.#named(text, parentOf(path), folder, depth + 1);
  }

  async #named(text: string, beside: string, folder: string, depth: number): Promise<void> {
    const names = new Set(text.slice(0, LOOKED_THROUGH).match(/[\w@.~/-]{2,200}/gu) ?? []);
    const telling = [...names].filter((name) => /[./]/u.test(name) && !/^[\d.]+$/u.test(name));
    for (const name of telling.slice(0, MOST_NAMES))
      for (const base of new Set([beside, folder]))
        for (const extension of name.startsWith('.') && !/\.\w+$/u.test(name) ? EXTENSIONS : ['']) {
          if (this.#found.size >= MOST_FILES) return;
          const path = resolvePath(base, `${name}${extension}`);
          if (this.#looked.has(path)) continue;
          const stat = await this.#parts.files.stat(path).catch(() => undefined);
          if (stat?.type === 'file') await this.script(path, folder, depth);
        }
  }

  /** Takes a file along; gives its text where that is worth looking at. */
  async #add(path: string): Promise<string | undefined> {
    if (this.#found.size >= MOST_FILES) return undefined;
    const stat = await this.#parts.files.stat(path).catch(() => undefined);
    if (stat?.type !== 'file') return undefined;
    if (stat.size > COMPARED) {
      this.#found.set(path, `${stat.size} ${stat.modifiedAt}`);
      return undefined;
    }
    const text = await this.#text(path);
    this.#found.set(path, text === undefined ? 'unreadable' : this.#parts.hash(text));
    return text;
  }

  async #text(path: string): Promise<string | undefined> {
    try {
      if ((await this.#parts.files.stat(path)) === undefined) return undefined;
      // Byte for byte: programs are not always text.
      return new TextDecoder('latin1').decode(await this.#parts.files.read(path, COMPARED));
    } catch {
      return undefined;
    }
  }
}

/** Members of package.json by which test runners and the like are told what to load. */
const RUNNERS = wordsOf('jest mocha ava c8 nyc tap vitest config lint-staged husky');
