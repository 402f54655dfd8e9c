import type { BaseAnthropic } from '@anthropic-ai/sdk/client';
import type { CacheTtl } from '../../core/model-call/cost.ts';
import type {
  ModelCallContext,
  ModelEvent,
  ModelRequest,
  Provider,
} from '../../core/model-call/model-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Failure, BelayError, fault } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/model.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { Assembly } from './wire/assemble.ts';
import { addressOf, createClient, PUBLIC_API } from './client.ts';
import type { Destination } from './refusal-rules.ts';
import { failureOfEnd, failureOfThrown, lostKey, noKey } from './failures.ts';
import { type RequestBody, requestBody } from './request.ts';
import { readBody } from './wire/stream.ts';
import { WireMessages } from './wire/wire-message.ts';

export interface AnthropicOptions {
  /** The key; `undefined` when none is set. Asked for each call, so that a new key counts at once. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly baseUrl: () => string;
  readonly cacheTtl: () => CacheTtl;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Addresses that had a key; absent: a missing key is nobody's loss. */
  readonly keyed?: KeyedAddresses | undefined;
  /** Absent: the global one, looked up for each call, because editors replace it for proxies. */
  readonly fetch?: typeof fetch;
}

/** Remembers the addresses that requests with a key went to. */
export interface KeyedAddresses {
  has(address: string): boolean;
  add(address: string): Promise<void>;
}

/** Models behind the Anthropic Messages API, at the public address or any compatible one. */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const provider = new AnthropicProvider(options);
  return {
    id: 'anthropic',
    call: (request, context) => provider.call(request, context),
    models: () => options.catalog.models.filter((model) => model.provider === 'anthropic'),
    warmUp: () => provider.warmUp(),
    countTokens: (request, signal) => provider.countTokens(request, signal),
    fetchModels: (signal) => provider.fetchModels(signal),
  };
}

const JSON_BODY = { 'content-type': 'application/json' };

class AnthropicProvider {
  readonly #options: AnthropicOptions;
  readonly #wireMessages = new WireMessages();
  readonly #told = new Set<string>();
  #client:
    | {
        readonly key: string | undefined;
        readonly baseUrl: string;
        readonly made: Promise<BaseAnthropic>;
      }
    | undefined;
  /** Answers in a row that ended after their stop reason without `message_stop`. */
  #endlessAnswers = 0;

  constructor(options: AnthropicOptions) {
    this.#options = options;
  }

  async *call(request: ModelRequest, context: ModelCallContext): AsyncGenerator<ModelEvent> {
    const body = this.#body(request, 'stream');
    const at = this.#destination(request.model, body.tools);
    for (const message of body.notes.filter((note) => !this.#told.has(note))) {
      this.#told.add(message);
      yield { type: 'warning', message };
    }
    const assembly = new Assembly(request.model);
    let failure: Failure | undefined;
    let inBody = false;
    try {
      const response = await this.#post('/v1/messages', body.bytes, context.signal);
      inBody = true;
      const end = yield* readBody(response, assembly, this.#options.clock);
      this.#acceptMissingEnd(end, assembly);
      if (assembly.outcome?.kind === 'complete') {
        yield { type: 'complete', answer: assembly.outcome.answer };
        return;
      }
      failure = failureOfEnd(end, assembly, at, response.headers.get('request-id') ?? undefined);
    } catch (thrown) {
      failure = failureOfThrown(thrown, { at, signal: context.signal, inBody });
    }
    yield {
      type: 'failed',
      failure,
      ...(assembly.usage === undefined ? {} : { usage: assembly.usage }),
    };
  }

  async warmUp(): Promise<void> {
    try {
      await this.#connected();
    } catch {
      // Without a key there is nothing to prepare; a call will say so.
    }
  }

  async countTokens(request: ModelRequest, signal: AbortSignal): Promise<number | undefined> {
    try {
      const response = await this.#post(
        '/v1/messages/count_tokens',
        this.#body(request, 'count').bytes,
        signal,
      );
      const answer = (await response.json()) as { input_tokens?: unknown };
      return typeof answer.input_tokens === 'number' ? answer.input_tokens : undefined;
    } catch (thrown) {
      const { code, message } = failureOfThrown(thrown, {
        at: this.#destination(request.model, []),
        signal,
        inBody: false,
      });
      // Many compatible servers do not count: the estimate serves then.
      if (code === 'canceled') throw fault(code, message, { cause: thrown });
      return undefined;
    }
  }

  async fetchModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    try {
      const client = await this.#connected();
      const response = await client.get('/v1/models?limit=1000', { signal }).asResponse();
      const { data } = (await response.json()) as { data?: readonly ListedModel[] };
      return (data ?? []).flatMap((listed) => this.#listed(listed));
    } catch (thrown) {
      throw new BelayError(
        failureOfThrown(thrown, { at: this.#destination('', []), signal, inBody: false }),
        { cause: thrown },
      );
    }
  }

  #listed(listed: ListedModel): readonly ModelInfo[] {
    if (typeof listed.id !== 'string') return [];
    const known = this.#options.catalog.lookup(listed.id);
    return [
      {
        ...known,
        provider: 'anthropic',
        name: typeof listed.display_name === 'string' ? listed.display_name : known.name,
        contextWindow:
          typeof listed.max_input_tokens === 'number'
            ? listed.max_input_tokens
            : known.contextWindow,
        maxOutputTokens:
          typeof listed.max_tokens === 'number' ? listed.max_tokens : known.maxOutputTokens,
      },
    ];
  }

  #body(request: ModelRequest, purpose: 'stream' | 'count'): RequestBody {
    const info = this.#options.catalog.lookup(request.model);
    return requestBody(request, {
      info,
      purpose,
      cacheTtl: this.#options.cacheTtl(),
      wireMessages: this.#wireMessages,
    });
  }

  async #post(path: string, body: Uint8Array, signal: AbortSignal): Promise<Response> {
    const client = await this.#connected();
    return client.post(path, { body, headers: JSON_BODY, signal, stream: true }).asResponse();
  }

  /** One client, and so one pool of connections, for as long as key and address stay the same. */
  async #connected(): Promise<BaseAnthropic> {
    const baseUrl = this.#baseUrl();
    const key = (await this.#options.apiKey())?.trim() || undefined;
    if (key === undefined && baseUrl === PUBLIC_API) throw new BelayError(noKey());
    const { keyed } = this.#options;
    if (key === undefined && keyed?.has(baseUrl) === true) throw new BelayError(lostKey(baseUrl));
    if (key !== undefined) await keyed?.add(baseUrl);
    if (this.#client?.key !== key || this.#client?.baseUrl !== baseUrl) {
      const send: typeof fetch = (input, init) =>
        (this.#options.fetch ?? globalThis.fetch)(input, init);
      this.#client = { key, baseUrl, made: createClient({ apiKey: key, baseUrl, fetch: send }) };
    }
    return this.#client.made;
  }

  #destination(model: string, tools: readonly string[]): Destination {
    return {
      model,
      baseUrl: withoutPassword(this.#baseUrl()),
      tools,
      now: this.#options.clock.now(),
    };
  }

  #baseUrl(): string {
    return addressOf(this.#options.baseUrl());
  }

  /** Takes a body without `message_stop` for a cut once, then for the server's habit. */
  #acceptMissingEnd(end: string, assembly: Assembly): void {
    const isEndless = end === 'end' && assembly.lacksOnlyTheEnd;
    if (isEndless && this.#endlessAnswers > 0) assembly.finish();
    this.#endlessAnswers = isEndless ? this.#endlessAnswers + 1 : 0;
  }
}

interface ListedModel {
  readonly id?: unknown;
  readonly display_name?: unknown;
  readonly max_input_tokens?: unknown;
  readonly max_tokens?: unknown;
}

/** An address as it may be shown and logged. */
function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/?#]*@/u, '//');
}
