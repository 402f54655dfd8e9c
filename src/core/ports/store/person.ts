import type { Amounts, Cap, CapUse } from '../../../domain/budget.ts';
import type { Level } from '../../../domain/permissions/level.ts';
import type { UsageRecord } from './recorder.ts';

/** The person before the screen, one over all workspaces and windows (A1). */
export interface Person {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly level: Level;
  /** Of this workspace; the same each time. */
  readonly workspaceId: string;
}

/** A request that is about to be sent. */
export interface PlannedRequest {
  /** The key of its usage record. */
  readonly key: string;
  readonly sessionId: string;
  readonly runId: string;
  /** The most that it may consume. */
  readonly most: Amounts;
  /** Its use if the answer is short. */
  readonly least: Amounts;
}

export type Admission =
  /** Reserved. */
  | { readonly kind: 'admitted' }
  /** Others that are under way may use the rest: it is known when they have ended. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'refused'; readonly cap: CapUse };

/** An account that the person linked to themselves: no token is kept. */
export interface LinkedAccount {
  /** The authentication provider of the editor, `github` for example. */
  readonly provider: string;
  readonly id: string;
  readonly label: string;
}

/** A sum of calls that have something in common. */
export interface UsageSum {
  readonly by: 'day' | 'model' | 'session' | 'tool';
  /** The day by the clock on the wall here, the model, the session or the tool. */
  readonly key: string;
  /** Of a session: its workspace, by id and name; else empty. */
  readonly workspaceId: string;
  readonly workspace: string;
  /** Of a tool: the turns that called it; they are shared out evenly between the tools that one called. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** US dollars, of calls whose price is known. */
  readonly cost: number;
  /** US dollars that the prompt cache saved. */
  readonly saved: number;
  /** Calls whose price is not known. */
  readonly unpriced: number;
}

/** One call, for an export. */
export interface UsageCall {
  readonly at: number;
  readonly workspace: string;
  readonly session: string;
  readonly run: string;
  readonly model: string;
  readonly provider: string;
  readonly purpose: string;
  /** JSON: the names of the tools that the answer called. */
  readonly tools: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cost: number | null;
  readonly saved: number | null;
  readonly ms: number;
}

/** Records that count together over all workspaces and windows of a person. Every method may reject with `store`. */
export interface PersonRecords {
  /** Creates the person with the first call; their level becomes `level`. */
  person(level: Level): Promise<Person>;
  /** Reserves what a request may consume, or tells the cap that forbids it. */
  reserve(request: PlannedRequest, caps: readonly Cap[]): Promise<Admission>;
  /** Counts a call, once for its key, in place of its reservation, or of a part of it while the call is open. Gives the caps that are used to 80 % now, each once. */
  settle(record: UsageRecord, caps: readonly Cap[]): Promise<readonly CapUse[]>;
  /** The request consumed nothing. */
  release(key: string): Promise<void>;
  /** How much of each cap is used; of a run or a session only where it is named. */
  uses(
    caps: readonly Cap[],
    of: { readonly sessionId?: string; readonly runId?: string },
  ): Promise<readonly CapUse[]>;
  /** The sums since a moment (milliseconds since the epoch), the largest first, days in their order. */
  sums(sinceMs: number): Promise<readonly UsageSum[]>;
  /** Every call, oldest first; of very many the newest. */
  calls(): Promise<readonly UsageCall[]>;
  accounts(): Promise<readonly LinkedAccount[]>;
  link(account: LinkedAccount): Promise<void>;
  unlink(account: Pick<LinkedAccount, 'provider' | 'id'>): Promise<void>;
}
