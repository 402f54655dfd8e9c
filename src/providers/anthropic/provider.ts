import type { CacheTtl } from '../../core/model-call/cost.ts';
import type { ModelCallContext, ModelRequest, Provider } from '../../core/model-call/model-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { BelayError } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/model.ts';
import type { ReplayOwner } from '../../domain/replay.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { HttpClient } from '../http/client.ts';
import type { KeyedAddresses } from '../http/client.ts';
import { failureOfThrown } from '../http/failures.ts';
import { callOver, CallMemory, destinationOf } from '../http/wire-call.ts';
import type { Wire, WireRequest } from '../http/wire-call.ts';
import { MESSAGES_IDS, WireIds } from '../http/wire-ids.ts';
import { addressOf, keyHeaders, keyNeeded } from './address.ts';
import { billingPage, MESSAGES_RULES } from './refusal-rules.ts';
import { requestBody } from './request.ts';
import type { RequestBody } from './request.ts';
import { Assembly } from './wire/assemble.ts';
import { WireMessages } from './wire/wire-message.ts';

export interface AnthropicOptions {
  /** Of the instance; absent: the default one's. */
  readonly id?: string;
  /** The setting that holds the address; absent: the default instance's. */
  readonly setting?: string;
  /** The key; `undefined` when none is set. Asked for each call, so that a new key counts at once. */
  readonly apiKey: () => Promise<string | undefined>;
  /** The setting `model.baseUrl`; empty for the public API. */
  readonly baseUrl: () => string;
  /** The setting `model.cacheTtl`. */
  readonly cacheTtl: () => CacheTtl;
  readonly catalog: Catalog;
  /** A model's limits and prices, by the name that the instance has for it; absent: as the catalog has it. */
  readonly infoOf?: (model: string) => ModelInfo;
  readonly clock: Clock;
  /** Addresses that had a key; absent: a missing key is nobody's loss. */
  readonly keyed?: KeyedAddresses | undefined;
  /** Absent: the global one, looked up for each call, because editors replace it for proxies. */
  readonly fetch?: typeof fetch;
}

/** Models behind the Anthropic Messages API, at the public address or any compatible one. */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const wire = new MessagesWire(options);
  const memory = new CallMemory();
  return {
    id: wire.id,
    call: (request, context) => callOver(wire, request, context, memory),
    models: () => options.catalog.models.filter((model) => model.provider === wire.id),
    countTokens: (request, signal) => wire.countTokens(request, signal),
    fetchModels: (signal) => wire.fetchModels(signal),
  };
}

/** The setting that holds the address. */
const ADDRESS_SETTING = 'belay.model.baseUrl';

class MessagesWire implements Wire {
  readonly api = 'Messages API';
  readonly id: string;
  readonly setting: string;
  readonly rules = MESSAGES_RULES;
  readonly billingPage = billingPage;
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly #options: AnthropicOptions;
  readonly #wireMessages = new WireMessages();
  readonly #ids = new WireIds(MESSAGES_IDS);

  constructor(options: AnthropicOptions) {
    const { apiKey, clock, fetch, keyed } = options;
    this.#options = options;
    this.clock = clock;
    this.id = options.id ?? 'anthropic';
    this.setting = options.setting ?? ADDRESS_SETTING;
    this.client = new HttpClient({
      apiKey,
      address: () => this.address(),
      headers: keyHeaders,
      keyNeeded,
      setting: this.setting,
      keyed,
      fetch,
    });
  }

  address(): string {
    return addressOf(this.#options.baseUrl());
  }

  prepare(request: ModelRequest, _context: ModelCallContext): WireRequest {
    const assembly = new Assembly(this.#owner(request));
    return { path: '/v1/messages', ...this.#body(request, 'stream'), assembly };
  }

  async countTokens(request: ModelRequest, signal: AbortSignal): Promise<number | undefined> {
    try {
      const { bytes } = this.#body(request, 'count');
      const response = await this.client.post('/v1/messages/count_tokens', bytes, signal);
      const answer = (await response.json()) as { input_tokens?: unknown };
      return typeof answer.input_tokens === 'number' ? answer.input_tokens : undefined;
    } catch (thrown) {
      const { code, message } = this.#failure(thrown, signal, request.model);
      // Many compatible servers do not count: the estimate serves then.
      if (code === 'canceled') throw new BelayError({ code, message }, { cause: thrown });
      return undefined;
    }
  }

  async fetchModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    try {
      const response = await this.client.get('/v1/models?limit=1000', signal);
      const { data } = (await response.json()) as { data?: readonly ListedModel[] };
      return (data ?? []).flatMap((listed) => this.#listed(listed));
    } catch (thrown) {
      throw new BelayError(this.#failure(thrown, signal, ''), { cause: thrown });
    }
  }

  #info(model: string): ModelInfo {
    const { catalog, infoOf } = this.#options;
    return infoOf?.(model) ?? catalog.lookup(model);
  }

  #owner({ model }: ModelRequest): ReplayOwner {
    return { instance: this.id, wire: 'messages', model };
  }

  #failure(thrown: unknown, signal: AbortSignal, model: string) {
    const at = destinationOf(this, model);
    return failureOfThrown(thrown, { at, rules: this.rules, signal, inBody: false });
  }

  #listed(listed: ListedModel): readonly ModelInfo[] {
    if (typeof listed.id !== 'string') return [];
    const known = this.#info(listed.id);
    return [
      {
        ...known,
        provider: this.id,
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
    const info = this.#info(request.model);
    return requestBody(request, {
      info,
      purpose,
      cacheTtl: this.#options.cacheTtl(),
      wireMessages: this.#wireMessages,
      owner: this.#owner(request),
      ids: this.#ids,
    });
  }
}

interface ListedModel {
  readonly id?: unknown;
  readonly display_name?: unknown;
  readonly max_input_tokens?: unknown;
  readonly max_tokens?: unknown;
}
