import type { Failure } from '../domain/failure.ts';
import type { Mention } from '../domain/mention.ts';
import type {
  FileLink,
  FinishPart,
  ImageUrlPart,
  Origin,
  ReasoningPart,
  TextPart,
  ToolResultState,
} from '../domain/message.ts';
import type { Json } from '../domain/data/json.ts';
import type { Mode } from '../domain/permissions/permission-mode.ts';
import type { ServerRequest, TypedForm } from '../domain/mcp/server-request.ts';
import type { PermissionRule } from '../domain/permissions/permission-rule.ts';
import type { DiffLine } from './diff-lines.ts';

/** Text that may be cut: of `total` characters the panel asks for the rest (`loadResult`). */
export interface Preview {
  readonly text: string;
  readonly total: number;
}

/** A message as the panel shows it. Tool results are shown on the card of their call. */
export interface MessageView {
  readonly id: string;
  /** Order within the session. */
  readonly seq: number;
  readonly role: 'user' | 'assistant';
  readonly origin?: Origin;
  /** The model that answered. */
  readonly model?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** One for each part of the stored message, in the same order. */
  readonly parts: readonly PartView[];
  /** It is being streamed. */
  readonly open: boolean;
}

/** One component a type. Big things are replaced by what the panel needs to ask for them. */
export type PartView =
  | TextPart
  | ReasoningView
  | ToolView
  | FinishPart
  | BinaryView
  | ImageUrlPart
  | MentionView;

/** Something that a message pointed at, and the text that the model got of it. */
export interface MentionView {
  readonly type: 'mention';
  readonly mention: Mention;
  readonly text: Preview;
}

/** Thinking without its signature, which the panel has no use for. */
export type ReasoningView = Pick<ReasoningPart, 'type' | 'text'>;

export interface BinaryView {
  readonly type: 'binary';
  readonly mediaType: string;
  readonly name?: string;
  /** Bytes. */
  readonly size: number;
  /** Base64; absent for big images, which the panel loads with `loadBinary`. */
  readonly data?: string;
}

/** A tool call from its first byte to its result. */
export type ToolState =
  /** The model is still writing its arguments. */
  | 'input'
  /** Waits for its turn. */
  | 'pending'
  /** Waits for the person's yes. */
  | 'approval'
  | 'running'
  | ToolResultState;

export interface ToolView {
  readonly type: 'tool';
  readonly callId: string;
  readonly name: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** "Read", "Run", "Search for". */
  readonly title: string;
  /** A path, a command line, a pattern. */
  readonly subject: string;
  readonly file: FileLink | null;
  /** It changes nothing, and many in a row are counted: the word for one, and for several. */
  readonly counted: readonly [one: string, several: string] | null;
  readonly state: ToolState;
  /** The arguments as indented JSON, or as far as they have arrived. */
  readonly input: Preview;
  /** Milliseconds since the epoch on the host's clock. */
  readonly startedAt: number | null;
  readonly elapsedMs: number | null;
  /** The last characters of what a running tool has printed (D11). */
  readonly output: string;
  readonly progress: { readonly message: string; readonly fraction: number | null } | null;
  readonly retry: {
    readonly attempt: number;
    readonly until: number;
    readonly message: string;
  } | null;
  readonly result: Preview | null;
  /** The command line of a call that runs one, as it was written; cut where it is very long. */
  readonly command: string | null;
  /** The command goes on beside the run, or did. */
  readonly background: { readonly id: string; readonly running: boolean } | null;
  /** The session of the sub-agent that the call is; `null`: it is none, or not begun. */
  readonly agent: string | null;
  /** A short fact beside the title: "exit code 1", "12 matches". */
  readonly note: string;
  /** The model got the call wrong, and corrects it: no failure for the user to read. */
  readonly isModelMistake: boolean;
  /** The failure in a few lines; empty when it ended well. */
  readonly trouble: string;
  /** Files of a patch, steps of a plan, answers. */
  readonly details: readonly ToolDetail[];
  readonly files: readonly FileLink[];
  /** Pictures and sounds of the result. */
  readonly media: readonly MediaView[];
  /** The part of a result that only MCP servers give; `null`: there is none. */
  readonly server: ServerResultView | null;
  readonly diff: DiffStat | null;
  /** The result was replayed from the ledger after a restart (C9). */
  readonly replayed: boolean;
}

/** A picture or sound of a result. */
export interface MediaView extends BinaryView {
  /** Its place among the parts of the result. */
  readonly index: number;
}

/** The part of a server's result that is more than texts and media. */
export interface ServerResultView {
  /** Its structured output; `null`: there is none, or it is too large to be drawn. */
  readonly structured: Json;
  /** Links, and what came along. */
  readonly resources: readonly { readonly name: string; readonly uri: string }[];
  /** The server has a page that shows it. */
  readonly app: boolean;
}

/** One of the things that a call consists of, as a row of its unfolded card. */
export interface ToolDetail {
  /** Name of a codicon. */
  readonly icon: string;
  readonly text: string;
  /** The outcome. */
  readonly note: string;
  readonly file: FileLink | null;
  /** Of a page. */
  readonly url: string | null;
  /** It did not work out; `note` says why. */
  readonly problem: boolean;
}

export interface DiffStat {
  /** Empty: several files, which have no diff of their own in the editor. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly creates: boolean;
}

export interface ApprovalView {
  readonly questionId: string;
  readonly callId: string;
  /** Name of the sub-agent that asks; empty: the session itself does. */
  readonly agent: string;
  readonly tool: string;
  readonly title: string;
  /** Exactly what will happen, never cut: the answer carries the hash of it. */
  readonly detail: string;
  /** `detail` is sentences, not something that is run or sent to the letter. */
  readonly prose: boolean;
  /** In words; empty: nothing is said of it. */
  readonly where: string;
  /** One sentence; empty: the mode asks. */
  readonly reason: string;
  readonly hash: string;
  /** Questions of one run that wait together are a group. */
  readonly runId: string;
  /** The rules that the approval may be remembered as, in words; empty: it counts once. */
  readonly keep: readonly string[];
  /** A plain *Allow* is remembered for the project. */
  readonly remembersCheck: boolean;
  /** The change of each file; empty: it is not an edit. */
  readonly edits: readonly EditView[];
  /** *Allow All Edits in This Session* is offered. */
  readonly offersAllEdits: boolean;
  /** Files may be left out. */
  readonly isSelectable: boolean;
}

/** The change of one file on an approval card. */
export interface EditView extends DiffStat {
  /** The path as the user sees it. */
  readonly name: string;
  readonly deletes: boolean;
  /** The path that the file is moved to. */
  readonly movesTo: string | null;
  readonly lines: readonly DiffLine[];
  /** All lines are in `lines`. */
  readonly complete: boolean;
}

export interface QuestionView {
  readonly questionId: string;
  readonly callId: string;
  readonly question: string;
  readonly choices: readonly string[];
  /** Several choices may be picked. */
  readonly several: boolean;
  /** A form or a page of an MCP server is what is asked; `null`: the model asks. */
  readonly request: ServerRequest | null;
  /** Written into the form already. */
  readonly typed: TypedForm;
}

/** A message that waits for the session (C7). */
export interface QueuedView {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly string[];
  readonly mode: 'queue' | 'steer';
}

export type RunPhase =
  | 'idle'
  | 'starting'
  | 'model'
  | 'streaming'
  | 'tools'
  | 'retrying'
  | 'waiting'
  | 'stopping'
  | 'compacting';

/** The state of the session's run (D12). */
export interface RunView {
  readonly runId: string | null;
  readonly phase: RunPhase;
  /** Milliseconds since the epoch on the host's clock; `null` when nothing runs. */
  readonly startedAt: number | null;
  readonly phaseSince: number | null;
  readonly iteration: number;
  readonly retry: RetryView | null;
  /** `null` while a run is on and when there was none. */
  readonly end: RunEndView | null;
}

/** A model call that is tried again (B9). */
export interface RetryView {
  readonly reason: string;
  readonly attempt: number;
  readonly attempts: number;
  /** Milliseconds since the epoch on the host's clock. */
  readonly until: number;
}

export interface RunEndView {
  readonly reason: string;
  readonly canContinue: boolean;
  readonly failure: Pick<Failure, 'code' | 'message'> | null;
}

export interface MeterView {
  /** Tokens of the last request, or an estimate of the next; `null` before the first. */
  readonly contextTokens: number | null;
  readonly contextLimit: number | null;
  /** Sums over the session, cached tokens included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  /** US dollars. */
  readonly cost: number;
  /** A part of the cost is not known, because a price is not. */
  readonly costUnknown: boolean;
}

/** A compaction in the transcript (C3). */
export interface CompactionView {
  readonly id: string;
  /** The marker stands after the message with this `seq`. */
  readonly throughSeq: number;
  readonly strategy: string;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** The handoff card: the rest of a crash or a limit. */
export interface HandoffView {
  readonly runId: string;
  readonly startedAt: number;
  readonly iteration: number;
  readonly draft: string;
  /** Calls of the answer that was being written; none has begun. */
  readonly asked: readonly HandoffCall[];
  /** Ended by themselves, well or not. */
  readonly finished: readonly HandoffCall[];
  /** Stopped in the middle: the model is told that they may have done a part. */
  readonly stopped: readonly HandoffCall[];
  readonly unknown: readonly HandoffCall[];
  /** A person may let it go on; `reason` says what to know about that, or why not. */
  readonly resumable: boolean;
  readonly reason: string;
  readonly promptDrift: boolean;
}

export interface HandoffCall {
  readonly callId: string;
  readonly icon: string;
  readonly title: string;
  readonly subject: string;
  readonly detail: string;
}

export type NoticeAction =
  | 'set_api_key'
  | 'choose_model'
  | 'continue'
  | 'retry'
  | 'show_log'
  | 'new_session'
  | 'open_settings'
  | 'compact'
  | 'try_demo'
  | 'undo_rules'
  | 'show_rules'
  | 'redo_restore';

/** Id of the notice that says how the last run ended; there is one at most. */
export const END_NOTICE = 'end';

/** A sentence for the person, with a way on. */
export interface NoticeView {
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly actions: readonly NoticeAction[];
  /** For `undo_rules`: what is taken back. */
  readonly rules?: readonly PermissionRule[];
}

export interface OptionsView {
  readonly model: string;
  readonly mode: Mode;
  readonly thinking: 'off' | 'low' | 'medium' | 'high';
  /** Name of the persona; empty: none is in force. */
  readonly persona?: string;
}

/** The panel's own memory of a session. */
export interface SavedView {
  readonly draft: string;
  /** Those that belong to the draft. */
  readonly mentions?: readonly Mention[] | undefined;
  /** The row at the top edge and how far it is scrolled out, in pixels; `null`: at the end. */
  readonly scroll: { readonly messageId: string; readonly offset: number } | null;
}

/** A hit of the search in all sessions. */
export interface SearchHit {
  readonly sessionId: string;
  /** Of the message; 0: the title. */
  readonly seq: number;
  readonly role: 'user' | 'assistant' | 'tool';
  /** Milliseconds since the epoch; 0 of a title. */
  readonly at: number;
  /** Messages of the session that were found. */
  readonly hits: number;
  readonly pieces: readonly { readonly text: string; readonly hit: boolean }[];
}

/** A message of the session in which something occurs. */
export interface FoundPlace {
  readonly seq: number;
  readonly id: string;
  /** How often. */
  readonly hits: number;
}

/** A message of the person, as it is marked beside the conversation. */
export interface PromptMark {
  readonly seq: number;
  readonly id: string;
  /** Its first line. */
  readonly line: string;
}
