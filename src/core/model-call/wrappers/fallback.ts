import { attemptOf } from './attempt.ts';
import { failureRule } from '../failure-rules.ts';
import type { ModelRequest, WrapModelCall } from '../model-call.ts';

export interface FallbackOptions {
  /** The setting `model.fallbacks`: models in the order in which they are asked. */
  readonly chain: () => readonly string[];
  /** The id of a model's provider. */
  readonly providerOf: (model: string) => string;
}

/** Lets the next model in the chain answer when one fails for good (A11). */
export function withFallback({ chain, providerOf }: FallbackOptions): WrapModelCall {
  return (next) =>
    async function* fallback(request, context) {
      const tried = new Set<string>();
      const failedProviders = new Set<string>();
      let model = request.model;
      for (;;) {
        tried.add(model);
        const { failed, shown } = yield* attemptOf(next(forModel(request, model), context));
        if (failed === undefined) return;
        const { fallback: scope, reason } = failureRule(failed.failure.code);
        if (scope === 'provider') failedProviders.add(providerOf(model));
        const to =
          scope === 'none' || context.signal.aborted
            ? undefined
            : chain().find((name) => !tried.has(name) && !failedProviders.has(providerOf(name)));
        if (to === undefined) {
          yield failed;
          return;
        }
        if (shown) yield { type: 'discard', reason };
        context.emit({ type: 'model.fallback', from: model, to, failure: failed.failure });
        model = to;
      }
    };
}

/** The limit on the answer belongs to the model it was made for. */
function forModel(request: ModelRequest, model: string): ModelRequest {
  if (model === request.model) return request;
  const { maxOutputTokens: _, ...rest } = request;
  return { ...rest, model };
}
