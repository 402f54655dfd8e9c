import { told } from '../../domain/text/told.ts';
import { server } from '../http/refusal/refusal-rules.ts';
import type { Destination, Rule } from '../http/refusal/refusal.ts';

/** The tool whose declaration is refused, by its position. */
const toolAt = (match: RegExpExecArray | null, at: Destination): string | undefined =>
  at.tools[Number(match?.[1])];

/** Refusals in the words of Gemini; those of all wires come after them. */
export const GEMINI_RULES: readonly Rule[] = [
  {
    text: /API key (?:not valid|expired)|API_KEY_INVALID|unregistered callers/i,
    code: 'auth',
    say: (at) =>
      told`${server(at)} does not accept the API key. Everything so far is kept: set a valid key with “Belay: Set API Key”, then send again.`,
  },
  {
    text: /thought[_ ]?signature/i,
    code: 'history_rejected',
    say: () =>
      told`The provider no longer accepts the thinking in this conversation. Everything so far is kept: send a message to go on without it.`,
    details: () => ({ problem: 'thinking' }),
  },
  {
    text: /number of function response parts|function (?:call|response) turn comes immediately after/i,
    code: 'history_rejected',
    say: () =>
      told`The provider refuses the tool calls in this conversation. Everything so far is kept: send a message to go on.`,
    details: () => ({ problem: 'pairs' }),
  },
  {
    text: /contents? (?:is|are) (?:not specified|empty)|must include at least one parts? field|valid role/i,
    code: 'history_rejected',
    say: () =>
      told`The provider refuses the form of this conversation. Everything so far is kept: send a message to go on.`,
    details: () => ({ problem: 'form' }),
  },
  {
    text: /function_?declarations\[(\d+)\]/i,
    code: 'tool_schema_rejected',
    say: (at, { text }) =>
      told`The provider refuses the tool “${toolAt(/function_?declarations\[(\d+)\]/i.exec(text), at) ?? '?'}”. Everything so far is kept: switch it off in the setting belay.tools.disabled, or tell the author of its MCP server.`,
    details: (match, at) => {
      const tool = toolAt(match, at);
      return tool === undefined ? {} : { tool };
    },
  },
  {
    text: /function_?calling_?config|allowed_?function_?names/i,
    code: 'tool_schema_rejected',
    say: (at) =>
      told`${at.model} cannot be made to use a certain tool. Everything so far is kept: send a message to go on.`,
    details: () => ({ problem: 'tool_choice' }),
  },
  {
    text: /maxOutputTokens value of \d+ but the supported range is from \d+ \(inclusive\) to (\d+)/i,
    code: 'output_limit',
    say: (at) =>
      told`${at.model} writes fewer tokens in one answer than were asked for. Everything so far is kept: lower the setting belay.model.maxOutputTokens.`,
    details: (match) => ({ outputLimit: Number(match?.[1]) - 1 }),
  },
  {
    text: /unable to process input image|mime ?type.{0,60}not supported|inline_?data|document has no pages/i,
    code: 'image_rejected',
    say: () =>
      told`The model does not take an image or a PDF of this conversation. Everything so far is kept: send it in another form, or choose another model with “Belay: Choose Model”.`,
    details: () => ({ problem: 'unreadable' }),
  },
];
