import type { Blobs } from '../core/ports/store/blobs.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { FileSystem } from '../core/ports/files/file-system.ts';
import type { Human } from '../core/ports/person/human.ts';
import type { Ids } from '../core/ports/ids.ts';
import type { Search } from '../core/ports/files/search.ts';
import type { Shell } from '../core/ports/commands/shell.ts';
import type { FileOperations } from '../core/ports/files/file-operations.ts';
import type { IgnoredPaths } from '../core/ports/files/ignored.ts';
import type { PdfReader } from '../core/ports/files/pdf-reader.ts';
import type { TextEncodings } from '../core/ports/files/text-encodings.ts';
import type { Notebooks } from '../core/ports/editor/notebooks.ts';
import type { TodoLists } from '../core/session/todo-lists.ts';
import type { Settings } from '../domain/settings/settings.ts';
import type { WebParts } from './web/web-parts.ts';
import type { BackgroundCommands } from '../core/background/background-commands.ts';
import type { OutputSpool } from '../core/ports/commands/output-spool.ts';
import type { Tasks } from '../core/ports/commands/tasks.ts';
import type { LanguageKit } from './language/language-kit.ts';
import type { GitParts } from './git-parts.ts';
import type { ReadState } from './editing/read-state.ts';

export interface ToolParts {
  readonly files: FileSystem;
  /** Only where an editor knows them. */
  readonly encodings?: TextEncodings | undefined;
  /** Absent: PDF files are refused. */
  readonly pdf?: PdfReader | undefined;
  readonly operations: FileOperations;
  readonly search: Search;
  /** True for a real path that is not on disk as tools read it. Absent: never. */
  readonly isProposed?: (path: string) => boolean;
  readonly shell: Shell;
  readonly human: Human;
  readonly blobs: Pick<Blobs, 'result'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly readState: ReadState;
  /** True when the model is told otherwise how a file's text became another. Absent: never. */
  readonly hasTold?: (sessionId: string, path: string, from: string, to: string) => boolean;
  readonly todos: Pick<TodoLists, 'writeByModel'>;
  readonly settings: Settings;
  /** Kept from all tools; paths in `touches` have been asked about already. */
  readonly ignored: IgnoredPaths;
  /** Absent: there is no way to the web, and no tool for it. */
  readonly web?: WebParts | undefined;
  /** Absent: there is no git, and no tool for it. */
  readonly git?: GitParts | undefined;
  /** Absent: commands cannot go on beside the run. */
  readonly background?: BackgroundCommands | undefined;
  /** Absent: the host has no tasks, and there is no tool for them. */
  readonly tasks?: Tasks | undefined;
  /** Absent: of an output that is too long for memory the middle is lost. */
  readonly spool?: OutputSpool | undefined;
  /** True with a notebook in the workspace. Absent: nobody looks. */
  readonly hasNotebooks?: () => Promise<boolean>;
  /** Only where an editor runs notebooks. */
  readonly notebooks?: Notebooks | undefined;
  /** Only where an editor has language servers. */
  readonly language?: LanguageKit | undefined;
}
