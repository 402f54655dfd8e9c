import type { ModelPrices } from '../../../domain/models/model.ts';
import type { Usage } from '../../../domain/message.ts';
import type { Clock } from '../../ports/clock.ts';
import type { UsageRecord } from '../../ports/store/recorder.ts';
import { expanded } from '../../tool-call/use-tool.ts';
import { type CacheTtl, costOf, savedByCache } from '../cost.ts';
import type { ModelAnswer, WrapModelCall } from '../model-call.ts';

export interface UsageOptions {
  readonly clock: Clock;
  /** Prices of a model; `undefined` when they are not known. */
  readonly pricesOf: (model: string) => ModelPrices | undefined;
  readonly cacheTtl: () => CacheTtl;
  /** The id of a model's provider. */
  readonly providerOf: (model: string) => string;
  /** Keeps the record (A8). Called once for each attempt that told its usage; must not throw. */
  readonly onUsage: (record: UsageRecord) => void;
}

/** Records what each attempt consumed, under the model that was really asked (A8, B12). */
export function withUsage(options: UsageOptions): WrapModelCall {
  const { clock, pricesOf, cacheTtl, providerOf, onUsage } = options;
  return (next) =>
    async function* usage(request, context) {
      const begun = clock.monotonic();
      const record = (model: string, used: Usage, answer?: ModelAnswer): void => {
        const prices = pricesOf(model) ?? pricesOf(request.model);
        const counted = prices === undefined ? undefined : costOf(used, prices, cacheTtl());
        // The provider's bill counts, whatever a price list says.
        const known = used.billed ?? counted;
        const cost = known === undefined ? {} : { cost: known };
        const { sessionId, runId, purpose } = context;
        const call = { sessionId, runId, model, purpose, usage: used, ...cost, at: clock.now() };
        const details = {
          key: context.key ?? '',
          provider: providerOf(model),
          ...(prices === undefined ? {} : { saved: savedByCache(used, prices, cacheTtl()) }),
          ms: clock.monotonic() - begun,
          tools: toolsOf(answer),
        };
        onUsage(context.key === undefined ? call : { ...call, details });
        context.emit({ type: 'model.usage', model, usage: used, ...cost, purpose });
      };
      let model = request.model;
      for await (const event of next(request, context)) {
        if (event.type === 'started') model = event.model;
        if (event.type === 'complete' && event.answer.usage !== undefined)
          record(event.answer.model, event.answer.usage, event.answer);
        if (event.type === 'failed' && event.usage !== undefined) record(model, event.usage);
        yield event;
      }
    };
}

/** The tools that an answer calls, through `use_tool` too. */
function toolsOf(answer: ModelAnswer | undefined): readonly string[] {
  return (answer?.parts ?? []).flatMap((part) =>
    part.type === 'tool_call' ? [expanded(part).name] : [],
  );
}
