// What the catalog's source does not say, or says otherwise than the providers do, with the reason of each.
import type { WireFlags } from '../../../src/domain/models/wire-flags.ts';

/** How Claude models want to be told how hard to think (the provider's model pages, November 2026), by canonical name. */
export const THINKING_STYLES: Readonly<Record<string, WireFlags['thinkingStyle']>> = {
  'claude-sonnet-5-5': 'between_tools',
  'claude-opus-5-5': 'always',
  'claude-haiku-5-5': 'adaptive',
  'claude-fable-5-2': 'always',
  'claude-fable-5-1': 'always',
  'claude-mythos-5-2': 'always',
  'claude-mythos-5-1': 'always',
  'claude-opus-5': 'adaptive',
  'claude-sonnet-5': 'adaptive',
  'claude-fable-5': 'always',
  'claude-mythos-5': 'always',
  'claude-mythos-preview': 'always',
  'claude-opus-4-8': 'optional',
  'claude-opus-4-7': 'optional',
  'claude-opus-4-6': 'optional',
  'claude-sonnet-4-6': 'optional',
  'claude-opus-4-5': 'budget',
  'claude-sonnet-4-5': 'budget',
  'claude-haiku-4-5': 'budget',
};

/** Models that answer a forced tool with a 400, by canonical name. */
export const UNFORCED: readonly string[] = [
  'claude-sonnet-5-5',
  'claude-opus-5-5',
  'claude-fable-5-2',
  'claude-fable-5-1',
  'claude-mythos-5-2',
  'claude-mythos-5-1',
];

/** Output limits of the Anthropic API by its model pages, where the source has more: a request for more is refused. */
export const OUTPUT_LIMITS: Readonly<Record<string, number>> = { 'claude-sonnet-4-6': 64_000 };

/** Models of the Anthropic API that its SDK names and the source does not; without a published price they have none. */
export const ADDED: readonly {
  readonly id: string;
  readonly name: string;
  readonly price?: readonly [input: number, output: number, cacheRead: number];
}[] = [
  { id: 'claude-mythos-5-2', name: 'Claude Mythos 5.2' },
  { id: 'claude-mythos-5-1', name: 'Claude Mythos 5.1', price: [10, 50, 0.25] },
  { id: 'claude-mythos-5', name: 'Claude Mythos 5', price: [10, 50, 1] },
  { id: 'claude-mythos-preview', name: 'Claude Mythos Preview' },
];

/** Offered first, in this order; the others as the source has them. */
export const FIRST: readonly string[] = Object.keys(THINKING_STYLES);

/** Not for a conversation with tools at once: prices of batches, voices, agents of the provider's own. */
export const LEFT_OUT = /[:-]batch$|voice|voxtral|deep-research|robotics|computer-use/;

/** Models that cost nothing by the provider's own list; any other price of zero means that nobody knows it. */
export const FREE = /[:-]free$|\/free$|^gemma-4-|^labs-/;
