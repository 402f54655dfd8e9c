import { told, type Told } from '../../domain/text/told.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import type { RefusedQuestion } from './elicitation.ts';
import { oneLine } from '../status/sentence.ts';

/** A model call that a server asks for, as it would be made: what it wants of our context is left out. */
export interface SamplingRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly system?: string;
  /** Tokens of the answer. */
  readonly maxTokens: number;
}

/** Never done by itself: it spends the person's tokens, and the answer goes to the server. */
export interface AskedSampling {
  readonly verdict: 'ask';
  readonly request: SamplingRequest;
  /** The whole prompt, for the question. */
  readonly shown: string;
  readonly warnings: readonly Told[];
}

const MOST_MESSAGES = 100;
const MOST_CHARACTERS = 100_000;
const MOST_TOKENS = 8192;

/** Judges a sampling request: the server's own words are answered, and shown first. */
export function judgeSampling(server: string, params: unknown): AskedSampling | RefusedQuestion {
  const given = objectOf(params);
  const { messages, systemPrompt, maxTokens, includeContext, tools } = given;
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MOST_MESSAGES)
    return refused(server, told`a prompt has 1 to ${MOST_MESSAGES} messages`);
  const read = (messages as readonly unknown[]).map((one) => messageOf(one));
  if (read.some((one) => one === undefined)) return refused(server, told`only texts are passed on`);
  const texts = read.filter((one) => one !== undefined);
  const system = typeof systemPrompt === 'string' ? cleanText(systemPrompt) : undefined;
  const size = texts.reduce((sum, { text }) => sum + text.length, system?.length ?? 0);
  if (size > MOST_CHARACTERS)
    return refused(server, told`its prompt has ${size} characters, more than ${MOST_CHARACTERS}`);
  const warnings = [
    told`The MCP server “${oneLine(server)}” wants an answer of your model. It costs your tokens, and the answer goes to the server.`,
  ];
  if (includeContext !== undefined && includeContext !== 'none')
    warnings.push(told`It wants your conversation along with it; it does not get that.`);
  if (tools !== undefined) warnings.push(told`It wants tools to be used; none are.`);
  const limit = typeof maxTokens === 'number' && maxTokens >= 1 ? Math.floor(maxTokens) : 1024;
  const request: SamplingRequest = {
    messages: texts,
    ...(system === undefined || system === '' ? {} : { system }),
    maxTokens: Math.min(limit, MOST_TOKENS),
  };
  const parts = system === undefined ? [] : [`system: ${system}`];
  parts.push(...texts.map(({ role, text }) => `${role}: ${text}`));
  return { verdict: 'ask', request, shown: parts.join('\n\n'), warnings };
}

function messageOf(
  value: unknown,
): { readonly role: 'user' | 'assistant'; readonly text: string } | undefined {
  const { role, content } = objectOf(value);
  if (role !== 'user' && role !== 'assistant') return undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => {
    const { type, text } = objectOf(block);
    return type === 'text' && typeof text === 'string' ? cleanText(text) : undefined;
  });
  if (texts.some((text) => text === undefined)) return undefined;
  return { role, text: texts.join('\n') };
}

function refused(server: string, why: Told): RefusedQuestion {
  return {
    verdict: 'refuse',
    reason: told`The MCP server “${oneLine(server)}” asked for an answer of the model; it was declined: ${why}.`,
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
