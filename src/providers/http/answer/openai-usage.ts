import { isJsonObject } from '../../../domain/data/json.ts';
import type { Usage } from '../../../domain/message.ts';
import { count } from '../fields.ts';

const within = (value: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(value) ? value : {};

/**
 * Usage in all the forms that servers of Chat Completions and of Responses have; `undefined` when it says nothing.
 * Cached tokens are taken out of the input.
 */
export function usageFrom(told: unknown): Usage | undefined {
  if (!isJsonObject(told)) return undefined;
  const given = told['prompt_tokens'] ?? told['input_tokens'];
  const written = told['completion_tokens'] ?? told['output_tokens'];
  const total = told['total_tokens'];
  if (typeof given !== 'number' && typeof written !== 'number') return undefined;
  const prompt = within(told['prompt_tokens_details'] ?? told['input_tokens_details']);
  const completion = within(told['completion_tokens_details'] ?? told['output_tokens_details']);
  const read = count(
    prompt['cached_tokens'] ?? told['prompt_cache_hit_tokens'] ?? told['cached_tokens'],
  );
  const write = count(prompt['cache_write_tokens'] ?? told['cache_creation_input_tokens']);
  const reasoning = count(completion['reasoning_tokens'] ?? told['reasoning_tokens']);
  const [input, output] = [count(given), count(written)];
  // xAI counts thinking beside the answer, all others within it.
  const isBeside = reasoning > 0 && count(total) === input + output + reasoning;
  const billed = readBill(told);
  return {
    inputTokens: Math.max(0, input - read - write),
    outputTokens: isBeside ? output + reasoning : output,
    cacheReadTokens: Math.min(read, input),
    cacheWriteTokens: Math.min(write, Math.max(0, input - read)),
    ...(reasoning === 0 ? {} : { reasoningTokens: reasoning }),
    ...(billed === undefined ? {} : { billed }),
  };
}

/**
 * Reads the US dollars of a call; `undefined` when they are not reported. With the user's own key, `cost` is only
 * OpenRouter's fee: the provider behind it sends a bill of its own.
 */
function readBill(usage: Readonly<Record<string, unknown>>): number | undefined {
  const cost = readDollars(usage['cost']);
  if (usage['is_byok'] !== true) return cost;
  const upstream = readDollars(within(usage['cost_details'])['upstream_inference_cost']);
  return upstream === undefined ? undefined : upstream + (cost ?? 0);
}

/** Reads an amount, which some servers send as a text; `undefined` when it is none or below 0. */
function readDollars(value: unknown): number | undefined {
  const isText = typeof value === 'string' && value.trim() !== '';
  const amount = isText || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
