import type { ModelCallContext, ModelRequest, Provider } from '../../core/model-call/model-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { BelayError } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/models/model.ts';
import { updated } from '../catalog/shelf.ts';
import { readListedModels } from '../catalog/listed-models.ts';
import type { ProviderInstance } from '../instance.ts';
import { HttpClient } from './client.ts';
import type { KeyedAddresses, Send } from './client.ts';
import { failureOfThrown } from './refusal/failures.ts';
import { missingKey } from './refusal/missing-key.ts';
import type { Rule } from './refusal/refusal.ts';
import { type CountQuestion, TokenCount } from './request/token-count.ts';
import { callOver, CallMemory, destinationOf } from './wire-call.ts';
import type { Wire, WireRequest } from './wire-call.ts';

/** The parts of a wire that speaks for an instance. */
export interface InstanceOptions {
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
  /** Absent: by `fetch`. */
  readonly send?: Send;
  /** Absent: the global one. */
  readonly fetch?: typeof fetch;
}

/** Where a wire's requests go, and how the key goes with them. */
interface Place {
  readonly address: () => string;
  readonly keyHeaders: (key: string) => Readonly<Record<string, string>>;
}

/** A wire of an instance that a person has set up: its key and its address. */
export abstract class InstanceWire implements Wire {
  abstract readonly api: string;
  abstract readonly rules: readonly Rule[];
  readonly address: () => string;
  readonly setting: string;
  readonly name: string;
  readonly client: HttpClient;
  readonly clock: Clock;

  constructor(options: InstanceOptions, { address, keyHeaders }: Place) {
    const { apiKey, clock, fetch, instance, keyed, send, setting } = options;
    this.address = address;
    this.clock = clock;
    this.setting = setting;
    this.name = instance.name;
    this.client = new HttpClient({
      apiKey,
      address,
      headers: (key) => (key === undefined ? {} : keyHeaders(key)),
      keyNeeded: (_, lost) => (instance.key === undefined ? undefined : missingKey(instance, lost)),
      setting,
      keyed,
      send,
      fetch,
    });
  }

  abstract prepare(request: ModelRequest, context: ModelCallContext): WireRequest;
}

interface Counting {
  /** The question for the exact tokens of a request; absent: the API does not count. */
  counting?(request: ModelRequest): CountQuestion;
}

/** The provider of an instance over its wire. `list`: its models, below the address. */
export function providerOver(
  wire: InstanceWire & Counting,
  { infoOf, instance, models }: InstanceOptions,
  list = '/models',
): Provider {
  const memory = new CallMemory();
  const count = new TokenCount();
  return {
    id: instance.id,
    call: (request, context) => callOver(wire, request, context, memory),
    models,
    countTokens: async (request, signal) =>
      count.of(wire.client, request.model, () => wire.counting?.(request), signal),
    fetchModels: async (signal) => {
      try {
        const answer = await wire.client.json(list, signal);
        // The server's word wins.
        return readListedModels(answer).map((listed) => {
          const model = updated(infoOf(listed.id), listed, (id) => infoOf(id));
          const maxOutputTokens = Math.min(model.maxOutputTokens, model.contextWindow);
          return { ...model, maxOutputTokens };
        });
      } catch (thrown) {
        const at = destinationOf(wire, '');
        const failure = failureOfThrown(thrown, { at, rules: wire.rules, signal, inBody: false });
        throw new BelayError(failure, { cause: thrown });
      }
    },
  };
}
