import { told, type Told } from '../../../domain/text/told.ts';
import { type Failure, tells } from '../../../domain/failure.ts';
import type { Message } from '../../../domain/message.ts';
import type { Log } from '../../ports/log.ts';
import {
  hasMedia,
  heavierThan,
  largerThan,
  withoutMedia,
  withoutPairs,
  withoutThinking,
  withShortResults,
} from '../lighter-history.ts';
import type { Lighten } from '../lighter-history.ts';
import type { ModelRequest, WrapModelCall } from '../model-call.ts';
import type { Pictures } from '../pictures.ts';
import { repairHistory } from './repair.ts';

/** A request changed so that the provider may accept it, and what the person should know of it. */
interface Remedy {
  readonly name: string;
  readonly request: ModelRequest;
  readonly warning?: Told;
}

/** Fewer tokens than this are no answer: the conversation is too long then. */
const LEAST_ANSWER_TOKENS = 1024;
/** Remedies in one call; several tools may be refused, one at a time. */
const MOST_REMEDIES = 8;
/** At the end of the history these messages are spared first: the model is working on them. */
const RECENT_MESSAGES = 2;
/** Changed messages whose change is known when they are read from the store again. */
const MOST_REMEMBERED = 5000;

/**
 * Sends only what providers accept (h14 to h16), and repairs a request that was refused all the
 * same, each kind of repair once. A changed message stays changed for later calls; the transcript
 * is never touched.
 */
export function withRefit({
  log,
  pictures,
}: {
  readonly log: Log;
  readonly pictures: Pick<Pictures, 'learn'>;
}): WrapModelCall {
  const memory = new Memory(pictures);
  return (next) =>
    async function* refit(request, context) {
      let current = memory.prepared(request);
      const tried = new Set<string>();
      for (;;) {
        let failure: Failure | undefined;
        for await (const event of next(current, context)) {
          if (event.type === 'failed' && event.usage === undefined) failure = event.failure;
          else yield event;
          if (event.type === 'complete') return;
        }
        if (failure === undefined) return;
        const remedy = tried.size < MOST_REMEDIES ? memory.remedyFor(failure, current) : undefined;
        if (remedy === undefined || tried.has(remedy.name)) {
          yield { type: 'failed', failure: asOverflow(failure) };
          return;
        }
        tried.add(remedy.name);
        log.warn('request refused, sending it repaired', {
          code: failure.code,
          remedy: remedy.name,
        });
        if (remedy.warning !== undefined) yield { type: 'warning', ...tells(remedy.warning) };
        current = remedy.request;
      }
    };
}

/** No room for an answer is the same as a conversation that is too long: compaction helps. */
function asOverflow(failure: Failure): Failure {
  return failure.code === 'output_limit' && failure.details?.['promptTokens'] !== undefined
    ? { ...failure, code: 'context_overflow' }
    : failure;
}

class Memory {
  readonly #lightened = new WeakMap<Message, Message>();
  /** By message id, for the objects of a later run: what a provider refused once, it refuses again. */
  readonly #changes = new Map<string, readonly Lighten[]>();
  /** Name and schema of tools that were refused: one that comes back changed is offered again. */
  readonly #refusedTools = new Set<string>();
  readonly #unforced = new Set<string>();
  readonly #outputLimits = new Map<string, number>();
  readonly #pictures: Pick<Pictures, 'learn'>;

  constructor(pictures: Pick<Pictures, 'learn'>) {
    this.#pictures = pictures;
  }

  prepared(request: ModelRequest): ModelRequest {
    const known = request.messages.map((message) => this.#known(message));
    const isSame = known.every((message, index) => message === request.messages[index]);
    const messages = repairHistory(isSame ? request.messages : known);
    const tools =
      this.#refusedTools.size === 0
        ? request.tools
        : request.tools.filter((tool) => !this.#refusedTools.has(JSON.stringify(tool)));
    const limit = this.#outputLimits.get(request.model);
    return {
      ...request,
      messages,
      tools,
      ...(this.#unforced.has(request.model) && request.toolChoice.type === 'tool'
        ? { toolChoice: { type: 'auto' } as const }
        : {}),
      ...(limit === undefined
        ? {}
        : { maxOutputTokens: Math.min(limit, request.maxOutputTokens ?? limit) }),
    };
  }

  #known(message: Message): Message {
    const light = this.#lightened.get(message);
    if (light !== undefined) return this.#known(light);
    const changes = this.#changes.get(message.id);
    if (changes === undefined) return message;
    const changed = changes.reduce((earlier, change) => change(earlier), message);
    if (changed !== message) this.#lightened.set(message, changed);
    return changed;
  }

  remedyFor(failure: Failure, request: ModelRequest): Remedy | undefined {
    switch (failure.code) {
      case 'history_rejected':
        return failure.details?.['problem'] === 'thinking'
          ? this.#withoutThinking(request)
          : this.#flat(request);
      case 'image_rejected':
        return this.#withoutImages(failure, request);
      case 'request_too_large':
        return this.#smaller(request);
      case 'output_limit':
        return this.#shorterAnswer(failure, request);
      case 'tool_schema_rejected':
        return this.#withoutTool(failure, request);
      default:
        return undefined;
    }
  }

  #withoutThinking(request: ModelRequest): Remedy | undefined {
    const messages = this.#lighten(request.messages, withoutThinking);
    if (messages !== undefined)
      return { name: 'without thinking', request: { ...request, messages } };
    // A model that thinks within a budget wants thinking before calls that are being answered: there is none now.
    return request.thinking === 'off'
      ? undefined
      : { name: 'not thinking', request: { ...request, thinking: 'off' } };
  }

  #flat(request: ModelRequest): Remedy | undefined {
    const messages = this.#lighten(request.messages, withoutPairs);
    return messages === undefined
      ? undefined
      : { name: 'without pairs', request: { ...request, messages } };
  }

  #withoutImages(failure: Failure, request: ModelRequest): Remedy | undefined {
    const { problem, maxBytes, maxSide } = failure.details ?? {};
    const smaller = {
      ...(problem === 'dimensions' && typeof maxSide === 'number' ? { side: maxSide } : {}),
      ...(problem === 'bytes' && typeof maxBytes === 'number' ? { length: maxBytes } : {}),
    };
    if (this.#pictures.learn(request.model, smaller)) return { name: 'smaller pictures', request };
    const all = withoutMedia(() => true);
    let name = 'without images';
    let messages: readonly Message[] | undefined;
    if (problem === 'bytes' && typeof maxBytes === 'number') {
      messages = this.#lighten(request.messages, withoutMedia(heavierThan(maxBytes)));
    } else if (problem === 'dimensions' && typeof maxSide === 'number') {
      messages = this.#lighten(request.messages, withoutMedia(largerThan(maxSide)));
    } else {
      // Which one cannot be read is not told: the newest has not been taken before.
      const newest = request.messages.findLast(hasMedia);
      messages = this.#lighten(request.messages, (message) =>
        message.id === newest?.id ? all(message) : message,
      );
      name = `without the images of ${newest?.id ?? ''}`;
    }
    messages ??= this.#lighten(request.messages, all);
    if (messages === undefined) return undefined;
    const warning = told`The model does not take an image or a PDF of this conversation; it was left out. The file itself is kept.`;
    return { name, request: { ...request, messages }, warning };
  }

  #smaller(request: ModelRequest): Remedy | undefined {
    const lighten: Lighten = (message) => withShortResults(withoutMedia(() => true)(message));
    const older = request.messages.slice(0, -RECENT_MESSAGES);
    const recent = request.messages.slice(-RECENT_MESSAGES);
    const messages =
      this.#lighten(older, lighten)?.concat(recent) ?? this.#lighten(request.messages, lighten);
    if (messages === undefined) return undefined;
    const warning = told`The request was too large for the provider: images and long tool results were left out of what the model sees. They are kept in the session.`;
    const spared = messages
      .slice(-RECENT_MESSAGES)
      .every((message, index) => message === recent[index]);
    return { name: spared ? 'smaller' : 'smallest', request: { ...request, messages }, warning };
  }

  #shorterAnswer(failure: Failure, request: ModelRequest): Remedy | undefined {
    const { promptTokens, limit, outputLimit } = failure.details ?? {};
    if (typeof outputLimit === 'number') {
      this.#outputLimits.set(request.model, outputLimit);
      return { name: 'known limit', request: { ...request, maxOutputTokens: outputLimit } };
    }
    if (typeof promptTokens !== 'number' || typeof limit !== 'number') return undefined;
    const left = limit - promptTokens;
    return left < LEAST_ANSWER_TOKENS
      ? undefined
      : { name: 'shorter answer', request: { ...request, maxOutputTokens: left } };
  }

  #withoutTool(failure: Failure, request: ModelRequest): Remedy | undefined {
    if (failure.details?.['problem'] === 'tool_choice') {
      this.#unforced.add(request.model);
      return request.toolChoice.type === 'tool'
        ? { name: 'unforced', request: { ...request, toolChoice: { type: 'auto' } } }
        : undefined;
    }
    const name = failure.details?.['tool'];
    const refused = request.tools.find((tool) => tool.name === name);
    if (refused === undefined) return undefined;
    this.#refusedTools.add(JSON.stringify(refused));
    const tools = request.tools.filter((tool) => tool !== refused);
    const warning = told`The provider refuses the description of the tool “${refused.name}”, so the model goes on without it. Switch it off in the setting belay.tools.disabled, or tell the author of its MCP server.`;
    return { name: `without ${refused.name}`, request: { ...request, tools }, warning };
  }

  /** The messages with the change, remembered for later calls; `undefined` when it changes nothing. */
  #lighten(messages: readonly Message[], lighten: Lighten): readonly Message[] | undefined {
    let changed = false;
    const next = messages.map((message) => {
      const light = lighten(message);
      if (light !== message) {
        changed = true;
        this.#lightened.set(message, light);
        this.#remember(message.id, lighten);
      }
      return light;
    });
    return changed ? next : undefined;
  }

  #remember(id: string, change: Lighten): void {
    this.#changes.set(id, [...(this.#changes.get(id) ?? []), change]);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > MOST_REMEMBERED && oldest !== undefined) this.#changes.delete(oldest);
  }
}
