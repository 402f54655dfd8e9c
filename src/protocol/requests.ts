import * as z from 'zod/mini';
import type { ChangeEvidence } from '../domain/review/evidence.ts';
import type { WindowShares } from '../domain/models/window-shares.ts';
import { MODES } from '../domain/permissions/permission-mode.ts';
import { CENTER_SECTIONS } from './center/view.ts';
import { checkParams } from './check-params.ts';
import { type CodeResults, codeRequests } from './code-view.ts';
import { type InputResults, inputRequests, mention, mentions } from './completion-view.ts';
import { PROVIDER_ACTIONS } from './provider-view.ts';
import { ruleSchema } from './rule-schema.ts';
import { FOLLOWUP_LENGTH } from '../domain/session/followup.ts';
import {
  JOURNAL_ENTRY_LENGTH,
  JOURNAL_TEXT_LENGTH,
  MOST_ENTRIES,
} from '../domain/session/journal.ts';
import { MOST_TODOS, TODO_LENGTH, TODO_STATUSES } from '../domain/session/todo.ts';
import {
  type DecidedView,
  type GreenView,
  type TakenBackView,
  LISTED_GREEN,
  LISTED_HUNKS,
} from './review-view.ts';
import { ATTACHMENT_BYTES, ATTACHMENTS, MESSAGE_LIMIT } from './limits.ts';
import type { SessionRow } from './snapshot.ts';
import type { FoundPlace, MessageView, PromptMark, SearchHit } from './view.ts';

/** Attachments travel as base64: four characters for three bytes. */
const DATA_LIMIT = Math.ceil(ATTACHMENT_BYTES / 3) * 4;

const id = z.string().check(z.minLength(1), z.maxLength(200));
const sessionId = id;
const query = z.string().check(z.minLength(1), z.maxLength(500));
const sessionIds = z.array(sessionId).check(z.minLength(1), z.maxLength(10_000));
/** `null`: the new session, which exists from its first message on. */
const sessionOrNew = z.nullable(sessionId);
const text = z.string().check(z.maxLength(MESSAGE_LIMIT));
const someText = text.check(z.minLength(1));
const count = z.int().check(z.minimum(0));
const nothing = z.strictObject({});
const fieldName = z.string().check(z.maxLength(200));
const texts = z.array(text).check(z.maxLength(500));

const attachment = z.strictObject({
  id,
  name: z.string().check(z.minLength(1), z.maxLength(500)),
  mediaType: z.string().check(z.maxLength(200)),
  size: count,
  path: z.optional(z.string().check(z.maxLength(4096))),
  data: z.optional(z.string().check(z.maxLength(DATA_LIMIT))),
  mention: z.optional(mention),
});

const journalText = z.optional(z.string().check(z.maxLength(JOURNAL_TEXT_LENGTH)));
const journalList = z.optional(
  z.array(z.string().check(z.maxLength(JOURNAL_ENTRY_LENGTH))).check(z.maxLength(MOST_ENTRIES)),
);

const journalSections = z.strictObject({
  objective: journalText,
  current_state: journalText,
  verified_findings: journalList,
  decisions: journalList,
  artifacts: journalList,
  open_questions: journalList,
  blockers: journalList,
  handoff_next_action: journalText,
});

/** Commands that the panel runs. */
const PANEL_COMMANDS = [
  'chooseMode',
  'chooseModel',
  'choosePersona',
  'exportSession',
  'manageTrust',
  'newSession',
  'openSettings',
  'openWalkthrough',
  'restore',
  'setApiKey',
  'showChangeList',
  'showJournal',
  'showLog',
  'useWithoutKey',
] as const;
export type PanelCommand = (typeof PANEL_COMMANDS)[number];

const MESSAGE_ACTIONS = [
  'restore_files',
  'restore_conversation',
  'restore_both',
  'undo_turn',
  'fork',
  'edit',
  'retry',
  'other_model',
] as const;

const path = z.string().check(z.minLength(1), z.maxLength(4096));
const hunkName = z.strictObject({ path, hunkId: id });
/** Whose change it is: empty where nobody knows any more. */
const madeBy = z.string().check(z.maxLength(200));
const request = { sessionId: madeBy, messageId: madeBy };

/** The panel's requests: their schemas are types, and checks before a handler. */
export const requestSchemas = {
  // sessions
  newSession: nothing,
  openSession: z.strictObject({ sessionId }),
  /** In an editor tab; `beside`: of the next group. */
  openInEditor: z.strictObject({ sessionId, beside: z.boolean() }),
  renameSession: z.strictObject({
    sessionId,
    title: z.string().check(z.minLength(1), z.maxLength(200)),
  }),
  /** Out of sight at once; on disk until the time for `undoDelete` is over. */
  deleteSessions: z.strictObject({ sessionIds }),
  undoDelete: nothing,
  /** The person does not want it back: no need to wait. */
  finishDelete: nothing,
  markSessions: z.strictObject({
    sessionIds,
    pinned: z.optional(z.boolean()),
    archived: z.optional(z.boolean()),
  }),
  exportSession: z.strictObject({ sessionId }),
  importSession: nothing,
  /** All rows; a snapshot holds only the newest. */
  listSessions: nothing,
  searchSessions: z.strictObject({ query }),
  findInSession: z.strictObject({ sessionId, query, matchCase: z.boolean() }),
  /** The person's messages of a session, for the marks beside it. */
  listPrompts: z.strictObject({ sessionId }),
  /** The person's own words: of this session, then of others, the newest first. */
  promptHistory: z.strictObject({ sessionId: sessionOrNew }),
  // the run
  send: z.strictObject({
    sessionId: sessionOrNew,
    text,
    attachments: z.array(attachment).check(z.maxLength(ATTACHMENTS)),
    how: z.enum(['queue', 'steer', 'stop_and_send']),
  }),
  stop: z.strictObject({ sessionId }),
  /** The run goes on in a process of its own, from its next step on. */
  toBackground: z.strictObject({ sessionId }),
  /** It goes on in this window, or does not leave it. */
  takeBack: z.strictObject({ sessionId }),
  /** A command in the background. */
  stopBackground: z.strictObject({ id }),
  continueRun: z.strictObject({ sessionId }),
  resume: z.strictObject({
    runId: id,
    decisions: z.record(id, z.enum(['happened', 'run_again', 'let_model_check'])),
  }),
  discardRun: z.strictObject({ runId: id }),
  retryNow: z.strictObject({ sessionId }),
  compact: z.strictObject({ sessionId, instruction: z.optional(someText) }),
  undoCompaction: z.strictObject({ sessionId, compactionId: id }),
  /** By category, for the meter. */
  windowShares: z.strictObject({ sessionId }),
  // ways back
  /** A message's menu, asked about in the editor. */
  messageAction: z.strictObject({ sessionId, messageId: id, action: z.enum(MESSAGE_ACTIONS) }),
  redoRestore: z.strictObject({ sessionId }),
  // the person's answers
  answerApproval: z.strictObject({
    questionId: id,
    /** Of what was shown; another hash is refused. */
    hash: z.string().check(z.maxLength(200)),
    allowed: z.boolean(),
    keep: z.optional(z.enum(['session', 'project', 'edits'])),
    reason: z.optional(someText),
    /** Files that are left out of the approval. */
    without: z.optional(z.array(path).check(z.maxLength(1000))),
  }),
  answerQuestion: z.strictObject({ questionId: id, text: someText }),
  /** A form or a page of an MCP server. */
  answerServer: z.strictObject({
    questionId: id,
    /** Of what was shown; another hash is refused. */
    hash: z.string().check(z.maxLength(200)),
    action: z.enum(['accept', 'decline', 'cancel']),
    /** `null`: left out on purpose. */
    content: z.record(fieldName, z.union([z.null(), text, z.number(), z.boolean(), texts])),
  }),
  keepForm: z.strictObject({
    questionId: id,
    typed: z.record(fieldName, z.union([text, texts])),
  }),
  /** Runs the plan that a message is, in a mode. */
  acceptPlan: z.strictObject({ sessionId, messageId: id, mode: z.enum(MODES) }),
  // pending changes
  /** `hunkId`: `null` for the first one of the file. */
  openChange: z.strictObject({ path, hunkId: z.nullable(id) }),
  /** The first pending change that a call made. */
  openCallChange: z.strictObject({ callId: id }),
  /** `null`: those of all requests. */
  openAllChanges: z.strictObject({ request: z.nullable(z.strictObject(request)) }),
  /** Shows what undoing would do, and asks. `null`: all files of the command. */
  undoDuring: z.strictObject({ id, path: z.nullable(path) }),
  dismissDuring: z.strictObject({ id }),
  /** To the agent that made the change. */
  commentOnChange: z.strictObject({
    path,
    hunkId: id,
    text: z.string().check(z.minLength(1), z.maxLength(20_000)),
  }),
  /** Decides about pending changes here from now on, and not in another window. */
  takeOverChanges: z.strictObject({}),
  /** Takes a decision about pending changes back. */
  takeBackDecision: z.strictObject({ id: z.string().check(z.maxLength(100)) }),
  decideChanges: z.strictObject({
    decision: z.enum(['keep', 'undo']),
    /** Of the list that was on screen. */
    version: count,
    selection: z.discriminatedUnion('of', [
      z.strictObject({ of: z.literal('hunk'), path, hunkId: id }),
      z.strictObject({ of: z.literal('file'), path, ...request }),
      z.strictObject({ of: z.literal('request'), ...request }),
      z.strictObject({
        of: z.literal('green'),
        hunks: z.array(hunkName).check(z.minLength(1), z.maxLength(LISTED_GREEN)),
      }),
      z.strictObject({ of: z.literal('all') }),
    ]),
  }),
  /** Why a change was made, and what was found out about it since. */
  changeEvidence: hunkName,
  greenChanges: nothing,
  lookAt: z.strictObject({
    path,
    hunkIds: z.array(id).check(z.minLength(1), z.maxLength(LISTED_HUNKS)),
    looked: z.boolean(),
  }),
  /** The list is unfolded, or not, from now on. */
  unfoldChanges: z.strictObject({ unfolded: z.boolean() }),
  // rules
  removeRules: z.strictObject({
    sessionId: sessionOrNew,
    rules: z.array(ruleSchema).check(z.maxLength(50)),
  }),
  // the queue
  /** Sends what is held in the queue, in its order. */
  sendQueued: z.strictObject({ sessionId }),
  editQueued: z.strictObject({ id, text: someText }),
  removeQueued: z.strictObject({ id }),
  moveQueued: z.strictObject({ id, index: count }),
  // the list of steps
  setTodo: z.strictObject({
    sessionId,
    items: z
      .array(
        z.strictObject({
          text: z.string().check(z.minLength(1), z.maxLength(TODO_LENGTH)),
          status: z.enum(TODO_STATUSES),
        }),
      )
      .check(z.maxLength(MOST_TODOS)),
  }),
  // sections of the journal
  setJournal: z.strictObject({ sessionId, sections: journalSections }),
  // prompts that come back
  editFollowUp: z.strictObject({
    id,
    prompt: z.string().check(z.minLength(1), z.maxLength(FOLLOWUP_LENGTH)),
    dueAt: count,
  }),
  cancelFollowUp: z.strictObject({ id }),
  // options
  setModel: z.strictObject({ sessionId: sessionOrNew, model: id }),
  setMode: z.strictObject({
    sessionId: sessionOrNew,
    mode: z.enum(MODES),
  }),
  setThinking: z.strictObject({
    sessionId: sessionOrNew,
    thinking: z.enum(['off', 'low', 'medium', 'high']),
  }),
  // the first minute
  lookForModels: nothing,
  // providers of models
  providerAction: z.strictObject({ action: z.enum(PROVIDER_ACTIONS), provider: z.nullable(id) }),
  favorModel: z.strictObject({ model: id, on: z.boolean() }),
  openCenter: z.strictObject({ section: z.enum(CENTER_SECTIONS), item: z.optional(id) }),
  runCommand: z.strictObject({ command: z.enum(PANEL_COMMANDS) }),
  tryDemo: nothing,
  // on demand
  loadOlder: z.strictObject({ sessionId, beforeSeq: count }),
  loadNewer: z.strictObject({ sessionId, afterSeq: count }),
  loadResult: z.strictObject({
    sessionId,
    /** `seq` of the message with the call. */
    seq: count,
    callId: id,
    what: z.enum(['input', 'result', 'diff']),
    /** Characters to skip. */
    offset: count,
  }),
  /** `callId`: of the result of this call, in a message with the call. */
  loadBinary: z.strictObject({ sessionId, seq: count, index: count, callId: z.optional(id) }),
  loadSummary: z.strictObject({ sessionId, compactionId: id }),
  pickFiles: nothing,
  // the input
  ...inputRequests,
  // what an answer says
  ...codeRequests,
  // what only the editor can do
  /** `at`: the message of the call, where the call has ended. */
  openDiff: z.strictObject({
    callId: id,
    at: z.optional(z.strictObject({ sessionId: id, seq: count })),
  }),
  openFile: z.strictObject({
    path: z.string().check(z.minLength(1), z.maxLength(4096)),
    line: z.optional(count),
  }),
  openExternal: z.strictObject({
    url: z.string().check(z.maxLength(4096), z.regex(/^https?:\/\//iu)),
    shown: z.optional(z.string().check(z.maxLength(1000))),
  }),
  /** A resource that the result of a server's tool names or brought along, by its place there. */
  openResource: z.strictObject({ sessionId, seq: count, callId: id, index: count }),
  /** The app of a server for the result of a call. */
  openApp: z.strictObject({ sessionId, seq: count, callId: id }),
  openSettings: z.strictObject({ query: z.string().check(z.maxLength(200)) }),
  copy: z.strictObject({ text }),
  // the panel's own
  saveViewState: z.strictObject({
    sessionId: sessionOrNew,
    /** Absent: as it was, which another place may know better. */
    draft: z.optional(text),
    mentions: z.optional(mentions),
    /** Counts the drafts of this page. */
    typed: z.optional(count),
    scroll: z.nullable(z.strictObject({ messageId: id, offset: z.number() })),
  }),
  dismissNotice: z.strictObject({ id }),
} as const;

export type RequestName = keyof typeof requestSchemas;
export type RequestParams<Name extends RequestName> = z.infer<(typeof requestSchemas)[Name]>;
export type MessageAction = (typeof MESSAGE_ACTIONS)[number];

export type AttachmentView = z.infer<typeof attachment>;

/** Requests that are answered with more than "done". */
interface SpecialResults extends InputResults, CodeResults {
  readonly send: { readonly sessionId: string; readonly queuedId: string | null };
  readonly decideChanges: DecidedView;
  readonly takeBackDecision: TakenBackView;
  readonly windowShares: WindowShares;
  readonly changeEvidence: ChangeEvidence;
  readonly greenChanges: GreenView;
  readonly listSessions: { readonly rows: readonly SessionRow[] };
  readonly searchSessions: { readonly hits: readonly SearchHit[]; readonly complete: boolean };
  readonly findInSession: { readonly places: readonly FoundPlace[] };
  readonly listPrompts: { readonly prompts: readonly PromptMark[] };
  readonly promptHistory: { readonly texts: readonly string[] };
  readonly loadOlder: { readonly messages: readonly MessageView[]; readonly hasOlder: boolean };
  readonly loadNewer: {
    readonly messages: readonly MessageView[];
    readonly hasNewer: boolean;
  };
  /** `next`: where the rest begins; `null` at the end. */
  readonly loadResult: {
    readonly text: string;
    readonly total: number;
    readonly next: number | null;
  };
  readonly loadBinary: { readonly mediaType: string; readonly data: string };
  readonly loadSummary: { readonly text: string };
  /** The person sees it before it is sent; `note`: whose words these are, in a sentence. */
  readonly fillCommand: {
    readonly text: string;
    readonly attachments: readonly AttachmentView[];
    readonly note: string;
  };
  readonly pickFiles: { readonly attachments: readonly AttachmentView[] };
}

export type RequestResult<Name extends RequestName> = Name extends keyof SpecialResults
  ? SpecialResults[Name]
  : null;

/** One handler for each request; a missing one does not compile. */
export type RequestHandlers = {
  readonly [Name in RequestName]: (
    params: RequestParams<Name>,
  ) => Promise<RequestResult<Name>> | RequestResult<Name>;
};

/** Checks the parameters of a request; the problem is for the log. */
export function checkRequest<Name extends RequestName>(
  name: Name,
  params: unknown,
): { readonly params: RequestParams<Name> } | { readonly problem: string } {
  return checkParams(requestSchemas, name, params) as ReturnType<typeof checkRequest<Name>>;
}
