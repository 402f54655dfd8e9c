import type { LeftOut } from './ports/files/left-out.ts';
import type { ModelPurpose, RunEvent, RunEventBody } from '../domain/event.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Message, Usage } from '../domain/message.ts';
import type { Checkpoint, LedgerEntry, LedgerState, Run, RunState } from '../domain/run.ts';
import type { ChangeOptions } from './ports/files/change-origin.ts';
import type { SearchOverlay } from './ports/files/search-overlay.ts';
import type { Attachment, Compaction, QueuedMessage, Session } from '../domain/session.ts';

/**
 * What the core needs from the outside. At most eight methods a port; hosts and the store
 * implement them, tests use real implementations that pass the same contract suites.
 */

export interface Disposable {
  dispose(): void;
}

/** Time. Every wait of the core goes through it, so that tests can turn the hands. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. For people and for records. */
  now(): number;
  /** Milliseconds that never go back; for durations and limits. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with an AbortError when the signal fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  after(ms: number, run: () => void): Disposable;
  every(ms: number, run: () => void): Disposable;
}

/** Unique ids from a counter, never from the clock. */
export interface Ids {
  next(
    kind:
      | 'session'
      | 'run'
      | 'message'
      | 'compaction'
      | 'queued'
      | 'question'
      | 'attachment'
      | 'result'
      | 'call'
      | 'background',
  ): string;
}

export interface Log {
  debug(message: string, details?: JsonObject): void;
  info(message: string, details?: JsonObject): void;
  warn(message: string, details?: JsonObject): void;
  /** `thrown` gives the stack to the log, never to the panel. */
  error(message: string, thrown?: unknown): void;
}

/**
 * One durable change. A batch of them is one transaction: all or nothing, on disk when
 * `commit` resolves (rule "log before act").
 */
export type Write =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'ledger'; readonly entry: LedgerEntry }
  | { readonly kind: 'compaction'; readonly compaction: Compaction }
  | { readonly kind: 'usage'; readonly usage: UsageRecord }
  | { readonly kind: 'queued'; readonly queued: QueuedMessage }
  | { readonly kind: 'dequeued'; readonly id: string }
  | {
      readonly kind: 'value';
      /** Absent: of the workspace; else deleted, exported and restored with its session. */
      readonly sessionId?: string;
      readonly key: string;
      /** `null` removes it. */
      readonly value: Json;
    };

/** One model call in the token log (A8). */
export interface UsageRecord {
  readonly sessionId: string;
  readonly runId: string;
  readonly model: string;
  readonly purpose: ModelPurpose;
  readonly usage: Usage;
  /** US dollars; absent when the price is unknown. */
  readonly cost?: number;
  readonly at: number;
}

/**
 * The recorder of runs: every durable change of the core goes through `commit`.
 * Fails with `BelayError` code `store`: nothing of the batch is kept then; with
 * `details.retryable` (disk full, another window) the same batch may be given again later.
 * Fails with `busy` when another living window owns the session.
 *
 * What the store keeps in step by itself, in the same transaction: a session's `messageCount`,
 * `inputTokens`, `outputTokens`, `cost` and `costUnknown` (B12, parents included); those fields of
 * a `session` write are ignored. A `message` must have the next `seq`, or the id and `seq` of a
 * stored one, which it replaces. A ledger entry that is complete never becomes unfinished again.
 */
export interface Recorder {
  /** Resolves when the whole batch is on disk. Batches are kept in the order of the calls. */
  commit(writes: readonly Write[]): Promise<void>;
  /** Text of the message being streamed; kept so that a crash loses 250 ms at most (B3). Not part of the history. */
  draft(sessionId: string, messageId: string, parts: Json): void;
  /** Run events for the timeline; written in the background, never awaited by the loop (B7). */
  events(events: readonly RunEvent[]): void;
  /** Resolves when everything given before is on disk. */
  flush(): Promise<void>;
}

export interface MessageQuery {
  readonly sessionId: string;
  /** Only messages with a smaller seq. */
  readonly beforeSeq?: number;
  /** Only messages with a larger seq. */
  readonly afterSeq?: number;
  /** At most this many, the newest ones; order of the answer is always ascending. */
  readonly limit?: number;
}

/** Reading of sessions and their transcripts. */
export interface Transcripts {
  sessions(): Promise<readonly Session[]>;
  session(id: string): Promise<Session | undefined>;
  messages(query: MessageQuery): Promise<readonly Message[]>;
  compactions(sessionId: string): Promise<readonly Compaction[]>;
  /** Draft text of a message that was being streamed when the process died, if any. */
  draftOf(
    sessionId: string,
  ): Promise<{ readonly messageId: string; readonly parts: Json } | undefined>;
  events(sessionId: string, afterSeq?: number, limit?: number): Promise<readonly RunEvent[]>;
  /** Full-text search over titles and text parts, best first. */
  search(
    query: string,
    limit: number,
  ): Promise<
    readonly { readonly sessionId: string; readonly messageSeq: number; readonly excerpt: string }[]
  >;
  deleteSession(id: string): Promise<void>;
}

/** Runs, checkpoints and the ledger, for resume and reconciliation (C8, C9). */
export interface RunRecords {
  run(runId: string): Promise<Run | undefined>;
  runs(filter: {
    readonly sessionId?: string;
    readonly states?: readonly RunState[];
  }): Promise<readonly Run[]>;
  latestCheckpoint(runId: string): Promise<Checkpoint | undefined>;
  ledger(filter: {
    readonly runId?: string;
    readonly sessionId?: string;
    readonly states?: readonly LedgerState[];
  }): Promise<readonly LedgerEntry[]>;
  ledgerEntry(runId: string, callId: string): Promise<LedgerEntry | undefined>;
  queued(sessionId?: string): Promise<readonly QueuedMessage[]>;
  /** Updates the heartbeat of running runs; cheap, not awaited by the loop. */
  heartbeat(runIds: readonly string[], at: number): Promise<void>;
  /**
   * Unfinished runs without a living owner whose heartbeat is at least `olderThanMs` away from now
   * (in either direction: clocks jump); `0`: all of them. Their `running` calls are `unknown` when it resolves.
   */
  abandoned(olderThanMs: number): Promise<readonly Run[]>;
}

/** Small durable values: drafts of the input, options of a session, the journal. At most 1 MB each. */
export interface Values {
  get(key: string, sessionId?: string): Promise<Json | undefined>;
  /** `null` removes it. To change it together with other records, commit a `value` write. */
  set(key: string, value: Json, sessionId?: string): Promise<void>;
  /** Keys that start with `prefix`, in order. */
  list(
    prefix: string,
    sessionId?: string,
  ): Promise<readonly { readonly key: string; readonly value: Json }[]>;
}

/** Who owns a session: one window at a time. */
export interface Leases {
  /** Takes the session for this process, in one transaction; false when another live owner has it. */
  claim(sessionId: string): Promise<{ readonly owned: boolean; readonly owner?: LeaseOwner }>;
  release(sessionId: string): Promise<void>;
  owner(sessionId: string): Promise<LeaseOwner | undefined>;
  /** Renews all leases of this process; called on a timer. */
  renew(): Promise<void>;
}

export interface LeaseOwner {
  readonly processId: number;
  /** Birth time of the process as the system tells it, so that a reused pid is noticed. */
  readonly birth: string;
  readonly bootId: string;
  readonly self: boolean;
  readonly alive: boolean;
}

/** Totals of the token log (A8). */
export interface UsageTotals {
  /** Sum since a moment (milliseconds since the epoch). */
  total(
    sinceMs: number,
  ): Promise<{ readonly tokens: number; readonly cost: number; readonly calls: number }>;
  records(sessionId: string): Promise<readonly UsageRecord[]>;
}

/** Big tool results and attachments, kept whole (E3, A6). */
export interface Blobs {
  putResult(sessionId: string, resultId: string, text: string): Promise<void>;
  /** Characters `offset` to `offset + length`, and the size of the whole. */
  result(
    sessionId: string,
    resultId: string,
    offset: number,
    length: number,
  ): Promise<{ readonly text: string; readonly total: number } | undefined>;
  putAttachment(sessionId: string, attachment: Attachment): Promise<void>;
  attachment(sessionId: string, id: string): Promise<Attachment | undefined>;
}

/** Files of the workspace. Paths are absolute; errors are `BelayError` code `not_found`, `permission` or `tool`. */
export interface FileSystem {
  /** Fails with `invalid` when the file is larger than `maxBytes`. */
  read(path: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array>;
  /** Bytes `offset` to `offset + length`; shorter at the end of the file, empty behind it. */
  readPart(
    path: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<Uint8Array>;
  /**
   * Writes the whole file atomically where the system can; creates parents, keeps the mode, writes
   * through a link to its target.
   */
  write(path: string, content: Uint8Array, options?: WriteOptions): Promise<void>;
  stat(path: string): Promise<FileStat | undefined>;
  list(path: string): Promise<readonly FileEntry[]>;
  /**
   * The path without links. Of a path that is not there: its nearest existing parent's, and the rest;
   * a link whose target is missing counts as that target.
   */
  realpath(path: string): Promise<string>;
  /** To the trash where there is one. */
  delete(path: string, options?: ChangeOptions): Promise<void>;
  /** Creates parents, replaces nothing. */
  rename(from: string, to: string, options?: ChangeOptions): Promise<void>;
}

export type { ChangeOptions };

export interface ReadOptions {
  /**
   * The path must be a real one: when a part of it has become a link since it was judged, nothing is
   * read and it fails with `permission`.
   */
  readonly exact?: boolean;
}

export interface WriteOptions extends ChangeOptions {
  /**
   * The path must be a real one: when a part of it has become a link since it was judged, nothing is
   * written and it fails with `permission`.
   */
  readonly exact?: boolean;
  /**
   * What the file held, or `nothing` where there was none, when the content was made: where it holds
   * something else by now, that is kept, nothing is written, and it fails with `invalid`, its
   * `details.reason` being `changed`.
   */
  readonly replaces?: Uint8Array | 'nothing';
  /** Permission bits of a file that is made; one that is there keeps its own. */
  readonly mode?: number;
}

export interface FileStat {
  readonly type: 'file' | 'directory' | 'other';
  readonly size: number;
  readonly modifiedAt: number;
  readonly readOnly: boolean;
  /** Names that lead to the same file (hard links); absent: not known. */
  readonly names?: number;
  /** An editor has a text of it that nobody saved: that is what is read and written, not the disk. */
  readonly unsaved?: boolean;
  /** The system would run it as a program; absent: not known. */
  readonly executable?: boolean;
}

export interface FileEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
}

/** Runs commands. */
export interface Shell {
  /** Never rejects for the command's own failure; rejects with AbortError after the group is gone. */
  run(request: ShellRequest): Promise<ShellResult>;
}

export interface ShellRequest {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** A promise makes the command wait until it resolves. */
  readonly onOutput: (text: string) => void | Promise<void>;
  /** Told as soon as the process group exists, before the command can do anything that matters. */
  readonly onStarted?: (process: { readonly pid: number; readonly birth: string }) => Promise<void>;
  /** A person allowed this command outside the sandbox that is on. */
  readonly unsandboxed?: boolean;
}

export interface ShellResult {
  readonly exitCode: number | undefined;
  readonly signal?: string;
  /** stdout and stderr in the order of arrival, bounded; `total` is the number of characters seen. */
  readonly output: string;
  readonly total: number;
  readonly timedOut: boolean;
  /** Processes that the command left in its group had to be stopped. */
  readonly childrenStopped: boolean;
  /** Processes that had left its session on purpose and were stopped; absent when there were none. */
  readonly detached?: readonly { readonly pid: number; readonly name: string }[];
  /** What the model should know of how it ran: sentences. */
  readonly notes?: readonly string[];
}

/** Searching the workspace. */
export interface Search {
  text(request: TextSearchRequest, signal: AbortSignal): Promise<TextSearchResult>;
  /** How many lines match in each file, in the order of the paths; `limit` is one of files. */
  counts(request: TextSearchRequest, signal: AbortSignal): Promise<LineCounts>;
  files(request: FileSearchRequest, signal: AbortSignal): Promise<FileSearchResult>;
}

export interface TextSearchRequest {
  readonly root: string;
  readonly pattern: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Lines of context on each side. */
  readonly context: number;
  readonly limit: number;
  readonly overlay?: SearchOverlay;
}

export interface TextSearchResult {
  readonly matches: readonly TextMatch[];
  readonly complete: boolean;
  /** Only when nothing was found. */
  readonly leftOut?: LeftOut;
}

export interface TextMatch {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface LineCounts {
  readonly files: readonly { readonly path: string; readonly lines: number }[];
  readonly complete: boolean;
  readonly leftOut?: LeftOut;
}

export interface FileSearchRequest {
  readonly root: string;
  /** A glob, or part of a name for a fuzzy match. */
  readonly pattern: string;
  readonly limit: number;
  /** `false`: in any order, and as soon as there are enough. */
  readonly ordered?: boolean;
  readonly overlay?: SearchOverlay;
}

export interface FileSearchResult {
  readonly paths: readonly string[];
  /** `false`: there are more. */
  readonly complete: boolean;
}

export type {
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
  ProposedEdit,
} from './ports/person/approval.ts';

/** The person who answers questions (`ask_human`). */
export interface Human {
  ask(question: HumanQuestion, signal: AbortSignal): Promise<string>;
}

export interface HumanQuestion {
  readonly id: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  readonly question: string;
  readonly choices: readonly string[];
  /** Several of the choices may be picked; the answer has one on a line. */
  readonly several?: boolean;
}

/** Publishes run events to subscribers; never blocks, never throws (B7). */
export type Emit = (event: RunEventBody) => void;
