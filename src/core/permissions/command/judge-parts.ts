import type { FileSystem } from '../../ports/files/file-system.ts';
import type { RepositoryInspector } from '../../ports/commands/repository-inspector.ts';
import type { PathGuard } from '../path-guard.ts';

export interface CommandJudgeParts {
  readonly guard: PathGuard;
  readonly files: Pick<FileSystem, 'realpath' | 'stat' | 'list' | 'read'>;
  readonly platform: 'posix' | 'windows';
  /** The person's home folder; absent: `~` is not understood. */
  readonly home?: string;
  /** Absent: every git command is asked about. */
  readonly repositories?: RepositoryInspector;
}
