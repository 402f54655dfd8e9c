import type { GitContents } from './git-contents.ts';
import type { ShellWord } from './shell-word.ts';

/** A path that a command reads, as it is written. */
export interface PathUse {
  readonly word: ShellWord;
  /** Everything below it is read, hidden files too or not. */
  readonly below?: 'all' | 'visible';
}

/** A call of git: in this folder when it is not the current one, and what it shows of the files. */
export interface GitUse {
  readonly folder?: ShellWord;
  readonly contents?: GitContents;
}

/**
 * What a simple command does, as far as its words tell. `harmless`: it only reads, and only these
 * paths. `unknown`: nobody has said what this program does; a person's rule may. `risky`: it is known
 * that the program may write or run something with these arguments.
 */
export type Finding =
  | {
      readonly kind: 'harmless';
      readonly uses: readonly PathUse[];
      /** It changes the folder of what follows. */
      readonly enters?: ShellWord;
      /** It is git, in this folder when it is not the current one: what the repository configures counts. */
      readonly git?: GitUse;
    }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'risky'; readonly reason: string };

export function harmless(uses: readonly PathUse[] = []): Finding {
  return { kind: 'harmless', uses };
}

export function risky(reason: string): Finding {
  return { kind: 'risky', reason };
}

export function unknown(reason: string): Finding {
  return { kind: 'unknown', reason };
}
