import type { Git } from '../core/ports/commands/git.ts';

export interface GitParts {
  readonly git: Git;
  readonly roots: () => readonly string[];
}
