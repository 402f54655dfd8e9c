import { attemptOf } from './attempt.ts';
import { failureRule } from '../failure-rules.ts';
import type { ModelRequest, WrapModelCall } from '../model-call.ts';
import { because, type Failure } from '../../../domain/failure.ts';
import type { Clock } from '../../ports/clock.ts';

/** Milliseconds for which a model that failed for good is asked last: providers count their limits by the minute. */
const COOLDOWN = 60_000;

export interface FallbackOptions {
  /** The setting `model.fallbacks`: models in the order in which they are asked. */
  readonly chain: () => readonly string[];
  /** The id of a model's provider. */
  readonly providerOf: (model: string) => string;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * Lets the next model in the chain answer when one fails for good (A11). For a minute, or as long as the provider asks
 * to wait, the others are asked first: a run does not wait for the same failure at each of its turns.
 */
export function withFallback({ chain, providerOf, clock }: FallbackOptions): WrapModelCall {
  const cooling = new Cooldowns(providerOf, clock);
  return (next) =>
    async function* fallback(request, context) {
      const tried = new Set<string>();
      const failedProviders = new Set<string>();
      const choose = (): string | undefined => {
        const left = [request.model, ...chain()].filter(
          (name) => !tried.has(name) && !failedProviders.has(providerOf(name)),
        );
        return left.find((name) => cooling.of(name) === undefined) ?? left[0];
      };
      let model = choose() ?? request.model;
      if (model !== request.model) {
        const failure = cooling.tell(request.model, context.sessionId);
        if (failure !== undefined)
          context.emit({ type: 'model.fallback', from: request.model, to: model, failure });
      }
      for (;;) {
        tried.add(model);
        const { failed, shown } = yield* attemptOf(next(forModel(request, model), context));
        if (failed === undefined) return;
        const { failure } = failed;
        const { fallback: scope, reason } = failureRule(failure.code);
        if (scope === 'provider') failedProviders.add(providerOf(model));
        if (!context.signal.aborted) cooling.begin(model, failure, context.sessionId);
        const to = scope === 'none' || context.signal.aborted ? undefined : choose();
        if (to === undefined) {
          yield failed;
          return;
        }
        if (shown) yield { type: 'discard', ...because(reason) };
        context.emit({ type: 'model.fallback', from: model, to, failure });
        model = to;
      }
    };
}

interface Cooldown {
  /** On the monotonic clock, in milliseconds. */
  readonly until: number;
  readonly failure: Failure;
  /** The sessions that have been told. */
  readonly told: Set<string>;
}

/** Failures of a moment ago that may pass: single models, or their providers where those cannot be reached. */
class Cooldowns {
  readonly #providerOf: (model: string) => string;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #models = new Map<string, Cooldown>();
  readonly #providers = new Map<string, Cooldown>();

  constructor(providerOf: (model: string) => string, clock: Pick<Clock, 'monotonic'>) {
    this.#providerOf = providerOf;
    this.#clock = clock;
  }

  of(model: string): Cooldown | undefined {
    const now = this.#clock.monotonic();
    return [this.#models.get(model), this.#providers.get(this.#providerOf(model))].find(
      (one) => one !== undefined && one.until > now,
    );
  }

  /** The failure that a session is to hear of; `undefined` when it has. */
  tell(model: string, sessionId: string): Failure | undefined {
    const cooldown = this.of(model);
    if (cooldown === undefined || cooldown.told.has(sessionId)) return undefined;
    cooldown.told.add(sessionId);
    return cooldown.failure;
  }

  /** A failure that does not pass by itself, such as a wrong key, is not kept: the person mends it, and is to see that at once. */
  begin(model: string, failure: Failure, sessionId: string): void {
    const { retry, fallback } = failureRule(failure.code);
    if (retry !== 'yes') return;
    const wait = Math.max(COOLDOWN, failure.retryAfterMs ?? 0);
    const cooldown = {
      until: this.#clock.monotonic() + wait,
      failure,
      told: new Set([sessionId]),
    };
    if (fallback === 'provider') this.#providers.set(this.#providerOf(model), cooldown);
    else this.#models.set(model, cooldown);
  }
}

/** The limit on the answer belongs to the model it was made for. */
function forModel(request: ModelRequest, model: string): ModelRequest {
  if (model === request.model) return request;
  const { maxOutputTokens: _, ...rest } = request;
  return { ...rest, model };
}
