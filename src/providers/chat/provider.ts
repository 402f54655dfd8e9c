import { type Told, told } from '../../domain/text/told.ts';
import type {
  ModelAnswer,
  ModelCallContext,
  ModelRequest,
  Provider,
} from '../../core/model-call/model-call.ts';
import { fault } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/models/model.ts';
import { lengthOf } from '../http/bytes.ts';
import type { Refusal, Rule } from '../http/refusal/refusal.ts';
import { InstanceWire, providerOver } from '../http/instance-wire.ts';
import type { InstanceOptions } from '../http/instance-wire.ts';
import type { WireRequest } from '../http/wire-call.ts';
import { WireIds } from '../http/request/wire-ids.ts';
import type { IdForm } from '../http/request/wire-ids.ts';
import { loadedWindows } from '../local/ollama.ts';
import { chatAddress } from './address.ts';
import { ChatAssembly } from './assemble.ts';
import { ChatMessages } from './chat-message.ts';
import type { ChatForm } from './chat-message.ts';
import { correctionOf } from './corrections.ts';
import { failedGeneration } from './failed-generation.ts';
import { chatKeyHeaders, flagsFor } from './flags.ts';
import type { WireFlags } from '../../domain/models/wire-flags.ts';
import { CHAT_RULES, SILENT_OVERFLOW } from './refusal-rules.ts';
import { chatBody } from './request.ts';

export interface ChatOptions extends InstanceOptions {
  /** Hears the window that a model really runs with. */
  readonly onWindow?: (model: string, contextWindow: number) => void;
}

/** Models behind Chat Completions, at any address that speaks it. */
export const createChatProvider = (options: ChatOptions): Provider =>
  providerOver(new ChatWire(options), options);

const ID_FORMS: Readonly<Record<WireFlags['ids'], IdForm>> = {
  forty: { fits: /^[\w-]{1,40}$/, length: 28, begin: 'bly_' },
  nine: { fits: /^[a-zA-Z0-9]{9}$/, length: 9, begin: '' },
};

/** Milliseconds that the question for the true window may take. */
const WINDOW_LIMIT = 1000;
/** Bytes of a request that one token can stand for: text and JSON have three to four. */
const MOST_BYTES_A_TOKEN = 6;

class ChatWire extends InstanceWire {
  readonly api = 'Chat Completions API';
  readonly endMarkOptional = true;
  readonly #options: ChatOptions;
  readonly #messages = new ChatMessages();
  readonly #ids = { forty: new WireIds(ID_FORMS.forty), nine: new WireIds(ID_FORMS.nine) };
  /** Flags that servers told of how they want requests, by model. */
  readonly #flags = new Map<string, WireFlags>();
  readonly #windowTold = new Set<string>();

  constructor(options: ChatOptions) {
    const { instance } = options;
    const address = (): string => chatAddress(instance.baseUrl);
    super(options, {
      address,
      keyHeaders: (key) => chatKeyHeaders(key, flagsFor(address(), instance.flags)),
    });
    this.#options = options;
  }

  get rules(): readonly Rule[] {
    return this.#plainFlags().silentOverflow ? [...CHAT_RULES, SILENT_OVERFLOW] : CHAT_RULES;
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
  async warning(
    { model }: ModelRequest,
    { pieces }: WireRequest,
    signal: AbortSignal,
  ): Promise<Told | undefined> {
    if (!this.#plainFlags().ollama) return undefined;
    const window = await this.#loadedWindow(model, signal);
    if (window === undefined) return undefined;
    const { contextWindow } = this.#info(model);
    this.#options.onWindow?.(model, window);
    if (lengthOf(pieces) > window * MOST_BYTES_A_TOKEN)
      throw fault(
        'context_limit',
        told`Ollama runs ${model} with a context window of ${window} tokens, and has answered without the beginning of this conversation, which is longer: the answer was not taken. Everything is kept: give it more in Ollama’s settings or with OLLAMA_CONTEXT_LENGTH, or choose another model.`,
      );
    if (window >= contextWindow || this.#windowTold.has(model)) return undefined;
    this.#windowTold.add(model);
    return told`Ollama runs ${model} with a context window of ${window} tokens and silently forgets what is longer. Give it more with OLLAMA_CONTEXT_LENGTH, or set belay.model.contextLimit to ${String(window)}.`;
  }

  async #loadedWindow(model: string, signal: AbortSignal): Promise<number | undefined> {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(WINDOW_LIMIT)]);
      const response = await this.client.get('/../api/ps', limited);
      const windows = loadedWindows(await response.json());
      return windows.get(model) ?? windows.get(`${model}:latest`);
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
}
