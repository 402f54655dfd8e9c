import type { AgentService } from '../../../core/run/agent-service.ts';
import type { BackgroundCommands } from '../../../core/background/background-commands.ts';
import type { Asked } from '../../../core/run/opening.ts';
import type { ToolRow } from '../../../core/tool-call/offered-tools.ts';
import type { Disposable } from '../../../domain/disposable.ts';
import type { CheckpointStorage } from '../../../core/restore/storage/checkpoint-storage.ts';
import type { SessionFork } from '../../../core/restore/session-fork.ts';
import type { SessionRedo } from '../../../core/restore/session-redo.ts';
import type { SessionRestore } from '../../../core/restore/session-restore.ts';
import type { RunEvent } from '../../../domain/event.ts';
import type { ModelInfo } from '../../../domain/model.ts';
import type { Session } from '../../../domain/session.ts';
import type { Settings } from '../../../domain/settings/settings.ts';
import type { ApprovalQueue, Pending } from '../../../window/approvals/approval-queue.ts';
import type { PendingControls } from '../pending/pending-controls.ts';
import type { PendingWindow } from '../pending/pending-window.ts';
import type { ApiKey } from '../secrets/api-key.ts';
import type { SessionTransfer } from './session-files.ts';

/** What commands ask of the panel. */
export interface PanelControl {
  /** The session on screen, also while the panel is hidden; `undefined`: a new one. */
  readonly sessionId: string | undefined;
  newSession(): Promise<void>;
  openSession(sessionId: string): Promise<void>;
  /** Reveals the view and does this in it. */
  reveal(
    then?: 'focus_input' | 'focus_waiting' | 'focus_changes' | 'show_rules' | 'next_mode',
  ): Promise<void>;
  continueRun(): Promise<void>;
  /** Shows a session anew, with this in the input, before what is typed there. */
  giveBack(sessionId: string, asked: Asked): Promise<void>;
  /** Shows a session anew; a draft that is nothing but this is dropped: it is in the conversation. */
  takeBack(sessionId: string, text: string): Promise<void>;
}

/** An MCP server as the list shows it. */
export interface McpServerRow {
  readonly name: string;
  readonly state: string;
  /** A sentence: why it does not run, or what it offers. */
  readonly detail: string;
}

/** The MCP servers as the window shows them. */
export interface WindowServers {
  servers(): readonly McpServerRow[];
  restart(name: string): Promise<void>;
  log(name: string): readonly string[];
  /** Servers that do not run although they should, a sentence each. */
  problems(): readonly string[];
  onChange(listener: () => void): Disposable;
}

export interface WindowModels {
  /** Those that can be chosen now. */
  list(): readonly ModelInfo[];
  /** Id of the model that works without a key. */
  readonly demo: string;
  /** For new sessions, where the setting names none. */
  forNewSessions(hasKey: boolean): string;
}

/** A saved state of a session (D8). */
export interface SessionSnapshot {
  readonly id: string;
  readonly title: string;
  /** `automatic`: what a restore or a reset replaced. */
  readonly kind: 'saved' | 'automatic';
  readonly messageCount: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Saved states of sessions. Restoring and resetting reject with `busy` while the session is at work. */
export interface SessionSnapshots {
  /** The newest first. */
  list(sessionId: string): Promise<readonly SessionSnapshot[]>;
  save(sessionId: string, title: string): Promise<void>;
  restore(sessionId: string, snapshot: SessionSnapshot): Promise<void>;
  reset(sessionId: string): Promise<void>;
  delete(snapshotId: string): Promise<void>;
}

/** What the commands drive. */
export interface CommandServices {
  readonly agent: Pick<
    AgentService,
    | 'cancel'
    | 'rename'
    | 'deleteSession'
    | 'summarize'
    | 'setOptions'
    | 'optionsOf'
    | 'isSessionBusy'
  >;
  readonly background?: Pick<BackgroundCommands, 'list'> | undefined;
  readonly sessions: {
    list(): Promise<readonly Session[]>;
    find(sessionId: string): Session | undefined;
    /** Reads a session again after something was done to it. */
    refresh(sessionId: string): Promise<void>;
    onChange(listener: () => void): Disposable;
  };
  readonly panel: PanelControl;
  readonly desk: ApprovalQueue;
  readonly pending: PendingWindow;
  /** What a person presses for what is pending. */
  readonly controls: PendingControls;
  /** Brings the person to what waits: panel, session, diff. */
  readonly show: (pending: Pending) => Promise<void>;
  readonly apiKey: ApiKey;
  readonly transfer: SessionTransfer;
  readonly snapshots: SessionSnapshots;
  /** Files and conversation as they were before a message. */
  readonly restore: Pick<
    SessionRestore,
    'targets' | 'target' | 'preview' | 'restore' | 'restoreFilesIn'
  >;
  /** Absent: nothing of the workspace is recorded here. */
  readonly checkpoints:
    | { readonly storage: Pick<CheckpointStorage, 'facts' | 'cleanUp'> }
    | undefined;
  readonly redo: Pick<SessionRedo, 'redoable' | 'redo'>;
  readonly fork: Pick<SessionFork, 'messages' | 'point' | 'fork'>;
  readonly models: () => readonly ModelInfo[];
  readonly settings: Settings;
  readonly trusted: () => boolean;
  readonly mcp: Pick<WindowServers, 'servers' | 'restart' | 'log'>;
  readonly tools: {
    /** Every tool there is, offered or not. */
    rows(): Promise<readonly ToolRow[]>;
  };
  readonly showLog: () => void;
  /** The newest events of a session, oldest first. */
  readonly events: (sessionId: string, limit: number) => Promise<readonly RunEvent[]>;
}
