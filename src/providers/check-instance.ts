import * as l10n from '@vscode/l10n';
import { completeCall } from '../core/model-call/model-call.ts';
import type { ModelRequest, Provider } from '../core/model-call/model-call.ts';
import type { Clock } from '../core/ports/clock.ts';
import { BelayError } from '../domain/failure.ts';
import type { Failure } from '../domain/failure.ts';
import type { ModelInfo, ToolSpec } from '../domain/models/model.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { ModelUpdate } from './catalog/updates.ts';
import { reasonOf, saidOfFailure, saidOfModel, serverOf } from './check-words.ts';
import type { CheckReason } from './check-words.ts';
import { textOr } from './http/fields.ts';
import { ModelNames } from './instance.ts';
import type { ProviderInstance } from './instance.ts';
import { createNamedCatalog } from './named-catalog.ts';
import { WIRES } from './wires.ts';

/** The result of trying a provider. */
export interface InstanceCheck {
  /** `unclear`: something answered, but not whether it works; a reason: why it does not. */
  readonly state: 'works' | 'unclear' | CheckReason;
  /** The result as one sentence. */
  readonly said: string;
  /** The models that it lists. */
  readonly models: readonly ModelUpdate[];
}

export interface CheckParts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A model to try, by the instance's own name; absent: its default one. */
  readonly model?: string | undefined;
  /** `always`: a tiny request, too, because no list tells of credit and rights; `if_needed`: only where the list does not tell if the key is good. */
  readonly ask: 'always' | 'if_needed';
  /** Milliseconds for each question; absent: ten seconds for a list, thirty for an answer. */
  readonly limit?: number;
  /** Absent: the global one. */
  readonly fetch?: typeof fetch;
}

/** Milliseconds for a list of models, and for a tiny answer: a local server may have to load the model first. */
const LIST_LIMIT = 10_000;
const ANSWER_LIMIT = 30_000;
/** Tokens of a tiny answer: the least that every API takes. */
const TINY = 16;

const TOOL: ToolSpec = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

/** Tries a provider with a key: asks for its models, and where that does not tell enough, for a few tokens. */
export async function checkInstance(
  instance: ProviderInstance,
  key: string | undefined,
  parts: CheckParts,
): Promise<InstanceCheck> {
  return new Check(instance, key, parts).run();
}

class Check {
  readonly #instance: ProviderInstance;
  readonly #key: string | undefined;
  readonly #parts: CheckParts;
  readonly #catalog: Catalog;
  readonly #provider: Provider;
  #listed: readonly ModelUpdate[] = [];

  constructor(instance: ProviderInstance, key: string | undefined, parts: CheckParts) {
    this.#instance = instance;
    this.#key = key;
    this.#parts = parts;
    this.#catalog = createNamedCatalog(new ModelNames([instance]));
    this.#provider = this.#providerWith(instance, key);
  }

  async run(): Promise<InstanceCheck> {
    const failed = await this.#list(this.#provider);
    const reason = failed === undefined ? undefined : reasonOf(failed);
    // Some servers list nothing, or not for every key: only an answer tells there.
    if (failed !== undefined && reason !== 'wire' && reason !== 'permission')
      return this.#said(reason ?? 'other', saidOfFailure(failed, this.#instance, this.#facts()));
    const model = this.#model();
    if (model === undefined) return this.#withoutModel(failed);
    const isProven =
      this.#parts.ask === 'if_needed' &&
      failed === undefined &&
      this.#listed.length > 0 &&
      (this.#key === undefined || (await this.#isClosed()));
    if (isProven) return this.#works(model, undefined);
    return this.#answer(model, TOOL);
  }

  /** The model that is tried: the wanted one, else what is offered first. */
  #model(): string | undefined {
    const { id, listed = [] } = this.#instance;
    return this.#parts.model ?? listed[0]?.id ?? this.#catalog.defaultModel(id);
  }

  async #list(provider: Provider): Promise<Failure | undefined> {
    const limit = AbortSignal.timeout(this.#parts.limit ?? LIST_LIMIT);
    try {
      const models = await provider.fetchModels?.(AbortSignal.any([limit, this.#parts.signal]));
      this.#listed = models ?? [];
      if (this.#listed.length > 0 && (this.#instance.listed ?? []).length === 0)
        this.#catalog.learn(this.#instance.id, this.#listed);
      return undefined;
    } catch (error) {
      if (limit.aborted) return { code: 'timeout', message: '' };
      if (error instanceof BelayError) return error.failure;
      throw error;
    }
  }

  /** The list is for those with a key only: that it came shows that the key is good. */
  async #isClosed(): Promise<boolean> {
    const listed = this.#listed;
    const failed = await this.#list(this.#providerWith(withoutKey(this.#instance), undefined));
    this.#listed = listed;
    return failed !== undefined;
  }

  async #answer(model: string, tool: ToolSpec | undefined): Promise<InstanceCheck> {
    const limit = AbortSignal.timeout(this.#parts.limit ?? ANSWER_LIMIT);
    const signal = AbortSignal.any([limit, this.#parts.signal]);
    const given = await completeCall(this.#provider.call, tinyRequest(model, tool), {
      signal,
      sessionId: 'check',
      runId: 'check',
      purpose: 'task',
      emit: () => undefined,
    });
    const failure = 'failure' in given ? given.failure : undefined;
    if (failure === undefined || SAID_ENOUGH.has(failure.code))
      return this.#works(model, tool !== undefined);
    if (tool !== undefined && isAboutTools(failure)) return this.#answer(model, undefined);
    const seen: Failure = limit.aborted ? { code: 'timeout', message: '' } : failure;
    const said = saidOfFailure(seen, this.#instance, { ...this.#facts(), model });
    return this.#said(reasonOf(seen), said);
  }

  #works(model: string, tools: boolean | undefined): InstanceCheck {
    const info = this.#catalog.lookup(model, this.#instance.id);
    const said = saidOfModel(info, this.#instance, { ...this.#facts(), tools, model });
    return this.#said('works', said);
  }

  #withoutModel(failed: Failure | undefined): InstanceCheck {
    const server = serverOf(this.#instance);
    return failed === undefined
      ? this.#said(
          'unclear',
          l10n.t('{0} answers, but lists no models: name one that it has.', server),
        )
      : this.#said(
          'unclear',
          `${saidOfFailure(failed, this.#instance, this.#facts())} ${l10n.t('If the address is right, it has no list of models: name one that it has.')}`,
        );
  }

  #facts() {
    return { hasKey: this.#key !== undefined, listed: this.#listed.length };
  }

  #said(state: InstanceCheck['state'], said: string): InstanceCheck {
    return { state, said, models: this.#listed };
  }

  #providerWith(instance: ProviderInstance, key: string | undefined): Provider {
    const { clock, fetch } = this.#parts;
    return WIRES[instance.wire](instance, {
      apiKey: async () => Promise.resolve(key),
      infoOf: (model): ModelInfo => this.#catalog.lookup(model, this.#instance.id),
      catalog: this.#catalog,
      cacheTtl: () => '5m',
      clock,
      ...(fetch === undefined ? {} : { fetch }),
    });
  }
}

function withoutKey(instance: ProviderInstance): ProviderInstance {
  const copy: { -readonly [Name in keyof ProviderInstance]: ProviderInstance[Name] } = {
    ...instance,
  };
  delete copy.key;
  return copy;
}

/** Failures of an answer that show that everything before it works: it was only too short for its thinking. */
const SAID_ENOUGH: ReadonlySet<string> = new Set(['empty_response', 'output_limit', 'refusal']);

const isAboutTools = ({ code, details, message }: Failure): boolean =>
  code === 'tool_schema_rejected' ||
  (code === 'api' &&
    /\btools?\b|function/i.test(`${message} ${textOr(details?.['providerText'])}`));

const tinyRequest = (model: string, tool: ToolSpec | undefined): ModelRequest => ({
  model,
  system: [],
  messages: [
    {
      id: 'check',
      sessionId: 'check',
      seq: 1,
      role: 'user',
      parts: [{ type: 'text', text: 'Say ok.' }],
      createdAt: 0,
    },
  ],
  tools: tool === undefined ? [] : [tool],
  toolChoice: { type: 'auto' },
  maxOutputTokens: TINY,
  thinking: 'off',
});
