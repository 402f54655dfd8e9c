import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { Log } from '../../ports/log.ts';
import type { FileOperations } from '../../ports/files/file-operations.ts';
import type { KeptContents } from '../../ports/files/kept-contents.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';
import type { TextEncodings } from '../../ports/files/text-encodings.ts';
import type { EditDetails } from '../model/agent-edits.ts';
import type { Content } from '../model/file-review.ts';

/** An edit of a file by the agent. */
export interface AgentEdit extends EditDetails {
  readonly before: Content;
  readonly after: Content;
}

export interface ReviewsParts {
  readonly values: SharedValues;
  /** Tells this window's changes from those of others and of earlier ones: the store's epoch. */
  readonly writer?: string;
  readonly files: FileSystem;
  /** The files as they are on disk, without unsaved text of editors; absent: `files` are that. */
  readonly saved?: Pick<FileSystem, 'stat' | 'read'> | undefined;
  /** Absent: folders stay when their last file was moved or deleted. */
  readonly operations?: Pick<FileOperations, 'removeEmptyFolder'> | undefined;
  readonly encodings?: TextEncodings | undefined;
  readonly kept?: KeptContents | undefined;
  readonly clock: Clock;
  readonly log: Log;
}
