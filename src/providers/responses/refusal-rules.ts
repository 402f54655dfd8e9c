import { told } from '../../domain/text/told.ts';
import { CHAT_RULES } from '../chat/refusal-rules.ts';
import type { Rule } from '../http/refusal/refusal.ts';

/** Refusals in the words of the Responses API, in its answers and within its streams, where no status tells what they are. */
export const RESPONSES_RULES: readonly Rule[] = [
  {
    text: /item (?:with id )?'\w+'.{0,60}(?:not found|without its required)|required following item|required 'reasoning' item|not issued to this|encrypted content.{0,60}(?:could not be|invalid|verif)/i,
    code: 'history_rejected',
    say: () =>
      told`The provider no longer accepts the thinking in this conversation. Everything so far is kept: send a message to go on without it.`,
    details: () => ({ problem: 'thinking' }),
  },
  {
    codes: ['invalid_encrypted_content'],
    code: 'history_rejected',
    say: () =>
      told`The provider no longer accepts the thinking in this conversation. Everything so far is kept: send a message to go on without it.`,
    details: () => ({ problem: 'thinking' }),
  },
  {
    text: /no tool (?:output|call) found for function call/i,
    code: 'history_rejected',
    say: () =>
      told`The provider refuses the tool calls in this conversation. Everything so far is kept: send a message to go on.`,
    details: () => ({ problem: 'pairs' }),
  },
  ...CHAT_RULES,
  {
    codes: ['rate_limit_exceeded'],
    code: 'rate_limited',
    say: (at) =>
      told`The limit of requests or tokens for ${at.model} is reached. Everything so far is kept: send again later, or choose another model with “Belay: Choose Model”.`,
  },
  {
    codes: ['server_error', 'server_is_overloaded', 'slow_down'],
    code: 'overloaded',
    say: (at) =>
      told`${at.model} is overloaded. Everything so far is kept: send again later, or choose another model with “Belay: Choose Model”.`,
  },
];
