import type { FollowUp } from '../domain/session/followup.ts';
import { type Journal, EMPTY_JOURNAL } from '../domain/session/journal.ts';
import type { DetachedState } from '../domain/run.ts';
import type { TodoItem } from '../domain/session/todo.ts';
import type { ReviewView } from './review-view.ts';
import type {
  ApprovalView,
  CompactionView,
  HandoffView,
  MessageView,
  MeterView,
  NoticeView,
  OptionsView,
  QuestionView,
  QueuedView,
  RunView,
  SavedView,
} from './view.ts';

/** Messages a snapshot holds at most; older ones come with `loadOlder`. */
export const SNAPSHOT_MESSAGES = 60;
/** Rows of the session list a snapshot holds at most, busy ones apart; all come with `listSessions`. */
export const SNAPSHOT_ROWS = 50;

/** Everything the panel shows, once. Afterwards only `Change`s are sent. */
export interface Snapshot {
  readonly app: AppView;
  readonly models: readonly ModelRow[];
  readonly sessions: SessionsView;
  readonly session: SessionView;
  /** Pending changes, of all sessions. */
  readonly review: ReviewView;
}

export interface AppView {
  /** A key for the API is stored. Never the key itself. */
  readonly hasKey: boolean;
  /** The variable of the environment that holds a key for the default provider, which is used after a yes only. */
  readonly offeredKey: string | null;
  /** The host whose key is gone: nothing is sent there until the person answers. */
  readonly lostKey: string | null;
  /** MCP servers that do not run although they should. */
  readonly serverProblems: readonly ServerProblem[];
  /** Workspace Trust. */
  readonly trusted: boolean;
  readonly hasWorkspace: boolean;
  /** Personas that can be chosen; absent: none. */
  readonly personas?: number;
}

export interface ServerProblem {
  readonly server: string;
  /** Why, in a sentence that names the server. */
  readonly said: string;
}

/** Who serves a model. */
export interface ModelSource {
  /** For people: "Ollama". */
  readonly name: string;
  /** `own`: the default provider, which needs a key; `set`: one that the person added; `editor`, `machine`: found without a setting. */
  readonly kind: 'own' | 'set' | 'editor' | 'machine' | 'demo';
}

export interface ModelRow {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly providerName: string;
  /** Tokens. */
  readonly contextWindow: number;
  readonly thinking: boolean;
  readonly source: ModelSource;
  readonly vision: boolean;
  /** Its provider has the key that it needs. */
  readonly ready: boolean;
  /** It runs on this machine. */
  readonly local: boolean;
  readonly favorite: boolean;
  /** Its place among those that were chosen last, 0 the newest; `null`: it is none of them. */
  readonly recent: number | null;
  /** "$3 in · $15 out per million tokens"; empty when unknown. */
  readonly price: string;
}

/** The list of sessions. `error` says why it could not be read: never an empty list instead. */
export interface SessionsView {
  /** The newest ones and all that are not idle, in no particular order. */
  readonly rows: readonly SessionRow[];
  /** Their number. */
  readonly total: number;
  readonly error: string | null;
  readonly deleted: DeletedView | null;
}

/** Sessions that were just deleted. */
export interface DeletedView {
  /** A sentence. */
  readonly said: string;
  /** They are still on disk. */
  readonly canUndo: boolean;
}

export interface SessionRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly title: string;
  readonly messageCount: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly state:
    | 'idle'
    | 'turn'
    | 'running'
    | 'background'
    | 'approval'
    | 'question'
    | 'unfinished'
    | 'failed';
  readonly pinned?: true;
  readonly archived?: true;
}

/** True for a session that is at work, waits for the person or can go on: it is never out of sight. */
export function isLive({ state }: Pick<SessionRow, 'state'>): boolean {
  return state !== 'idle' && state !== 'failed';
}

/** A session by its name. */
export interface ChildLink {
  readonly sessionId: string;
  readonly title: string;
}

export interface SessionView {
  /** `null`: a new session, which exists from its first message on. */
  readonly id: string | null;
  readonly title: string;
  readonly loading: boolean;
  /** The reason why a session cannot be read; then it has no messages, and nothing can be sent. */
  readonly error: string | null;
  /** Ascending by `seq`, the last ones. */
  readonly messages: readonly MessageView[];
  readonly hasOlder: boolean;
  readonly compactions: readonly CompactionView[];
  readonly run: RunView;
  readonly approvals: readonly ApprovalView[];
  readonly questions: readonly QuestionView[];
  readonly queue: readonly QueuedView[];
  /** Queued messages wait until the user sends them: after a stop, a restore or an import. */
  readonly isQueueHeld: boolean;
  /** As many runs are on as may be, and `before` sessions come first; `null`: it does not wait for its turn. */
  readonly turn: { readonly running: number; readonly before: number } | null;
  readonly todo: readonly TodoItem[];
  readonly journal: Journal;
  /** Prompts that come back into the session, the next one first. */
  readonly followUps: readonly FollowUp[];
  readonly options: OptionsView;
  readonly meter: MeterView;
  readonly handoff: HandoffView | null;
  /** The session that delegated to it; `null`: it is the person's own. */
  readonly parent: ChildLink | null;
  /** Sub-agents at work for it. */
  readonly children: readonly ChildLink[];
  /** Another window, or a process in the background, works on it: it can be watched here, and nothing can be sent. */
  readonly elsewhere: boolean;
  /** Its run is in the background, or on its way; `null`: it is not. */
  readonly detached: DetachedState | null;
  readonly notices: readonly NoticeView[];
  readonly saved: SavedView;
}

/** A run that is not there. */
export const IDLE_RUN: RunView = {
  runId: null,
  phase: 'idle',
  startedAt: null,
  phaseSince: null,
  iteration: 0,
  retry: null,
  end: null,
};

/** A session that has nothing yet. */
export const EMPTY_SESSION: SessionView = {
  id: null,
  title: '',
  loading: false,
  error: null,
  messages: [],
  hasOlder: false,
  compactions: [],
  run: IDLE_RUN,
  approvals: [],
  questions: [],
  queue: [],
  isQueueHeld: false,
  turn: null,
  todo: [],
  journal: EMPTY_JOURNAL,
  followUps: [],
  options: { model: '', mode: 'edit', thinking: 'off' },
  meter: {
    contextTokens: null,
    contextLimit: null,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cost: 0,
    costUnknown: false,
  },
  handoff: null,
  parent: null,
  children: [],
  elsewhere: false,
  detached: null,
  notices: [],
  saved: { draft: '', scroll: null },
};
