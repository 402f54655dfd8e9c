import type { Clock } from '../../../core/ports/clock.ts';
import type { AgentService } from '../../../core/run/agent-service.ts';
import type { BackgroundCommands } from '../../../core/background/background-commands.ts';
import type { JsonObject } from '../../../domain/data/json.ts';
import type { WrittenSecret } from '../../../mcp/clients/keep-secrets.ts';
import type { ServerOrigin } from '../../../mcp/config/config.ts';
import type { Tool } from '../../../core/tool-call/tool-call.ts';
import type { MentionReader } from '../../../core/tool-call/mention-reader.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { CheckpointStorage } from '../../../core/restore/storage/checkpoint-storage.ts';
import type { SessionFork } from '../../../core/restore/session-fork.ts';
import type { SessionRedo } from '../../../core/restore/session-redo.ts';
import type { TurnUndo } from '../../../core/restore/turn-undo.ts';
import type { SessionRestore } from '../../../core/restore/session-restore.ts';
import type { ModelSource, ServerProblem } from '../../../protocol/snapshot.ts';
import type { ModelInfo } from '../../../domain/models/model.ts';
import type { Pending } from '../../../window/approvals/approval-queue.ts';
import type { BegunPersona } from '../../../core/customizations/persona.ts';
import type { Customizations } from '../../../core/customizations/customizations.ts';
import type { PathGuard } from '../../../core/permissions/path-guard.ts';
import type { FileSystem } from '../../../core/ports/files/file-system.ts';
import type { CommandGroups } from '../../../core/review/commands/command-groups.ts';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import type { FollowUps } from '../../../core/session/follow-ups.ts';
import type { EventBroker } from '../../../core/session/event-broker.ts';
import type { Store } from '../../../store/store.ts';
import type { CenterPlace } from '../../../protocol/center/messages.ts';
import type { Host } from '../host.ts';
import type { SessionIndex } from '../state/session-index.ts';
import type { ActivePanel } from '../panel/active-panel.ts';
import type { Places } from '../panel/places.ts';
import type { PendingControls } from '../pending/pending-controls.ts';
import type { PendingWindow } from '../pending/pending-window.ts';
import type { CommitMessageParts } from '../asks/commit-message.ts';
import type { AskServices } from './asks.ts';
import type { SessionTransfer } from './session-files.ts';

/** A server to be written into the settings. */
export interface NewServer {
  readonly name: string;
  readonly origin: ServerOrigin;
  readonly raw: JsonObject;
  /** Values of its `${input:ID}` that are known already. */
  readonly secrets: readonly WrittenSecret[];
}

/** A server that was added, and how its connection went. */
export interface AddedServer {
  readonly name: string;
  readonly isReady: boolean;
  readonly said: string;
}

/** The MCP servers as the window shows them. */
export interface WindowServers {
  /** Those that are defined. */
  count(): number;
  /** Ends all and starts them again; also begins sign-ins that they wait for. */
  restartAll(): Promise<void>;
  /** Writes servers that the person has seen whole and wants, and connects to them. */
  add(servers: readonly NewServer[]): Promise<readonly AddedServer[]>;
  /** Servers that do not run although they should. */
  problems(): readonly ServerProblem[];
  /** Calls a tool for an app of its server, asked about on the card of the app's call; rejects with `BelayError`. */
  call(
    server: string,
    name: string,
    input: JsonObject,
    origin: { readonly sessionId: string; readonly callId: string },
  ): Promise<JsonObject>;
  /** Reads a resource of a server; rejects with `BelayError`. */
  read(name: string, uri: string, signal: AbortSignal): Promise<readonly unknown[]>;
  onChange(listener: () => void): Disposable;
  /** Belay itself as a server of others. */
  readonly own: OwnServer;
}

/** Belay as an MCP server for other agents. */
export interface OwnServer {
  /** JSON as clients' files have it; `undefined`: nothing is served by HTTP now. */
  configuration(way: 'stdio' | 'http'): Promise<string | undefined>;
}

/** The settings page in its tab, and what it drives besides. */
export interface WindowCenter {
  open(place?: CenterPlace): Promise<void>;
  restartServers(): Promise<void>;
  readonly addServers: WindowServers['add'];
  /** Belay itself as a server of others. */
  readonly own: OwnServer;
}

export interface WindowModels {
  /** Those that can be chosen now. */
  list(): readonly ModelInfo[];
  /** Id of the model that works without a key. */
  readonly demo: string;
  /** For new sessions, where the setting names none. */
  forNewSessions(hasKey: boolean): string;
  /** Who serves a model. */
  sourceOf(model: string): ModelSource;
  /** Looks for models that are there without a setting. Never rejects. */
  look(): Promise<void>;
  /** Some have come or gone. */
  onChange(listener: () => void): Disposable;
}

/** Writes the message of a commit. @param model of the session, whose small one writes */
type WriteCommitMessage = (
  model: string,
  ...given: Parameters<CommitMessageParts['write']>
) => Promise<string>;

/** The engine as the window drives it. */
export interface WindowEngine {
  readonly agent: AgentService;
  readonly broker: EventBroker;
  readonly store: Store;
  readonly commands: { readonly background: BackgroundCommands | undefined };
  /** Files and conversation as they were before a message. */
  readonly restore: Pick<SessionRestore, keyof SessionRestore>;
  readonly redo: Pick<SessionRedo, keyof SessionRedo>;
  readonly fork: Pick<SessionFork, keyof SessionFork>;
  readonly turnUndo: Pick<TurnUndo, keyof TurnUndo>;
  /** Absent: nothing of the workspace is recorded here. */
  readonly checkpoints: { readonly storage: CheckpointStorage } | undefined;
  readonly reviews: Reviews | undefined;
  /** Changes during commands. */
  readonly groups: CommandGroups | undefined;
  readonly customizations: Pick<Customizations, keyof Customizations>;
  readonly guard: PathGuard;
  /** Files as agents have them: what is written with an origin is a pending change. */
  readonly files: FileSystem;
  readonly runs: {
    /** A persona by its name, with the model that it brings. @param model the session's */
    readonly persona: (model: string, chosen?: string) => Promise<BegunPersona>;
    /** Prompts that come back into their sessions. */
    readonly followUps: Pick<FollowUps, 'all' | 'cancel' | 'change'>;
    readonly running: { readonly commitMessage: WriteCommitMessage };
  };
  readonly tools: { readonly named: (name: string) => Promise<Tool | undefined> };
  /** Takes what messages mention. */
  readonly mentions: Pick<MentionReader, keyof MentionReader>;
}

/** Services that the commands drive. */
export interface CommandServices {
  readonly host: Pick<
    Host,
    'extension' | 'keys' | 'checks' | 'recentModels' | 'desk' | 'settings' | 'workspace' | 'showLog'
  > & { readonly clock: Clock };
  readonly engine: WindowEngine;
  readonly sessions: Pick<SessionIndex, 'list' | 'find' | 'refresh'>;
  readonly panel: ActivePanel;
  /** The places in which sessions are shown. */
  readonly view: Places;
  readonly pending: PendingWindow;
  /** The person's ways to decide about pending changes. */
  readonly controls: PendingControls;
  /** Brings the person to what waits: panel, session, diff. */
  readonly show: (pending: Pending) => Promise<void>;
  readonly models: Pick<WindowModels, 'list' | 'look'>;
  readonly transfer: SessionTransfer;
  readonly center: WindowCenter;
  readonly asks: AskServices;
}
