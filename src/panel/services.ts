import type { WaitingAnswers } from '../window/approvals/waiting-answers.ts';
import type { AgentService, SessionOptions } from '../core/run/agent-service.ts';
import type { EventBroker } from '../core/session/event-broker.ts';
import type { ApprovalQuestion } from '../core/ports/person/approval.ts';
import type { Blobs } from '../core/ports/store/blobs.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import type { Log } from '../core/ports/log.ts';
import type { RunRecords } from '../core/ports/store/run-records.ts';
import type { Transcripts } from '../core/ports/store/transcripts.ts';
import type { EvidenceRecords } from '../core/review/evidence/evidence-records.ts';
import type { PendingChange } from '../core/review/model/hunks.ts';
import type { FileReview } from '../core/review/model/file-review.ts';
import type { CommandGroups } from '../core/review/commands/command-groups.ts';
import type { Reviews } from '../core/review/service/reviews.ts';
import type { SessionRedo } from '../core/restore/session-redo.ts';
import type { FollowUps } from '../core/session/follow-ups.ts';
import type { Journals } from '../core/session/journals.ts';
import type { TodoLists } from '../core/session/todo-lists.ts';
import type { JsonObject } from '../domain/data/json.ts';
import type { DetachedState } from '../domain/run.ts';
import type { FileLink } from '../domain/message.ts';
import type { ModelInfo } from '../domain/models/model.ts';
import type { Mention } from '../domain/mention.ts';
import type { Attachment, Session } from '../domain/session/session.ts';
import type { CompletionsView } from '../protocol/completion-view.ts';
import type { ProviderAction } from '../protocol/provider-view.ts';
import type { CenterPlace } from '../protocol/center/messages.ts';
import type { MessageAction, PanelCommand } from '../protocol/requests.ts';
import type { ModelSource, ServerProblem } from '../protocol/snapshot.ts';
import type { SavedView } from '../protocol/view.ts';
import type { PanelBackground } from './cards/background-cards.ts';
import type { AppliedBlock } from './code/apply-code.ts';
import type { FilledCommand } from './input/source.ts';
import type { StoredEdit } from './cards/stored-edits.ts';

/** Everything the panel needs from outside; nothing of it is `vscode`, so that it runs in plain Node. */
export interface PanelServices {
  readonly agent: AgentService;
  readonly broker: Pick<EventBroker, 'listen'>;
  readonly records: PanelRecords;
  /** Commands that go on beside the runs; absent: there are none. */
  readonly background?: PanelBackground | undefined;
  readonly sessions: PanelSessions;
  readonly desk: WaitingAnswers;
  readonly later: PanelLater;
  readonly setup: PanelSetup;
  readonly memory: PanelMemory;
  /** Other windows on the same workspace; absent: there are none. */
  readonly others?: PanelOthers;
  readonly clock: Clock;
  readonly log: Log;
}

/** Records of sessions. */
export interface PanelRecords {
  readonly transcripts: Pick<
    Transcripts,
    'session' | 'messages' | 'compactions' | 'search' | 'find' | 'prompts' | 'markSession'
  >;
  readonly runs: Pick<RunRecords, 'runs'>;
  readonly blobs: Pick<Blobs, 'result' | 'attachment'>;
  readonly todos: Pick<TodoLists, 'read' | 'writeByPerson'>;
  readonly followUps: Pick<FollowUps, 'cancel' | 'change' | 'of'>;
  readonly journals: Pick<Journals, 'read' | 'writeByPerson'>;
  /** The last restore; absent: nothing can be restored. */
  readonly redo?: Pick<SessionRedo, 'last'>;
}

/** Parts that are loaded when first used, or when the panel has been shown. */
export interface PanelLater {
  readonly editor: PanelEditor;
  readonly rules: PanelRules;
  readonly providers: PanelProviders;
  readonly input: PanelInput;
  readonly code: PanelCode;
  /** Reads pending changes, once; absent: nothing is reviewed. */
  readonly reviewing?: () => Promise<PanelReviewing>;
}

/** The session index: answers from memory where it can, before the database is open. */
export interface PanelSessions {
  /** Sessions of every type; the panel shows those of type `main`. Rejects with `BelayError`. */
  list(): Promise<readonly Session[]>;
  /** Takes over a session's record from the database, or that it is gone. */
  refresh(sessionId: string): Promise<void>;
  /** Leaves sessions out of the list, or not any more. */
  hide(sessionIds: readonly string[], hidden: boolean): void;
  /** A session was added, changed, titled or removed. */
  onChange(listener: () => void): Disposable;
}

/** Providers of models, as far as the panel does something about them. A failure is told by itself. */
export interface PanelProviders {
  /** `null`: no provider in particular. */
  act(action: ProviderAction, provider: string | null): Promise<void>;
  /** Makes a model a favorite of the person, or not. */
  favour(model: string, on: boolean): Promise<void>;
  /** The person chose a model: it is a recent one. */
  chosen(model: string): Promise<void>;
}

/** The list of the input, and what its mentions and commands stand for. */
export interface PanelInput {
  complete(trigger: '@' | '/', query: string, rest: boolean): Promise<CompletionsView>;
  /** Tokens, about; `null`: that is known when it is sent. */
  weigh(mentions: readonly Mention[]): Promise<readonly (number | null)[]>;
  open(mention: Mention): Promise<void>;
  /** Mentions of files that were dropped or pasted, and of code that was copied from one. */
  locate(files: readonly string[], code: string | null): Promise<readonly Mention[]>;
  /** The text that a command stands for. */
  fill(ref: string): Promise<FilledCommand>;
  /** Attachments with what their mentions point at, as it is now. */
  take(attachments: readonly Attachment[], sessionId: string): Promise<readonly Attachment[]>;
}

/** Code blocks of answers, and the files that answers name. */
export interface PanelCode {
  /** Tells which paths are files of the workspace. */
  find(paths: readonly string[]): Promise<readonly boolean[]>;
  /** Puts a block into the editor, a new one, or a terminal, where nothing is run. Rejects with `BelayError`. */
  use(how: 'insert' | 'open' | 'terminal', text: string, info: string): Promise<void>;
  /** Draws a block in a tab of its own. Rejects with `BelayError`. */
  diagram(text: string): Promise<void>;
  /** Reads the program that draws diagrams in a page. */
  loadDiagramCode(): Promise<string>;
  /** Makes a block a pending change; resolves also when the person gives up. Rejects with `BelayError`. */
  apply(block: AppliedBlock): Promise<void>;
}

/** Marks of a model in this window, beside its facts. */
export interface ModelMarks {
  /** Who serves it. */
  readonly source: ModelSource;
  readonly providerName: string;
  /** Its provider has the key that it needs. */
  readonly ready: boolean;
  /** It runs on this machine. */
  readonly local: boolean;
  readonly favorite: boolean;
  /** Its place among those that were chosen last, 0 the newest; `null`: it is none of them. */
  readonly recent: number | null;
}

/** The permission rules, as far as the panel takes them back. Rejects with `BelayError` code `permission` below the level owner. */
export interface PanelRules {
  remove(sessionId: string | null, rules: readonly unknown[]): Promise<void>;
}

/** A resource that the result of a server's tool names or brought along. */
export interface ResourceToOpen {
  /** The server's name in the settings. */
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  /** Empty: not told. */
  readonly mediaType: string;
  /** Came along with the result; absent: the server is asked for it. */
  readonly text?: string;
}

/** The app that a server has for the result of one of its tools. */
export interface AppToOpen {
  /** The server's name in the settings. */
  readonly server: string;
  /** Of the page, `ui://…`. */
  readonly uri: string;
  /** For people. */
  readonly tool: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly input: JsonObject;
  /** As the protocol has it; absent: the call was given up. */
  readonly result?: JsonObject;
}

/** The panel's services that only the editor can give. Each may reject with `BelayError`. */
export interface PanelEditor {
  /** Shows what a finished call did, as its card keeps it. */
  openEdits(callId: string, edits: readonly StoredEdit[]): Promise<void>;
  /** Runs a command; resolves also when it fails or the user gives up: the command says so. */
  runCommand(command: PanelCommand): Promise<void>;
  /** Shows a place of the Control Center. */
  openCenter(place: CenterPlace): Promise<void>;
  /** A path as a tool or the model wrote it: absolute or relative to a workspace folder. */
  openFile(link: FileLink): Promise<void>;
  /** `shown`: the text of the link, which may name another place. */
  openExternal(url: string, shown: string): Promise<void>;
  /** Shows a resource of an MCP server for reading. */
  openResource(resource: ResourceToOpen): Promise<void>;
  /** Shows the app of a server for the result of a call. */
  openApp(app: AppToOpen): Promise<void>;
  /** The settings editor with a search. */
  openSettings(query: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** Begins what the menu of a message offers, or `redo`; the person is asked, and told how it ended. */
  restore(action: MessageAction | 'redo', sessionId: string, messageId?: string): Promise<void>;
  /** Empty when the person gives up. */
  pickFiles(): Promise<readonly Attachment[]>;
  /** In an editor tab; `beside`: of the next group. */
  openSession(sessionId: string, beside: boolean): Promise<void>;
  exportSession(sessionId: string): Promise<void>;
  /** The imported session; `undefined` when the person gives up. */
  importSession(): Promise<string | undefined>;
}

/** Pending changes, and what only the editor can do with them. Each may reject with `BelayError`. */
export interface PanelReviewing {
  readonly reviews: Reviews;
  /** Changes during commands; absent: nothing is known of them. */
  readonly groups?: CommandGroups | undefined;
  readonly evidence: Pick<EvidenceRecords, 'known' | 'of' | 'onLearned'>;
  /** Folders of the workspace, absolute. */
  readonly roots: () => readonly string[];
  /** Shows the diff of an edit that waits for approval. */
  readonly openApproval: (question: ApprovalQuestion) => Promise<void>;
  /** Shows a change in its file. */
  readonly open: (change: PendingChange) => Promise<void>;
  /** Shows a change in the diff of its file. */
  readonly openDiff: (change: PendingChange) => Promise<void>;
  /** Shows all changes of files together. */
  readonly openAll: (files: readonly FileReview[]) => Promise<void>;
  /** Sends a comment on a change to the agent that made it. */
  readonly comment: (change: PendingChange, text: string) => Promise<void>;
  /** Shows what undoing the changes during a command would do, asks, and undoes them. @param only absolute paths */
  readonly undoDuring: (id: string, only?: readonly string[]) => Promise<void>;
}

/** The ways to a model, and to a persona. */
export interface PanelChoice {
  /** Id of the model that works without a key. */
  readonly demo: string;
  /** Looks for models that are there without a setting. Never rejects; absent: there is nowhere to look. */
  look?(): Promise<void>;
  /** The same, where the model of new sessions depends on it, or what is known of this one. */
  settle?(model?: string): Promise<void>;
  /** Personas that can be chosen; absent: none. */
  personas?(): number;
}

/** Keys that want a person's answer. */
export interface KeyNews {
  /** The host that had a key which is gone: nothing is sent there. */
  readonly lost?: string | undefined;
  /** The variable of the environment that holds a key nobody said yes to. */
  readonly offered?: string | undefined;
}

/** The window's setup. */
export interface PanelSetup {
  hasKey(): boolean;
  /** Keys that want an answer; absent: none does. */
  keyNews?(): KeyNews;
  /** MCP servers that do not run although they should. Absent: none. */
  serverProblems?(): readonly ServerProblem[];
  trusted(): boolean;
  hasWorkspace(): boolean;
  /** Without marks a model is ready, and nothing else is known of it. */
  models(): readonly (ModelInfo & { readonly marks?: ModelMarks })[];
  readonly choice: PanelChoice;
  /** The options of a new session: the settings. */
  defaults(): Required<SessionOptions>;
  /** One of the above changed. */
  onChange(listener: () => void): Disposable;
}

/** News of other windows on the same workspace. */
export interface PanelOthers {
  /** Another living process works on the session. */
  isElsewhere(sessionId: string): Promise<boolean>;
  /** Another window has written something to the database. */
  onChange(listener: () => void): Disposable;
  /** The text of an answer that is being written, as far as it is on record. */
  draftOf: Transcripts['draftOf'];
  /** Settles what windows left behind that have died. */
  reconcile(): Promise<void>;
  /** Runs in the background; absent: there are none. */
  readonly background?: PanelBackgroundRuns;
}

/** Runs that go on in processes of their own. Each method may reject with `BelayError`. */
export interface PanelBackgroundRuns {
  /** `undefined`: the session's run is not in the background. */
  of(sessionId: string): Promise<DetachedState | undefined>;
  handOver(sessionId: string): Promise<void>;
  takeBack(sessionId: string): Promise<void>;
  stop(sessionId: string): Promise<void>;
  /** One has left, has come back, or has ended. */
  onChange(listener: () => void): Disposable;
}

/** The panel's memory across reloads: in the database, or a map in tests. */
export interface PanelMemory {
  /** The session last shown; `undefined`: a new one. */
  lastSession(): string | undefined;
  setLastSession(sessionId: string | undefined): void;
  /** `''` stands for the new session. */
  saved(sessionId: string): SavedView | undefined;
  save(sessionId: string, view: SavedView | undefined): void;
  /** The new session has become this one. */
  become(sessionId: string): void;
  /** Resolves when what was saved last is on record; rejects with `store` when it cannot be. */
  settled(): Promise<void>;
  /** The list of pending changes is unfolded. */
  changesUnfolded(): boolean;
  unfoldChanges(unfolded: boolean): void;
}

/** The line to one webview. */
export interface PanelTransport {
  readonly visible: boolean;
  /** `message` is plain data. */
  post(message: unknown): void;
  onMessage(listener: (raw: unknown) => void): Disposable;
  onVisibility(listener: () => void): Disposable;
}
