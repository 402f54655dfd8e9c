import type { SubAgents } from '../core/agents/sub-agents.ts';
import type { BackgroundCommands } from '../core/background/background-commands.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { OutputSpool } from '../core/ports/commands/output-spool.ts';
import type { Shell } from '../core/ports/commands/shell.ts';
import type { Tasks } from '../core/ports/commands/tasks.ts';
import type { Notebooks } from '../core/ports/editor/notebooks.ts';
import type { FileOperations } from '../core/ports/files/file-operations.ts';
import type { FileSystem } from '../core/ports/files/file-system.ts';
import type { IgnoredPaths } from '../core/ports/files/ignored.ts';
import type { PdfReader } from '../core/ports/files/pdf-reader.ts';
import type { SheetReader } from '../core/ports/files/sheet-reader.ts';
import type { Search } from '../core/ports/files/search.ts';
import type { TextEncodings } from '../core/ports/files/text-encodings.ts';
import type { Customizations } from '../core/customizations/customizations.ts';
import type { Ids } from '../core/ports/ids.ts';
import type { Human } from '../core/ports/person/human.ts';
import type { MemoryRecords } from '../core/ports/store/memories.ts';
import type { Blobs } from '../core/ports/store/blobs.ts';
import type { FollowUps } from '../core/session/follow-ups.ts';
import type { Journals } from '../core/session/journals.ts';
import type { TodoLists } from '../core/session/todo-lists.ts';
import type { OwnerSetting } from '../domain/settings/owner-settings.ts';
import type { Settings } from '../domain/settings/settings.ts';
import type { ReadState } from './editing/read-state.ts';
import type { GitParts } from './git-parts.ts';
import type { LanguageKit } from './language/language-kit.ts';
import type { WebParts } from './web/web-parts.ts';

/** The parts that tools are made of; where an optional one is absent, there is no tool for it. */
export interface ToolParts {
  readonly disk: ToolDisk;
  readonly commands: ToolCommands;
  readonly readState: ReadState;
  readonly human: Human;
  readonly records: ToolRecords;
  readonly web?: WebParts | undefined;
  readonly git?: GitParts | undefined;
  /** Only where an editor runs notebooks. */
  readonly notebooks?: Notebooks | undefined;
  /** Only where an editor has language servers. */
  readonly language?: LanguageKit | undefined;
  readonly settings: Settings;
  /** Only where the host writes the user's settings. */
  readonly ownerSettings?:
    | {
        readonly write: (key: OwnerSetting, value: unknown) => Promise<void>;
        /** Resolves to `true` once the user has changed a setting of levels, or has a persona of their own. */
        readonly areUsed: () => Promise<boolean>;
      }
    | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The workspace's files as agents have them, with unsaved text. */
export interface ToolDisk {
  readonly files: FileSystem;
  readonly operations: FileOperations;
  readonly search: Search;
  /** Kept from all tools; paths in `touches` have been asked about already. */
  readonly ignored: IgnoredPaths;
  /** Only where an editor knows them. */
  readonly encodings?: TextEncodings | undefined;
  /** Absent: PDF files are refused. */
  readonly pdf?: PdfReader | undefined;
  /** Absent: spreadsheets are refused. */
  readonly sheets?: SheetReader | undefined;
  /** True with a notebook in the workspace. Absent: nobody looks. */
  readonly hasNotebooks?: () => Promise<boolean>;
  /** Absent: there are none. */
  readonly skills?: Pick<Customizations, 'hasSkills' | 'readSkill'>;
}

/** Records beside the conversation. */
export interface ToolRecords {
  /** Sessions that another one delegates to; absent: nothing is delegated. */
  readonly agents?:
    | (Pick<SubAgents, 'work'> & { /** Some may change files. */ readonly writes?: boolean })
    | undefined;
  readonly todos: Pick<TodoLists, 'writeByModel'>;
  readonly journals: {
    readonly records: Pick<Journals, 'append' | 'readByModel' | 'update'>;
    /** Takes secrets out. */
    readonly mask: (text: string) => Promise<string>;
  };
  /** Absent: this process ends with its run. */
  readonly followUps?:
    | {
        readonly service: Pick<FollowUps, 'cancel' | 'of' | 'schedule'>;
        /** Takes secrets out. */
        readonly mask: (text: string) => Promise<string>;
      }
    | undefined;
  /** Files that the person attached to messages. */
  readonly attachments: Pick<Blobs, 'attachment'>;
  readonly memories: {
    readonly records: Pick<MemoryRecords, 'add' | 'all' | 'recall' | 'remove'>;
    readonly enabled: () => boolean;
    /** Takes secrets out. */
    readonly mask: (text: string) => Promise<string>;
  };
}

/** Where commands run, and where long outputs are kept. */
export interface ToolCommands {
  readonly shell: Shell;
  /** Folders of the workspace. A sub-agent that writes works in a folder of its own. */
  readonly roots: () => readonly string[];
  /** Absent: commands cannot go on beside the run. */
  readonly background?: BackgroundCommands | undefined;
  /** Absent: the host has no tasks, and there is no tool for them. */
  readonly tasks?: Tasks | undefined;
  /** Absent: of an output that is too long for memory the middle is lost. */
  readonly spool?: OutputSpool | undefined;
  /** Results that were too long to be shown whole, wherever they are kept. */
  readonly blobs: Pick<Blobs, 'result'>;
}
