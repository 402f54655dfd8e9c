import { isJsonObject } from '../../domain/json.ts';
import type {
  ModelAnswer,
  ModelCallContext,
  ModelRequest,
  Provider,
} from '../../core/model-call/model-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { BelayError } from '../../domain/failure.ts';
import type { Failure } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/model.ts';
import { hostOf } from '../http/address.ts';
import { HttpClient } from '../http/client.ts';
import type { KeyedAddresses } from '../http/client.ts';
import { failureOfThrown } from '../http/failures.ts';
import type { Refusal, Rule } from '../http/refusal.ts';
import { callOver, CallMemory, destinationOf } from '../http/wire-call.ts';
import type { Wire, WireRequest } from '../http/wire-call.ts';
import { WireIds } from '../http/wire-ids.ts';
import type { IdForm } from '../http/wire-ids.ts';
import type { ProviderInstance } from '../instance.ts';
import { chatAddress } from './address.ts';
import { ChatAssembly } from './assemble.ts';
import { ChatMessages } from './chat-message.ts';
import type { ChatForm } from './chat-message.ts';
import { correctionOf } from './corrections.ts';
import { failedGeneration } from './failed-generation.ts';
import { flagsFor } from './flags.ts';
import type { ChatFlags } from './flags.ts';
import { listedModel } from './listed-model.ts';
import { CHAT_RULES, SILENT_OVERFLOW } from './refusal-rules.ts';
import { chatBody } from './request.ts';

export interface ChatOptions {
  readonly instance: ProviderInstance;
  /** The setting that holds the address, for sentences. */
  readonly setting: string;
  /** The key; `undefined` when none is set. Asked for each call. */
  readonly apiKey: () => Promise<string | undefined>;
  /** A model's limits and prices, by the name that the instance has for it. */
  readonly infoOf: (model: string) => ModelInfo;
  readonly models: () => readonly ModelInfo[];
  readonly clock: Clock;
  readonly keyed?: KeyedAddresses | undefined;
  /** Absent: the global one. */
  readonly fetch?: typeof fetch;
}

/** Models behind Chat Completions, at any address that speaks it. */
export function createChatProvider(options: ChatOptions): Provider {
  const wire = new ChatWire(options);
  const memory = new CallMemory();
  const { id } = options.instance;
  return {
    id,
    call: (request, context) => callOver(wire, request, context, memory),
    models: options.models,
    fetchModels: (signal) => wire.fetchModels(signal),
  };
}

const ID_FORMS: Readonly<Record<ChatFlags['ids'], IdForm>> = {
  forty: { fits: /^[\w-]{1,40}$/, length: 28, begin: 'bly_' },
  nine: { fits: /^[a-zA-Z0-9]{9}$/, length: 9, begin: '' },
};

/** Milliseconds that the question for the true window may take. */
const WINDOW_LIMIT = 1000;

class ChatWire implements Wire {
  readonly api = 'Chat Completions API';
  readonly endMarkOptional = true;
  readonly setting: string;
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly #options: ChatOptions;
  readonly #messages = new ChatMessages();
  readonly #ids = { forty: new WireIds(ID_FORMS.forty), nine: new WireIds(ID_FORMS.nine) };
  /** Flags that servers told of how they want requests, by model. */
  readonly #flags = new Map<string, ChatFlags>();
  readonly #windowAsked = new Set<string>();

  constructor(options: ChatOptions) {
    const { apiKey, clock, fetch, instance, keyed, setting } = options;
    this.#options = options;
    this.clock = clock;
    this.setting = setting;
    this.client = new HttpClient({
      apiKey,
      address: () => this.address(),
      headers: (key) => this.#keyHeaders(key),
      keyNeeded: () => (instance.key === undefined ? undefined : noKey(instance)),
      setting,
      keyed,
      fetch,
    });
  }

  get rules(): readonly Rule[] {
    return this.#plainFlags().silentOverflow ? [...CHAT_RULES, SILENT_OVERFLOW] : CHAT_RULES;
  }

  address(): string {
    return chatAddress(this.#options.instance.baseUrl);
  }

  prepare(request: ModelRequest, { sessionId }: ModelCallContext): WireRequest {
    const info = this.#info(request.model);
    const flags = this.#flagsOf(request.model);
    const owner = { instance: this.#options.instance.id, wire: 'chat', model: request.model };
    const form: ChatForm = { flags, vision: info.vision, owner, ids: this.#ids[flags.ids] };
    const body = chatBody(request, { info, form, messages: this.#messages, sessionId });
    return { path: '/chat/completions', ...body, assembly: new ChatAssembly(owner) };
  }

  corrected(refusal: Refusal, { model }: ModelRequest): boolean {
    const flags = this.#flagsOf(model);
    const correction = correctionOf(refusal, flags);
    if (correction === undefined) return false;
    this.#flags.set(model, { ...flags, ...correction });
    return true;
  }

  answerIn(
    refusal: Refusal,
    { tools }: WireRequest,
    { model }: ModelRequest,
  ): ModelAnswer | undefined {
    return failedGeneration(refusal, { model, tools });
  }

  /** Ollama cuts what is longer than the window it loaded a model with, and says nothing of it. */
  async warning({ model }: ModelRequest, signal: AbortSignal): Promise<string | undefined> {
    if (!this.#plainFlags().ollama || this.#windowAsked.has(model)) return undefined;
    this.#windowAsked.add(model);
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(WINDOW_LIMIT)]);
      const response = await this.client.get('/../api/ps', limited);
      const window = loadedWindow(await response.json(), model);
      const { contextWindow } = this.#info(model);
      if (window === undefined || window >= contextWindow) return undefined;
      return `Ollama runs ${model} with a context window of ${window.toLocaleString('en')} tokens and silently forgets what is longer. Give it more with OLLAMA_CONTEXT_LENGTH, or set belay.model.contextLimit to ${window}.`;
    } catch {
      return undefined;
    }
  }

  async fetchModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    try {
      const response = await this.client.get('/models', signal);
      const body: unknown = await response.json();
      const listed = isJsonObject(body) ? body['data'] : body;
      return (Array.isArray(listed) ? listed : []).flatMap((one: unknown) => {
        const id = isJsonObject(one) ? (one['id'] ?? one['name']) : undefined;
        return typeof id === 'string' ? [listedModel(one, this.#info(id))] : [];
      });
    } catch (thrown) {
      const at = destinationOf(this, '');
      const failure = failureOfThrown(thrown, { at, rules: this.rules, signal, inBody: false });
      throw new BelayError(failure, { cause: thrown });
    }
  }

  #plainFlags(): ChatFlags {
    return flagsFor(this.address(), this.#options.instance.flags);
  }

  /** The same object until something is learned: what is written in its form is kept. */
  #flagsOf(model: string): ChatFlags {
    const known = this.#flags.get(model);
    if (known !== undefined) return known;
    const flags = this.#plainFlags();
    this.#flags.set(model, flags);
    return flags;
  }

  #info(model: string): ModelInfo {
    return this.#options.infoOf(model);
  }

  #keyHeaders(key: string | undefined): Record<string, string> {
    if (key === undefined) return {};
    return this.#plainFlags().keyHeader === 'api-key'
      ? { 'api-key': key }
      : { authorization: `Bearer ${key}` };
  }
}

const noKey = ({ name, baseUrl }: ProviderInstance): Failure => ({
  code: 'auth',
  message: `There is no API key for ${name} (${hostOf(baseUrl)}) yet. Everything so far is kept: set one, or choose another model with “Belay: Choose Model”.`,
});

/** The window of a loaded model by Ollama's `/api/ps`. */
function loadedWindow(body: unknown, model: string): number | undefined {
  const models =
    isJsonObject(body) && Array.isArray(body['models']) ? (body['models'] as unknown[]) : [];
  for (const one of models) {
    if (!isJsonObject(one)) continue;
    const names = [one['name'], one['model']];
    const window = one['context_length'];
    if (typeof window === 'number' && (names.includes(model) || names.includes(`${model}:latest`)))
      return window;
  }
  return undefined;
}
