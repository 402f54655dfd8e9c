/** What a patch says about one file, in whichever format it was written. */
export type FileChange =
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

/** Lines that belong together, and what becomes of them. */
export interface Hunk {
  /** Lines of the file that come before: a class, then a function. Only the patch format has them. */
  readonly headers: readonly string[];
  /** Where the hunk was, 1-based; only unified diffs say it. */
  readonly line?: number;
  readonly lines: readonly HunkLine[];
  /** The lines are the last ones of the file. */
  readonly atEnd?: boolean;
  /** Whether the file ends with a line end afterwards; absent: as before. */
  readonly finalLineEnd?: boolean;
}

export interface HunkLine {
  readonly mark: ' ' | '+' | '-';
  readonly text: string;
}

/** Why a text is no patch, in words that follow "The patch". */
export class PatchProblem extends Error {
  /** @param line 1-based */
  constructor(problem: string, line: number) {
    super(`${problem} (line ${line})`);
    this.name = 'PatchProblem';
  }
}
