import type { ModelPrices } from '../../../domain/model.ts';
import type { Usage } from '../../../domain/message.ts';
import type { Clock } from '../../ports/clock.ts';
import type { UsageRecord } from '../../ports/store/recorder.ts';
import { type CacheTtl, costOf } from '../cost.ts';
import type { WrapModelCall } from '../model-call.ts';

export interface UsageOptions {
  readonly clock: Clock;
  /** Prices of a model; `undefined` when they are not known. */
  readonly pricesOf: (model: string) => ModelPrices | undefined;
  readonly cacheTtl: () => CacheTtl;
  /** Keeps the record (A8). Called once for each attempt that told its usage; must not throw. */
  readonly onUsage: (record: UsageRecord) => void;
}

/** Records what each attempt consumed, under the model that was really asked (A8, B12). */
export function withUsage({ clock, pricesOf, cacheTtl, onUsage }: UsageOptions): WrapModelCall {
  return (next) =>
    async function* usage(request, context) {
      const record = (model: string, used: Usage): void => {
        const prices = pricesOf(model) ?? pricesOf(request.model);
        const counted = prices === undefined ? undefined : costOf(used, prices, cacheTtl());
        // The provider's bill counts, whatever a price list says.
        const known = used.billed ?? counted;
        const cost = known === undefined ? {} : { cost: known };
        const { sessionId, runId, purpose } = context;
        onUsage({ sessionId, runId, model, purpose, usage: used, ...cost, at: clock.now() });
        context.emit({ type: 'model.usage', model, usage: used, ...cost, purpose });
      };
      let model = request.model;
      for await (const event of next(request, context)) {
        if (event.type === 'started') model = event.model;
        if (event.type === 'complete' && event.answer.usage !== undefined)
          record(event.answer.model, event.answer.usage);
        if (event.type === 'failed' && event.usage !== undefined) record(model, event.usage);
        yield event;
      }
    };
}
