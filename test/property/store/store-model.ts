import fc from 'fast-check';
import type { Write } from '../../../src/core/ports/store/recorder.ts';
import type { Json } from '../../../src/domain/data/json.ts';
import type { LedgerState } from '../../../src/domain/run.ts';
import { call, message, run, session } from '../../contract/store/support.ts';

/** What a store should remember, as plainly as it can be said. */
export interface Model {
  readonly sessions: Map<string, ModelSession>;
  readonly queued: Map<string, { sessionId: string; position: number; text: string }>;
  readonly values: Map<string, Json>;
  spent: number;
}

interface ModelSession {
  readonly parent: string | undefined;
  title: string;
  texts: string[];
  cost: number;
  readonly calls: Map<string, LedgerState>;
}

export const emptyModel = (): Model => ({
  sessions: new Map(),
  queued: new Map(),
  values: new Map(),
  spent: 0,
});

/** A step as drawn; numbers pick among what exists when it is taken. */
export type Step =
  | {
      readonly do: 'session';
      readonly id: number;
      readonly parent: number | null;
      readonly title: string;
    }
  | { readonly do: 'append'; readonly on: number; readonly text: string }
  | { readonly do: 'replace'; readonly on: number; readonly which: number; readonly text: string }
  | { readonly do: 'skip'; readonly on: number; readonly by: number }
  | { readonly do: 'spend'; readonly on: number; readonly cost: number }
  | { readonly do: 'call'; readonly on: number; readonly call: number; readonly state: LedgerState }
  | {
      readonly do: 'queue';
      readonly on: number;
      readonly id: number;
      readonly position: number;
      readonly text: string;
    }
  | { readonly do: 'dequeue'; readonly id: number }
  | {
      readonly do: 'value';
      readonly on: number | null;
      readonly key: number;
      readonly value: Json;
    };

/** Any sequence of UTF-16 units: lone surrogates and NUL too. */
const text = fc
  .array(fc.oneof(fc.integer({ min: 32, max: 126 }), fc.integer({ min: 0, max: 0xffff })), {
    maxLength: 30,
  })
  .map((units) => String.fromCharCode(...units));

const pick = fc.nat({ max: 5 });
const states: readonly LedgerState[] = [
  'pending',
  'approved',
  'running',
  'done',
  'failed',
  'unknown',
];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('session' as const),
    id: pick,
    parent: fc.option(pick),
    title: text,
  }),
  { arbitrary: fc.record({ do: fc.constant('append' as const), on: pick, text }), weight: 4 },
  fc.record({ do: fc.constant('replace' as const), on: pick, which: fc.nat(), text }),
  fc.record({ do: fc.constant('skip' as const), on: pick, by: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('spend' as const), on: pick, cost: fc.integer({ min: 0, max: 8 }) }),
  fc.record({
    do: fc.constant('call' as const),
    on: pick,
    call: pick,
    state: fc.constantFrom(...states),
  }),
  fc.record({
    do: fc.constant('queue' as const),
    on: pick,
    id: pick,
    position: fc.integer({ min: -3, max: 3 }),
    text,
  }),
  fc.record({ do: fc.constant('dequeue' as const), id: pick }),
  fc.record({
    do: fc.constant('value' as const),
    on: fc.option(pick),
    key: pick,
    value: fc.jsonValue() as fc.Arbitrary<Json>,
  }),
);

/** Batches of writes, and what happens between them. */
export type Action =
  | { readonly kind: 'batch'; readonly steps: readonly Step[] }
  /** Several batches given at once: they are joined in one transaction. */
  | { readonly kind: 'burst'; readonly batches: readonly (readonly Step[])[] }
  | { readonly kind: 'delete'; readonly id: number }
  | { readonly kind: 'reopen' };

const batch = fc.array(step, { minLength: 1, maxLength: 4 });

export const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant('batch' as const), steps: batch }), weight: 12 },
    {
      arbitrary: fc.record({
        kind: fc.constant('burst' as const),
        batches: fc.array(batch, { minLength: 2, maxLength: 6 }),
      }),
      weight: 5,
    },
    { arbitrary: fc.record({ kind: fc.constant('delete' as const), id: pick }), weight: 1 },
    { arbitrary: fc.record({ kind: fc.constant('reopen' as const) }), weight: 1 },
  ),
  { minLength: 5, maxLength: 40 },
);

const copy = (model: Model): Model => ({
  sessions: new Map(
    [...model.sessions].map(([id, one]) => [
      id,
      { ...one, texts: [...one.texts], calls: new Map(one.calls) },
    ]),
  ),
  queued: new Map(model.queued),
  values: new Map(model.values),
  spent: model.spent,
});

/** The writes of a batch, and the model after it; `undefined` as model: the store must refuse it. */
export function plan(
  model: Model,
  steps: readonly Step[],
): { readonly writes: readonly Write[]; readonly after: Model | undefined } {
  const after = copy(model);
  const writes: Write[] = [];
  let refused = false;
  for (const one of steps) {
    const taken = take(after, one);
    writes.push(...taken.writes);
    refused ||= taken.refused;
  }
  return { writes, after: refused ? undefined : after };
}

const nothing = { writes: [], refused: false } as const;

function take(
  model: Model,
  one: Step,
): { readonly writes: readonly Write[]; readonly refused: boolean } {
  switch (one.do) {
    case 'session':
      return putSession(model, one);
    case 'append':
      return append(model, `s${one.on}`, one.text, 1);
    case 'skip':
      return append(model, `s${one.on}`, 'out of order', 1 + one.by);
    case 'replace':
      return replace(model, one);
    case 'spend':
      return spend(model, `s${one.on}`, one.cost);
    case 'call':
      return putCall(model, one);
    case 'queue':
      return putQueued(model, one);
    case 'dequeue':
      model.queued.delete(`q${one.id}`);
      return { writes: [{ kind: 'dequeued', id: `q${one.id}` }], refused: false };
    case 'value':
      return putValue(model, one);
    default:
      return one satisfies never;
  }
}

function putSession(model: Model, one: Step & { do: 'session' }): ReturnType<typeof take> {
  const id = `s${one.id}`;
  // A parent is older: no circles.
  const parent = one.parent !== null && one.parent < one.id ? `s${one.parent}` : undefined;
  const title = one.title.toWellFormed();
  const given = session(id, { title, ...(parent === undefined ? {} : { parentId: parent }) });
  const writes: Write[] = [{ kind: 'session', session: given }];
  const known = model.sessions.get(id);
  if (known === undefined) {
    if (parent !== undefined && !model.sessions.has(parent)) return { writes, refused: true };
    model.sessions.set(id, { parent, title, texts: [], cost: 0, calls: new Map() });
    return {
      writes: [...writes, { kind: 'run', run: run(`run-${id}`, id, { state: 'completed' }) }],
      refused: false,
    };
  }
  known.title = title;
  return { writes, refused: known.parent !== parent };
}

function append(model: Model, id: string, text: string, ahead: number): ReturnType<typeof take> {
  const known = model.sessions.get(id);
  const seq = (known?.texts.length ?? 0) + ahead;
  known?.texts.push(text);
  return {
    writes: [{ kind: 'message', message: message(id, seq, text) }],
    refused: known === undefined || ahead !== 1,
  };
}

function replace(model: Model, one: Step & { do: 'replace' }): ReturnType<typeof take> {
  const id = `s${one.on}`;
  const known = model.sessions.get(id);
  if (known === undefined || known.texts.length === 0) return nothing;
  const index = one.which % known.texts.length;
  known.texts[index] = one.text;
  return {
    writes: [{ kind: 'message', message: message(id, index + 1, one.text) }],
    refused: false,
  };
}

function spend(model: Model, id: string, cost: number): ReturnType<typeof take> {
  model.spent += cost;
  for (let at: string | undefined = id; at !== undefined;) {
    const known = model.sessions.get(at);
    if (known !== undefined) known.cost += cost;
    at = known?.parent;
  }
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    writes: [
      {
        kind: 'usage',
        usage: { sessionId: id, runId: 'r', model: 'm', purpose: 'turn', usage, cost, at: 1 },
      },
    ],
    refused: false,
  };
}

function putCall(model: Model, one: Step & { do: 'call' }): ReturnType<typeof take> {
  const id = `s${one.on}`;
  const calls = model.sessions.get(id)?.calls;
  const before = calls?.get(`c${one.call}`);
  const complete = (state: LedgerState | undefined): boolean =>
    state === 'done' || state === 'failed';
  calls?.set(`c${one.call}`, one.state);
  return {
    writes: [
      { kind: 'ledger', entry: call(`run-${id}`, id, `c${one.call}`, { state: one.state }) },
    ],
    refused: calls === undefined || (complete(before) && !complete(one.state)),
  };
}

function putQueued(model: Model, one: Step & { do: 'queue' }): ReturnType<typeof take> {
  const known = model.queued.get(`q${one.id}`);
  // A queued message stays in its session.
  const sessionId = known?.sessionId ?? `s${one.on}`;
  model.queued.set(`q${one.id}`, { sessionId, position: one.position, text: one.text });
  return {
    writes: [
      {
        kind: 'queued',
        queued: {
          id: `q${one.id}`,
          sessionId,
          position: one.position,
          text: one.text,
          attachments: [],
          mode: 'queue',
          createdAt: 1,
        },
      },
    ],
    refused: !model.sessions.has(sessionId),
  };
}

function putValue(model: Model, one: Step & { do: 'value' }): ReturnType<typeof take> {
  const sessionId = one.on === null ? undefined : `s${one.on}`;
  // Of a session that is there, so that its end is its end.
  if (sessionId !== undefined && !model.sessions.has(sessionId)) return nothing;
  const key = `k${one.key}`;
  const name = `${sessionId ?? ''}/${key}`;
  if (one.value === null) model.values.delete(name);
  else model.values.set(name, JSON.parse(JSON.stringify(one.value)) as Json);
  return {
    writes: [
      { kind: 'value', key, value: one.value, ...(sessionId === undefined ? {} : { sessionId }) },
    ],
    refused: false,
  };
}

/** Deletes a session with everything under it. */
export function remove(model: Model, id: string): void {
  for (const [child, one] of model.sessions) if (one.parent === id) remove(model, child);
  model.sessions.delete(id);
  for (const [queuedId, one] of model.queued)
    if (one.sessionId === id) model.queued.delete(queuedId);
  for (const name of model.values.keys()) if (name.startsWith(`${id}/`)) model.values.delete(name);
}

/** After a restart nobody owns a running call. */
export function restarted(model: Model): void {
  for (const one of model.sessions.values()) {
    for (const [id, state] of one.calls) if (state === 'running') one.calls.set(id, 'unknown');
  }
}
