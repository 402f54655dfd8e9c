import { wordSet, wordsOf } from '../../../domain/text/words.ts';
import { nameOf, parentOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import { isInstalled } from '../code-by-role.ts';
import { plainName } from '../plain-name.ts';

/** Entries of folders that are looked at; what lies behind them is found by its exact path alone. */
const MOST = 10_000;
/** Files that one name may stand for where it does not say in which folder. */
const MOST_OF_NAME = 20;
const EXTENSIONS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.sh', '.py', '.rb', '.json'];
/** Files with which a folder is started. */
const OF_FOLDER =
  /^(?:index|main|mod|__main__)\.(?:[cm]?[jt]s|py|go|rb)$|^(?:package\.json|(?:GNU)?[Mm]akefile|[Jj]ustfile|Dockerfile)$/u;

/** Words behind which stands what is started or loaded, with or without its ending, or the folder for it. */
const STARTING = wordSet(`
  node nodejs tsx ts-node bun deno python python2 python3 py ruby perl php sh bash zsh dash ksh fish
  source . include -include sinclude run cd exec require import load
`);
/** Options that say the same. */
const STARTING_OPTION =
  /^(?:-[A-Za-z]|--(?:require|import|loader|directory|file|makefile|justfile|prefix|dir|cwd|workspace|filter))$/u;
const WORD = /[\w@.~/+*:-]+/gu;
/** Variables and commands, of which only the rest of the path is known. */
const FILLED = /\$\{[^{}\s]*\}|\$\(\w*\)|\$[\w@<^*]+|<[\w-]+>|%[\w~]+%/gu;

/** A word of a script or a command that may be a file. */
interface Named {
  readonly word: string;
  readonly starts: boolean;
}

/** The files in a folder and below, without those that are installed, to be found as scripts name them. */
export class NearbyFiles {
  readonly #files: Pick<FileSystem, 'list' | 'stat'>;
  readonly #top: string;
  readonly #known = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #byName = new Map<string, string[]>();
  #isComplete = true;

  private constructor(files: Pick<FileSystem, 'list' | 'stat'>, top: string) {
    this.#files = files;
    this.#top = top;
  }

  static async below(files: Pick<FileSystem, 'list' | 'stat'>, top: string): Promise<NearbyFiles> {
    const nearby = new NearbyFiles(files, top);
    await nearby.#walk();
    return nearby;
  }

  /** Paths of files whose name fits. */
  called(name: RegExp): readonly string[] {
    return [...this.#byName].flatMap(([one, paths]) => (name.test(one) ? paths : []));
  }

  /** The files that a text names, and the folders in which it starts something; `bases`: where its paths begin. */
  async named(text: string, bases: readonly string[]): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const one of namesIn(text))
      for (const path of await this.#pathsOf(one, bases)) found.add(path);
    // Names that are no single words; they are read as bytes.
    for (const [name, paths] of this.#byName)
      if (/[^\w@.~+-]/u.test(name) && text.includes(asBytes(name)))
        for (const path of paths.slice(0, MOST_OF_NAME)) found.add(path);
    return [...found];
  }

  async #walk(): Promise<void> {
    const open = [this.#top];
    let looked = 0;
    for (let at = open.shift(); at !== undefined; at = open.shift()) {
      const entries = await this.#files.list(at).catch(() => []);
      looked += entries.length;
      if (looked > MOST) {
        this.#isComplete = false;
        return;
      }
      this.#folders.add(at);
      for (const { name, type } of entries) {
        const path = `${at}/${name}`;
        if (type === 'directory') {
          if (name !== '.git' && !isInstalled([plainName(name)])) open.push(path);
          continue;
        }
        this.#known.add(path);
        this.#byName.set(name, [...(this.#byName.get(name) ?? []), path]);
      }
    }
  }

  async #pathsOf({ word, starts }: Named, bases: readonly string[]): Promise<readonly string[]> {
    const isPath = word.includes('/') || word.startsWith('.');
    const hasEnding = /[^/.]\.\w+$/u.test(word);
    if (!starts && !isPath && !hasEnding) return [];
    if (word.includes('*')) return bases.flatMap((base) => this.#fitting(base, word));
    const modules = starts && /^\w+(?:\.\w+)+$/u.test(word) ? [word.replaceAll('.', '/')] : [];
    const endings = starts || (isPath && !hasEnding) ? EXTENSIONS : [''];
    const found: string[] = [];
    for (const base of bases)
      for (const name of [word, ...modules])
        found.push(...(await this.#at(resolvePath(base, name), endings, starts || isPath)));
    return found.length > 0 || !(isPath || hasEnding)
      ? found
      : this.#anywhere(nameOf(word), hasEnding ? [''] : EXTENSIONS);
  }

  /** A file with one of these endings, and where a folder may be meant the files with which it is started. */
  async #at(path: string, endings: readonly string[], isFolder: boolean): Promise<string[]> {
    const found = isFolder && this.#folders.has(path) ? [...this.#startedIn(path)] : [];
    for (const ending of endings)
      if (await this.#isFile(`${path}${ending}`)) found.push(`${path}${ending}`);
    return found;
  }

  /** In a folder that is not told: behind a variable, or after a change of the folder. */
  #anywhere(name: string, endings: readonly string[]): readonly string[] {
    return endings.flatMap((ending) =>
      (this.#byName.get(`${name}${ending}`) ?? []).slice(0, MOST_OF_NAME),
    );
  }

  /** `scripts/*.sh`: files right in that folder, or in each of its folders. */
  #fitting(base: string, word: string): readonly string[] {
    const [before = '', ...behind] = word.split('*');
    const folder = resolvePath(base, parentOf(`./${before}x`));
    const end = behind.at(-1) ?? '';
    return [...this.#known].filter((path) => {
      const below = pathBelow(folder, path);
      return below !== undefined && below.split('/').length <= 2 && path.endsWith(end);
    });
  }

  #startedIn(folder: string): readonly string[] {
    return [...this.#known].filter(
      (path) => parentOf(path) === folder && OF_FOLDER.test(nameOf(path)),
    );
  }

  async #isFile(path: string): Promise<boolean> {
    if (this.#isComplete && pathBelow(this.#top, path) !== undefined) return this.#known.has(path);
    return (await this.#files.stat(path).catch(() => undefined))?.type === 'file';
  }
}

/** The words of a text that may be files, each once. */
function namesIn(text: string): readonly Named[] {
  const found = new Map<string, boolean>();
  let before = '';
  for (const [token] of text.replaceAll(FILLED, '').matchAll(WORD)) {
    const starts = STARTING.has(nameOf(before)) || STARTING_OPTION.test(before);
    const isOption = token.startsWith('-');
    for (const word of isOption ? wordsOf(token.replace(/^-\w|^--[\w-]+[=:]?/u, '')) : [token])
      found.set(word, found.get(word) === true || starts || isOption);
    // Between a program and its file may be options.
    if (!isOption || STARTING_OPTION.test(token)) before = token;
  }
  return [...found].flatMap(([word, starts]) =>
    /^[\d.:]*$/u.test(word) && word !== '.' ? [] : [{ word, starts }],
  );
}

function asBytes(name: string): string {
  return new TextDecoder('latin1').decode(new TextEncoder().encode(name));
}
