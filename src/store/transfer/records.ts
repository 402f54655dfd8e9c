import * as z from 'zod';
import type { Compaction, QueuedMessage, Session } from '../../domain/session/session.ts';
import type { Checkpoint, LedgerEntry, Run } from '../../domain/run.ts';
import type { Json, JsonObject } from '../../domain/data/json.ts';
import { currentParts } from '../../domain/models/replay.ts';
import type { FinishReason, Message, Origin } from '../../domain/message.ts';
import type { UsageRecord } from '../../core/ports/store/recorder.ts';

/** The lines of an exported session; the types keep them in step with the domain. */

const id = z.string().min(1).max(500);
const count = z.int().min(0);
const time = z.number();
const json: z.ZodType<Json> = z.json();
const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);

/** Complete by construction: a value that is added to the domain does not compile until it stands here. */
const ORIGINS = {
  person: 'person',
  policy: 'policy',
  summary: 'summary',
  journal: 'journal',
  followup: 'followup',
  parent: 'parent',
  environment: 'environment',
  memory: 'memory',
} as const satisfies { readonly [Name in Origin]: Name };

const FINISH_REASONS = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  pause: 'pause',
  refusal: 'refusal',
  context_window: 'context_window',
  canceled: 'canceled',
  permission_denied: 'permission_denied',
  failed: 'failed',
  unknown: 'unknown',
} as const satisfies { readonly [Name in FinishReason]: Name };

const replay = z.exactOptional(
  z.object({ instance: z.string(), wire: z.string(), model: z.string(), data: z.json() }),
);

const mention = z.object({
  source: id,
  ref: z.string(),
  label: z.string(),
  detail: z.string(),
  icon: z.string(),
  tokens: z.nullable(count),
});
const text = z.object({
  type: z.literal('text'),
  text: z.string(),
  replay,
  mention: z.exactOptional(mention),
});
const binary = z.object({
  type: z.literal('binary'),
  mediaType: z.string(),
  data: z.string(),
  name: z.exactOptional(z.string()),
  mention: z.exactOptional(mention),
});

const part = z.discriminatedUnion('type', [
  text,
  binary,
  z.object({
    type: z.literal('reasoning'),
    text: z.string(),
    replay,
    // As it was called once.
    signature: z.exactOptional(z.string()),
    redacted: z.exactOptional(z.string()),
  }),
  z.object({
    type: z.literal('tool_call'),
    id,
    name: z.string(),
    input: jsonObject,
    invalid: z.exactOptional(z.object({ problem: z.string(), raw: z.string() })),
    via: z.exactOptional(z.string()),
    replay,
  }),
  z.object({
    type: z.literal('tool_result'),
    callId: id,
    name: z.string(),
    state: z.enum(['done', 'failed', 'denied', 'canceled', 'unknown']),
    content: z.array(z.discriminatedUnion('type', [text, binary])),
    cut: z.exactOptional(z.object({ resultId: id, shown: count, total: count })),
    files: z.exactOptional(
      z.array(z.object({ path: z.string(), line: z.exactOptional(z.number()) })),
    ),
    display: z.exactOptional(jsonObject),
    elapsedMs: z.exactOptional(z.number()),
    retries: z.exactOptional(count),
  }),
  z.object({
    type: z.literal('finish'),
    reason: z.enum(FINISH_REASONS),
    detail: z.exactOptional(z.string()),
  }),
  z.object({ type: z.literal('image_url'), url: z.string() }),
]);

const usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: z.exactOptional(count),
  billed: z.exactOptional(z.number()),
  estimated: z.exactOptional(z.boolean()),
});

const session: z.ZodType<Session> = z.object({
  id,
  parentId: z.exactOptional(id),
  type: z.enum(['main', 'title', 'task']),
  title: z.string(),
  messageCount: count,
  inputTokens: count,
  outputTokens: count,
  cost: z.number(),
  costUnknown: z.exactOptional(z.boolean()),
  summaryId: z.exactOptional(id),
  model: z.exactOptional(z.string()),
  persona: z.exactOptional(z.string()),
  createdAt: time,
  updatedAt: time,
});

const message: z.ZodType<Message> = z.object({
  id,
  sessionId: id,
  runId: z.exactOptional(id),
  seq: z.int().min(1),
  role: z.enum(['user', 'assistant', 'tool']),
  origin: z.exactOptional(z.enum(ORIGINS)),
  parts: z.array(part).transform(currentParts),
  model: z.exactOptional(z.string()),
  usage: z.exactOptional(usage),
  createdAt: time,
});

const run: z.ZodType<Run> = z.object({
  id,
  sessionId: id,
  state: z.enum([
    'queued',
    'running',
    'waiting_on_human',
    'completed',
    'cancelled',
    'failed',
    'timed_out',
  ]),
  iteration: count,
  model: z.string(),
  mode: z.string(),
  persona: z.exactOptional(z.string()),
  // A run's end is shown, never computed with.
  end: z.exactOptional(z.looseObject({}) as unknown as z.ZodType<NonNullable<Run['end']>>),
  cancelRequested: z.boolean(),
  resumeAvailable: z.boolean(),
  startedAt: time,
  heartbeatAt: time,
  endedAt: z.exactOptional(time),
});

const checkpoint: z.ZodType<Checkpoint> = z.object({
  runId: id,
  sessionId: id,
  number: count,
  kind: z.enum([
    'input',
    'llm_response',
    'tool_result',
    'compaction',
    'journal_update',
    'human_pause',
    'final',
  ]),
  iteration: count,
  messageCursor: count,
  messageCount: count,
  promptHash: z.string(),
  finishedCallIds: z.array(id),
  policyStates: jsonObject,
  loop: jsonObject as unknown as z.ZodType<Checkpoint['loop']>,
});

const ledgerEntry: z.ZodType<LedgerEntry> = z.object({
  runId: id,
  sessionId: id,
  callId: id,
  name: z.string(),
  input: jsonObject,
  idempotent: z.boolean(),
  state: z.enum([
    'pending',
    'approved',
    'running',
    'done',
    'failed',
    'denied',
    'canceled',
    'unknown',
  ]),
  startedAt: z.exactOptional(time),
  completedAt: z.exactOptional(time),
  result: z.exactOptional(json),
  attempts: count,
  process: z.exactOptional(z.object({ pid: z.int(), birth: z.string() })),
});

const compaction: z.ZodType<Compaction> = z.object({
  id,
  sessionId: id,
  throughSeq: count,
  summary: z.string(),
  strategy: z.enum(['summarize', 'truncate', 'prune']),
  reason: z.string(),
  tokensBefore: count,
  tokensAfter: count,
  resultLimit: z.exactOptional(z.object({ throughSeq: count, characters: count })),
  requestLimit: z.exactOptional(count),
  undone: z.boolean(),
  createdAt: time,
});

const usageRecord: z.ZodType<UsageRecord> = z.object({
  sessionId: id,
  runId: z.string(),
  model: z.string(),
  purpose: z.enum(['turn', 'title', 'summary', 'task']),
  usage,
  cost: z.exactOptional(z.number()),
  at: time,
});

/** A name, not a way to somewhere else: what is written out under it stays where it is put (CWE-22). */
const fileName = z
  .string()
  .max(500)
  .refine((name) => isPlainName(name), 'is not the name of a file but a path');

const attachment = z.object({
  id: id.refine((name) => isPlainName(name), 'is not an id but a path'),
  name: fileName,
  mediaType: z.string(),
  size: count,
  path: z.exactOptional(z.string()),
  data: z.exactOptional(z.string()),
  mention: z.exactOptional(mention),
  taken: z.exactOptional(z.array(z.discriminatedUnion('type', [text, binary]))),
});

const queued: z.ZodType<QueuedMessage> = z.object({
  id,
  sessionId: id,
  position: z.number(),
  text: z.string(),
  attachments: z.array(attachment),
  mode: z.enum(['queue', 'steer']),
  createdAt: time,
});

function isPlainName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return !/[/\\\u0000-\u001f]/u.test(name) && !/^\.{1,2}$/u.test(name) && !/^[a-z]:/iu.test(name);
}

export const header = z.object({
  format: z.literal('belay-session'),
  version: z.int().min(1),
  epoch: count.max(1_000_000_000),
  sessions: z.array(id).min(1),
  runs: z.array(id),
  queued: z.array(id),
});

export const record = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), session }),
  z.object({ type: z.literal('run'), run }),
  z.object({ type: z.literal('message'), message }),
  z.object({ type: z.literal('compaction'), compaction }),
  z.object({ type: z.literal('ledger'), entry: ledgerEntry }),
  z.object({ type: z.literal('usage'), usage: usageRecord }),
  z.object({
    type: z.literal('event'),
    era: z.int().min(1).max(1_000_000_000),
    // Events are only shown; a kind this version does not know is kept as it is.
    event: z.looseObject({
      type: z.string(),
      seq: count,
      sessionId: id,
      runId: z.string(),
      at: time,
    }),
  }),
  z.object({ type: z.literal('result'), sessionId: id, id, text: z.string() }),
  z.object({ type: z.literal('attachment'), sessionId: id, attachment }),
  z.object({ type: z.literal('value'), sessionId: id, key: z.string().min(1), value: json }),
  z.object({ type: z.literal('checkpoint'), checkpoint }),
  // Only the review knows its form.
  z.object({ type: z.literal('pending'), sessionId: id, pending: jsonObject }),
  z.object({ type: z.literal('queued'), queued }),
  z.object({ type: z.literal('end'), lines: count }),
]);

export type Header = z.infer<typeof header>;
export type FileRecord = z.infer<typeof record>;

/** The first thing that is wrong, with its place in the line: `message.seq: …`. */
export function reasonIn(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'it is not a record';
  const place = issue.path.map(String).join('.');
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}
