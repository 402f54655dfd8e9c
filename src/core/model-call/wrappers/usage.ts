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
  /**
   * Keeps the record (A8) of each attempt that reported its usage; must not throw. An attempt that reports it with its
   * first event is recorded as `open` at once, so that it counts even if the process is killed.
   */
  readonly onUsage: (record: UsageRecord) => void;
}

/** Characters of a token, in output whose tokens were not reported. */
const CHARACTERS_PER_TOKEN = 4;

/** Records what each attempt consumed, under the model that was really asked (A8, B12). */
export function withUsage(options: UsageOptions): WrapModelCall {
  const { clock, pricesOf, cacheTtl, providerOf, onUsage } = options;
  return (next) =>
    async function* usage(request, context) {
      const begun = clock.monotonic();
      const record = (
        model: string,
        used: Usage,
        { answer, open }: { readonly answer?: ModelAnswer; readonly open?: true } = {},
      ): void => {
        const prices = pricesOf(model) ?? pricesOf(request.model);
        const counted = prices === undefined ? undefined : costOf(used, prices, cacheTtl());
        // The provider's bill counts, whatever a price list says.
        const known = used.billed ?? counted;
        const cost = known === undefined ? {} : { cost: known };
        const { sessionId, runId, purpose } = context;
        const call = { sessionId, runId, model, purpose, usage: used, ...cost, at: clock.now() };
        const details = {
          key: context.key ?? '',
          ...(open === undefined ? {} : { open }),
          provider: providerOf(model),
          ...(prices === undefined ? {} : { saved: savedByCache(used, prices, cacheTtl()) }),
          ms: clock.monotonic() - begun,
          tools: toolsOf(answer),
        };
        onUsage(context.key === undefined ? call : { ...call, details });
        if (open === undefined)
          context.emit({ type: 'model.usage', model, usage: used, ...cost, purpose });
      };
      let model = request.model;
      let first: Usage | undefined;
      let isRecorded = false;
      let characters = 0;
      const recordBroken = (last: Usage | undefined): void => {
        isRecorded = true;
        if (last !== undefined) record(model, usageAtBreak(last, first, characters));
      };
      try {
        for await (const event of next(request, context)) {
          if (event.type === 'started') {
            ({ model } = event);
            first = event.usage ?? first;
            if (first !== undefined && context.key !== undefined)
              record(model, first, { open: true });
          }
          if (event.type === 'delta') characters += event.text.length;
          if (event.type === 'complete' && event.answer.usage !== undefined) {
            isRecorded = true;
            const { answer } = event;
            record(answer.model, event.answer.usage, { answer });
          }
          if (event.type === 'failed') recordBroken(event.usage ?? first);
          yield event;
        }
      } finally {
        if (!isRecorded) recordBroken(first);
      }
    };
}

/** Usage of an answer that broke off: where nothing was reported after its start, its output is estimated. */
function usageAtBreak(last: Usage, first: Usage | undefined, characters: number): Usage {
  const outputTokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  const isReported = first === undefined || last.outputTokens !== first.outputTokens;
  if (isReported || outputTokens <= last.outputTokens) return last;
  return { ...last, outputTokens, estimated: true };
}

/** The tools that an answer calls, through `use_tool` too. */
function toolsOf(answer: ModelAnswer | undefined): readonly string[] {
  return (answer?.parts ?? []).flatMap((part) =>
    part.type === 'tool_call' ? [expanded(part).name] : [],
  );
}
