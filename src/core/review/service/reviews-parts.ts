import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { Log } from '../../ports/log.ts';
import type { FileOperations } from '../../ports/files/file-operations.ts';
import type { KeptContents, KeptFile } from '../../ports/files/kept-contents.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';
import type { TextEncodings } from '../../ports/files/text-encodings.ts';
import type { Content, Mark, ProposedBytes } from '../model/file-review.ts';

/** What the agent makes of a file. */
export interface AgentEdit {
  readonly before: Content;
  readonly after: Content;
  /** What was kept of the file before, where more than its lines counts. */
  readonly kept?: KeptFile | undefined;
  /** Of a proposal: what it is made of beside its lines, where that is not what the file is made of. */
  readonly made?: ProposedBytes | undefined;
  /** Of `after`: the lines that others have made. */
  readonly marks?: readonly Mark[] | undefined;
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
