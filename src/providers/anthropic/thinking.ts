import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ThinkingEffort } from '../../domain/models/model.ts';
import type { WireFlags } from '../../domain/models/wire-flags.ts';

/** The `thinking` and `output_config` fields of a request; absent fields are not sent. */
export type ThinkingFields = Pick<MessageCreateParams, 'thinking' | 'output_config'>;

/** Tokens of thinking for models that want a number (D7). */
const BUDGETS = { low: 4096, medium: 12_000, high: 32_000 } as const;
/** The API's least budget. */
const LEAST_BUDGET = 1024;

/**
 * How hard to think, for a model. Summaries are asked for: else newer models send empty blocks.
 * `forced`: a tool is forced, which a thinking budget does not allow.
 */
export function thinkingFields(
  style: WireFlags['thinkingStyle'],
  effort: ThinkingEffort,
  maxTokens: number,
  forced: boolean,
): ThinkingFields {
  if (effort === 'off') return thinkingOff(style);
  if (style !== 'budget') {
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } };
  }
  const budget = Math.min(BUDGETS[effort], Math.floor(maxTokens / 2));
  return forced || budget < LEAST_BUDGET
    ? {}
    : { thinking: { type: 'enabled', budget_tokens: budget } };
}

function thinkingOff(style: WireFlags['thinkingStyle']): ThinkingFields {
  switch (style) {
    case 'always':
      return { thinking: { type: 'adaptive', display: 'summarized' } };
    case 'adaptive':
      return { thinking: { type: 'disabled' } };
    case 'between_tools':
      return { thinking: { type: 'between_tools' } };
    case 'optional':
    case 'budget':
      return {};
    default:
      return style satisfies never;
  }
}
