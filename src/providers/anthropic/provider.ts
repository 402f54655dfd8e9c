import type { CacheTtl } from '../../core/model-call/cost.ts';
import type { ModelCallContext, ModelRequest, Provider } from '../../core/model-call/model-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { BelayError } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/models/model.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { updated } from '../catalog/shelf.ts';
import { readListedModels } from '../catalog/listed-models.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { HttpClient } from '../http/client.ts';
import type { KeyedAddresses, Send, WireClient } from '../http/client.ts';
import { missingKey } from '../http/refusal/missing-key.ts';
import type { ProviderInstance } from '../instance.ts';
import { failureOfThrown } from '../http/refusal/failures.ts';
import type { Refusal } from '../http/refusal/refusal.ts';
import { TokenCount } from '../http/request/token-count.ts';
import { callOver, CallMemory, destinationOf } from '../http/wire-call.ts';
import type { Wire, WireRequest } from '../http/wire-call.ts';
import { MESSAGES_IDS, WireIds } from '../http/request/wire-ids.ts';
import { addressOf, isVertex, keyHeaders, keyNeeded, pathsFor } from './address.ts';
import { billingPage, MESSAGES_RULES } from './refusal-rules.ts';
import { MessagesClient } from './messages-client.ts';
import { requestBody } from './request.ts';
import type { RequestBody } from './request.ts';
import { Assembly } from './wire/assemble.ts';
import { WireMessages } from './wire/wire-message.ts';

export interface AnthropicOptions {
  /** Absent: the default one. */
  readonly instance?: ProviderInstance;
  /** The setting that holds the address; absent: the default instance's. */
  readonly setting?: string;
  /** The key; `undefined` when none is set. Asked for each call, so that a new key counts at once. */
  readonly apiKey: () => Promise<string | undefined>;
  /** The key is a token now; absent: it is none. */
  readonly bearer?: () => boolean;
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
  /** Absent: by `fetch`. */
  readonly send?: Send;
  /** Absent: the global one, looked up for each call, because editors replace it for proxies. */
  readonly fetch?: typeof fetch;
}

/** Models behind the Anthropic Messages API, at the public address or any compatible one. */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const wire = new MessagesWire(options);
  const id = idOf(options);
  const memory = new CallMemory();
  return {
    id,
    call: (request, context) => callOver(wire, request, context, memory),
    models: () => options.catalog.models.filter((model) => model.provider === id),
    countTokens: (request, signal) => wire.countTokens(request, signal),
    fetchModels: (signal) => wire.fetchModels(signal),
  };
}

/** The id of the instance. */
const idOf = ({ instance }: AnthropicOptions): string => instance?.id ?? 'anthropic';

/** The setting that holds the address. */
const ADDRESS_SETTING = 'belay.model.baseUrl';

class MessagesWire implements Wire {
  readonly api = 'Messages API';
  readonly #id: string;
  readonly name: string | undefined;
  readonly setting: string;
  readonly rules = MESSAGES_RULES;
  readonly billingPage = billingPage;
  readonly client: WireClient;
  readonly clock: Clock;
  readonly #options: AnthropicOptions;
  readonly #wireMessages = new WireMessages();
  readonly #unsampled = new Set<string>();
  readonly #ids = new WireIds(MESSAGES_IDS);
  readonly #count = new TokenCount();

  constructor(options: AnthropicOptions) {
    const { apiKey, clock, fetch, instance, keyed, send } = options;
    this.#options = options;
    this.clock = clock;
    this.#id = idOf(options);
    this.name = instance?.name;
    this.setting = options.setting ?? ADDRESS_SETTING;
    const transport = new HttpClient({
      apiKey,
      address: () => this.address(),
      headers: (key, address) => keyHeaders(key, address, options.bearer?.()),
      keyNeeded: (address, lost) => {
        if (instance === undefined) return keyNeeded(address);
        return instance.key === undefined ? undefined : missingKey(instance, lost);
      },
      setting: this.setting,
      keyed,
      send,
      fetch,
    });
    this.client = new MessagesClient(transport);
  }

  address(): string {
    return addressOf(this.#options.baseUrl());
  }

  prepare(request: ModelRequest, _context: ModelCallContext): WireRequest {
    const assembly = new Assembly(this.#owner(request));
    const { ask: path } = pathsFor(this.address(), request.model);
    return { path, ...this.#body(request, 'stream'), assembly };
  }

  /** A model that refuses to be told how freely it picks its words is not told again. */
  corrected({ status, text }: Refusal, { model, sampling = {} }: ModelRequest): boolean {
    const isRefused = status === 400 && /\b(?:temperature|top_p)\b/.test(text);
    if (!isRefused || this.#unsampled.has(model) || Object.keys(sampling).length === 0)
      return false;
    this.#unsampled.add(model);
    return true;
  }

  async countTokens(request: ModelRequest, signal: AbortSignal): Promise<number | undefined> {
    const { count: path } = pathsFor(this.address(), request.model);
    const question = () => ({ path, ...this.#body(request, 'count'), field: 'input_tokens' });
    return this.#count.of(this.client, request.model, question, signal);
  }

  async fetchModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    // Vertex lists none.
    if (isVertex(this.address())) return [];
    try {
      const listed = readListedModels(await this.client.json('/v1/models?limit=1000', signal));
      return listed.map((model) => ({
        ...updated(this.#info(model.id), model, (id) => this.#info(id)),
        provider: this.#id,
      }));
    } catch (thrown) {
      throw new BelayError(this.#failure(thrown, signal, ''), { cause: thrown });
    }
  }

  #info(model: string): ModelInfo {
    const { catalog, infoOf } = this.#options;
    return infoOf?.(model) ?? catalog.lookup(model);
  }

  #owner({ model }: ModelRequest): ReplayOwner {
    return { instance: this.#id, wire: 'messages', model };
  }

  #failure(thrown: unknown, signal: AbortSignal, model: string) {
    const at = destinationOf(this, model);
    return failureOfThrown(thrown, { at, rules: this.rules, signal, inBody: false });
  }

  #body(request: ModelRequest, purpose: 'stream' | 'count'): RequestBody {
    const info = this.#info(request.model);
    return requestBody(request, {
      info,
      purpose,
      vertex: isVertex(this.address()),
      flags: {
        ...this.#options.instance?.flags,
        ...(this.#unsampled.has(request.model) ? { temperature: false } : {}),
      },
      cacheTtl: this.#options.cacheTtl(),
      wireMessages: this.#wireMessages,
      owner: this.#owner(request),
      ids: this.#ids,
    });
  }
}
