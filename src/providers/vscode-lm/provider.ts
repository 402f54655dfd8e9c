import { told } from '../../domain/text/told.ts';
import type {
  ModelCallContext,
  ModelEvent,
  ModelRequest,
  Provider,
} from '../../core/model-call/model-call.ts';
import { roughTokens } from '../../core/context/tokens/estimate.ts';
import { sizeOf } from '../../core/context/tokens/message-size.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type {
  EditorMessage,
  EditorModel,
  EditorModels,
  EditorPart,
  EditorRequest,
} from '../../core/ports/editor/editor-models.ts';
import { CANCELED, type Failure, tells } from '../../domain/failure.ts';
import type { Part, Usage } from '../../domain/message.ts';
import type { ModelInfo } from '../../domain/models/model.ts';
import { untilAborted } from '../../domain/lifetime/until-aborted.ts';
import type { Destination } from '../http/refusal/refusal.ts';
import { usableTools } from '../http/request/usable-tools.ts';
import { WireIds } from '../http/request/wire-ids.ts';
import { EditorAssembly } from './assemble.ts';
import { Consents } from './consent.ts';
import { editorFailure } from './failures.ts';
import { editorMessages, LONGEST_NAME } from './messages.ts';
import type { EditorForm } from './messages.ts';
import { modelInfo } from './models.ts';

export interface EditorProviderOptions {
  /** The instance's id. */
  readonly id: string;
  readonly editor: EditorModels;
  /** The models that were there last; a call looks again for one that is not among them. */
  readonly known: () => readonly EditorModel[];
  readonly clock: Clock;
}

/** Milliseconds after which a call that nobody has answered yet, perhaps the person, is still alive. */
const ALIVE_EVERY = 5000;
/** Copilot refuses more. */
const MOST_TOOLS = 128;
const WHY = 'Belay sends your messages and what its tools find in the workspace to this model.';

/** The models of the editor: no key, and what they cannot do is in their facts. */
export function createEditorProvider(options: EditorProviderOptions): Provider {
  const provider = new EditorProvider(options);
  return {
    id: options.id,
    models: () => provider.models(),
    call: (request, context) => provider.ask(request, context),
    countTokens: (request, signal) => provider.countTokens(request, signal),
    fetchModels: async () => provider.fetchModels(),
  };
}

class EditorProvider {
  readonly #options: EditorProviderOptions;
  readonly #consents = new Consents();
  readonly #ids = new WireIds({ fits: /^[\w-]{1,40}$/, length: 28, begin: 'bly_' });
  readonly #told = new Set<string>();

  constructor(options: EditorProviderOptions) {
    this.#options = options;
  }

  models(): readonly ModelInfo[] {
    return this.#options.known().map((model) => modelInfo(model, this.#options.id));
  }

  async fetchModels(): Promise<readonly ModelInfo[]> {
    const found = await this.#options.editor.list();
    return found.map((model) => modelInfo(model, this.#options.id));
  }

  /** Tokens of the whole request by the model's own measure; `undefined`: it cannot say. */
  async countTokens(request: ModelRequest, signal: AbortSignal): Promise<number | undefined> {
    const { editor } = this.#options;
    try {
      const { messages, tools } = this.#written(request, this.#modelOf(request.model));
      const described: readonly EditorMessage[] =
        tools.length === 0
          ? []
          : [{ role: 'user', parts: [{ type: 'text', text: JSON.stringify(tools) }] }];
      let tokens = 0;
      for (const message of [...described, ...messages])
        tokens += await editor.countTokens(request.model, message, signal);
      return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
    } catch {
      return undefined;
    }
  }

  async *ask(request: ModelRequest, context: ModelCallContext): AsyncGenerator<ModelEvent> {
    const model = this.#modelOf(request.model);
    const at: Destination = {
      model: model.name,
      baseUrl: model.vendor,
      tools: [],
      now: this.#options.clock.now(),
      api: 'VS Code',
      setting: 'belay.model.name',
    };
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    const owner = this.#owner(request.model);
    const assembly = new EditorAssembly(owner);
    const had = { inAnswer: false, hasImages: false };
    try {
      yield* this.#notes(request, model);
      const written = this.#written(request, model);
      had.hasImages = hasImages(written);
      const byPerson = context.purpose === 'turn';
      const parts = yield* this.#sent(model, written, { signal, byPerson });
      for await (const part of abortable(parts, signal)) {
        had.inAnswer = true;
        assembly.accept(part);
        yield { type: 'alive' };
        yield* assembly.take();
      }
      const answer = context.signal.aborted
        ? undefined
        : assembly.finish((made) => usageOf(request, made));
      yield* assembly.take();
      if (answer !== undefined) yield { type: 'complete', answer };
      else yield { type: 'failed', failure: context.signal.aborted ? CANCELED : empty(at) };
    } catch (thrown) {
      const failure = context.signal.aborted ? CANCELED : editorFailure(thrown, at, had);
      const { usage } = assembly;
      yield { type: 'failed', failure, ...(usage === undefined ? {} : { usage }) };
    } finally {
      stop.abort();
    }
  }

  /** Sends the request; while the person is asked, or the model's extension starts, the call is alive. */
  async *#sent(
    model: EditorModel,
    request: EditorRequest,
    asking: { readonly signal: AbortSignal; readonly byPerson: boolean },
  ): AsyncGenerator<ModelEvent, AsyncIterable<EditorPart>> {
    const { editor, clock } = this.#options;
    const { signal } = asking;
    const sending = this.#consents.asked(model.vendor, asking, async () =>
      editor.send(model.id, request, signal),
    );
    // Who was stopped meanwhile does not wait for the answer; a no to it is nobody's error.
    sending.catch(() => undefined);
    const waiting = new AbortController();
    try {
      for (;;) {
        const pause = clock.sleep(ALIVE_EVERY, waiting.signal).catch(() => undefined);
        const parts = await untilAborted(Promise.race([sending, pause]), signal);
        if (parts !== undefined) return parts;
        yield { type: 'alive' };
      }
    } finally {
      waiting.abort();
    }
  }

  *#notes({ model, tools }: ModelRequest, known: EditorModel): Generator<ModelEvent> {
    const notes = [...usableTools(tools, LONGEST_NAME).notes];
    if (tools.length > 0 && known.tools === false)
      notes.push(
        told`${known.name} calls no tools: it answers, but it reads and changes nothing. Choose another model for work on files.`,
      );
    else if (tools.length > MOST_TOOLS)
      notes.push(
        told`Of ${tools.length} tools the first ${MOST_TOOLS} are offered to ${known.name}.`,
      );
    for (const note of notes) {
      const words = tells(note);
      if (this.#told.has(`${model} ${words.message}`)) continue;
      this.#told.add(`${model} ${words.message}`);
      yield { type: 'warning', ...words };
    }
  }

  #written(request: ModelRequest, model: EditorModel): EditorRequest {
    const { toolChoice } = request;
    const form: EditorForm = {
      tools: model.tools !== false,
      images: model.images !== false,
      owner: this.#owner(request.model),
      ids: this.#ids,
    };
    const usable =
      form.tools && toolChoice.type !== 'none'
        ? usableTools(request.tools, LONGEST_NAME).specs
        : [];
    const forced = usable.filter(
      ({ name }) => toolChoice.type === 'tool' && name === toolChoice.name,
    );
    // Who must call a tool is offered only that one: models take no list with it.
    const offered = forced.length > 0 ? forced : usable.slice(0, MOST_TOOLS);
    return {
      messages: editorMessages(request, form),
      tools: offered.map(({ name, description, inputSchema }) => ({
        name,
        description: description.toWellFormed(),
        inputSchema,
      })),
      required: forced.length > 0,
      justification: WHY,
    };
  }

  /** A model that is gone, or was never seen here, is asked all the same: the editor says what it knows. */
  #modelOf(id: string): EditorModel {
    const found = this.#options.known().find((model) => model.id === id);
    return found ?? { id, name: id, vendor: id.split('/')[0] ?? id, maxInputTokens: 0 };
  }

  #owner(model: string) {
    return { instance: this.#options.id, wire: 'vscode-lm', model };
  }
}

const hasImages = ({ messages }: EditorRequest): boolean =>
  messages.some(({ parts }) => parts.some(({ type }) => type === 'data'));

const empty = (at: Destination): Failure => ({
  code: 'empty_response',
  ...tells(
    told`${at.model} gave an empty answer. Everything so far is kept: send a message to go on.`,
  ),
});

/** Parts until the signal: some extensions do not hear that they are to stop. */
async function* abortable<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  for (;;) {
    const next = await untilAborted(iterator.next(), signal);
    if (next.done === true) return;
    yield next.value;
  }
}

/** Tokens by length, where the provider tells nothing. */
function usageOf(request: ModelRequest, parts: readonly Part[]): Usage {
  const tokensOf = (message: { readonly parts: readonly Part[] }): number => {
    const size = sizeOf(message);
    return roughTokens(size.text) + size.mediaTokens;
  };
  const prefix = roughTokens(JSON.stringify([request.system, request.tools]));
  return {
    inputTokens: request.messages.reduce((sum, message) => sum + tokensOf(message), prefix),
    outputTokens: tokensOf({ parts }),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    estimated: true,
  };
}
