import type { FileSystem } from '../../ports/files/file-system.ts';
import type { RepositoryInspector } from '../../ports/commands/repository-inspector.ts';
import type { PathGuard } from '../path-guard.ts';

export interface CommandJudgeParts {
  readonly guard: PathGuard;
  readonly files: Pick<FileSystem, 'realpath' | 'stat' | 'list' | 'read'>;
  readonly platform: 'posix' | 'windows';
  /** The person's home folder; absent: `~` is not understood. */
  readonly home?: string;
  /** The folders in which a program without a slash is searched; undefined: none is in the workspace. */
  readonly searchPath?: readonly string[];
  /** If undefined, every git command requires approval. */
  readonly repositories?: RepositoryInspector;
}
