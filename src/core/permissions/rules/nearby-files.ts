import { Turn } from '../../../domain/lifetime/steps.ts';
import { wordSet, wordsOf } from '../../../domain/text/words.ts';
import { nameOf, parentOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import { isInstalled } from '../code-by-role.ts';
import { plainName } from '../plain-name.ts';

/** Entries of folders that are looked at; what lies behind them is found by its exact path alone. */
const MOST = 10_000;
/** Files that one name may stand for where it does not say in which folder. */
const MOST_OF_NAME = 20;
/** Names of one text that are looked for, and names of files that are no single words. */
const MOST_NAMES = 1000;
/** Patterns of one text that are. */
const MOST_PATTERNS = 100;
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
const ODD_NAME = /[^\w@.~+-]/u;
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
  /** Files and folders right in each folder. */
  readonly #folders = new Map<string, { readonly files: string[]; readonly folders: string[] }>();
  readonly #byName = new Map<string, string[]>();
  /** By names that are no single words, as a text that is read as bytes has them. */
  readonly #byOddName = new Map<string, readonly string[]>();
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
    const turn = new Turn();
    const found = new Set<string>();
    const names = await namesIn(text, turn);
    const isPattern = ({ word }: Named): boolean => word.includes('*');
    const patterns = names.filter(isPattern).slice(0, MOST_PATTERNS);
    const plain = names.filter((one) => !isPattern(one)).slice(0, MOST_NAMES);
    for (const one of [...patterns, ...plain]) {
      for (const path of await this.#pathsOf(one, bases)) found.add(path);
      await turn.pass();
    }
    for (const [name, paths] of this.#byOddName) {
      if (text.includes(name)) for (const path of paths.slice(0, MOST_OF_NAME)) found.add(path);
      await turn.pass();
    }
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
      const inside = { files: new Array<string>(), folders: new Array<string>() };
      this.#folders.set(at, inside);
      for (const { name, type } of entries) {
        const path = `${at}/${name}`;
        if (type === 'directory') {
          if (name === '.git' || isInstalled([plainName(name)])) continue;
          open.push(path);
          inside.folders.push(path);
          continue;
        }
        inside.files.push(path);
        this.#known.add(path);
        this.#filesNamed(name).push(path);
      }
    }
  }

  /** The list of files of a name. */
  #filesNamed(name: string): string[] {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const paths: string[] = [];
    this.#byName.set(name, paths);
    if (ODD_NAME.test(name) && this.#byOddName.size < MOST_NAMES)
      this.#byOddName.set(asBytes(name), paths);
    return paths;
  }

  async #pathsOf({ word, starts }: Named, bases: readonly string[]): Promise<readonly string[]> {
    const isPath = isPathLike(word);
    const hasEnding = ENDING.test(word);
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
    const below = this.#folders.get(folder)?.folders ?? [];
    return [folder, ...below].flatMap((one) =>
      this.#filesIn(one).filter((path) => path.endsWith(end)),
    );
  }

  #startedIn(folder: string): readonly string[] {
    return this.#filesIn(folder).filter((path) => OF_FOLDER.test(nameOf(path)));
  }

  #filesIn(folder: string): readonly string[] {
    return this.#folders.get(folder)?.files ?? [];
  }

  async #isFile(path: string): Promise<boolean> {
    if (this.#isComplete && pathBelow(this.#top, path) !== undefined) return this.#known.has(path);
    return (await this.#files.stat(path).catch(() => undefined))?.type === 'file';
  }
}

const ENDING = /[^/.]\.\w+$/u;

function isPathLike(word: string): boolean {
  return word.includes('/') || word.startsWith('.');
}

/** The words of a text that may be files, each once. */
async function namesIn(text: string, turn: Turn): Promise<readonly Named[]> {
  const found = new Map<string, boolean>();
  let before = '';
  for (const [token] of text.replaceAll(FILLED, '').matchAll(WORD)) {
    const starts = STARTING.has(nameOf(before)) || STARTING_OPTION.test(before);
    const isOption = token.startsWith('-');
    for (const word of isOption ? wordsOf(token.replace(/^-\w|^--[\w-]+[=:]?/u, '')) : [token])
      found.set(word, found.get(word) === true || starts || isOption);
    // Between a program and its file may be options.
    if (!isOption || STARTING_OPTION.test(token)) before = token;
    if (turn.isOver) await turn.pass();
  }
  return [...found].flatMap(([word, starts]) => {
    const isNumber = /^[\d.:]*$/u.test(word) && word !== '.';
    const mayBeFile = starts || isPathLike(word) || ENDING.test(word);
    return isNumber || !mayBeFile ? [] : [{ word, starts }];
  });
}

function asBytes(name: string): string {
  return new TextDecoder('latin1').decode(new TextEncoder().encode(name));
}
