import { told } from '../../domain/text/told.ts';
import type { Rule } from '../http/refusal/refusal.ts';
import { hostOf } from '../http/address.ts';

/** Refusals in the words of the Messages API; those of all wires come after them. */
export const MESSAGES_RULES: readonly Rule[] = [
  {
    text: /`signature`|thinking.{0,60}cannot be modified|bound to a different conversation|Expected `thinking`|thinking blocks?.{0,40}(?:invalid|account)|thinking\.signature/i,
    code: 'history_rejected',
    say: () =>
      told`The provider no longer accepts the thinking in this conversation. Everything so far is kept: send a message to go on without it.`,
    details: () => ({ problem: 'thinking' }),
  },
  {
    text: /`?tool_use`? ids were found without|unexpected `?tool_use_id`?|`?tool_use`? ids must be unique|each tool_use must have a single result|tool_result.{0,60}corresponding/i,
    code: 'history_rejected',
    say: () =>
      told`The provider refuses the tool calls in this conversation. Everything so far is kept: send a message to go on.`,
    details: () => ({ problem: 'pairs' }),
  },
  {
    text: /text content blocks must|non-empty content|roles must alternate|first message must use the "user" role|assistant message prefill/i,
    code: 'history_rejected',
    say: () =>
      told`The provider refuses the form of this conversation. Everything so far is kept: send a message to go on.`,
    details: () => ({ problem: 'form' }),
  },
];

/** Where a person sees to billing, where the provider itself is asked. */
export const billingPage = (address: string): string | undefined =>
  hostOf(address).endsWith('anthropic.com')
    ? 'https://platform.claude.com/settings/billing'
    : undefined;
