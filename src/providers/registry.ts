import { withFallback } from '../core/model-call/wrappers/fallback.ts';
import { withGuard } from '../core/model-call/wrappers/guard.ts';
import { withMask } from '../core/model-call/wrappers/masking.ts';
import type { ModelCall, Provider } from '../core/model-call/model-call.ts';
import { withRefit } from '../core/model-call/wrappers/refit.ts';
import { withRetry } from '../core/model-call/wrappers/retry.ts';
import { withUsage } from '../core/model-call/wrappers/usage.ts';
import { withWatchdogs } from '../core/model-call/wrappers/watchdogs.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/log.ts';
import type { UsageRecord } from '../core/ports/store/recorder.ts';
import type { SecretBook } from '../core/secrets/secret-book.ts';
import type { Settings } from '../domain/settings/settings.ts';
import type { Catalog } from './catalog.ts';

/** The providers and which of them has a model. */
export interface ProviderRegistry {
  readonly providers: readonly Provider[];
  /** The provider that lists the model; a name that nobody lists belongs to the first one, whose server may know it. */
  providerOf(model: string): Provider;
}

/** `providers`: the first one gets the models that no other lists. */
export function createRegistry(providers: readonly [Provider, ...Provider[]]): ProviderRegistry {
  return {
    providers,
    providerOf: (model) =>
      providers.find((provider) => provider.models().some(({ id }) => id === model)) ??
      providers[0],
  };
}

export interface ModelCallParts {
  readonly registry: ProviderRegistry;
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Hears of each attempt's usage (A8); must not throw. */
  readonly onUsage: (record: UsageRecord) => void;
  /** What no request may carry. */
  readonly secrets: Pick<SecretBook, 'hasNewer' | 'learn' | 'mask' | 'version'>;
}

/**
 * The model call as the loop uses it. The order is a decision, from the outside in:
 *
 * 1. mask: outermost, so that nothing behind it ever holds a secret, and once for all attempts
 * 2. fallback: a model that failed for good is replaced, so each model has its own retries
 * 3. retry: of one model, with the same request
 * 4. refit: a refused request is repaired and sent once more, which is no retry
 * 5. usage: inside fallback and retry, so that each attempt is recorded under its model
 * 6. watchdogs: around one attempt, so that a silent one is a failure like any other
 * 7. guard: holds the provider to its contract
 */
export function createModelCall({
  registry,
  catalog,
  settings,
  clock,
  log,
  random,
  onUsage,
  secrets,
}: ModelCallParts): ModelCall {
  const wrappers = [
    withMask(secrets, () => settings('secrets.maskToolOutput')),
    withFallback({
      chain: () => settings('model.fallbacks'),
      providerOf: (model) => registry.providerOf(model).id,
    }),
    withRetry({ settings, clock, log, random }),
    withRefit({ log }),
    withUsage({
      clock,
      pricesOf: (model) => catalog.lookup(model).prices,
      cacheTtl: () => settings('model.cacheTtl'),
      onUsage,
    }),
    withWatchdogs({ settings, clock }),
    withGuard(log),
  ];
  const ask: ModelCall = (request, context) =>
    registry.providerOf(request.model).call(request, context);
  return wrappers.reduceRight<ModelCall>((next, wrap) => wrap(next), ask);
}
