import type { Json, JsonObject } from '../data/json.ts';
import type { WireFlags } from './wire-flags.ts';

/** A model's facts (D6, B12). Prices in US dollars per million tokens. */
export interface ModelInfo {
  readonly id: string;
  readonly name: string;
  /** The id of its provider instance. */
  readonly provider: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly maxOutputTokens: number;
  readonly prices?: ModelPrices;
  readonly thinking: boolean;
  readonly vision: boolean;
  /** Pixels of the longer side of a picture, above which it is made smaller; absent: as its wire has it. */
  readonly imageSide?: number;
  /** Honours a forced tool (C13). */
  readonly toolChoice: boolean;
  /** Needs neither key nor network, and costs nothing; it is asked for nothing that the person does not see. */
  readonly offline?: boolean;
  /** Absent: it does not think, or nobody knows its steps. */
  readonly efforts?: EffortMap;
  readonly flags?: Partial<WireFlags>;
  /** Limits and abilities are taken from a model like it, or are the careful ones of D6. */
  readonly guessed?: true;
}

/** The steps of effort from none to all, as models offer them. */
export const EFFORT_STEPS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type EffortStep = (typeof EFFORT_STEPS)[number];

/**
 * The value sent for each step of effort. `null`: the model has no such step. `off` absent: thinking is not asked for.
 */
export type EffortMap = Readonly<Partial<Record<EffortStep, string | null>>>;

export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Writing to the one-hour cache; absent: as `cacheWrite`. */
  readonly cacheWriteHour?: number;
  /** Other prices for the whole call when its prompt, cached tokens included, is longer than this. */
  readonly longPrompt?: { readonly aboveTokens: number; readonly prices: ModelPrices };
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, passed on unchanged. */
  readonly inputSchema: JsonObject;
  /** Most sessions do not need it: offered by name only, so that its schema costs nothing until it is used. */
  readonly rare?: boolean;
  /** The MCP server that it belongs to, by its name in the settings. */
  readonly server?: string;
}

/** The model's effort in thinking (D7). */
export type ThinkingEffort = 'off' | 'low' | 'medium' | 'high';

export type ToolChoice =
  | { readonly type: 'auto' }
  | { readonly type: 'none' }
  | { readonly type: 'tool'; readonly name: string };

/** A JSON Schema document. */
export type JsonSchema = { readonly [key: string]: Json };
