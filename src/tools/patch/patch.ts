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
  /** The hunk's place, 1-based; only in unified diffs. */
  readonly line?: number;
  readonly lines: readonly HunkLine[];
  /** The lines are the last ones of the file. */
  readonly atEnd?: boolean;
  /** Absent: as before. */
  readonly finalLineEnd?: boolean;
}

export interface HunkLine {
  readonly mark: ' ' | '+' | '-';
  readonly text: string;
}

/** A text that is no patch: the reason follows "The patch". */
export class PatchProblem extends Error {
  /** @param line 1-based */
  constructor(problem: string, line: number) {
    super(`${problem} (line ${line})`);
    this.name = 'PatchProblem';
  }
}
