/** Ways to add usage up. */
export const USAGE_GROUPS = ['day', 'model', 'session', 'tool', 'server'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Budgets, and what was used of them and without them; amounts in words of the person's language. */
export interface UsageView {
  /** Why nothing can be said; empty: it can. */
  readonly problem: string;
  /** Level and linked accounts, in a sentence. */
  readonly person: string;
  readonly linked: boolean;
  readonly caps: readonly CapRow[];
  /** The last 30 days in a sentence. */
  readonly total: string;
  readonly groups: readonly { readonly by: UsageGroup; readonly rows: readonly UsageRow[] }[];
}

/** A cap that is set. */
export interface CapRow {
  /** The span and unit: "Dollars a day". */
  readonly name: string;
  readonly said: string;
  /** The used part; above 1: over. `null`: it counts for each run or session by itself. */
  readonly share: number | null;
  /** The setting that holds it. */
  readonly setting: string;
}

export interface UsageRow {
  readonly name: string;
  /** A session's workspace, to compare it; else `null`. */
  readonly session: { readonly workspace: string; readonly id: string } | null;
  readonly calls: string;
  readonly tokens: string;
  readonly cost: string;
  /** Dollars that the prompt cache saved. */
  readonly saved: string;
  /** Tokens, as a part of the largest row's. */
  readonly share: number;
}

/** A session's cost with another model. */
export interface ComparedModel {
  readonly name: string;
  readonly cost: string;
}
