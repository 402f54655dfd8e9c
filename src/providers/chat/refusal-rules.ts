import { told } from '../../domain/text/told.ts';
import type { Rule } from '../http/refusal/refusal.ts';

/** Refusals in the words of Chat Completions servers; those of all wires come after them. */
export const CHAT_RULES: readonly Rule[] = [
  {
    codes: ['content_filter', 'ResponsibleAIPolicyViolation'],
    code: 'refusal',
    say: (at) =>
      told`A filter of the provider declined the request to ${at.model}. The conversation is kept: change your message, or choose another model with “Belay: Choose Model”.`,
    details: () => ({ category: 'content_filter' }),
  },
  {
    text: /invalid_encrypted_content|thought_?signature|reasoning_details.{0,60}(?:invalid|signature)/i,
    code: 'history_rejected',
    say: () =>
      told`The provider no longer accepts the thinking in this conversation. Everything so far is kept: send a message to go on without it.`,
    details: () => ({ problem: 'thinking' }),
  },
  {
    text: /tool_call_ids? did not have response|must be followed by tool messages|must be a response to a prece+ding message with|tool_call_id.{0,40}not found|unexpected tool call id|not the same number of function calls/i,
    code: 'history_rejected',
    say: () =>
      told`The provider refuses the tool calls in this conversation. Everything so far is kept: send a message to go on.`,
    details: () => ({ problem: 'pairs' }),
  },
  {
    text: /roles must alternate|conversation roles|content (?:cannot|can't|must not) be empty/i,
    code: 'history_rejected',
    say: () =>
      told`The provider refuses the form of this conversation. Everything so far is kept: send a message to go on.`,
    details: () => ({ problem: 'form' }),
  },
  {
    text: /invalid schema for function '([\w-]+)'/i,
    code: 'tool_schema_rejected',
    say: (_at, { text }) =>
      told`The provider refuses the tool “${/function '([\w-]+)'/.exec(text)?.[1] ?? '?'}”. Everything so far is kept: switch it off in the setting belay.tools.disabled, or tell the author of its MCP server.`,
    details: (match) => ({ tool: match?.[1] ?? '' }),
  },
  {
    text: /image_url.{0,60}(?:not supported|invalid|unexpected|only)|(?:vision|image input).{0,40}not (?:supported|enabled)|no endpoints found that support image/i,
    code: 'image_rejected',
    say: () =>
      told`The model does not take an image of this conversation. Everything so far is kept: send it smaller, or choose another model with “Belay: Choose Model”.`,
    details: () => ({ problem: 'unreadable' }),
  },
];

/** For servers that refuse a conversation that is too long without a word (Cerebras). */
export const SILENT_OVERFLOW: Rule = {
  status: [400, 413],
  text: /^$/,
  code: 'context_overflow',
  say: (at) =>
    told`The conversation is longer than ${at.model} can take. Everything so far is kept: shorten it with /compact, or choose another model with “Belay: Choose Model”.`,
};
