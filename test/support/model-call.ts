import { NO_BUDGET } from './no-budget.ts';
import { inEnglish } from '../../src/domain/text/told.ts';
import { Pictures } from '../../src/core/model-call/pictures.ts';
import type {
  ModelAnswer,
  ModelCall,
  ModelCallContext,
  ModelEvent,
  ModelRequest,
  Provider,
} from '../../src/core/model-call/model-call.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
import type { Log } from '../../src/core/ports/log.ts';
import type { UsageRecord } from '../../src/core/ports/store/recorder.ts';
import type { RunEventBody } from '../../src/domain/event.ts';
import type { Failure } from '../../src/domain/failure.ts';
import type { Message, Part, Role } from '../../src/domain/message.ts';
import { settingsFrom } from '../../src/domain/settings/read-settings.ts';
import type { SettingKey, Settings } from '../../src/domain/settings/settings.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { createAnthropicProvider } from '../../src/providers/anthropic/provider.ts';
import { createCatalog } from '../../src/providers/catalog/catalog.ts';
import { createModelCall } from '../../src/compose/order.ts';
import { createRegistry } from '../../src/providers/registry.ts';
import { ModelNames } from '../../src/providers/instance.ts';
import type { ProviderInstance } from '../../src/providers/instance.ts';

let made = 0;

/** A stored message with made-up identity. */
export function message(
  role: Role,
  parts: readonly Part[] | string,
  more: Partial<Message> = {},
): Message {
  made += 1;
  return {
    id: `m${made}`,
    sessionId: 's1',
    seq: made,
    role,
    parts: typeof parts === 'string' ? [{ type: 'text', text: parts }] : parts,
    createdAt: 0,
    ...more,
  };
}

export const user = (text: string): Message => message('user', text);

/** A request with one user message and nothing else, unless said otherwise. */
export function modelRequest(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'claude-sonnet-5-5',
    system: ['You are a test.'],
    messages: [user('Hello')],
    tools: [],
    toolChoice: { type: 'auto' },
    thinking: 'off',
    ...more,
  };
}

/** A context that keeps what is emitted. */
export function callContext(
  signal: AbortSignal = new AbortController().signal,
): ModelCallContext & { readonly emitted: RunEventBody[] } {
  const emitted: RunEventBody[] = [];
  return {
    signal,
    sessionId: 's1',
    runId: 'r1',
    purpose: 'turn',
    emit: (event) => emitted.push(event),
    emitted,
  };
}

/** What a call came to. */
export interface Outcome {
  readonly events: readonly ModelEvent[];
  readonly emitted: readonly RunEventBody[];
  readonly answer: ModelAnswer | undefined;
  readonly failure: Failure | undefined;
}

/** Runs a call to its end. */
export async function outcomeOf(
  call: ModelCall,
  request: ModelRequest,
  context = callContext(),
): Promise<Outcome> {
  const events: ModelEvent[] = [];
  for await (const event of call(request, context)) events.push(event);
  const last = events.at(-1);
  return {
    events,
    emitted: context.emitted,
    answer: last?.type === 'complete' ? last.answer : undefined,
    failure: last?.type === 'failed' ? last.failure : undefined,
  };
}

/** Text that was shown and not taken back. */
export function shownText(events: readonly ModelEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type === 'discard') text = '';
    if (event.type === 'delta' && event.kind === 'text') text += event.text;
  }
  return text;
}

export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Settings with the defaults and these values. */
export function settingsWith(values: Partial<Record<SettingKey, unknown>> = {}): Settings {
  return settingsFrom(
    (key) => values[key],
    ({ message: problem }) => {
      throw new Error(inEnglish(problem));
    },
  );
}

/** Quick retries and short deadlines, for tests on a real clock. */
const QUICK: Partial<Record<SettingKey, unknown>> = {
  'advanced.modelRetryDelaySeconds': 0.01,
  'advanced.modelRetries': 3,
  'advanced.firstByteTimeoutSeconds': 5,
  'advanced.streamIdleTimeoutSeconds': 5,
  'advanced.streamProgressTimeoutSeconds': 10,
};

/** Names of the models of providers, the first of which is the default one. */
export function namesOf(providers: readonly Provider[]): ModelNames {
  const instances = providers.map((one): ProviderInstance => ({
    id: one.id,
    name: one.id,
    wire: 'chat',
    baseUrl: '',
    models: one.models(),
  }));
  const [first, ...others] = instances;
  if (first === undefined) throw new Error('There must be a provider.');
  return new ModelNames([first, ...others]);
}

export interface ComposedOptions {
  readonly baseUrl: string;
  readonly settings?: Partial<Record<SettingKey, unknown>>;
  readonly apiKey?: string;
  readonly clock?: Clock;
  readonly more?: readonly Provider[];
  readonly fetch?: typeof fetch;
  /** Absent: pictures are sent as they are. */
  readonly pictures?: Pictures;
}

/** The model call as the product composes it, against a server at `baseUrl`. */
export function composedCall(options: ComposedOptions): {
  readonly call: ModelCall;
  readonly usage: UsageRecord[];
  readonly provider: Provider;
} {
  const clock = options.clock ?? new SystemClock();
  const settings = settingsWith({ ...QUICK, ...options.settings });
  const more = options.more ?? [];
  const catalog = createCatalog({
    offered: ['anthropic', ...more.map(({ id }) => id)],
    own: more.flatMap((provider) => provider.models()),
  });
  const provider = createAnthropicProvider({
    apiKey: () => Promise.resolve(options.apiKey ?? 'test-key'),
    baseUrl: () => options.baseUrl,
    cacheTtl: () => settings('model.cacheTtl'),
    catalog,
    clock,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const all = [provider, ...(options.more ?? [])];
  const names = namesOf(all);
  const usage: UsageRecord[] = [];
  const call = createModelCall({
    budget: NO_BUDGET,
    registry: createRegistry(names, new Map(all.map((one) => [one.id, one]))),
    catalog,
    settings,
    clock,
    log: quietLog,
    random: () => 0.5,
    mask: async (request) => request,
    recorded: async () => undefined,
    pictures: options.pictures ?? new Pictures(undefined, () => undefined),
    onUsage: (record) => {
      if (record.details?.open !== true) usage.push(record);
    },
  });
  return { call, usage, provider };
}
