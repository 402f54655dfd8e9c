import { isJsonObject } from '../../domain/json.ts';
import type {
  ModelAnswer,
  ModelCallContext,
  ModelRequest,
  Provider,
} from '../../core/model-call/model-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { BelayError } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/model.ts';
import { updated } from '../catalog/shelf.ts';
import { readListedModels } from '../catalog/listed-models.ts';
import { HttpClient } from '../http/client.ts';
import type { KeyedAddresses } from '../http/client.ts';
import { missingKey } from '../http/missing-key.ts';
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
import { chatKeyHeaders, flagsFor } from './flags.ts';
import type { WireFlags } from '../../domain/wire-flags.ts';
import { CHAT_RULES, SILENT_OVERFLOW } from './refusal-rules.ts';
import { chatBody } from './request.ts';

export interface ChatOptions {
  readonly instance: ProviderInstance;
  /** The setting that holds the address, for sentences. */
  readonly setting: string;
  /** The key; `undefined` when none is set. Asked for each call. */
  readonly apiKey: () => Promise<string | undefined>;
  /** What is known of a model, by the name that the instance has for it. */
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
    fetchModels: (signal) => fetchModels(wire, options.infoOf, signal),
  };
}

const ID_FORMS: Readonly<Record<WireFlags['ids'], IdForm>> = {
  forty: { fits: /^[\w-]{1,40}$/, length: 28, begin: 'bly_' },
  nine: { fits: /^[a-zA-Z0-9]{9}$/, length: 9, begin: '' },
};

/** Milliseconds that the question for the true window may take. */
const WINDOW_LIMIT = 1000;

class ChatWire implements Wire {
  readonly api = 'Chat Completions API';
  readonly endMarkOptional = true;
  readonly setting: string;
  readonly name: string;
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly #options: ChatOptions;
  readonly #messages = new ChatMessages();
  readonly #ids = { forty: new WireIds(ID_FORMS.forty), nine: new WireIds(ID_FORMS.nine) };
  /** What servers said of how they want requests, by model. */
  readonly #flags = new Map<string, WireFlags>();
  readonly #windowAsked = new Set<string>();

  constructor(options: ChatOptions) {
    const { apiKey, clock, fetch, instance, keyed, setting } = options;
    this.#options = options;
    this.clock = clock;
    this.setting = setting;
    this.name = instance.name;
    this.client = new HttpClient({
      apiKey,
      address: () => this.address(),
      headers: (key) => this.#keyHeaders(key),
      keyNeeded: (_, lost) => (instance.key === undefined ? undefined : missingKey(instance, lost)),
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

  #plainFlags(): WireFlags {
    return flagsFor(this.address(), this.#options.instance.flags);
  }

  /** The same object until something is learned: what is written in its form is kept. */
  #flagsOf(model: string): WireFlags {
    const known = this.#flags.get(model);
    if (known !== undefined) return known;
    const { flags: own } = this.#options.instance;
    const flags = flagsFor(this.address(), this.#info(model).flags, own);
    this.#flags.set(model, flags);
    return flags;
  }

  #info(model: string): ModelInfo {
    return this.#options.infoOf(model);
  }

  #keyHeaders(key: string | undefined): Record<string, string> {
    return chatKeyHeaders(key, this.#plainFlags());
  }
}

/** The models that a server lists, in what is known of them. */
async function fetchModels(
  wire: ChatWire,
  infoOf: ChatOptions['infoOf'],
  signal: AbortSignal,
): Promise<readonly ModelInfo[]> {
  try {
    // What the server says wins.
    return readListedModels(await wire.client.json('/models', signal)).map((listed) => {
      const model = updated(infoOf(listed.id), listed, (id) => infoOf(id));
      const maxOutputTokens = Math.min(model.maxOutputTokens, model.contextWindow);
      return { ...model, maxOutputTokens };
    });
  } catch (thrown) {
    const at = destinationOf(wire, '');
    const failure = failureOfThrown(thrown, { at, rules: wire.rules, signal, inBody: false });
    throw new BelayError(failure, { cause: thrown });
  }
}

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
