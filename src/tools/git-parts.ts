import type { Git } from '../core/ports/commands/git.ts';

/** What the tool needs beside the others' parts. */
export interface GitParts {
  readonly git: Git;
  readonly roots: () => readonly string[];
}
