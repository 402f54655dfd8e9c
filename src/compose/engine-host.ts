import type { Worktrees } from '../core/ports/commands/worktrees.ts';
import type { Git } from '../core/ports/commands/git.ts';
import type { RepositoryInspector } from '../core/ports/commands/repository-inspector.ts';
import type { FoundModels } from '../providers/found/found-models.ts';
import type { KeyedAddresses, Send } from '../providers/http/client.ts';
import type { ProviderInstance } from '../providers/instance.ts';
import type { EnvironmentSnapshot, SeenFiles } from '../core/context/prompt/environment.ts';
import type { Web } from '../core/ports/web.ts';
import type { Approver } from '../core/ports/person/approval.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { FileSystem } from '../core/ports/files/file-system.ts';
import type { Human } from '../core/ports/person/human.ts';
import type { Log } from '../core/ports/log.ts';
import type { Search } from '../core/ports/files/search.ts';
import type { Shell } from '../core/ports/commands/shell.ts';
import type { FileOperations } from '../core/ports/files/file-operations.ts';
import type { IgnoredPaths } from '../core/ports/files/ignored.ts';
import type { BackgroundShell } from '../core/ports/commands/background-shell.ts';
import type { ReadOnlySandbox } from '../core/ports/commands/read-only-sandbox.ts';
import type { OutputSpool } from '../core/ports/commands/output-spool.ts';
import type {
  SnapshotStorage,
  WorkspaceSnapshots,
} from '../core/ports/files/workspace-snapshots.ts';
import type { Notebooks } from '../core/ports/editor/notebooks.ts';
import type { Tasks } from '../core/ports/commands/tasks.ts';
import type { Language } from '../core/ports/editor/language.ts';
import type { PinFolder } from '../core/ports/files/pinned-folder.ts';
import type { PdfReader } from '../core/ports/files/pdf-reader.ts';
import type { SheetReader } from '../core/ports/files/sheet-reader.ts';
import type { PictureScaler } from '../core/ports/files/picture-scaler.ts';
import type { TextEncodings } from '../core/ports/files/text-encodings.ts';
import type { CapSetting } from '../core/budget/caps.ts';
import type { Level, Tool } from '../core/tool-call/tool-call.ts';
import type { Channel } from '../domain/session/session.ts';
import type { SearchParts } from '../tools/web/web-parts.ts';
import type { OwnerSetting } from '../domain/settings/owner-settings.ts';
import type { Settings } from '../domain/settings/settings.ts';
import type { StartedProcess } from '../domain/run.ts';

/** The ports of the engine's host: VS Code's window, or plain Node. */
export interface EngineHost {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  /** SHA-256 in hexadecimal. */
  readonly hash: (text: string) => string;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly store: HostStore;
  readonly model: HostModel;
  readonly disk: HostDisk;
  readonly commands: HostCommands;
  readonly person: HostPerson;
  readonly workspace: HostWorkspace;
  readonly tools: HostTools;
}

/** Where the database is. */
export interface HostStore {
  /** Its folder, absolute. */
  readonly data: string;
  readonly storeWorker: string | URL;
  /**
   * The folder of what counts over all workspaces, absolute, the one that an earlier version used for it, and what this
   * workspace is called there.
   */
  readonly person: {
    readonly folder: string;
    readonly earlierFolder?: string;
    readonly name: string;
  };
  /** The surface on which this host's sessions begin. */
  readonly channel: Channel;
}

/** The model's connection, and what must never be sent to it. */
export interface HostModel {
  /** Of the default instance. */
  readonly apiKey: () => Promise<string | undefined>;
  /** The host's own instances; the first is the default one. Absent: the public API, or what `model.baseUrl` says. */
  readonly instances?: readonly ProviderInstance[];
  /** The key that an instance refers to, asked for each call; absent: there is none for any. */
  readonly keyOf?: (instance: ProviderInstance) => Promise<string | undefined>;
  /** Models that are there without a setting; absent: nothing is looked for. */
  readonly found?: FoundModels;
  /** Addresses that had a key: nothing is sent there without one. Absent: a missing key is nobody's loss. */
  readonly keyed?: KeyedAddresses;
  /** Sends requests to models; absent: by the global `fetch`, which editors replace for proxies. */
  readonly send?: Send;
  /** A title by the model beside the first turn (B10); without: the first words. */
  readonly titlesByModel: boolean;
  /** Secret values of the environment, each with what it is; they are masked and never sent away unasked. */
  readonly secrets?: () => Iterable<readonly [value: string, what: string]>;
}

/** The files, and what is found in them. */
export interface HostDisk {
  readonly files: FileSystem;
  /** Encodings of the editor's settings, where there is an editor. */
  readonly encodings?: TextEncodings;
  readonly pdf?: PdfReader;
  readonly sheets?: SheetReader;
  /** Absent: pictures are sent as they are, or not at all. */
  readonly pictures?: PictureScaler;
  /** Renaming, copying and removing files as a whole. */
  readonly operations: FileOperations;
  readonly pinFolder: PinFolder;
  readonly search: Search;
  /** Paths that `.belayignore` files keep from every tool. */
  readonly ignored: IgnoredPaths;
  /** Moments of the workspace, to take back what the agent changed; absent: it cannot be. */
  readonly snapshots?: WorkspaceSnapshots & SnapshotStorage;
  /** Belay's own folders, which no tool reads or writes. */
  readonly ownFolders: readonly string[];
}

/** Where commands run. */
export interface HostCommands {
  readonly shell: Shell;
  /** The shell's family. */
  readonly platform: 'posix' | 'windows';
  /** The folders in which commands find programs. If undefined, none of them is in the workspace. */
  readonly searchPath?: readonly string[];
  /** Absent: commands cannot go on beside the run. */
  readonly backgroundShell?: BackgroundShell;
  /** Undefined: no command runs without approval because of a sandbox. */
  readonly readOnlySandbox?: ReadOnlySandbox;
  /** Absent: of an output that is too long for memory the middle is lost. */
  readonly spool?: OutputSpool;
  /** Stops a command that a crashed process left running. */
  readonly stopAbandoned: (group: StartedProcess) => Promise<boolean>;
}

/** Who is there, and what they may. */
export interface HostPerson {
  readonly approver: Approver;
  readonly human: Human;
  readonly level: () => Level;
  /** A person reviews what agents change. Absent: what is written is written. */
  readonly reviewed?: boolean;
  /** The user of this process decides about pending changes: it is a window. Absent: it only adds to them. */
  readonly decides?: boolean;
  /** Where personas are in force; absent: in VS Code where a person reviews. */
  readonly personasOf?: 'vscode' | 'headless';
  /** Nobody is there to ask, and what would be asked about happens; see `DecideParts`. */
  readonly unattended?: boolean;
  /** Opens the setting of a budget; absent: this host cannot. */
  readonly showBudget?: (key: CapSetting) => Promise<void>;
  /** The person's home folder, for rules about paths below it. */
  readonly home?: string;
  /** Sets a value in the user's own settings; absent: this host cannot. */
  readonly writeSetting?: (key: OwnerSetting, value: unknown) => Promise<void>;
}

export interface HostWorkspace {
  readonly roots: () => readonly string[];
  readonly trusted: () => boolean;
  /** Files the person works on, absolute: instructions of their folders count. */
  readonly focus: () => readonly string[];
  /** The surroundings of the person's message. */
  readonly environment: () => Pick<EnvironmentSnapshot, 'system' | 'date' | 'roots'>;
  /** The files before the person; the engine leaves out what may not stand in a prompt. Absent: nothing. */
  readonly seen?: () => SeenFiles;
}

/** Ports that not every host has: where one is absent, there is no tool for it. */
export interface HostTools {
  /** Working copies for sub-agents that change files. */
  readonly worktrees?: Worktrees;
  readonly git?: Git & RepositoryInspector;
  readonly web?: Web;
  /** The keys of services that search the web; absent: no service is asked. */
  readonly webSearch?: Pick<SearchParts, 'key' | 'origin'>;
  readonly tasks?: Tasks;
  /** Running notebooks; only an editor can. */
  readonly notebooks?: Notebooks;
  /** Language servers; only an editor has them. */
  readonly language?: Language;
  /** Tools of MCP servers, in a stable order; waits a bounded time, at the start of a run for all that are starting. */
  readonly mcpTools: (moment?: 'start') => Promise<readonly Tool[]>;
  /** Names of the MCP servers that are still starting. Absent: none is. */
  readonly startingServers?: () => readonly string[];
  /** Tools that other extensions of the editor offer, as they are now; none when the setting does not allow it. */
  readonly extensionTools?: () => readonly Tool[];
  /** This process is there until the person ends it: follow-ups come back in it. Absent: it ends with its run. */
  readonly staysOpen?: boolean;
}

/** The part of the host that the base of the engine needs, before any run. */
export type BaseHost = Pick<
  EngineHost,
  'clock' | 'log' | 'settings' | 'store' | 'model' | 'commands'
>;
