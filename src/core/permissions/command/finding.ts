import { type Risk, type RiskCode, createRisk } from '../risks.ts';
import type { NameFilter } from './name-filter.ts';
import type { ShellWord } from './shell/shell-word.ts';

/**
 * A path that a command uses, as it is written. `content`: the file is read. `names`: only names, sizes and times
 * are shown. `text`: not a file to the program as it is declared; judged only if such a file exists.
 * `write`: the file is created or changed.
 */
export interface PathUse {
  readonly word: ShellWord;
  readonly as: 'content' | 'names' | 'text' | 'write';
  /** The files below a folder that are used with it. If undefined, a folder is not entered. */
  readonly below?: Reach;
  /** For `write`: this is put there, or into a folder of that name; nothing may be there yet. */
  readonly fresh?: { readonly for: ShellWord };
}

/** The files below a folder that a program reads. */
export interface Reach {
  /** Hidden files are included. If false, only those that a `!` line of an ignore file includes. */
  readonly hidden: boolean;
  /** Links that it finds are followed. */
  readonly links: boolean;
  /** The names of the files; undefined: any. */
  readonly only?: NameFilter;
  /** Names of folders that it does not enter. */
  readonly skip?: ReadonlySet<string>;
}

/** A call of git that reads. */
export interface GitUse {
  /** The folder of `-C`. */
  readonly folder?: ShellWord;
  /** The text of files is shown: of these paths if they exist, else of any. */
  readonly shows?: { readonly paths: readonly ShellWord[]; readonly onlyPaths: boolean };
  /** Revisions that are shown. None may be a file or a folder if it shows objects. */
  readonly revisions?: readonly string[];
  readonly showsObjects?: boolean;
  /** Paths in a revision, relative to the repository, or with `./` and `../` to the current folder. */
  readonly inTree?: readonly string[];
}

/** A file of a project that may choose which program runs. */
export interface ChoosingFile {
  readonly name: string;
  /** It chooses only if its text matches. */
  readonly when?: RegExp;
}

/**
 * The effect of a simple command, as far as its words show it. `harmless`: it only reads these paths, or changes
 * files as the file tools do. `unknown`: the table does not have the program; a rule of the user may allow it.
 * `risky`: the program may write or run something with these arguments.
 */
export type Finding =
  | {
      readonly kind: 'harmless';
      readonly uses: readonly PathUse[];
      /** The folder of a `cd`. */
      readonly enters?: ShellWord;
      readonly git?: GitUse;
      /** The words of the program that it calls. */
      readonly inner?: readonly string[];
      /** The name of the program that runs; undefined for a command of the shell. */
      readonly program?: string;
      readonly chosenBy?: readonly ChoosingFile[];
    }
  | {
      readonly kind: 'unknown' | 'risky';
      readonly risks: readonly Risk[];
      /** The words of the program that it calls. */
      readonly inner?: readonly string[];
    };

export type Harmless = Extract<Finding, { kind: 'harmless' }>;

export function harmless(uses: readonly PathUse[] = []): Harmless {
  return { kind: 'harmless', uses };
}

export function risky(code: RiskCode, ...values: readonly string[]): Finding {
  return { kind: 'risky', risks: [createRisk(code, ...values)] };
}

/** Creates one use for each word but `-`, which is the standard input. */
export function createUses(
  words: readonly ShellWord[],
  as: PathUse['as'],
  below?: Reach,
): readonly PathUse[] {
  return words
    .filter(({ value }) => value !== '-')
    .map((word) => (below === undefined ? { word, as } : { word, as, below }));
}
