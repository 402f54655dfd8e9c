import type { Told } from '../../../domain/text/told.ts';
import type { GitContents } from './git/git-contents.ts';
import type { NameFilter } from './name-filter.ts';
import type { ShellWord } from './shell/shell-word.ts';

/**
 * A path that a command uses, as it is written. `content`: it is read, and if it is a folder, what is below
 * it may be. `names`: only names, sizes and times are shown. `text`: it is no file to the program as it is
 * declared; it counts if there is such a file all the same. `write`: it is made or changed.
 */
export interface PathUse {
  readonly word: ShellWord;
  readonly as: 'content' | 'names' | 'text' | 'write';
  /** For `content`: how what is below a folder is reached. Absent: all of it. */
  readonly below?: Reach;
  /** For `write`: this is put there, or into a folder of that name; nothing may be there yet. */
  readonly fresh?: { readonly for: ShellWord };
}

/**
 * The form in which names are handed on. `raw`: a dash before one makes it an option. `lines`: one
 * a line, without quotations. `words`: taken apart at blanks, too.
 */
export type Handed = 'raw' | 'lines' | 'words';

export interface Reach {
  /** Hidden files that are read, too: all, or those of such names and what ignore files take back (`!.env`). */
  readonly hidden: true | NameFilter;
  /** Links that are found: not followed, opened where they are named themselves, or gone into as well. */
  readonly links: 'none' | 'files' | 'all';
  readonly only?: NameFilter;
  /** Folders that are left out: a name, or `./name` for one at the top. */
  readonly skip?: readonly string[];
  /** Only files that git has are named; `below`: by the path from the folder of the repository. */
  readonly tracked?: 'here' | 'below';
  /** Names are handed on to a program that may take some for something else. */
  readonly handed?: Handed;
}

/** A call of git: in this folder when it is not the current one, and what it shows of the files. */
export interface GitUse {
  readonly folder?: ShellWord;
  readonly contents?: GitContents;
  /** Operands that may be revisions: none may be the text of a file under a name of its own. */
  readonly revisions?: readonly ShellWord[];
  /** Revisions of which the text of any file may be shown. */
  readonly commits?: readonly string[];
  readonly inTree?: readonly InTree[];
}

/** A path in a revision. */
export interface InTree {
  /** Below the folder of the repository, or with `./` and `../` below the current one. */
  readonly path: string;
  /** The whole word, or the ends of the range that it may be. */
  readonly names: readonly string[];
}

/**
 * The effect of a simple command, as far as its words tell. `harmless`: it only reads, and only these
 * paths, or it changes files as the tools for files do. `unknown`: nobody has said what this program does;
 * a person's rule may. `risky`: it is known that the program may write or run something with these arguments.
 */
export type Finding =
  | {
      readonly kind: 'harmless';
      readonly uses: readonly PathUse[];
      readonly enters?: ShellWord;
      /** It is git, in this folder when it is not the current one: what the repository configures counts. */
      readonly git?: GitUse;
      readonly lists?: { readonly places: readonly ShellWord[]; readonly reach: Reach };
      /** It prints lines of its input, as they are. */
      readonly passes?: true;
      /** It works on files that its input names: all that may be among them is read. */
      readonly fromInput?: Handed;
      /** It is another program, called by this one with these words. */
      readonly inner?: readonly string[];
      /** Files with which the program becomes another one, in this folder or above. */
      readonly unless?: readonly string[];
    }
  | {
      readonly kind: 'unknown' | 'risky';
      readonly reason: Told;
      /** It is another program, called by this one with these words. */
      readonly inner?: readonly string[];
    };

export type Harmless = Extract<Finding, { kind: 'harmless' }>;

export function harmless(uses: readonly PathUse[] = []): Harmless {
  return { kind: 'harmless', uses };
}

export function risky(reason: Told): Finding {
  return { kind: 'risky', reason };
}

export function unknown(reason: Told): Finding {
  return { kind: 'unknown', reason };
}

export function usesOf(
  words: readonly ShellWord[],
  as: PathUse['as'],
  below?: Reach,
): readonly PathUse[] {
  return words
    .filter(({ value }) => value !== '-')
    .map((word) => (below === undefined ? { word, as } : { word, as, below }));
}
