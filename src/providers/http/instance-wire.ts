import type { ModelCallContext, ModelRequest, Provider } from '../../core/model-call/model-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { BelayError } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/model.ts';
import { readListedModels } from '../catalog/listed-models.ts';
import type { ProviderInstance } from '../instance.ts';
import { HttpClient } from './client.ts';
import type { KeyedAddresses } from './client.ts';
import { failureOfThrown } from './failures.ts';
import { missingKey } from './missing-key.ts';
import type { Rule } from './refusal.ts';
import { callOver, CallMemory, destinationOf } from './wire-call.ts';
import type { Wire, WireRequest } from './wire-call.ts';

/** What a wire needs to speak for an instance. */
export interface InstanceOptions {
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

/** A wire of an instance that a person has set up: its key, its address, its models. */
export abstract class InstanceWire implements Wire {
  abstract readonly api: string;
  abstract readonly rules: readonly Rule[];
  readonly setting: string;
  readonly name: string;
  readonly client: HttpClient;
  readonly clock: Clock;
  protected readonly options: InstanceOptions;
  /** The list of models, below the address. */
  protected readonly list: string = '/models';

  constructor(options: InstanceOptions) {
    const { apiKey, clock, fetch, instance, keyed, setting } = options;
    this.options = options;
    this.clock = clock;
    this.setting = setting;
    this.name = instance.name;
    this.client = new HttpClient({
      apiKey,
      address: () => this.address(),
      headers: (key) => (key === undefined ? {} : this.keyHeaders(key)),
      keyNeeded: (_, lost) => (instance.key === undefined ? undefined : missingKey(instance, lost)),
      setting,
      keyed,
      fetch,
    });
  }

  abstract address(): string;

  abstract prepare(request: ModelRequest, context: ModelCallContext): WireRequest;

  async fetchModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    try {
      const response = await this.client.get(this.list, signal);
      const listed: unknown = await response.json();
      return readListedModels(listed).map((one) => {
        const model = { ...this.options.infoOf(one.id), ...one };
        return { ...model, maxOutputTokens: Math.min(model.maxOutputTokens, model.contextWindow) };
      });
    } catch (thrown) {
      const at = destinationOf(this, '');
      const failure = failureOfThrown(thrown, { at, rules: this.rules, signal, inBody: false });
      throw new BelayError(failure, { cause: thrown });
    }
  }

  /** The header for the key. */
  protected keyHeaders(key: string): Record<string, string> {
    return { authorization: `Bearer ${key}` };
  }
}

/** The provider of an instance over its wire. */
export function providerOver(wire: InstanceWire, options: InstanceOptions): Provider {
  const memory = new CallMemory();
  return {
    id: options.instance.id,
    call: (request, context) => callOver(wire, request, context, memory),
    models: options.models,
    fetchModels: (signal) => wire.fetchModels(signal),
  };
}
