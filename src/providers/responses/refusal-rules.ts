import { CHAT_RULES } from '../chat/refusal-rules.ts';
import { CHOOSE, KEPT } from '../http/refusal-rules.ts';
import type { Rule } from '../http/refusal.ts';

/** Refusals in the words of the Responses API, in its answers and within its streams, where no status tells what they are. */
export const RESPONSES_RULES: readonly Rule[] = [
  {
    text: /item (?:with id )?'\w+'.{0,60}(?:not found|without its required)|required following item|required 'reasoning' item|not issued to this|encrypted content.{0,60}(?:could not be|invalid|verif)/i,
    code: 'history_rejected',
    say: () =>
      `The provider no longer accepts the thinking in this conversation. ${KEPT}: send a message to go on without it.`,
    details: () => ({ problem: 'thinking' }),
  },
  {
    codes: ['invalid_encrypted_content'],
    code: 'history_rejected',
    say: () =>
      `The provider no longer accepts the thinking in this conversation. ${KEPT}: send a message to go on without it.`,
    details: () => ({ problem: 'thinking' }),
  },
  {
    text: /no tool (?:output|call) found for function call/i,
    code: 'history_rejected',
    say: () =>
      `The provider refuses the tool calls in this conversation. ${KEPT}: send a message to go on.`,
    details: () => ({ problem: 'pairs' }),
  },
  ...CHAT_RULES,
  {
    codes: ['context_length_exceeded'],
    code: 'context_overflow',
    say: (at) =>
      `The conversation is longer than ${at.model} can take. ${KEPT}: shorten it with /compact, or ${CHOOSE}.`,
  },
  {
    codes: ['rate_limit_exceeded'],
    code: 'rate_limited',
    say: (at) =>
      `The limit of requests or tokens for ${at.model} is reached. ${KEPT}: send again later, or ${CHOOSE}.`,
  },
  {
    codes: ['server_error', 'server_is_overloaded', 'slow_down'],
    code: 'overloaded',
    say: (at) => `${at.model} is overloaded. ${KEPT}: send again later, or ${CHOOSE}.`,
  },
];
