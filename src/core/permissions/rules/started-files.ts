import { wordsOf } from '../../../domain/text/words.ts';
import { type Json, canonicalJson } from '../../../domain/data/json.ts';
import { cutJson } from '../../../domain/data/json-limits.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import { nameOf, parentOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import { protectionOf } from '../protected-paths.ts';
import { NearbyFiles } from './nearby-files.ts';
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
/** Characters of a script that are looked through for the files it names. */
const LOOKED_THROUGH = 200_000;
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
/** Files that are run because they are there, in any folder. */
const LOADED = /^conftest\.py$/u;
/** Manifests and build files of parts of a project, which these programs read in any folder. */
const BUILDERS: Readonly<Record<string, RegExp>> = {
  cargo: /^(?:Cargo\.toml|build\.rs)$/u,
  gradle: /\.gradle(?:\.kts)?$/u,
  gradlew: /\.gradle(?:\.kts)?$/u,
  mvn: /^pom\.xml$/u,
  mvnw: /^pom\.xml$/u,
  rake: /\.rake$/u,
  docker: /^Dockerfile/u,
};
/** Files that say that a project has many packages. */
const MEMBERS = /^(?:pnpm-workspace\.yaml|lerna\.json|nx\.json|rush\.json|turbo\.json)$/u;
/** Node is given a folder. */
const STARTS_FOLDER = /\bnode(?:\s+-\S+)*\s+\.(?:\/|["\s]|$)/u;
/**
 * Files whose names of other files are followed: shells and build tools start those. A program's
 * imports are the project's code, which changes every day.
 */
const SCRIPTS =
  /\.(?:sh|bash|zsh|fish|ps1|cmd|bat|mk|mak|gradle|kts)$|(?:^|\/)(?:GNU)?[Mm]akefile[^/]*$|(?:^|\/)[^./]+$|(?:^|\/)(?:tox|pytest|setup)\.(?:ini|cfg)$|(?:^|\/)[\w.-]+\.config\.[cm]?[jt]s$|(?:^|\/)(?:[Jj]ustfile|Taskfile\.ya?ml|Dockerfile.*|docker-compose.*\.ya?ml|compose.*\.ya?ml|lefthook\.ya?ml|\.gitlab-ci\.yml|Rakefile|noxfile\.py)$/u;

/**
 * The files that a command would start in a folder: the program, those that its words name, those
 * that build tools and runners read, and those that scripts among them name.
 */
export async function startedFiles(
  parts: StartedFilesParts,
  words: readonly string[],
  folder: string,
): Promise<StartedFiles> {
  const nearby = await NearbyFiles.below(parts.files, folder);
  const found = new Collected(parts, nearby, scriptsNamed(words));
  const places = new Set([folder]);
  for (const word of words) {
    const named = word.replace(/^-{1,2}[\w-]+=|^-[A-Za-z](?=[^-])/u, '');
    for (const one of new Set([word, named])) {
      const path = resolvePath(folder, one);
      const type = (await parts.files.stat(path).catch(() => undefined))?.type;
      if (type === 'directory') places.add(path);
      else if (type === 'file') await found.script(path, folder, 0);
    }
  }
  await found.byWords(words, folder);
  const program = words[0]?.replace(/^.*\//u, '') ?? '';
  for (const place of places) await found.folder(place);
  if (PACKAGE_MANAGERS.has(program) || found.size === 0)
    for (const place of places) await found.packageAbove(place);
  for (const place of places)
    for (const word of words.slice(0, 4))
      if (/^[\w.-]+$/u.test(word))
        await found.script(`${place}/node_modules/.bin/${word}`, place, DEEPEST);
  await found.everywhere(program);
  await found.scriptsOfScripts();
  return found.all;
}

class Collected {
  readonly #parts: StartedFilesParts;
  readonly #nearby: NearbyFiles;
  readonly #found = new Map<string, string>();
  readonly #looked = new Set<string>();
  /** Folders with a package.json. */
  readonly #packages = new Set<string>();
  /** Scripts that are run; `undefined`: nobody knows which. */
  #scripts: ReadonlySet<string> | undefined;
  #runsScripts = false;
  /** The command has Node start what the manifest calls the main file. */
  #startsFolder = false;
  /** A manifest says that there are others below. */
  #hasMembers = false;

  constructor(
    parts: StartedFilesParts,
    nearby: NearbyFiles,
    scripts: ReadonlySet<string> | undefined,
  ) {
    this.#parts = parts;
    this.#nearby = nearby;
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

  /** Adds what the words of the command name without its ending, or by its folder. */
  async byWords(words: readonly string[], folder: string): Promise<void> {
    const line = words.join(' ');
    this.#startsFolder = STARTS_FOLDER.test(line);
    await this.#named(line, folder, folder, 0);
  }

  /** Adds what lies in other folders and is run all the same: by test runners, and by tools for many packages. */
  async everywhere(program: string): Promise<void> {
    const building = BUILDERS[program];
    const names = [LOADED, ...(building === undefined ? [] : [building])];
    for (const path of names.flatMap((name) => this.#nearby.called(name)))
      await this.script(path, parentOf(path), 0);
    const isMany = this.#hasMembers || this.#nearby.called(MEMBERS).length > 0;
    if (!isMany || !PACKAGE_MANAGERS.has(program)) return;
    for (const path of this.#nearby.called(/^package\.json$/u)) await this.#member(parentOf(path));
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
    let main: Json | undefined;
    try {
      // A text over the limits is not walked: all of it is compared.
      if (cutJson(text) !== text) throw new Error('over the limits');
      const value = JSON.parse(text) as { readonly scripts?: Json; readonly [key: string]: Json };
      // Settings of runners may stand beside the scripts.
      const runners = RUNNERS.map((key) => value[key] ?? null);
      const all = value.scripts ?? {};
      this.#hasMembers ||= value['workspaces'] !== undefined;
      main = value['main'];
      const names = this.#scripts;
      scripts = [names === undefined ? all : reachedScripts(scriptsOf(all), names), runners];
    } catch {
      scripts = text;
    }
    this.#packages.add(folder);
    const said = canonicalJson(scripts);
    this.#found.set(path, this.#parts.hash(said));
    await this.#named(said.replaceAll('\\"', ' '), folder, folder, 0);
    if (typeof main === 'string' && (this.#startsFolder || STARTS_FOLDER.test(said)))
      await this.#named(`./${main}`, folder, folder, 0);
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
    const looked = text.slice(0, LOOKED_THROUGH);
    for (const path of await this.#nearby.named(looked, [...new Set([beside, folder])])) {
      if (this.#found.size >= MOST_FILES) return;
      if (nameOf(path) === 'package.json') await this.#member(parentOf(path));
      else if (!this.#looked.has(path)) await this.script(path, folder, depth);
    }
  }

  /** A package beside: which of its scripts are run, others say. */
  async #member(folder: string): Promise<void> {
    const scripts = this.#scripts;
    this.#scripts = undefined;
    await this.packageAt(folder);
    this.#scripts = scripts;
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
